"""Cursors and pages: the one form of every list that is returned in pages."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Generic, TypeVar

from sightline.errors import InvalidInput

__all__ = ["Cursor", "Page", "page_of", "read_number"]

_MAX_DIGITS = 18

T = TypeVar("T")
IdT = TypeVar("IdT")


@dataclass(frozen=True, slots=True)
class Cursor(Generic[IdT]):
    """The last item of a page in a list that is sorted by time and id, newest first."""

    at: datetime
    id: IdT

    def __str__(self) -> str:
        return f"{self.at.astimezone(UTC).isoformat().replace('+00:00', 'Z')}_{self.id}"

    @classmethod
    def parse(cls, text: str, read_id: Callable[[str], IdT]) -> "Cursor[IdT]":
        """`read_id` raises ValueError for what is no id of the list."""
        at, _, item_id = text.partition("_")
        try:
            moment = datetime.fromisoformat(at)
            if moment.tzinfo is None:
                raise ValueError(at)
            return cls(moment.astimezone(UTC), read_id(item_id))
        except (ValueError, OverflowError):
            raise InvalidInput("Invalid cursor") from None


def read_number(text: str) -> int:
    """An id that is a number, as `Cursor.parse` reads it; no larger than a database counts."""
    if not (text.isascii() and text.isdecimal() and len(text) <= _MAX_DIGITS):
        raise ValueError(text)
    return int(text)


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    items: Sequence[T]
    next_cursor: str | None


def page_of(found: Sequence[T], limit: int, cursor_of: Callable[[T], object]) -> Page[T]:
    """The page of a query for one item more than the limit, which shows whether there is a next page."""
    shown = found[:limit]
    return Page(shown, str(cursor_of(shown[-1])) if len(found) > limit else None)
