"""Lists of videos: sorted, limited to statuses, ids or a collection, in pages."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Self
from uuid import UUID

from sightline.db import Transaction, load_queries
from sightline.errors import InvalidInput
from sightline.paging import Cursor, Page, page_of
from sightline.videos.store import to_video
from sightline.videos.video import Video, VideoStatus

_sql = load_queries(Path(__file__).with_name("listing.sql"))


class VideoOrder(StrEnum):
    NEWEST = "newest"
    OLDEST = "oldest"
    NAME = "name"
    LONGEST = "longest"
    LARGEST = "largest"


@dataclass(frozen=True, slots=True)
class VideoFilter:
    """No statuses: of any; no ids: all; no collection: in any or none; no owner: of any."""

    statuses: Sequence[VideoStatus] = ()
    ids: Sequence[UUID] | None = None
    collection_id: UUID | None = None
    owner_id: UUID | None = None
    """A person, or a team: also one of the identity provider, whose videos persons own."""


@dataclass(frozen=True, slots=True)
class _KeyCursor:
    """The last video of a page in another order than newest first."""

    key: str
    id: UUID

    def __str__(self) -> str:
        return f"{self.key}_{self.id}"

    @classmethod
    def parse(cls, text: str) -> Self:
        key, _, video_id = text.rpartition("_")
        try:
            return cls(key, UUID(video_id))
        except ValueError:
            raise InvalidInput("Invalid cursor") from None


async def list_videos(
    tx: Transaction, wanted: VideoFilter, *, limit: int, cursor: str | None, order: VideoOrder = VideoOrder.NEWEST
) -> Page[Video]:
    """`cursor` is `next_cursor` of the page before; it fits the order that it was made in."""
    values = {
        "statuses": [status.value for status in wanted.statuses] or None,
        "ids": None if wanted.ids is None else list(wanted.ids),
        "collection_id": wanted.collection_id,
        "owner_id": wanted.owner_id,
        "limit": limit + 1,
    }
    if order is VideoOrder.NEWEST:
        before = None if cursor is None else Cursor.parse(cursor, UUID)
        at, before_id = (None, None) if before is None else (before.at, before.id)
        rows = await _sql["list_newest"].rows(tx, before_at=at, before_id=before_id, **values)
        page = page_of(rows, limit, lambda row: Cursor(row["created_at"], row["id"]))
    else:
        after = None if cursor is None else _KeyCursor.parse(cursor)
        key, after_id = (None, None) if after is None else (after.key, after.id)
        rows = await _sql["list_sorted"].rows(tx, sort=order.value, after_key=key, after_id=after_id, **values)
        page = page_of(rows, limit, lambda row: _KeyCursor(row["sort_key"], row["id"]))
    return Page([to_video(row) for row in page.items], page.next_cursor)
