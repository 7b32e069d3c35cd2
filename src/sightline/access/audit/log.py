"""The audit log of a platform: adding entries in one order, checking the chain, removing what is too old."""

from collections.abc import Sequence
from datetime import timedelta

import structlog
from prometheus_client import CollectorRegistry, Counter

from sightline.access.audit.audit_store import (
    append_after,
    append_entries,
    entries_about,
    entries_after,
    expire_entries,
    last_expirable,
    lock_chain,
    newest_entry,
    replace_people,
)
from sightline.access.audit.entry import EXPIRED, AuditEntry, AuditEvent, ChainCheck, next_entry
from sightline.access.audit.pseudonyms import Pseudonym, listing, without_person
from sightline.db import Database, Grouped
from sightline.supervisor import Every
from sightline.timing import Clock, utc_now

EXPIRE_EVERY_S = 3600.0
PAGE = 1000
PSEUDONYMS_PER_ENTRY = 100

log = structlog.get_logger(__name__)


class AuditLog:
    """An entry is durable once `record` returns. Concurrent entries share one commit; an advisory lock puts the
    entries of all processes in one order."""

    def __init__(self, database: Database, registry: CollectorRegistry, *, clock: Clock = utc_now) -> None:
        self._database = database
        self._clock = clock
        self._appends = Grouped(self._append)
        self._newest: AuditEntry | None = None
        """The last one that was added here."""
        self._last: AuditEntry | None = None
        """The same, if it seems to be the newest of all."""
        self._entries = Counter(
            "sightline_audit_entries_total", "Entries added to the audit log.", ["action", "outcome"], registry=registry
        )

    async def record(self, event: AuditEvent) -> None:
        await self._appends.call(event)
        self._entries.labels(event.action, event.outcome).inc()

    async def verify(self, *, head: tuple[int, str] | None = None) -> ChainCheck:
        """Checks every entry that is there now. `head` is the number and hash of one that was noted earlier."""
        check = ChainCheck(head)
        after = 0
        while True:
            async with self._database.transaction() as tx:
                found = await entries_after(tx, after, limit=PAGE)
            if not found:
                break
            check.add(found)
            after = found[-1].number
        check.finish(is_whole=True)
        return check

    async def expire(self, keep: timedelta) -> int:
        """Removes entries older than `keep`, the oldest first, and says so in an entry that keeps the rest verifiable."""
        async with self._database.transaction() as tx:
            last = await lock_chain(tx)
            oldest_kept = await last_expirable(tx, self._clock() - keep)
            if last is None or oldest_kept is None or oldest_kept.number == last.number:
                return 0
            details: dict[str, str | int | bool | None] = {
                "through": oldest_kept.number,
                "hash": oldest_kept.hash.hex(),
            }
            event = AuditEvent(EXPIRED, via="platform", details=details)
            await append_entries(tx, [next_entry(last, self._clock(), event)])
            removed = await expire_entries(tx, oldest_kept.number)
        log.info("audit.expired", removed=removed, through=oldest_kept.number)
        return removed

    async def pseudonymize(self, pseudonym: Pseudonym) -> int:
        """Takes a person out of the log, in batches; safe to be killed and to be repeated. Returns how many entries it changed."""
        changed = 0
        while True:
            async with self._database.transaction() as tx:
                last = await lock_chain(tx)
                found = await entries_about(tx, pseudonym.person, list(pseudonym.names), limit=PSEUDONYMS_PER_ENTRY)
                if not found:
                    return changed
                entries = [without_person(entry, pseudonym) for entry in found]
                await replace_people(tx, entries)
                await append_entries(tx, [next_entry(last, self._clock(), listing(entries))])
            changed += len(entries)

    async def _append(self, events: Sequence[AuditEvent]) -> list[None]:
        """In one statement as long as no other process adds entries, otherwise after a look at the newest one."""
        if self._last is not None:
            entries = self._following(self._last, events)
            last, self._last = self._last, None
            async with self._database.statement() as tx:
                is_done = await append_after(tx, last, entries)
            if is_done:
                self._newest = self._last = entries[-1]
                return [None] * len(events)
        async with self._database.transaction() as tx:
            newest = await lock_chain(tx)
            entries = self._following(newest, events)
            await append_entries(tx, entries)
        is_alone = newest is not None and self._newest is not None and newest.hash == self._newest.hash
        self._newest = entries[-1]
        self._last = self._newest if is_alone else None
        return [None] * len(events)

    def _following(self, last: AuditEntry | None, events: Sequence[AuditEvent]) -> list[AuditEntry]:
        entries: list[AuditEntry] = []
        for event in events:
            last = next_entry(last, self._clock(), event)
            entries.append(last)
        return entries


class AuditUpkeep:
    """Removes old entries, and writes the newest number and hash into the log, where a change of the table does not reach."""

    def __init__(self, audit: AuditLog, database: Database, *, keep: timedelta | None) -> None:
        self._audit = audit
        self._database = database
        self._keep = keep

    def service(self) -> Every:
        return Every("audit-upkeep", EXPIRE_EVERY_S, self.run_once)

    async def run_once(self) -> None:
        if self._keep is not None:
            await self._audit.expire(self._keep)
        async with self._database.transaction() as tx:
            head = await newest_entry(tx)
        if head is not None:
            log.info("audit.head", number=head.number, hash=head.hash.hex())
