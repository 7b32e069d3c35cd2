"""Videos by their names, descriptions and tags, and changes of those."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from sightline.db import Transaction, load_queries
from sightline.videos.details import VideoDetails
from sightline.videos.store import lock_video, to_video, unknown_video
from sightline.videos.video import Video

MAX_FOUND = 2000
"""Of more videos with a name or tag, the newest are found."""

_sql = load_queries(Path(__file__).with_name("names.sql"))


@dataclass(frozen=True, slots=True)
class FoundVideo:
    id: UUID
    rank: int
    """0: the words are the whole name, 1: words of it, 2: beginnings of them, 3: in tags or description."""


async def find_videos(
    tx: Transaction,
    words: Sequence[str] = (),
    *,
    tags: Sequence[str] = (),
    only_names: bool = False,
    limit: int = MAX_FOUND,
    is_everywhere: bool = False,
) -> list[FoundVideo]:
    """Best first. Words match beginnings of words, tags as a whole; case and accents make no difference."""
    query = _sql["find_everywhere" if is_everywhere else "find_as_caller"]
    rows = await query.rows(tx, words=list(words), tags=list(tags), only_names=only_names, limit=limit)
    return [FoundVideo(**row) for row in rows]


async def read_videos(tx: Transaction, ids: Sequence[UUID]) -> list[Video]:
    """In the order of the ids, without those that the transaction's role may not see."""
    return [to_video(row) for row in await _sql["read_videos"].rows(tx, ids=list(ids))]


async def set_details(
    tx: Transaction,
    video_id: UUID,
    *,
    name: str | None = None,
    description: str | None = None,
    keeps_description: bool = False,
    tags: Sequence[str] | None = None,
) -> Video:
    """Changes what is given; a description of None is removed unless it is kept."""
    video = await lock_video(tx, video_id)
    if video is None:
        raise unknown_video(video_id)
    new = VideoDetails(
        name=video.name if name is None else name,
        description=video.description if keeps_description else description,
        tags=video.tags if tags is None else tuple(tags),
    )
    row = await _sql["set_details"].row(
        tx, id=video_id, name=new.name, description=new.description, tags=list(new.tags)
    )
    assert row is not None, "the row is locked by this transaction"
    return to_video(row)
