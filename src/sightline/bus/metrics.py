"""Metrics of the bus."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from sightline.bus.topology import Queue

CLIENT_LABEL = "(client)"
"""Label of all queues and topics that clients created: one of their own for each would let a client fill the memory."""


def label_of(queue: Queue) -> str:
    return queue.name if queue.is_declared else CLIENT_LABEL


class BusMetrics:
    def __init__(self, registry: CollectorRegistry | None) -> None:
        self.published = Counter(
            "sightline_bus_published_total", "Messages published on a topic.", ["topic"], registry=registry
        )
        self.received = Counter("sightline_bus_received_total", "Messages received.", ["queue"], registry=registry)
        self.dead_lettered = Counter(
            "sightline_bus_dead_lettered_total", "Messages moved to a dead-letter queue.", ["queue"], registry=registry
        )
        self.handled = Counter(
            "sightline_bus_handled_total", "Messages handled, by outcome.", ["queue", "outcome"], registry=registry
        )
        self.handling_seconds = Histogram(
            "sightline_bus_handling_seconds", "Run time of handlers.", ["queue"], registry=registry
        )
        self.depth = Gauge(
            "sightline_bus_queue_depth", "Messages in a queue, by state.", ["queue", "state"], registry=registry
        )
        self.oldest_age = Gauge(
            "sightline_bus_oldest_age_seconds", "Age of the oldest visible message.", ["queue"], registry=registry
        )
        self.dead_letter_alarm = Gauge(
            "sightline_bus_dead_letter_alarm",
            "1 while a dead-letter queue holds anything.",
            ["queue"],
            registry=registry,
        )
        self.clock_ticks = Counter(
            "sightline_bus_clock_ticks_total", "Rules and schedules that came due.", ["kind"], registry=registry
        )
        self.clock_lateness = Histogram(
            "sightline_bus_clock_lateness_seconds",
            "How long after its scheduled time a target was called, flexible time windows included.",
            ["kind"],
            registry=registry,
            buckets=(0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600),
        )
        self.archived = Counter("sightline_bus_archived_events_total", "Events kept in archives.", registry=registry)
        self.replayed = Counter(
            "sightline_bus_replayed_events_total", "Events put again from archives.", registry=registry
        )
