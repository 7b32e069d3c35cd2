"""Topology of the bus: every topic, subscription, filter policy, event rule, queue and dead-letter queue in one table.

Both backends create themselves from it; nothing is declared twice. Names and numbers are those of the contract
documents (000, 002, 004).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from sightline.bus.policy import Scope, compile_event_pattern, compile_filter_policy
from sightline.errors import ConfigurationError

DAY_S = 24 * 60 * 60
RETENTION_S = (60, 14 * DAY_S)
MAX_RECEIVES = (1, 1000)

TECHNIQUE_TOPIC = "video_analysis_events"
TECHNIQUE_QUEUE = "video_analysis_events_db_consumer"
TECHNIQUE_DEAD_LETTERS = "video_analysis_events_dlq"
STORAGE_QUEUE = "video-storage-events"
SPLIT_QUEUE = "video-split-queue"
NOTIFICATION_TOPIC = "notification-topic"
NOTIFICATION_QUEUE = "notification-queue"
NOTICE_QUEUE = "message-notice-queue"
DELIVERY_QUEUE = "bus-deliveries"


def message_topic(stage: str) -> str:
    return f"rez-agent-messages-{stage}"


def message_queue(stage: str) -> str:
    return f"rez-agent-message-queue-{stage}"


def alert_queue(stage: str) -> str:
    return f"rez-agent-alert-queue-{stage}"


def schedule_queue(stage: str) -> str:
    return f"rez-agent-schedule-queue-{stage}"


@dataclass(frozen=True, slots=True)
class Queue:
    """A queue with the numbers of document 002 by default. `max_receives` None means no dead-letter queue."""

    name: str
    visibility_s: int = 300
    retention_s: int = 14 * DAY_S
    delay_s: int = 0
    wait_s: int = 20
    batch: int = 10
    max_receives: int | None = 3
    is_dead_letter: bool = False
    dead_letter_name: str | None = None
    """Name of the dead-letter queue, if a document gives one."""
    is_fair: bool = False
    """Owners take turns, and alarms come first, where the backend can (ADR 0034)."""
    is_fifo: bool = False
    """Messages of a group are received in order, one batch of a group at a time (ADR 0055)."""
    deduplicates_per_group: bool = False
    """Whether equal deduplication ids of different groups are different messages."""
    is_declared: bool = True
    """False for the queues of clients, which are not in this table but in the database's."""
    keeps_age: bool = False
    """Whether a message that moves to the dead-letter queue keeps its age, as on SQS, or has the whole retention again."""

    @property
    def dead_letter_queue(self) -> str | None:
        return None if self.max_receives is None else self.dead_letter_name or f"{self.name}-dlq"


@dataclass(frozen=True, slots=True)
class Subscription:
    """A queue that receives from a topic: the bare message if raw, otherwise the SNS envelope."""

    topic: str
    queue: str
    filter_policy: Mapping[str, Any] = field(default_factory=dict)
    scope: Scope = "MessageAttributes"
    is_raw: bool = False


@dataclass(frozen=True, slots=True)
class EventRule:
    """Sends events that match the pattern to either a queue or a topic."""

    name: str
    pattern: Mapping[str, Any]
    to_queue: str | None = None
    to_topic: str | None = None


@dataclass(frozen=True, slots=True)
class Topology:
    topics: tuple[str, ...]
    queues: tuple[Queue, ...]
    subscriptions: tuple[Subscription, ...] = ()
    rules: tuple[EventRule, ...] = ()

    def __post_init__(self) -> None:
        _check(self)

    @property
    def all_queues(self) -> tuple[Queue, ...]:
        """The queues and their dead-letter queues."""
        dead = (
            replace(
                queue,
                name=queue.dead_letter_queue,
                delay_s=0,
                max_receives=None,
                is_dead_letter=True,
                dead_letter_name=None,
                is_fair=False,
            )
            for queue in self.queues
            if queue.dead_letter_queue is not None
        )
        return (*self.queues, *dead)


