"""The outbox: written in the transaction of the sender, emptied by relays.

A relay claims entries by locking their rows and keeps the transaction open until it knows the outcome of each. So the
entries of a killed relay are released as soon as its connection closes, without waiting for a lease, and an entry is
deleted only after AWS has accepted it. If a relay dies between sending and deleting, the entry is sent again with the
same body and message id, by which receivers can deduplicate.
"""

import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from sightline.bus.context import current_context
from sightline.bus.envelope import attributes_from_json, attributes_to_json
from sightline.bus.message import Attributes
from sightline.db import Transaction, load_queries

CHANNEL = "sightline_outbox"
Kind = Literal["topic", "event", "queue"]

_sql = load_queries(Path(__file__).with_name("outbox.sql"))


@dataclass(frozen=True, slots=True)
class NewEntry:
    target: str
    body: str
    attributes: Attributes
    subject: str | None = None
    delay_s: int | None = None
    message_id: uuid.UUID = field(default_factory=uuid.uuid4)
    context: Mapping[str, str] | None = None
    """None takes the context of the current work."""
    publication: str | None = None


@dataclass(frozen=True, slots=True)
class OutboxEntry:
    """A message to be sent; every attempt sends the same."""

    id: int
    message_id: str
    kind: Kind
    target: str
    subject: str | None
    body: str
    attributes: Attributes
    context: dict[str, str]
    delay_s: int | None
    attempts: int
    age_s: float
    publication: str | None = None


@dataclass(frozen=True, slots=True)
class Postponed:
    """An entry that will be sent again after `delay_s`."""

    id: int
    delay_s: float
    error: str


@dataclass(frozen=True, slots=True)
class Failed:
    """An entry that is not sent again."""

    id: int
    error: str


@dataclass(frozen=True, slots=True)
class OutboxDepth:
    pending: int
    failed: int
    oldest_age_s: float


async def add(tx: Transaction, kind: Kind, entries: Sequence[NewEntry]) -> list[str]:
    """Adds entries in one statement; returns the message ids."""
    if not entries:
        return []
    present = current_context()
    contexts = [present if entry.context is None else entry.context for entry in entries]
    await _sql["add_entries"].rows(
        tx,
        kind=kind,
        contexts=[json.dumps(dict(context)) if context else None for context in contexts],
        message_ids=[entry.message_id for entry in entries],
        targets=[entry.target for entry in entries],
        subjects=[entry.subject for entry in entries],
        bodies=[entry.body for entry in entries],
        attributes=[
            json.dumps(attributes_to_json(entry.attributes), ensure_ascii=False) if entry.attributes else None
            for entry in entries
        ],
        delays=[entry.delay_s for entry in entries],
        publications=[entry.publication for entry in entries],
    )
    return [str(entry.message_id) for entry in entries]


async def claim(tx: Transaction, *, limit: int) -> list[OutboxEntry]:
    """Claims due entries until the transaction ends."""
    return [
        OutboxEntry(
            id=row["id"],
            message_id=str(row["message_id"]),
            kind=row["kind"],
            target=row["target"],
            subject=row["subject"],
            body=row["body"],
            attributes=attributes_from_json(json.loads(row["attributes"])) if row["attributes"] else {},
            context=json.loads(row["context"]) if row["context"] else {},
            delay_s=row["delay_s"],
            attempts=row["attempts"],
            age_s=row["age_s"],
            publication=row["publication"],
        )
        for row in await _sql["claim_entries"].rows(tx, limit=limit)
    ]


async def settle(
    tx: Transaction, *, sent: Sequence[int], postponed: Sequence[Postponed], failed: Sequence[Failed]
) -> None:
    """Stores the outcome of claimed entries."""
    if sent:
        await _sql["delete_sent"].run(tx, ids=list(sent))
    if postponed:
        await _sql["postpone"].run(
            tx,
            ids=[one.id for one in postponed],
            delays=[one.delay_s for one in postponed],
            errors=[_storable(one.error) for one in postponed],
        )
    if failed:
        await _sql["fail"].run(tx, ids=[one.id for one in failed], errors=[_storable(one.error) for one in failed])


async def next_due_s(tx: Transaction) -> float | None:
    """Seconds until the next entry becomes due; None if no entry waits.

    Call in the transaction that claimed: within it, no entry can become due between the two queries.
    """
    left = await _sql["next_due"].value(tx)
    return None if left is None else float(left)


async def measure(tx: Transaction) -> OutboxDepth:
    row = await _sql["measure"].row(tx)
    assert row is not None
    return OutboxDepth(row["pending"], row["failed"], row["oldest_age_s"])


async def state_of_publication(tx: Transaction, publication: str) -> tuple[int, str | None]:
    """How many entries AWS has not accepted, and the reason why it refused one for good."""
    row = await _sql["state_of_publication"].row(tx, publication=publication)
    assert row is not None
    return row["waiting"], row["refusal"]


async def retry_publication(tx: Transaction, publication: str) -> int:
    row = await _sql["retry_publication"].row(tx, publication=publication)
    assert row is not None
    return int(row["again"])


async def retry_failed(tx: Transaction) -> int:
    """Makes every failed entry pending again, after the cause was fixed; returns how many."""
    row = await _sql["retry_failed"].row(tx)
    assert row is not None
    return int(row["again"])


def _storable(text: str) -> str:
    return text.replace("\0", "\ufffd")[:2000]
