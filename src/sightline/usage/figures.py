"""Figures of what owners used: by day, in a month, and of all owners."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Final, Literal, Self, get_args
from uuid import UUID

from sightline.db import Transaction, load_queries
from sightline.errors import InvalidInput
from sightline.paging import read_number

MEASURES: Final = (
    "uploads",
    "uploaded_bytes",
    "processed_ms",
    "transcribed_ms",
    "frames_read",
    "api_requests",
    "notifications",
)
"""What is added up, beside `job_ms.<type>` for each type of job."""
OwnerSort = Literal["stored_bytes", "videos", "uploads", "processed_ms", "transcribed_ms", "job_ms", "api_requests"]
OWNER_SORTS: Final[tuple[OwnerSort, ...]] = get_args(OwnerSort)
_STORED = "stored_"

_sql = load_queries(Path(__file__).with_name("usage.sql"))


@dataclass(frozen=True, slots=True)
class Month:
    """A billing period: a month in UTC."""

    first: date

    @classmethod
    def of(cls, moment: datetime) -> Self:
        return cls(moment.astimezone(UTC).date().replace(day=1))

    @classmethod
    def parse(cls, text: str) -> Self:
        if re.fullmatch(r"[0-9]{4}-[0-9]{2}", text, re.ASCII):
            try:
                found = cls(date(int(text[:4]), int(text[5:]), 1))
                _ = found.after
                return found
            except ValueError:
                pass
        raise InvalidInput(f"{text!r} is no month; write it as 2026-01")

    @property
    def after(self) -> date:
        """The first day of the next month, when what is counted by month begins again."""
        first = self.first
        return date(first.year + first.month // 12, first.month % 12 + 1, 1)

    @property
    def resets_at(self) -> datetime:
        return datetime(self.after.year, self.after.month, 1, tzinfo=UTC)

    def __str__(self) -> str:
        return f"{self.first:%Y-%m}"


@dataclass(frozen=True, slots=True)
class DayUsage:
    day: date
    amounts: Mapping[str, int]
    """By measure, without what is stored."""


@dataclass(frozen=True, slots=True)
class OwnerFigures:
    """What an owner has now, and used in a month."""

    owner_id: UUID
    name: str | None
    videos: int
    stored_bytes: int
    originals_bytes: int
    derived_bytes: int
    recordings_bytes: int
    uploads: int
    uploaded_bytes: int
    processed_ms: int
    transcribed_ms: int
    frames_read: int
    job_ms: int
    api_requests: int
    notifications: int
    rank: int
    """The figure that the list is sorted by."""


@dataclass(frozen=True, slots=True)
class OwnerCursor:
    rank: int
    owner_id: UUID

    def __str__(self) -> str:
        return f"{self.rank}_{self.owner_id}"

    @classmethod
    def parse(cls, text: str) -> Self:
        rank, _, owner_id = text.partition("_")
        try:
            return cls(read_number(rank), UUID(owner_id))
        except ValueError:
            raise InvalidInput("Invalid cursor") from None


async def days_of_owner(tx: Transaction, owner_id: UUID, month: Month) -> list[DayUsage]:
    days: dict[date, dict[str, int]] = defaultdict(dict)
    for row in await _sql["days_of_owner"].rows(tx, owner_id=owner_id, first=month.first, after=month.after):
        if not row["measure"].startswith(_STORED):
            days[row["day"]][row["measure"]] = row["amount"]
    return [DayUsage(day, amounts) for day, amounts in days.items()]


def totals_of(days: Sequence[DayUsage]) -> dict[str, int]:
    """Pure."""
    totals: dict[str, int] = dict.fromkeys(MEASURES, 0)
    for one in days:
        for measure, amount in one.amounts.items():
            totals[measure] = totals.get(measure, 0) + amount
    return totals


async def stored_now(tx: Transaction, owner_id: UUID) -> dict[str, int]:
    """`derived_bytes`, `recordings_bytes` and `originals_bytes` as measured last; missing before the first time."""
    rows = await _sql["stored_now"].rows(tx, owner_id=owner_id)
    return {row["measure"].removeprefix(_STORED): row["amount"] for row in rows}


async def ms_processed(tx: Transaction, owner_id: UUID, month: Month) -> int:
    """Milliseconds of video since the month began."""
    return int(await _sql["minutes_used"].value(tx, owner_id=owner_id, first=month.first))


async def list_owners(
    tx: Transaction, month: Month, *, sort: OwnerSort = "stored_bytes", limit: int, cursor: str | None = None
) -> list[OwnerFigures]:
    """The owner with the most first."""
    after = None if cursor is None else OwnerCursor.parse(cursor)
    rows = await _sql["owners"].rows(
        tx,
        first=month.first,
        after=month.after,
        sort=sort,
        rank=None if after is None else after.rank,
        owner_id=None if after is None else after.owner_id,
        limit=limit,
    )
    return [OwnerFigures(**{field.name: row[field.name] for field in fields(OwnerFigures)}) for row in rows]


def cursor_of(owner: OwnerFigures) -> OwnerCursor:
    return OwnerCursor(owner.rank, owner.owner_id)
