"""The job `clip_generate`: cuts a clip from the original on demand."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import timedelta
from pathlib import Path
from typing import Any

import structlog

from sightline.contracts.jobs import ClipGenerate
from sightline.db import Database, Transaction
from sightline.errors import PermanentFailure
from sightline.jobs import Job, JobContext, JobLimits, Scratch
from sightline.media.clips.captions import (
    CaptionReader,
    CaptionSpan,
    caption_spans,
    reel_captions,
    undrawable_script,
)
from sightline.media.clips.clip import CLIP_FILE, ClipSpan, clip_span, part_spans, whole_span
from sightline.media.clips.store import begin_clip, fail_clip, finish_clip
from sightline.media.input import MediaLimits, process_limits, run_in_sandbox
from sightline.media.job_objects import need_object
from sightline.media.settings import MediaSettings
from sightline.objects import ObjectStore, StoredObject, clip_key
from sightline.videos import Video, get_video

PROBE = "sightline.media.input.probe:probe"
CUT = "sightline.media.clips.clip_work:cut_clip"
MAX_BYTES_PER_S = 8 * 1024 * 1024
"""Upper bound for the size of a clip in the largest resolution."""

log = structlog.get_logger(__name__)


class ClipGenerateJob(Job[ClipGenerate]):
    payload = ClipGenerate

    def __init__(
        self,
        *,
        database: Database,
        objects: ObjectStore,
        scratch: Scratch,
        settings: MediaSettings,
        read_captions: CaptionReader,
    ) -> None:
        self.limits = JobLimits(
            concurrency=settings.clip_concurrency,
            time_limit=timedelta(seconds=settings.wall_limit_s) + timedelta(minutes=5),
        )
        self._database = database
        self._objects = objects
        self._scratch = scratch
        self._settings = settings
        self._read_captions = read_captions

    async def run(self, payload: ClipGenerate, context: JobContext) -> None:
        async with self._database.transaction() as tx:
            video = await get_video(tx, payload.video_id)
        if video is None:
            return None  # the video was removed in the meantime
        key = clip_key(payload.video_id, payload.clip_id)
        stored = await self._objects.head(key)
        exists_already = stored is not None
        if not exists_already:
            video.need_original()
        spans = await self._spans(payload, video, exists_already=exists_already)
        span = whole_span(spans)
        async with self._database.transaction() as tx:
            if not await begin_clip(tx, payload, span):
                return await self._end_without_clip(payload)
        if stored is None:
            stored = await self._cut(payload, video, spans, key, context)
        await self._finish(payload, stored, span, context, exists_already=exists_already)
        return None

    async def on_done_elsewhere(self, tx: Transaction, payload: ClipGenerate) -> None:
        """Shows the clip that another program has stored; its row may not exist yet."""
        stored = await self._objects.head(clip_key(payload.video_id, payload.clip_id))
        if stored is None:
            await fail_clip(tx, payload.clip_id, payload.video_id, "the worker stored no clip")
            return
        video = await get_video(tx, payload.video_id)
        span = clip_span(
            payload.t_start, payload.t_end, payload.padding_ms, None if video is None else video.duration_ms
        )
        if await begin_clip(tx, payload, span):
            keep = timedelta(days=self._settings.clip_keep_days)
            await finish_clip(tx, payload.clip_id, path=stored.key, size_bytes=stored.size, keep=keep)

    async def on_failed(self, tx: Transaction, payload: ClipGenerate, error: dict[str, Any]) -> None:
        await fail_clip(tx, payload.clip_id, payload.video_id, error["message"])

    async def _spans(self, payload: ClipGenerate, video: Video, *, exists_already: bool) -> list[ClipSpan]:
        """The parts within the video; a clip that is no reel has one. The length of the video comes from its row, or from the
        file before it was transcoded."""
        duration_ms = video.measured_duration_ms
        if duration_ms is None and not exists_already:
            await need_object(self._objects, payload.s3_original_path)
            argument = {
                "readable": await self._objects.readable(payload.s3_original_path),
                "media_limits": asdict(MediaLimits.of(self._settings)),
            }
            found = await run_in_sandbox(PROBE, argument, limits=process_limits(self._settings))
            announced_s = found["duration_s"]
            duration_ms = None if announced_s is None else max(1, round(announced_s * 1000))
        spans = part_spans(payload.parts, payload.padding_ms, duration_ms)
        spans = spans or [clip_span(payload.t_start, payload.t_end, payload.padding_ms, duration_ms)]
        length_s = sum(span.length_s for span in spans)
        if length_s > self._settings.clip_max_s:
            raise PermanentFailure(
                f"the clip is {length_s:.1f} s long; at most {self._settings.clip_max_s:.0f} s are allowed"
            )
        return spans

    async def _cut(
        self, payload: ClipGenerate, video: Video, spans: Sequence[ClipSpan], key: str, context: JobContext
    ) -> StoredObject:
        await need_object(self._objects, payload.s3_original_path)
        argument = {
            "readable": await self._objects.readable(payload.s3_original_path),
            "media_limits": asdict(MediaLimits.of(self._settings)),
            "parts": [(span.start_ms, span.end_ms) for span in spans],
            "duration_ms": video.measured_duration_ms,
            "captions": payload.captions,
            "spans": [one.to_json() for one in await self._caption_spans(payload, spans)],
        }
        length_s = sum(span.length_s for span in spans)
        async with self._scratch.directory(needs_bytes=int(length_s * MAX_BYTES_PER_S)) as directory:
            await run_in_sandbox(
                CUT, argument, context.progress, limits=process_limits(self._settings), directory=directory
            )
            return await self._objects.put_file(key, Path(directory / CLIP_FILE))

    async def _caption_spans(self, payload: ClipGenerate, parts: Sequence[ClipSpan]) -> list[CaptionSpan]:
        if payload.captions == "none":
            return []
        if payload.parts:
            spans = reel_captions([part.caption for part in payload.parts], parts)
        else:
            (span,) = parts
            cues = await self._read_captions(payload.video_id, payload.caption_kind, span.start_ms, span.end_ms)
            spans = caption_spans(cues, span.start_ms, span.end_ms)
        script = undrawable_script(spans) if payload.captions == "burned" else None
        if script is not None:
            raise PermanentFailure(
                f"captions in {script} script cannot be burned in with the installed fonts; choose soft captions"
            )
        return spans

    async def _finish(
        self,
        payload: ClipGenerate,
        stored: StoredObject,
        span: ClipSpan,
        context: JobContext,
        *,
        exists_already: bool,
    ) -> None:
        async with self._database.transaction() as tx:
            is_gone = await get_video(tx, payload.video_id) is None
        if is_gone:
            await self._objects.delete([stored.key])
            return
        result = {"s3_path": stored.key, "start_ms": span.start_ms, "end_ms": span.end_ms}
        async with context.finishing(result=result) as tx:
            keep = timedelta(days=self._settings.clip_keep_days)
            await finish_clip(tx, payload.clip_id, path=stored.key, size_bytes=stored.size, keep=keep)
        log.info("clip.made", clip_id=payload.clip_id, was_there=exists_already, bytes=stored.size)

    async def _end_without_clip(self, payload: ClipGenerate) -> None:
        async with self._database.transaction() as tx:
            if await get_video(tx, payload.video_id) is None:
                return  # the video was removed in the meantime
        raise PermanentFailure(f"clip {payload.clip_id} belongs to another video")
