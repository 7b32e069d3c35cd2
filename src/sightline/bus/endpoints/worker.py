"""Deliveries to endpoints: a sender per kind, retries with backoff, then the dead-letter queue of the subscription or target."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta

import structlog

from sightline.bus.bus import Bus
from sightline.bus.consumer import Consumer, ConsumerOptions
from sightline.bus.delivery import Delivery, RetryIn
from sightline.bus.delivery_policy import RetryPolicy
from sightline.bus.endpoints.failure import TargetFailure, failure_attributes
from sightline.bus.endpoints.record import EndpointDelivery
from sightline.bus.limits import MAX_ATTRIBUTES, check_message
from sightline.bus.message import QueueMessage
from sightline.bus.metrics import BusMetrics
from sightline.bus.names import Names
from sightline.bus.topology import DELIVERY_QUEUE
from sightline.db import Database
from sightline.errors import NotFound, Throttled, TooLarge, is_retryable
from sightline.timing import Backoff, Clock, utc_now

MAX_ATTEMPTS = 50
MAX_AGE_S = 3600.0
CONCURRENCY = 20
BACKOFF = Backoff(first_s=1.0, max_s=60.0)

log = structlog.get_logger(__name__)

EndpointSender = Callable[[EndpointDelivery], Awaitable[None]]
"""Delivers once. An error that may be retried is retried; any other sends the message to the dead letters at once."""
EnvelopeWriter = Callable[[EndpointDelivery], Awaitable[str]]
"""The notification of a topic as text, for a dead letter of a subscription that is not raw."""


@dataclass(slots=True)
class EndpointSenders:
    """The senders by kind. Each service of the bus adds its own before the deliveries are worked off."""

    _by_kind: dict[str, EndpointSender] = field(default_factory=dict)

    def add(self, kind: str, sender: EndpointSender) -> None:
        if kind in self._by_kind:
            raise ValueError(f"two senders deliver to endpoints of the kind {kind}")
        self._by_kind[kind] = sender

    async def send(self, record: EndpointDelivery) -> None:
        sender = self._by_kind.get(record.kind)
        if sender is None:
            kind = record.kind.rpartition(":")[2]
            raise TargetFailure("NO_RESOURCE", f"Nothing here delivers to {kind}: {record.endpoint}")
        await sender(record)


class EndpointWorker:
    def __init__(
        self,
        senders: EndpointSenders,
        *,
        bus: Bus,
        database: Database,
        names: Names,
        metrics: BusMetrics | None = None,
        envelope: EnvelopeWriter | None = None,
        clock: Clock = utc_now,
        backoff: Backoff = BACKOFF,
    ) -> None:
        self._senders = senders
        self._bus = bus
        self._database = database
        self._names = names
        self._metrics = metrics
        self._envelope = envelope
        self._clock = clock
        self._backoff = backoff

    def consumer(self) -> Consumer:
        return Consumer(
            DELIVERY_QUEUE,
            queues=self._bus,
            database=self._database,
            handler=self.deliver,
            options=ConsumerOptions(
                concurrency=CONCURRENCY, handler_timeout=timedelta(minutes=5), backoff=self._backoff
            ),
            metrics=self._metrics,
        )

    async def deliver(self, delivery: Delivery) -> None:
        record = EndpointDelivery.from_json(delivery.received.body)
        try:
            await self._senders.send(record)
        except Exception as error:
            if not self._may_retry(record, delivery, error):
                await self._bury(delivery, record, error)
            elif (policy := record.parameters.get("RetryPolicy")) is None:
                raise
            elif (delay_s := RetryPolicy.of(policy).delay_s(delivery.received.receive_count or 1)) is None:
                await self._bury(delivery, record, error)
            else:
                wait_s = error.retry_after.total_seconds() if isinstance(error, Throttled) else 0.0
                raise RetryIn(max(delay_s, wait_s), _reason(error)) from error

    def _may_retry(self, record: EndpointDelivery, delivery: Delivery, error: Exception) -> bool:
        max_attempts = MAX_ATTEMPTS if record.max_attempts is None else record.max_attempts
        return (
            is_retryable(error)
            and (delivery.received.receive_count or 1) < max_attempts
            and not self._is_too_old(record, delivery)
        )

    def _is_too_old(self, record: EndpointDelivery, delivery: Delivery) -> bool:
        max_age_s = MAX_AGE_S if record.max_age_s is None else record.max_age_s
        now = self._clock()
        return now - (delivery.received.sent_at or now) >= timedelta(seconds=max_age_s)

    async def _bury(self, delivery: Delivery, record: EndpointDelivery, error: Exception) -> None:
        """Moves the message to the dead-letter queue of its subscription or target; without one it is dropped, as AWS does."""
        queue = None if record.dead_letter_arn is None else self._names.local_name_of(record.dead_letter_arn)
        reason = _reason(error)
        body, attributes = record.body, dict(record.attributes)
        if queue is not None and record.topic is not None and not record.is_raw and self._envelope is not None:
            body, attributes = await self._envelope(record), {}
        async with delivery.transaction() as tx:
            if queue is not None:
                failure = failure_attributes(
                    record,
                    error,
                    attempts=delivery.received.receive_count or 1,
                    is_too_old=self._is_too_old(record, delivery),
                )
                if len(attributes) + len(failure) <= MAX_ATTRIBUTES:
                    attributes |= failure
                try:
                    check_message(body, attributes)
                except TooLarge:  # the envelope or the reason made it so; the message itself fits
                    body, attributes = record.body, {}
                try:
                    await self._bus.send(tx, queue, QueueMessage(body, attributes))
                except NotFound:
                    queue = None  # the dead-letter queue was deleted in the meantime
        log.warning(
            "bus.delivery_failed",
            kind=record.kind,
            source=record.source,
            message_id=record.message_id,
            attempts=delivery.received.receive_count,
            dead_letter_queue=queue,
            error=reason,
        )


def _reason(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