def default_topology(*, stage: str, bucket: str) -> Topology:
    messages = message_topic(stage)
    return Topology(
        topics=(TECHNIQUE_TOPIC, messages, NOTIFICATION_TOPIC),
        queues=(
            Queue(TECHNIQUE_QUEUE, visibility_s=60, dead_letter_name=TECHNIQUE_DEAD_LETTERS),
            Queue(message_queue(stage), is_fair=True),
            Queue(alert_queue(stage), is_fair=True),
            Queue(STORAGE_QUEUE),
            Queue(SPLIT_QUEUE),
            Queue(NOTIFICATION_QUEUE, is_fair=True),
            Queue(NOTICE_QUEUE, is_fair=True),
            # EventBridge Scheduler sends here when it is the clock; with the built-in clock the queue stays empty.
            Queue(schedule_queue(stage)),
        ),
        subscriptions=(
            Subscription(TECHNIQUE_TOPIC, TECHNIQUE_QUEUE),
            # Alerts have a queue of their own; every other type, known or not, goes to the document's queue.
            Subscription(messages, message_queue(stage), {"message_type": [{"anything-but": ["alert_notification"]}]}),
            Subscription(messages, alert_queue(stage), {"message_type": ["alert_notification"]}),
            Subscription(NOTIFICATION_TOPIC, NOTIFICATION_QUEUE),
        ),
        rules=(
            EventRule(
                "video-upload-completed",
                {
                    "source": ["aws.s3"],
                    "detail-type": ["Object Created"],
                    "detail": {"bucket": {"name": [bucket]}, "reason": ["CompleteMultipartUpload"]},
                },
                to_queue=STORAGE_QUEUE,
            ),
            EventRule(
                "video-status-notification",
                {
                    "source": ["fiapx.video"],
                    "detail-type": ["Video Status Changed"],
                    # PRINTING besides the document's three: it is when the mail "Quase lá" is due.
                    "detail": {"status": ["PROCESSING", "PRINTING", "COMPLETED", "FAILED"]},
                },
                to_topic=NOTIFICATION_TOPIC,
            ),
            # Notifications of the message flow of document 002, besides the emails of document 004.
            EventRule(
                "video-outcome-notice",
                {
                    "source": ["fiapx.video"],
                    "detail-type": ["Video Status Changed"],
                    "detail": {"status": ["COMPLETED", "FAILED"]},
                },
                to_queue=NOTICE_QUEUE,
            ),
            EventRule(
                "analysis-finalized-notice",
                {"source": ["sightline.techniques"], "detail-type": ["Technique Analysis Finalized"]},
                to_queue=NOTICE_QUEUE,
            ),
            EventRule(
                "security-event-notice",
                {
                    "source": ["sightline.security"],
                    "detail-type": ["Security Event Created"],
                    "detail": {"riskLevel": ["high", "critical"]},
                },
                to_queue=NOTICE_QUEUE,
            ),
        ),
    )


def with_deliveries(topology: Topology) -> Topology:
    """With the queue of deliveries to endpoints of clients. How often one is tried is up to its subscription or target."""
    deliveries = Queue(DELIVERY_QUEUE, visibility_s=60, max_receives=None, is_fair=True)
    return replace(topology, queues=(*topology.queues, deliveries))


def _check(topology: Topology) -> None:
    names = [*topology.topics, *(queue.name for queue in topology.all_queues)]
    if doubled := {name for name in names if names.count(name) > 1}:
        raise ConfigurationError(f"declared twice on the bus: {', '.join(sorted(doubled))}")
    topics, queues = set(topology.topics), {queue.name for queue in topology.queues}
    for queue in topology.queues:
        if not RETENTION_S[0] <= queue.retention_s <= RETENTION_S[1]:
            raise ConfigurationError(f"{queue.name}: retention must be between {RETENTION_S[0]} and {RETENTION_S[1]} s")
        if queue.max_receives is not None and not MAX_RECEIVES[0] <= queue.max_receives <= MAX_RECEIVES[1]:
            raise ConfigurationError(f"{queue.name}: max_receives must be between 1 and 1000")
    for subscription in topology.subscriptions:
        if subscription.topic not in topics or subscription.queue not in queues:
            raise ConfigurationError(f"no such topic or queue: {subscription.topic} → {subscription.queue}")
        compile_filter_policy(subscription.filter_policy, scope=subscription.scope, on_subscribe=True)
    for rule in topology.rules:
        if (rule.to_queue is None) == (rule.to_topic is None):
            raise ConfigurationError(f"rule {rule.name} needs one target, a queue or a topic")
        if rule.to_queue not in {None, *queues} or rule.to_topic not in {None, *topics}:
            raise ConfigurationError(f"rule {rule.name} has no such target")
        compile_event_pattern(rule.pattern)
