"""The relay, which sends outbox entries to AWS. Several may run at once."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager

import structlog
from prometheus_client import CollectorRegistry, Counter, Gauge

from sightline.bus.aws import outbox
from sightline.bus.aws.outbox import Failed, OutboxEntry, Postponed
from sightline.bus.aws.send import AwsSender, Outcome
from sightline.db import Database, Listener
from sightline.errors import InvalidInput, TooLarge, TransientFailure
from sightline.supervisor import Every, NextRun
from sightline.timing import Backoff

BATCH = 100
# Notifications wake the relay; polling covers lost ones.
POLL_S = 5.0
MEASURE_EVERY_S = 10.0
# With the default backoff this allows two hours to fix a rejection, such as a missing topic or permission.
MAX_ATTEMPTS = 250

log = structlog.get_logger(__name__)


class RelayMetrics:
    def __init__(self, registry: CollectorRegistry | None) -> None:
        self.sent = Counter("sightline_outbox_sent_total", "Entries that AWS accepted.", ["kind"], registry=registry)
        self.retried = Counter(
            "sightline_outbox_retried_total", "Entries postponed for another attempt.", ["kind"], registry=registry
        )
        self.failed = Counter("sightline_outbox_failed_total", "Entries marked as failed.", ["kind"], registry=registry)
        self.depth = Gauge("sightline_outbox_depth", "Entries in the outbox, by state.", ["state"], registry=registry)
        self.oldest_age = Gauge(
            "sightline_outbox_oldest_age_seconds", "Age of the oldest pending entry.", registry=registry
        )


class Relay:
    def __init__(
        self,
        database: Database,
        listener: Listener,
        sender: AwsSender,
        *,
        registry: CollectorRegistry | None = None,
        backoff: Backoff | None = None,
        max_attempts: int = MAX_ATTEMPTS,
        poll_s: float = POLL_S,
    ) -> None:
        self._database = database
        self._listener = listener
        self._sender = sender
        self._metrics = RelayMetrics(registry)
        self._backoff = backoff or Backoff(first_s=1.0, max_s=30.0)
        self._max_attempts = max_attempts
        self._poll_s = poll_s
        self._measure_at = 0.0

    def service(self) -> Every:
        return Every("relay", self._poll_s, self.relay, backoff=self._backoff, wake_on=self._wake_on)

    def _wake_on(self, wake: Callable[[], None]) -> AbstractContextManager[None]:
        return self._listener.subscribe(outbox.CHANNEL, lambda _: wake())

    async def relay(self) -> NextRun:
        """Sends one batch. Raises the error of AWS when AWS accepts nothing, so that the backoff of `Every` applies."""
        pause_s = await self._relay_batch()
        await self._measure()
        return NextRun(pause_s)

    async def _relay_batch(self) -> float:
        """Sends a batch of due entries; returns the seconds until the next may be due."""
        async with self._database.transaction() as tx:
            entries = await outbox.claim(tx, limit=BATCH)
            if not entries:
                # Due entries that were not claimed are held by another relay; if that dies, polling finds them.
                due_s = await outbox.next_due_s(tx)
                return self._poll_s if due_s is None else min(due_s, self._poll_s)
            outcomes = await self._sender.send(entries)
            sent = [entry for entry in entries if outcomes[entry.id] is None]
            postponed, failed = self._sort_failures(entries, outcomes)
            await outbox.settle(tx, sent=[entry.id for entry in sent], postponed=postponed, failed=failed)
        self._report(entries, sent, postponed, failed)
        outage = next((error for error in outcomes.values() if isinstance(error, TransientFailure)), None)
        if outage is not None and not sent:
            raise outage
        return 0.0

    def _sort_failures(
        self, entries: Sequence[OutboxEntry], outcomes: dict[int, Outcome]
    ) -> tuple[list[Postponed], list[Failed]]:
        postponed, failed = [], []
        for entry in entries:
            error = outcomes[entry.id]
            if error is None:
                continue
            attempts = entry.attempts + 1
            # An outage or throttling of AWS never exhausts the attempts of an entry. A refusal fails an entry of a
            # publication at once,
            # because its sender waits for the outcome and reports it.
            max_attempts = self._max_attempts if entry.publication is None else 1
            is_exhausted = attempts >= max_attempts and not isinstance(error, TransientFailure)
            if is_exhausted or isinstance(error, (InvalidInput, TooLarge)):
                failed.append(Failed(entry.id, str(error)))
            else:
                postponed.append(Postponed(entry.id, self._backoff.delay_s(attempts), str(error)))
        return postponed, failed

    def _report(
        self,
        entries: Sequence[OutboxEntry],
        sent: Sequence[OutboxEntry],
        postponed: Sequence[Postponed],
        failed: Sequence[Failed],
    ) -> None:
        known = {entry.id: entry for entry in entries}
        for entry in sent:
            self._metrics.sent.labels(entry.kind).inc()
        for one in postponed:
            self._metrics.retried.labels(known[one.id].kind).inc()
        for failure in failed:
            entry = known[failure.id]
            self._metrics.failed.labels(entry.kind).inc()
            log.error(
                "outbox.failed",
                kind=entry.kind,
                target=entry.target,
                message_id=entry.message_id,
                attempts=entry.attempts + 1,
                error=failure.error,
            )
        if postponed:
            log.warning("outbox.retried", entries=len(postponed), sent=len(sent), error=postponed[0].error)

    async def _measure(self) -> None:
        now = asyncio.get_running_loop().time()
        if now < self._measure_at:
            return
        self._measure_at = now + MEASURE_EVERY_S
        async with self._database.transaction() as tx:
            found = await outbox.measure(tx)
        self._metrics.depth.labels("pending").set(found.pending)
        self._metrics.depth.labels("failed").set(found.failed)
        self._metrics.oldest_age.set(found.oldest_age_s)
