"""Metrics of the message flow, with the names of document 002 in Prometheus style."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram


class MessageMetrics:
    def __init__(self, registry: CollectorRegistry | None) -> None:
        self.created = Counter(
            "sightline_messages_created_total", "Messages created.", ["message_type", "source"], registry=registry
        )
        self.processed = Counter(
            "sightline_messages_processed_total",
            "Messages processed, by outcome: completed, failed, put_off, repeated.",
            ["message_type", "outcome"],
            registry=registry,
        )
        self.processing_seconds = Histogram(
            "sightline_message_processing_seconds",
            "Time from claiming a message to its end.",
            ["message_type"],
            registry=registry,
        )
        self.sent = Counter(
            "sightline_notifications_sent_total",
            "Attempts to send a notification, by outcome: sent, kept (no mail server), retry, failed, refused by the breaker.",
            ["channel", "outcome"],
            registry=registry,
        )
        self.sending_seconds = Histogram(
            "sightline_notification_seconds",
            "Time of one attempt to send a notification.",
            ["channel"],
            registry=registry,
        )
        self.breaker = Gauge(
            "sightline_circuit_breaker_state",
            "Worst state of a channel's destinations: 0 closed, 1 half open, 2 open.",
            ["channel"],
            registry=registry,
        )
        self.dead_letters = Gauge(
            "sightline_message_dead_letters", "Dead letters of the message queues.", registry=registry
        )
