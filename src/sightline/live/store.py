"""The feed's rows: what was said, who follows, who acknowledged."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from uuid import UUID

import asyncpg

from sightline.db import Transaction, load_queries
from sightline.live.message import LiveMessage, StoredMessage
from sightline.live.resume import Standing

CHANNEL = "sightline_live"

_sql = load_queries(Path(__file__).with_name("queries.sql"))


@dataclass(frozen=True, slots=True)
class News:
    """Where a stream stands, and what it has that the reader did not have."""

    stream: str
    epoch: str
    top: int
    messages: list[StoredMessage] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Ack:
    """A device says that it has a message; `since` is where it began to follow, should it be new."""

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


async def standing(tx: Transaction, stream: str) -> Standing:
    """To be asked by the platform: a person's transaction would not see the oldest message."""
    row = await _sql["standing"].row(tx, stream=stream)
    if row is None:
        await ensure_streams(tx, [stream])
        row = await _sql["standing"].row(tx, stream=stream)
    assert row is not None
    return Standing(row["epoch"], row["top"], row["oldest"])


async def read_new(tx: Transaction, cursors: Mapping[str, int], *, most: int) -> list[News]:
    found: dict[str, News] = {}
    for row in await _sql["read_new"].rows(tx, streams=list(cursors), cursors=list(cursors.values()), most=most):
        news = found.get(row["stream"])
        if news is None:
            news = found[row["stream"]] = News(row["stream"], row["epoch"], row["top"])
        if row["sequence"] is not None:
            news.messages.append(_message(row))
    return list(found.values())


async def read_last(tx: Transaction, stream: str, *, top: int, most: int) -> list[StoredMessage]:
    """Oldest first."""
    rows = await _sql["read_last"].rows(tx, stream=stream, top=top, most=most)
    return [_message(row) for row in reversed(rows)]


async def read_after(tx: Transaction, stream: str, *, after: int, top: int, most: int) -> list[StoredMessage]:
    rows = await _sql["read_after"].rows(tx, stream=stream, after=after, top=top, most=most)
    return [_message(row) for row in rows]


async def read_unacknowledged(
    tx: Transaction, stream: str, user_id: UUID, client_id: str, *, since: int, top: int, most: int
) -> list[StoredMessage]:
    """The newest of them, oldest first."""
    rows = await _sql["read_unacknowledged"].rows(
        tx, stream=stream, user_id=user_id, client_id=client_id, since=since, top=top, most=most
    )
    return [_message(row) for row in reversed(rows)]


async def greet_client(tx: Transaction, stream: str, user_id: UUID, client_id: str, *, since: int) -> int:
    """Since which number this device owes acknowledgements."""
    return int(await _sql["greet_client"].value(tx, stream=stream, user_id=user_id, client_id=client_id, since=since))


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


async def sweep(tx: Transaction, *, days: int, most: int) -> int:
    """Removes some of what was kept long enough; how many messages that was."""
    await _sql["sweep_clients"].run(tx, days=days)
    return int(await _sql["sweep_messages"].value(tx, days=days, most=most))


def _message(row: asyncpg.Record) -> StoredMessage:
    return StoredMessage(
        row["sequence"],
        row["type"],
        row["topic"],
        row["requires_ack"],
        row["data"],
        row["owner_id"],
        row["team_id"],
        row["age_s"],
    )
