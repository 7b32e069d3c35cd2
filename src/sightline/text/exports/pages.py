"""Segments of a video page by page: a video of any length needs the memory of one page."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from itertools import groupby
from pathlib import Path
from typing import Any
from uuid import UUID

from sightline.db import Transaction, load_queries
from sightline.text.exports.reading_order import in_reading_order
from sightline.text.segments import Box, SegmentKind, TextSegment

PAGE_SEGMENTS = 1000

_BEFORE_ALL = -1
"""A value rather than none, so that the database finds the place in its index."""

Pages = AsyncIterator[Sequence[TextSegment]]

_sql = load_queries(Path(__file__).with_name("exports.sql"))


async def read_page(
    tx: Transaction,
    video_id: UUID,
    *,
    kind: SegmentKind | None = None,
    after: TextSegment | None = None,
    from_ms: int | None = None,
    until_ms: int | None = None,
    limit: int = PAGE_SEGMENTS,
) -> list[TextSegment]:
    """The next segments in the order of time."""
    rows = await _sql["segments_after"].rows(
        tx,
        video_id=video_id,
        kind=kind,
        after_ms=_BEFORE_ALL if after is None else after.t_start,
        after_id=UUID(int=0) if after is None else after.id,
        from_ms=from_ms,
        until_ms=until_ms,
        limit=limit,
    )
    return [_segment(dict(row)) for row in rows]


async def pages_of_segments(
    transaction: Callable[[], AbstractAsyncContextManager[Transaction]],
    video_id: UUID,
    *,
    kind: SegmentKind | None = None,
    from_ms: int | None = None,
    until_ms: int | None = None,
    page_size: int = PAGE_SEGMENTS,
) -> Pages:
    """All segments of a video, or those in a range, in reading order. No transaction is open while a page is used: a slow
    client holds nothing."""
    after: TextSegment | None = None
    held: list[TextSegment] = []  # begin together; more of them may be on the next page
    while True:
        async with transaction() as tx:
            found = await read_page(
                tx, video_id, kind=kind, after=after, from_ms=from_ms, until_ms=until_ms, limit=page_size
            )
        groups = [list(group) for _, group in groupby([*held, *found], key=lambda one: one.t_start)]
        is_last = len(found) < page_size
        held = [] if is_last or not groups else groups.pop()
        if groups:
            yield [one for group in groups for one in in_reading_order(group)]
        if is_last:
            return
        after = found[-1]


def _segment(row: dict[str, Any]) -> TextSegment:
    return TextSegment(box=Box.of(row.pop("bounding_box")), **row)
