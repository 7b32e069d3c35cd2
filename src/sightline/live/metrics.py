"""Metrics of the live feed."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 60.0)


class LiveMetrics:
    def __init__(self, registry: CollectorRegistry | None) -> None:
        # Named by document 003.
        self.broadcast_seconds = Histogram(
            "hsi_event_broadcast_duration_seconds",
            "From the numbering of a message, just before its commit, until it was handed to the sockets.",
            ["stream"],
            buckets=_SECONDS,
            registry=registry,
        )
        self.connections = Gauge(
            "sightline_live_connections", "Connections that follow a stream.", ["stream"], registry=registry
        )
        self.messages = Counter(
            "sightline_live_messages_total", "Messages that this process handed out.", ["stream"], registry=registry
        )
        self.deliveries = Counter(
            "sightline_live_deliveries_total", "Messages given to sockets.", ["stream"], registry=registry
        )
        self.relayed = Counter(
            "sightline_live_relayed_total", "Messages copied to Redis.", ["stream"], registry=registry
        )
        self.carried = Counter(
            "sightline_live_carried_total",
            "Messages that came by Redis, for which the database was not asked.",
            ["stream"],
            registry=registry,
        )
        self.replayed = Counter(
            "sightline_live_replayed_total",
            "Missed messages given to clients that returned.",
            ["stream"],
            registry=registry,
        )
        self.gaps = Counter(
            "sightline_live_gaps_total", "Clients asked to reload.", ["stream", "reason"], registry=registry
        )
        self.redelivered = Counter(
            "sightline_live_redelivered_total", "Messages sent again for want of an ack.", ["stream"], registry=registry
        )
        self.acks = Counter("sightline_live_acks_total", "Acknowledgements stored.", ["stream"], registry=registry)
        self.slow_consumers = Counter(
            "sightline_live_slow_consumers_total", "Clients closed for not reading.", ["stream"], registry=registry
        )
