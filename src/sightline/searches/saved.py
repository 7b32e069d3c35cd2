"""Saved searches: a name, a query, and whether new results notify their owner."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg

from sightline.db import Transaction, load_queries
from sightline.errors import Conflict, InvalidInput, NotFound, QuotaExceeded
from sightline.text import SearchFilter, parse_box

_sql = load_queries(Path(__file__).with_name("saved.sql"))


@dataclass(frozen=True, slots=True)
class SearchAlert:
    """A video in which a saved search found something."""

    video_id: UUID
    video_name: str
    hits: int
    at: datetime


@dataclass(frozen=True, slots=True)
class SavedSearch:
    search_id: UUID
    owner_id: UUID
    owner_email: str | None
    name: str
    q: str
    alerts_since: datetime | None
    created_at: datetime
    updated_at: datetime
    alerts: tuple[SearchAlert, ...] = ()
    """The newest."""


@dataclass(frozen=True, slots=True)
class SearchToRun:
    search: SavedSearch
    team_ids: tuple[UUID, ...]
    """The teams of its owner, as last seen."""


def check_query(q: str) -> str:
    """A query that can be run on each new video. Raises `InvalidInput` otherwise."""
    query = parse_box(q)
    query.terms()
    query.excluded_terms()
    is_about_texts = query.words or query.said or query.shown or query.tags or query.videos
    if not is_about_texts and not SearchFilter(entity_types=query.entity_types, kind=query.segment_kind).keys():
        raise InvalidInput("q: a saved search needs a word to search for")
    return q.strip()


async def list_saved(tx: Transaction) -> list[SavedSearch]:
    return [_search(row) for row in await _sql["list"].rows(tx)]


async def need_saved(tx: Transaction, search_id: UUID) -> SavedSearch:
    row = await _sql["get"].row(tx, search_id=search_id)
    if row is None:
        raise _unknown(search_id)
    return _search(row)


async def add_saved(
    tx: Transaction, owner_id: UUID, *, owner_email: str | None, name: str, q: str, has_alerts: bool, quota: int
) -> SavedSearch:
    await _sql["lock_owner"].run(tx, owner_id=owner_id)
    if await _sql["count"].value(tx, owner_id=owner_id) >= quota:
        raise QuotaExceeded(f"You have {quota} saved searches, which is the limit; delete one that you no longer need")
    row = await _sql["insert"].row(
        tx, owner_id=owner_id, owner_email=owner_email, name=name, q=check_query(q), has_alerts=has_alerts
    )
    if row is None:
        raise _taken(name)
    return _search(row)


async def change_saved(
    tx: Transaction,
    search_id: UUID,
    *,
    owner_id: UUID,
    owner_email: str | None,
    name: str | None = None,
    q: str | None = None,
    has_alerts: bool | None = None,
) -> SavedSearch:
    """Changes what is not None."""
    try:
        row = await _sql["update"].row(
            tx,
            search_id=search_id,
            owner_id=owner_id,
            owner_email=owner_email,
            name=name,
            q=None if q is None else check_query(q),
            has_alerts=has_alerts,
        )
    except asyncpg.UniqueViolationError as error:
        raise _taken(str(name)) from error
    if row is None:
        raise _unknown(search_id)
    return _search(row)


async def delete_saved(tx: Transaction, search_id: UUID, *, owner_id: UUID) -> None:
    if not await _sql["delete"].run(tx, search_id=search_id, owner_id=owner_id):
        raise _unknown(search_id)


async def searches_to_run_on(tx: Transaction, video_id: UUID) -> list[SearchToRun]:
    rows = await _sql["to_run_on"].rows(tx, video_id=video_id)
    return [SearchToRun(_search(row), tuple(row["team_ids"])) for row in rows]


async def note_alert(tx: Transaction, search_id: UUID, video_id: UUID, hits: int) -> bool:
    """Whether it is noted for the first time."""
    return await _sql["note_alert"].run(tx, search_id=search_id, video_id=video_id, hits=hits) == 1


def _search(row: asyncpg.Record) -> SavedSearch:
    values: dict[str, Any] = {name: row[name] for name in SavedSearch.__slots__}
    values["alerts"] = tuple(
        SearchAlert(UUID(one["video_id"]), one["video_name"], one["hits"], datetime.fromisoformat(one["at"]))
        for one in row["alerts"]
    )
    return SavedSearch(**values)


def _unknown(search_id: UUID) -> NotFound:
    return NotFound(f"no saved search {search_id}", code="SAVED_SEARCH_NOT_FOUND")


def _taken(name: str) -> Conflict:
    return Conflict(f"You have a saved search {name!r} already; choose another name")
