"""Metrics of emails."""

from prometheus_client import CollectorRegistry, Counter, Histogram


class MailMetrics:
    def __init__(self, registry: CollectorRegistry | None) -> None:
        self.mails = Counter(
            "sightline_mails_total",
            "Emails, by the outcome of an attempt: sent, kept (no mail server is set), retry, failed, skipped, repeated.",
            ["template", "channel", "outcome"],
            registry=registry,
        )
        self.seconds = Histogram(
            "sightline_mail_send_seconds", "Time to send an email.", ["template", "channel"], registry=registry
        )
