"""Drafts: messages to be stored in DynamoDB, written in the transaction that creates them (ADR 0021)."""

from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from sightline.db import Transaction, load_queries

_sql = load_queries(Path(__file__).with_name("drafts.sql"))


@dataclass(frozen=True, slots=True)
class Draft:
    message_id: str
    item: dict[str, Any]
    """The item to store."""
    event: str
    attempts: int


async def add(tx: Transaction, message_id: str, item: dict[str, Any], event: str) -> bool:
    return await _sql["add"].value(tx, message_id=message_id, record=item, event=event) is not None


async def take(tx: Transaction, message_id: str) -> Draft | None:
    row = await _sql["take"].row(tx, message_id=message_id)
    return None if row is None else Draft(row["message_id"], row["record"], row["event"], row["attempts"])


async def due(tx: Transaction, *, limit: int) -> list[str]:
    return [row["message_id"] for row in await _sql["due"].rows(tx, limit=limit)]


async def remove(tx: Transaction, message_id: str) -> None:
    await _sql["remove"].run(tx, message_id=message_id)


async def postpone(tx: Transaction, message_id: str, *, delay: timedelta, error: str) -> None:
    await _sql["postpone"].run(tx, message_id=message_id, delay=delay, error=error)
