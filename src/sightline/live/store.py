"""Reads and writes messages of the feed, its clients and their acknowledgements."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from uuid import UUID

import asyncpg

from sightline.db import Transaction, load_queries
from sightline.live.message import FeedRecord, LiveMessage, Numbered
from sightline.live.resume import StreamState

CHANNEL = "sightline_live"

_sql = load_queries(Path(__file__).with_name("queries.sql"))


@dataclass(frozen=True, slots=True)
class StreamUpdate:
    """The newest sequence of a stream, and the messages that the reader does not have."""

    stream: str
    epoch: str
    top: int
    messages: list[FeedRecord] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Ack:
    """A device has received a message; `since` is where a new device began to follow."""

    stream: str
    sequence: int
    user_id: UUID
    client_id: str
    since: int

    @property
    def device(self) -> tuple[str, UUID, str]:
        return self.stream, self.user_id, self.client_id


@dataclass(frozen=True, slots=True)
class StoredAck:
    user_id: UUID
    client_id: str
    acked_at: datetime


async def append(tx: Transaction, message: LiveMessage, data: str) -> int:
    row = await _sql["append"].row(
        tx,
        stream=message.stream,
        type=message.type,
        topic=message.topic,
        requires_ack=message.requires_ack,
        data=data,
        owner_id=message.owner_id,
        team_id=message.team_id,
    )
    assert row is not None
    return int(row["sequence"])


async def ensure_streams(tx: Transaction, streams: Sequence[str]) -> None:
    await _sql["ensure_streams"].run(tx, streams=streams)


@dataclass(frozen=True, slots=True)
class EventNote:
    """That a message of the feed is about an event."""

    sequence: int
    type: str
    event_id: str


async def messages_after(
    tx: Transaction, stream: str, after: int, *, types: Sequence[str], limit: int
) -> list[EventNote]:
    """For programs that follow the feed in the database. Needs a transaction of the platform."""
    rows = await _sql["messages_after"].rows(tx, stream=stream, after=after, types=list(types), limit=limit)
    return [EventNote(row["sequence"], row["type"], row["event_id"]) for row in rows]


async def stream_state(tx: Transaction, stream: str) -> StreamState:
    """Needs a transaction of the platform: a user's transaction may not see the oldest message."""
    row = await _sql["stream_state"].row(tx, stream=stream)
    if row is None:
        await ensure_streams(tx, [stream])
        row = await _sql["stream_state"].row(tx, stream=stream)
    assert row is not None
    return StreamState(row["epoch"], row["top"], row["oldest"])


async def read_new(tx: Transaction, cursors: Mapping[str, int], *, limit: int) -> list[StreamUpdate]:
    found: dict[str, StreamUpdate] = {}
    for row in await _sql["read_new"].rows(tx, streams=list(cursors), cursors=list(cursors.values()), limit=limit):
        update = found.get(row["stream"])
        if update is None:
            update = found[row["stream"]] = StreamUpdate(row["stream"], row["epoch"], row["top"])
        if row["sequence"] is not None:
            update.messages.append(_message(row))
    return list(found.values())


async def read_last(tx: Transaction, stream: str, *, top: int, limit: int) -> list[FeedRecord]:
    """Oldest first."""
    rows = await _sql["read_last"].rows(tx, stream=stream, top=top, limit=limit)
    return [_message(row) for row in reversed(rows)]


async def caller_number(tx: Transaction, stream: str, *, up_to: int) -> int:
    """How many messages of the stream up to a place there were for the transaction's caller."""
    row = await _sql["caller_state"].row(tx, stream=stream, up_to=up_to)
    return 0 if row is None else int(row["number"])


async def sequence_at(tx: Transaction, stream: str, *, up_to: int, newer: int) -> int | None:
    """The place of the caller's message that `newer` others of the caller's follow; None if it was removed."""
    found: int | None = await _sql["sequence_at"].value(tx, stream=stream, up_to=up_to, newer=newer)
    return found


async def count_after(tx: Transaction, stream: str, *, after: int, up_to: int) -> int:
    return int(await _sql["count_after"].value(tx, stream=stream, after=after, up_to=up_to))


async def read_numbered(tx: Transaction, stream: str, *, after: int, limit: int) -> tuple[StreamState, list[Numbered]]:
    """The stream and its messages after a number, as the transaction's caller sees them. The stream has a row."""
    rows = await _sql["read_numbered"].rows(tx, stream=stream, after=after, limit=limit)
    state = StreamState(rows[0]["stream_epoch"], rows[0]["top"], rows[0]["removed"] + 1)
    return state, [Numbered(row["number"], _message(row)) for row in rows if row["sequence"] is not None]


async def place_of(tx: Transaction, stream: str, number: int) -> int:
    """The place up to which the caller has the stream's messages; 0 if that one was removed."""
    return int(await _sql["place_of"].value(tx, stream=stream, number=number) or 0)


async def numbers_of(tx: Transaction, stream: str, sequences: Collection[int]) -> dict[int, int]:
    """The caller's numbers of messages, by their places in the stream."""
    if not sequences:
        return {}
    rows = await _sql["numbers_of"].rows(tx, stream=stream, sequences=list(sequences))
    return {row["sequence"]: row["number"] for row in rows}


async def follow_as_device(
    tx: Transaction,
    stream: str,
    user_id: UUID,
    client_id: str,
    *,
    up_to: int,
    number: int,
    newer: int | None,
    limit: int,
) -> tuple[int, list[Numbered]]:
    """The sequence since which this device of the transaction's caller acknowledges messages, and the newest that it has not
    acknowledged, oldest first. `number` is the caller's at `up_to`; a new device begins there, or `newer` messages before.
    """
    rows = await _sql["follow_as_device"].rows(
        tx, stream=stream, user_id=user_id, client_id=client_id, up_to=up_to, newer=newer, limit=limit
    )
    pending = [Numbered(number - row["newer"], _message(row)) for row in reversed(rows) if row["sequence"] is not None]
    return int(rows[0]["since"]), pending


async def acknowledge(tx: Transaction, acks: Sequence[Ack]) -> dict[tuple[str, UUID, str], int]:
    """Returns the mark of each device."""
    rows = await _sql["acknowledge"].rows(
        tx,
        streams=[ack.stream for ack in acks],
        sequences=[ack.sequence for ack in acks],
        user_ids=[ack.user_id for ack in acks],
        client_ids=[ack.client_id for ack in acks],
        since=[ack.since for ack in acks],
    )
    return {(row["stream"], row["user_id"], row["client_id"]): row["mark"] for row in rows}


async def read_acks(tx: Transaction, stream: str, sequence: int) -> list[StoredAck]:
    return [StoredAck(**row) for row in await _sql["read_acks"].rows(tx, stream=stream, sequence=sequence)]


async def sweep(tx: Transaction, *, days: int, limit: int) -> int:
    """Removes some messages past their retention. Returns how many."""
    await _sql["sweep_clients"].run(tx, days=days)
    return int(await _sql["sweep_messages"].value(tx, days=days, limit=limit))


def _message(row: asyncpg.Record) -> FeedRecord:
    return FeedRecord(
        row["sequence"],
        row["type"],
        row["topic"],
        row["requires_ack"],
        row["data"],
        row["owner_id"],
        row["team_id"],
        row["age_s"],
    )
