"""What notifications count."""

from prometheus_client import CollectorRegistry, Counter, Histogram


class MailMetrics:
    def __init__(self, registry: CollectorRegistry | None) -> None:
        self.mails = Counter(
            "sightline_mails_total",
            "Mails, by what became of an attempt: sent, retry, failed, skipped, repeated.",
            ["template", "channel", "outcome"],
            registry=registry,
        )
        self.seconds = Histogram(
            "sightline_mail_send_seconds", "Time to hand a mail over.", ["template", "channel"], registry=registry
        )
