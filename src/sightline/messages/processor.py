"""The message processor of document 002: claim, load, notify, mark as completed.

Claiming is one conditional update, and the processor that succeeds sends. The queue message is held in the meantime, and
acknowledged after the record is marked. ADR 0021 says what can still be sent twice.
"""

import asyncio
import math
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import timedelta

import structlog

from sightline.bus import Delivery, QueueMessage, Sender
from sightline.contracts.message_events import MessageCreated, parse_message_event
from sightline.db import Database, Transaction
from sightline.errors import PermanentFailure, PlatformError
from sightline.messages.create import message_type_label
from sightline.messages.message import MAX_ERROR_LENGTH, Message
from sightline.messages.metrics import MessageMetrics
from sightline.messages.store import MessageStore, unknown_message
from sightline.messages.wording import notification_of
from sightline.notifications import (
    NO_SECRET_YET,
    AddressBook,
    NotificationPostponed,
    NotificationSender,
    Picture,
    is_kept_id,
    one_line,
)
from sightline.observability import work_context
from sightline.timing import Clock, utc_now

MAX_DELAY_S = 900  # the longest delay of a queue; a longer wait takes several

LoadPicture = Callable[[str], Awaitable[Picture | None]]

log = structlog.get_logger(__name__)


class AddressNotConfirmed(PermanentFailure):
    """The owner of the message has not proven that the address is theirs."""


