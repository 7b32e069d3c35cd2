"""Entries of the audit log, their hashes, and the check of a whole chain. Pure."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal
from uuid import UUID

Outcome = Literal["done", "refused", "failed"]

GENESIS = bytes(32)
"""What stands for the hash of the entry before the first."""
EXPIRED = "audit.expired"
"""The action of the entry that says which older entries were removed."""
PSEUDONYMIZED = "audit.pseudonymized"
"""The action of the entry that lists, by number, the new hashes of entries whose person was erased."""


@dataclass(frozen=True, slots=True)
class AuditEvent:
    """Something that was done or seen, before it has a place in the chain."""

    action: str
    via: str
    """How the actor signed in: token, session, `key <id>`, local, command line or platform."""
    actor_id: UUID | None = None
    actor: str | None = None
    target: str | None = None
    outcome: Outcome = "done"
    details: Mapping[str, str | int | bool | None] = field(default_factory=dict)
    correlation_id: str | None = None


@dataclass(frozen=True, slots=True)
class AuditEntry:
    number: int
    at: datetime
    event: AuditEvent
    previous_hash: bytes
    hash: bytes
    replaced_hash: bytes | None = None
    """Of an entry whose person was erased: the hash of what it says now."""

    @property
    def is_pseudonymized(self) -> bool:
        """Whether the content is what the replaced hash says; an entry of the chain has to say that hash too."""
        return self.replaced_hash is not None and self.replaced_hash == self.expected_hash()

    def expected_hash(self) -> bytes:
        return entry_hash(self.previous_hash, self.number, self.at, self.event)

    def to_json(self) -> dict[str, Any]:
        return {
            "number": self.number,
            "at": _time_text(self.at),
            "action": self.event.action,
            "outcome": self.event.outcome,
            "actor_id": None if self.event.actor_id is None else str(self.event.actor_id),
            "actor": self.event.actor,
            "via": self.event.via,
            "target": self.event.target,
            "details": dict(self.event.details),
            "correlation_id": self.event.correlation_id,
            "previous_hash": self.previous_hash.hex(),
            "hash": self.hash.hex(),
            **({} if self.replaced_hash is None else {"replaced_hash": self.replaced_hash.hex()}),
        }

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> "AuditEntry":
        """Raises KeyError, TypeError or ValueError for what is no entry."""
        actor_id = found["actor_id"]
        event = AuditEvent(
            action=found["action"],
            via=found["via"],
            actor_id=None if actor_id is None else UUID(actor_id),
            actor=found["actor"],
            target=found["target"],
            outcome=found["outcome"],
            details=found["details"],
            correlation_id=found["correlation_id"],
        )
        at = datetime.fromisoformat(found["at"])
        previous, own = (bytes.fromhex(found[name]) for name in ("previous_hash", "hash"))
        replaced = found.get("replaced_hash")
        return cls(
            int(found["number"]), at, event, previous, own, None if replaced is None else bytes.fromhex(replaced)
        )


def next_entry(last: AuditEntry | None, at: datetime, event: AuditEvent) -> AuditEntry:
    """The entry that follows the last one; time never runs backwards along the chain."""
    number, previous = (1, GENESIS) if last is None else (last.number + 1, last.hash)
    moment = at if last is None else max(at, last.at)
    return AuditEntry(number, moment, event, previous, entry_hash(previous, number, moment, event))


def entry_hash(previous: bytes, number: int, at: datetime, event: AuditEvent) -> bytes:
    fields = [
        number,
        _time_text(at),
        event.action,
        event.outcome,
        None if event.actor_id is None else str(event.actor_id),
        event.actor,
        event.via,
        event.target,
        dict(event.details),
        event.correlation_id,
    ]
    text = json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(previous + text.encode()).digest()


@dataclass(slots=True)
class ChainCheck:
    """Checks entries in the order of their numbers, page by page; `problem` names the first that is wrong."""

    head: tuple[int, str] | None = None
    """Number and hash of an entry that was noted earlier; without it, a chain that was cut off at its end looks intact."""
    problem: str | None = None
    first: AuditEntry | None = None
    last: AuditEntry | None = None
    count: int = 0
    _expired: set[tuple[int, str]] = field(default_factory=set)
    _unlisted: dict[int, str] = field(default_factory=dict)
    """Replaced hashes that no entry has listed yet."""

    def add(self, entries: Iterable[AuditEntry]) -> None:
        for entry in entries:
            self.problem = self.problem or self._complaint(entry)
            self.first = self.first or entry
            self.last = entry
            self.count += 1
            if entry.event.action == EXPIRED:
                self._expired.add((int(entry.event.details["through"] or 0), str(entry.event.details["hash"])))
            if entry.replaced_hash is not None:
                self._unlisted[entry.number] = entry.replaced_hash.hex()
            if entry.event.action == PSEUDONYMIZED:
                listed = entry.event.details.items()
                self._unlisted = {
                    number: replaced
                    for number, replaced in self._unlisted.items()
                    if (str(number), replaced) not in listed
                }

    def finish(self, *, is_whole: bool) -> None:
        """`is_whole`: the chain has to begin at the first entry, or where an expiry left it."""
        if self.problem is None and is_whole and self.first is not None and not self._begins_rightly(self.first):
            self.problem = f"entries before number {self.first.number} are missing"
        if self.problem is None and is_whole and self._unlisted:
            self.problem = f"entry {min(self._unlisted)} was changed: no later entry lists its new content"
        if self.problem is None and self.head is not None:
            newest = 0 if self.last is None else self.last.number
            if newest < self.head[0]:
                self.problem = f"entries after number {newest} are missing: number {self.head[0]} was there before"

    def _complaint(self, entry: AuditEntry) -> str | None:
        if entry.hash != entry.expected_hash() and not entry.is_pseudonymized:
            return f"entry {entry.number} was changed: its hash does not match its content"
        if self.head is not None and entry.number == self.head[0] and entry.hash.hex() != self.head[1]:
            return f"entry {entry.number} was replaced: another hash was noted earlier"
        if self.last is None:
            return None
        if entry.number != self.last.number + 1:
            return f"entry {self.last.number + 1} is missing"
        if entry.previous_hash != self.last.hash:
            return f"entry {entry.number} does not follow entry {self.last.number}: one of them was replaced"
        return None

    def _begins_rightly(self, first: AuditEntry) -> bool:
        if first.number == 1:
            return first.previous_hash == GENESIS
        return (first.number - 1, first.previous_hash.hex()) in self._expired


def storable(text: str, max_length: int = 500) -> str:
    """A text that PostgreSQL can store and that reads back as it was written."""
    cleaned = "".join(letter if letter.isprintable() else "\ufffd" for letter in text[:max_length])
    return cleaned.encode(errors="replace").decode()


def _time_text(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="microseconds")
