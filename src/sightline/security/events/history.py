"""History of an event: who did what, when; written in the transaction of the change."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Literal
from uuid import UUID

from sightline.db import Transaction, load_queries

HistoryAction = Literal[
    "created",
    "revised",
    "refined",
    "enriched",
    "acknowledged",
    "resolved",
    "resolution_added",
    "reopened",
    "assigned",
    "unassigned",
    "snoozed",
    "unsnoozed",
    "commented",
    "comment_edited",
    "comment_deleted",
    "escalated",
]
MAX_ENTRIES = 2000

_sql = load_queries(Path(__file__).with_name("history.sql"))


@dataclass(frozen=True, slots=True)
class Actor:
    """Who changed an event: a person, or the platform itself if both are None."""

    user_id: UUID | None = None
    name: str | None = None


PLATFORM = Actor()


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    entry_id: int
    event_id: int
    at: datetime
    action: HistoryAction
    actor_id: UUID | None
    actor: str | None
    details: Mapping[str, Any]


async def record(
    tx: Transaction, event_id: int, action: HistoryAction, actor: Actor = PLATFORM, **details: Any
) -> None:
    """Details without a value are left out."""
    known = {name: value for name, value in details.items() if value is not None}
    await _sql["record"].run(
        tx, event_id=event_id, action=action, actor_id=actor.user_id, actor=actor.name, details=known
    )


async def history_of(tx: Transaction, event_ids: Sequence[int], *, limit: int = MAX_ENTRIES) -> list[HistoryEntry]:
    return [HistoryEntry(**row) for row in await _sql["history_of"].rows(tx, event_ids=list(event_ids), limit=limit)]


async def has_resolution(tx: Transaction, event_id: int, actor: Actor, notes: str) -> bool:
    return bool(await _sql["has_resolution"].value(tx, event_id=event_id, actor_id=actor.user_id, notes=notes))
