"""The mail sender: from a queue message to an email that is sent once.

The email is recorded and claimed in one transaction, sent outside of any, and marked as sent in the next. The queue message is
held in the meantime and acknowledged after that. So a failure shows in the queue, and a redelivery finds the mark. ADR 0014 says
what can still happen twice.
"""

import asyncio
import time
from contextlib import suppress
from datetime import timedelta
from uuid import UUID

import structlog

from sightline.bus import Delivery
from sightline.db import Database, Transaction
from sightline.errors import BackendUnavailable, Throttled, is_retryable
from sightline.notifications.mail import store
from sightline.notifications.mail.address import RecipientRejected, check_address
from sightline.notifications.mail.channel import MailChannel
from sightline.notifications.mail.mail import Language, Mail, NewMail
from sightline.notifications.mail.plain_text import one_line
from sightline.notifications.mail.queue_messages import ResendMail, read_queue_message
from sightline.notifications.mail.recipients import ReaderLanguage, RecipientCheck
from sightline.notifications.mail.rules import due_template, mail_for
from sightline.notifications.metrics import MailMetrics
from sightline.observability import span, work_context

MAX_ERROR_LENGTH = 1000

log = structlog.get_logger(__name__)


class MailBeingSent(Throttled):
    """Another sender has claimed it; whether it succeeds shows when its lease ends."""


class MailSender:
    def __init__(
        self,
        *,
        database: Database,
        channel: MailChannel,
        languages: ReaderLanguage,
        send_timeout_s: float,
        max_receives: int | None,
        addresses: RecipientCheck | None = None,
        metrics: MailMetrics | None = None,
    ) -> None:
        self._database = database
        self._channel = channel
        self._languages = languages
        self._send_timeout_s = send_timeout_s
        self._lease = timedelta(seconds=2 * send_timeout_s)  # a sender that is alive gives up long before it ends
        self._max_receives = max_receives
        self._addresses = addresses
        self._metrics = metrics or MailMetrics(None)

    async def handle(self, delivery: Delivery) -> None:
        request = read_queue_message(delivery.payload())
        new: NewMail | None = None
        if isinstance(request, ResendMail):
            mail_id = request.mail_id
        else:
            if due_template(request) is None:
                return
            new = mail_for(request, await self._language_of(request.user_id))
            if new is None:
                return
            mail_id = new.id
        with work_context(mail_id=str(mail_id), video_id=None if new is None else str(new.video_id)):
            if (mail := await self._claim(mail_id, new)) is not None:
                await self._send(mail, is_last=self._is_last(delivery))

    async def _language_of(self, owner_id: UUID | None) -> Language:
        async with self._database.transaction() as tx:
            return await self._languages.of(tx, owner_id)

    def _is_last(self, delivery: Delivery) -> bool:
        """Whether the queue gives up on the message if it fails now."""
        return self._max_receives is not None and (delivery.received.receive_count or 0) >= self._max_receives

    async def _claim(self, mail_id: UUID, new: NewMail | None) -> Mail | None:
        """The claimed email; None if there is nothing to do."""
        async with self._database.transaction() as tx:
            is_new = False
            if new is not None:
                is_new = await store.record(tx, new, skip_reason=await self._skip_reason(tx, new))
            mail = await store.claim(tx, mail_id, channel=self._channel.name, lease=self._lease)
            if mail is not None:
                return mail
            found = await store.state_of(tx, mail_id)
        if found.status == "sending":
            raise MailBeingSent(
                f"mail {mail_id} is being sent by another worker", retry_after=found.lease_left or timedelta()
            )
        if is_new:
            log.info("mail.skipped", reason=found.last_error)
        else:
            log.info("mail.repeated", status=found.status)
        if new is not None:
            self._count(new, "skipped" if is_new else "repeated")
        return None

    async def _skip_reason(self, tx: Transaction, new: NewMail) -> str | None:
        if new.recipient is None:
            return "the video has no e-mail address"
        if self._addresses is None:
            return None
        is_allowed = await self._addresses.is_allowed(tx, new.owner_id, "email", new.recipient)
        return None if is_allowed else "the e-mail address is not confirmed"

    async def _send(self, mail: Mail, *, is_last: bool) -> None:
        started = time.perf_counter()
        try:
            provider_id = await self._deliver(mail)
        except asyncio.CancelledError:
            log.warning("mail.interrupted", template=mail.template, channel=self._channel.name)
            with suppress(Exception):  # the lease ends by itself, and stopping matters more
                await self._release(mail, "interrupted", is_final=False)
            raise
        except Exception as error:
            is_final = is_last or not is_retryable(error)
            outcome = "failed" if is_final else "retry"
            self._count(mail, outcome)
            log.warning(
                "mail.failed", template=mail.template, channel=self._channel.name, outcome=outcome, error=str(error)
            )
            await self._release(mail, f"{type(error).__name__}: {error}", is_final=is_final)
            raise
        seconds = time.perf_counter() - started
        self._count(mail, "kept" if self._channel.is_sink else "sent")
        if not self._channel.is_sink:
            self._metrics.seconds.labels(mail.template, self._channel.name).observe(seconds)
        # Never cancelled: an email that was sent and not marked would be sent again.
        marking = asyncio.create_task(self._mark(mail, provider_id, seconds))
        try:
            await asyncio.shield(marking)
        except asyncio.CancelledError:
            await asyncio.wait((marking,))
            raise

    async def _deliver(self, mail: Mail) -> str:
        if mail.recipient is None:
            raise RecipientRejected(f"mail {mail.id} has no recipient")
        address = check_address(mail.recipient)
        try:
            with span("mail.send", channel=self._channel.name, template=mail.template):
                async with asyncio.timeout(self._send_timeout_s):
                    return await self._channel.send(mail, address)
        except TimeoutError as error:
            raise BackendUnavailable(
                self._channel.name, f"the email was not accepted within {self._send_timeout_s:g} s"
            ) from error

    async def _mark(self, mail: Mail, provider_id: str, seconds: float) -> None:
        is_kept = self._channel.is_sink
        async with self._database.transaction() as tx:
            is_ours = await (store.mark_kept(tx, mail) if is_kept else store.mark_sent(tx, mail, provider_id))
        facts = {"template": mail.template, "channel": self._channel.name, "provider_id": provider_id}
        if is_ours and is_kept:
            log.info("mail.kept", template=mail.template, reason="no mail server is set")
        elif is_ours:
            log.info("mail.sent", **facts, attempt=mail.attempts, seconds=round(seconds, 3))
        else:
            log.warning("mail.reclaimed", **facts)

    async def _release(self, mail: Mail, error: str, *, is_final: bool) -> None:
        async with self._database.transaction() as tx:
            await store.release(tx, mail, error=one_line(error, max_length=MAX_ERROR_LENGTH), is_final=is_final)

    def _count(self, mail: Mail | NewMail, outcome: str) -> None:
        self._metrics.mails.labels(mail.template, self._channel.name, outcome).inc()
