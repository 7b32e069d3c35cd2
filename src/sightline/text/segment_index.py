"""The `segment_index` job: merges readings into segments, finds entities, fills the search index and completes the video."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

import structlog

from sightline.contracts.jobs import SegmentIndex
from sightline.db import Transaction
from sightline.jobs import Job, JobContext, JobLimits
from sightline.text.search import (
    PassageRow,
    SearchRows,
    passage_rows,
    refresh_index,
    replace_passages,
    replace_search_rows,
    search_rows,
)
from sightline.text.segments import (
    BlockLine,
    Entity,
    TextReading,
    TextSegment,
    adopt_entities,
    adopt_segments,
    find_blocks,
    find_entities,
    merge_readings,
    read_readings,
    read_segments,
    replace_entities,
    replace_segments,
    update_places,
)
from sightline.text.settings import TextSettings
from sightline.videos import VideoMoves, VideoStatus, lock_video

OnIndexed = Callable[[Transaction, UUID], Awaitable[None]]
"""What follows in the transaction that has indexed the text of a video."""

log = structlog.get_logger(__name__)


class SegmentIndexJob(Job[SegmentIndex]):
    """Does everything in one transaction: a killed run leaves the readings unchanged."""

    payload = SegmentIndex
    limits = JobLimits(concurrency=2, time_limit=timedelta(minutes=30))

    def __init__(self, moves: VideoMoves, settings: TextSettings, on_indexed: OnIndexed | None = None) -> None:
        """`on_indexed` is called in the transaction that has indexed the text of a video."""
        self._moves = moves
        self._settings = settings
        self._on_indexed = on_indexed

    async def run(self, payload: SegmentIndex, context: JobContext) -> None:
        async with context.finishing() as tx:
            await self.index(tx, payload.video_id)

    async def index(self, tx: Transaction, video_id: UUID) -> int:
        """Returns the number of segments of the video; 0 for a removed video."""
        video = await lock_video(tx, video_id)
        if video is None:
            return 0
        if video.status is VideoStatus.FAILED:
            await self._moves.resume(tx, video_id, reason="its text is indexed again")
        await self._moves.advance(tx, video_id, VideoStatus.PRINTING)
        readings = await read_readings(tx, video_id)
        if readings:
            merged = await asyncio.to_thread(self._merge, video_id, list(readings.values()))
            await replace_segments(tx, video_id, merged, merged_from=list(readings))
        # Without readings it was merged before, or has no text: what is there stays, and is indexed again.
        segments, entities = await index_segments(tx, video_id)
        if self._on_indexed is not None:
            await self._on_indexed(tx, video_id)
        if video.status is not VideoStatus.COMPLETED:
            await self._moves.move(tx, video_id, VideoStatus.COMPLETED)
        log.info(
            "text.indexed",
            readings=len(readings),
            segments=len(segments),
            entities=sum(map(len, entities.values())),
        )
        return len(segments)

    async def adopt(self, tx: Transaction, video_id: UUID) -> int | None:
        """Indexes the segments and entities that a worker of another program stored, as they are, and completes the video.

        Returns the number of segments; None if the video is gone, was never uploaded, or failed before processing began.
        """
        video = await lock_video(tx, video_id)
        if video is not None and video.status is VideoStatus.FAILED:
            video = await self._moves.resume(tx, video_id, reason="another program has indexed its text")
        if video is None or video.status.is_before_uploaded:
            return None
        segments = await adopt_segments(tx, video_id)
        entities = await adopt_entities(tx, video_id, segments)
        if not any(entities.values()):
            entities = await asyncio.to_thread(lambda: {one.id: find_entities(one.text) for one in segments})
            await replace_entities(tx, video_id, entities)
        await _write_index(tx, video_id, segments, await asyncio.to_thread(_index, segments, entities))
        if self._on_indexed is not None:
            await self._on_indexed(tx, video_id)
        await self._moves.advance(tx, video_id, VideoStatus.COMPLETED)
        log.info(
            "text.adopted",
            video_id=str(video_id),
            segments=len(segments),
            entities=sum(map(len, entities.values())),
        )
        return len(segments)

    async def on_claimed_elsewhere(self, tx: Transaction, payload: SegmentIndex) -> None:
        await self._moves.resume(tx, payload.video_id, reason="its text is indexed again")
        await self._moves.advance(tx, payload.video_id, VideoStatus.PRINTING)

    async def on_done_elsewhere(self, tx: Transaction, payload: SegmentIndex) -> None:
        await self.adopt(tx, payload.video_id)

    async def on_failed(self, tx: Transaction, payload: SegmentIndex, error: dict[str, Any]) -> None:
        reason = f"the text of the video could not be indexed: {error.get('message') or error.get('type')}"
        await self._moves.move_if(tx, payload.video_id, VideoStatus.FAILED, reason=reason)

    def _merge(self, video_id: UUID, readings: list[TextReading]) -> list[TextSegment]:
        return merge_readings(video_id, readings, gap_ms=self._settings.merge_gap_ms)


async def index_segments(tx: Transaction, video_id: UUID) -> tuple[list[TextSegment], dict[UUID, list[Entity]]]:
    """Derives entities and search rows of all segments of a video anew, of texts and of speech. The video must be locked."""
    segments = await read_segments(tx, video_id)
    entities, index = await asyncio.to_thread(_derive, segments)
    await replace_entities(tx, video_id, entities)
    await _write_index(tx, video_id, segments, index)
    return segments, entities


async def remove_from_index(tx: Transaction, video_id: UUID) -> None:
    """The video is not found by its text any more. Its segments stay, and `segment_index` makes it searchable again."""
    await replace_search_rows(tx, video_id, [], SearchRows(rows={}, common_words={}))
    await replace_passages(tx, video_id, [])


@dataclass(frozen=True, slots=True)
class _Index:
    """What is derived from the segments of a video so that they are found and listed in reading order."""

    places: dict[UUID, BlockLine]
    rows: SearchRows
    passages: list[PassageRow]


def _derive(segments: list[TextSegment]) -> tuple[dict[UUID, list[Entity]], _Index]:
    entities = {one.id: find_entities(one.text) for one in segments}
    return entities, _index(segments, entities)


def _index(segments: list[TextSegment], entities: dict[UUID, list[Entity]]) -> _Index:
    places = find_blocks(segments)
    return _Index(places, search_rows(segments, entities), passage_rows(segments, places, entities))


async def _write_index(tx: Transaction, video_id: UUID, segments: list[TextSegment], index: _Index) -> None:
    await update_places(tx, segments, index.places)
    await replace_search_rows(tx, video_id, segments, index.rows)
    await replace_passages(tx, video_id, index.passages)
    await refresh_index(tx)