class Processor:
    def __init__(
        self,
        *,
        store: MessageStore,
        sender: NotificationSender,
        bus: Sender,
        database: Database,
        name: str,
        give_up_after: timedelta,
        load_picture: LoadPicture | None = None,
        addresses: AddressBook | None = None,
        metrics: MessageMetrics | None = None,
        clock: Clock = utc_now,
    ) -> None:
        self._store = store
        self._sender = sender
        self._bus = bus
        self._database = database
        self._name = name
        self._give_up_after = give_up_after
        self._load_picture = load_picture
        self._addresses = addresses
        self._lease = timedelta(
            seconds=2 * sender.max_duration_s
        )  # a processor that is alive gives up long before it ends
        self._metrics = metrics or MessageMetrics(None)
        self._clock = clock

    async def handle(self, delivery: Delivery) -> None:
        event = parse_message_event(delivery.payload())
        with work_context(message_id=event.message.message_id, correlation_id=event.message.correlation_id):
            message = await self._claim(delivery, event)
            if message is None:
                return
            started = time.perf_counter()
            try:
                await self._notify(message)
            except NotificationPostponed as error:
                await self._postpone(delivery, message, error)
            finally:
                label = message_type_label(message.message_type)
                self._metrics.processing_seconds.labels(label).observe(time.perf_counter() - started)

    async def _claim(self, delivery: Delivery, event: MessageCreated) -> Message | None:
        """The claimed message; None if there is nothing to do."""
        message_id = event.message.message_id
        message = await self._store.claim(message_id, by=self._name, lease=self._lease)
        if message is not None:
            return message
        found = await self._store.get(message_id)
        if found is None:
            raise unknown_message(message_id)
        if found.status == "processing":
            # Another processor has it; whether it succeeds shows when its lease ends.
            left = (found.lease_until or self._clock()) - self._clock()
            async with delivery.transaction() as tx:
                await self._redeliver_later(tx, delivery, found, after=left)
            log.info("message.already_claimed")
            return None
        self._count(found, "repeated")
        log.info("message.repeated", status=found.status)
        return None

    async def _notify(self, message: Message) -> None:
        notification = message.notification
        try:
            self._wait_for_quiet_hours(message)
            salts = await self._check_recipient(message)
            picture = None if notification.thumbnail_key is None else await self._picture(notification.thumbnail_key)
            notification_id = await self._sender.send(
                notification.channel, notification_of(message, picture, salts), is_repetition=message.is_repetition
            )
        except NotificationPostponed as error:
            if self._clock() - message.created_date < self._give_up_after:
                raise
            reason = f"given up after {self._give_up_after}: {error.message}"
            await self._fail(message, PermanentFailure(reason))
            raise PermanentFailure(reason) from error
        except asyncio.CancelledError:
            with suppress(Exception):  # the lease ends by itself, and stopping matters more
                await self._store.fail(message, error="interrupted", by=self._name)
            raise
        except Exception as error:
            await self._fail(message, error)
            raise
        # Never cancelled: a message that was sent and not marked would be sent again.
        marking = asyncio.create_task(self._mark(message, notification_id))
        try:
            await asyncio.shield(marking)
        except asyncio.CancelledError:
            await asyncio.wait((marking,))
            raise

    def _wait_for_quiet_hours(self, message: Message) -> None:
        due = message.notification.not_before
        if due is not None and (left := due - self._clock()) > timedelta():
            raise NotificationPostponed("quiet hours", retry_after=left)

    async def _check_recipient(self, message: Message) -> tuple[bytes, ...]:
        """Refuses an address that is not confirmed now, whatever it was when the message was created."""
        notification = message.notification
        channel = notification.channel
        if self._addresses is None or notification.target is None or channel == "log" or channel == "web_push":
            return ()
        recipient = await self._addresses.recipient(message.owner_id, channel, notification.target)
        if not (recipient.is_allowed or notification.is_for_operator or notification.is_challenge):
            raise AddressNotConfirmed(
                f"the {notification.channel} address is not confirmed; confirm it in the notification preferences"
            )
        if notification.channel != "webhook" or notification.is_for_operator or message.owner_id is None:
            return ()  # operators know the secret of the installation
        return recipient.salts or NO_SECRET_YET

    async def _picture(self, key: str) -> Picture | None:
        """Without its picture the notification is still sent."""
        if self._load_picture is None:
            return None
        try:
            return await self._load_picture(key)
        except PlatformError as error:
            log.warning("message.picture_missing", key=key, error=error.message)
            return None

    async def _mark(self, message: Message, notification_id: str) -> None:
        is_ours = await self._store.complete(message, notification_id=notification_id, by=self._name)
        facts = {
            "channel": message.notification.channel,
            "notification_id": notification_id,
            "attempt": message.attempts,
        }
        if is_ours:
            self._count(message, "completed")
            log.info(
                "message.completed",
                message_type=message.message_type,
                **facts,
                **({"kept": "no mail server is set"} if is_kept_id(notification_id) else {}),
            )
        else:
            log.warning("message.reclaimed", **facts)

    async def _fail(self, message: Message, error: Exception) -> None:
        self._count(message, "failed")
        log.warning(
            "message.failed",
            message_type=message.message_type,
            attempt=message.attempts,
            error=_reason(error, str(error)),
        )
        # The message's owner reads this one, and learns nothing of the addresses inside.
        public = error.public_message if isinstance(error, PlatformError) else "something went wrong on our side"
        await self._store.fail(message, error=_reason(error, public), by=self._name)

    async def _postpone(self, delivery: Delivery, message: Message, why: NotificationPostponed) -> None:
        async with delivery.transaction() as tx:
            await self._store.postpone(
                tx, message, reason=one_line(why.message, max_length=MAX_ERROR_LENGTH), by=self._name
            )
            delay_s = await self._redeliver_later(tx, delivery, message, after=why.retry_after)
        self._count(message, "put_off")
        log.info("message.delayed", reason=why.message, seconds=delay_s)

    async def _redeliver_later(self, tx: Transaction, delivery: Delivery, message: Message, *, after: timedelta) -> int:
        """Acknowledges this delivery and sends the same text with a delay, so that waiting does not use up receives.

        It stays in its envelope, because other processors of the queue, as document 002 writes them, know no other form.
        """
        delay_s = min(max(math.ceil(after.total_seconds()), 1), MAX_DELAY_S)
        again = QueueMessage(
            delivery.received.body,
            delivery.received.attributes,
            delay_s=delay_s,
            lane=message.lane,
            is_urgent=message.notification.is_alarm,
        )
        await self._bus.send(tx, delivery.received.queue, again)
        return delay_s

    def _count(self, message: Message, outcome: str) -> None:
        self._metrics.processed.labels(message_type_label(message.message_type), outcome).inc()


def _reason(error: Exception, text: str) -> str:
    return one_line(f"{type(error).__name__}: {text}", max_length=MAX_ERROR_LENGTH)
