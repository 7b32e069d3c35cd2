"""The recorder of one camera: which finished segments are stored, and how.

It runs beside the camera process and never stops it: `keep` and `hold` only note what is to do, a task of its own stores. While the
object store, the database or the disk cannot take segments, recording is paused and says so; segments wait on disk up to a limit.
"""

import asyncio
import os
import stat
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from uuid import UUID, uuid5

import structlog

from sightline.cameras.recording.holds import Holds
from sightline.cameras.recording.metrics import RecordingMetrics
from sightline.cameras.recording.recording import RecorderReport, Recording, RecordMode
from sightline.cameras.recording.ring import SegmentFile, SegmentRing
from sightline.cameras.recording.segment import FinishedSegment
from sightline.cameras.recording.settings import RecordingSettings
from sightline.cameras.recording.store import (
    VIEWS_CHANNEL,
    begin_recording,
    finish_recording,
    hold_recordings,
    save_recorder_state,
    segments_viewed_until,
)
from sightline.db import Database, Listener
from sightline.errors import InvalidInput, PlatformError
from sightline.jobs import Scratch
from sightline.objects import ObjectStore, not_enough_space, recording_key
from sightline.supervisor import OUTAGE_ERRORS
from sightline.timing import Backoff, Clock, is_set_within, utc_now

LIVE_FOR = timedelta(seconds=60)
"""How long a segment is kept that was stored for a viewer only."""
LIVE_TAIL = timedelta(seconds=15)
"""What a viewer gets at once of the time before."""
_LATE = timedelta(seconds=15)
"""How late an event may be noticed; the ring is so much longer than the pre-roll."""
LAST_STORE_S = 10.0
"""How long a recorder that is closed goes on storing what waits."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class RecorderParts:
    """What the recorders of a process share."""

    database: Database
    objects: ObjectStore
    scratch: Scratch
    settings: RecordingSettings
    metrics: RecordingMetrics
    listener: Listener
    clock: Clock = utc_now


@dataclass(frozen=True, slots=True)
class _Waiting:
    file: SegmentFile
    is_live_only: bool


@asynccontextmanager
async def open_recorder(
    parts: RecorderParts,
    camera_key: UUID,
    *,
    mode: RecordMode,
    directory: Path,
) -> AsyncIterator["Recorder"]:
    """The recorder of the camera whose process writes into `directory`."""
    async with parts.scratch.directory() as own:
        recorder = Recorder(parts, camera_key, mode=mode, source=directory, own=own)
        with parts.listener.subscribe(VIEWS_CHANNEL, recorder.notice_viewer):
            storing = asyncio.create_task(recorder.store_all(), name=f"recorder-{camera_key}")
            try:
                yield recorder
            finally:
                recorder.finish()
                try:
                    await asyncio.wait((storing,), timeout=LAST_STORE_S)
                finally:  # also of a watch that is cancelled while it waits here
                    storing.cancel()
                    recorder.forget()
                    await asyncio.gather(storing, return_exceptions=True)


class Recorder:
    def __init__(
        self,
        parts: RecorderParts,
        camera_key: UUID,
        *,
        mode: RecordMode,
        source: Path,
        own: Path,
    ) -> None:
        settings = parts.settings
        pre_roll = timedelta(seconds=settings.pre_roll_s)
        self._parts = parts
        self._camera_key = camera_key
        self._mode: RecordMode = mode
        self._source = source
        self._own = own
        self._viewed_until: datetime | None = None
        self._may_be_viewed = True
        """Whether the database may know of a viewer that this recorder does not know of."""
        self._holds = Holds(pre_roll, timedelta(seconds=settings.post_roll_s))
        self._event_hold = timedelta(days=settings.event_days)
        self._ring = SegmentRing(max(pre_roll, LIVE_TAIL) + _LATE, settings.ring_max_bytes)
        self._waiting: deque[_Waiting] = deque()
        self._unmarked: tuple[datetime, datetime] | None = None
        self._wake = asyncio.Event()
        self._finishing = asyncio.Event()
        self._pause_reason: str | None = None
        self._missing_source: str | None = None
        self._dropped = 0
        self._saved: RecorderReport | None = None

    @property
    def wants_segments(self) -> bool:
        """Whether the camera process should write segments now."""
        return self._mode != "off" or self._is_viewed()

    def _is_viewed(self) -> bool:
        return self._viewed_until is not None and self._parts.clock() < self._viewed_until

    @property
    def report(self) -> RecorderReport:
        if (reason := self._pause_reason or self._missing_source) is not None:
            return RecorderReport("paused", reason, self._dropped)
        if self._mode == "off":
            return RecorderReport("off", None, self._dropped)
        is_storing = self._mode == "continuous" or self._holds.is_open_at(self._parts.clock())
        return RecorderReport("recording" if is_storing else "waiting", None, self._dropped)

    async def keep(self, segment: FinishedSegment) -> None:
        """Takes over the file of a segment that the camera process has finished. Never fails for want of a place to store it."""
        file = await asyncio.to_thread(self._take, segment)
        if file is None:
            return
        self._holds.forget_before(segment.started_at)
        self._ring.add(file)
        self._choose()

    def hold(self, since: datetime, until: datetime) -> None:
        """Something happened then: stores what is there of it, with what comes before and after."""
        self._mark_later(self._holds.add(since, until))
        self._choose()

    def notice_viewer(self, camera_key: str) -> None:
        """Somebody plays the newest segments of the camera, or of any if it is empty."""
        if camera_key in ("", str(self._camera_key)):
            self._may_be_viewed = True
            self._wake.set()

    def miss_source(self, reason: str | None) -> None:
        """Why the stream that is recorded does not come, where it is not the one that is looked at; None: it comes."""
        if self._mode != "off" and reason != self._missing_source:
            was_paused, self._missing_source = self._is_paused, reason
            self._count_pause(was_paused)
            self._wake.set()

    def finish(self) -> None:
        """Stores what waits, and no more."""
        self._finishing.set()
        self._wake.set()

    def forget(self) -> None:
        """Nothing of this recorder counts as paused any longer."""
        if self._is_paused:
            self._parts.metrics.paused.dec()

    async def store_all(self) -> None:
        """Stores what waits until `finish`."""
        failures = 0
        while True:
            self._wake.clear()
            try:
                await self._look_for_viewers()
                await self._store_waiting()
                self._set_pause(None)
                failures = 0
                await self._save_report()
            except OUTAGE_ERRORS as error:
                failures += 1
                self._set_pause(_reason(error))
                with suppress(*OUTAGE_ERRORS):  # the database itself may be what is missing
                    await self._save_report()
            except Exception:
                # A segment that cannot be stored for a reason of its own must not keep the others from being stored.
                log.exception("recording.segment_failed", camera_key=str(self._camera_key))
                if self._waiting:
                    self._waiting.popleft().file.remove()
                    self._count_drop()
                continue
            if self._finishing.is_set() and (failures or not self._waiting):
                return
            if failures:
                await is_set_within(self._finishing, Backoff(first_s=1.0).delay_s(failures))
            else:
                await self._wake.wait()

    async def _look_for_viewers(self) -> None:
        if not self._may_be_viewed:
            return
        # Before the query: who comes while it is answered is looked for again.
        self._may_be_viewed = False
        try:
            async with self._parts.database.transaction() as tx:
                self._viewed_until = await segments_viewed_until(tx, self._camera_key)
        except BaseException:
            self._may_be_viewed = True
            raise
        self._choose()

    def _choose(self) -> None:
        """Moves what is wanted from the ring to what waits to be stored."""
        taken: list[SegmentFile] = []
        if self._mode == "continuous":
            taken = self._ring.take(lambda _: True)
        elif self._mode == "events":
            taken = self._ring.take(self._holds.covers)
        self._waiting.extend(_Waiting(file, is_live_only=False) for file in taken)
        if self._is_viewed() and len(self._ring):
            since = self._parts.clock() - LIVE_TAIL
            shown = self._ring.take(lambda segment: segment.ended_at > since)
            self._waiting.extend(_Waiting(file, is_live_only=True) for file in shown)
        self._drop_what_exceeds()
        self._wake.set()

    def _drop_what_exceeds(self) -> None:
        total = sum(one.file.segment.bytes for one in self._waiting)
        while total > self._parts.settings.waiting_max_bytes and len(self._waiting) > 1:
            dropped = self._waiting[1].file  # the first one is being stored just now
            del self._waiting[1]
            total -= dropped.segment.bytes
            dropped.remove()
            self._count_drop()

    def _count_drop(self) -> None:
        self._dropped += 1
        self._parts.metrics.segments.labels("dropped").inc()

    def _report_missing(self, reason: str) -> None:
        log.warning("recording.segment_missing", camera_key=str(self._camera_key), reason=reason)
        self._count_drop()

    def _take(self, segment: FinishedSegment) -> SegmentFile | None:
        """Moves the file out of the reach of the camera process first, which may be compromised, and looks at it then."""
        path = self._own / segment.name
        try:
            os.rename(self._source / segment.name, path)
            facts = path.lstat()
        except OSError as error:
            self._report_missing(error.strerror or str(error))
            return None
        if not stat.S_ISREG(facts.st_mode) or facts.st_nlink != 1 or facts.st_size != segment.bytes:
            path.unlink(missing_ok=True)
            raise InvalidInput("the camera process reported a segment that is not the file it wrote")
        return SegmentFile(segment, path)

    async def _store_waiting(self) -> None:
        while self._waiting:
            await self._store(self._waiting[0])
            # Still the first: what is dropped in the meantime stands behind it.
            await asyncio.to_thread(self._waiting.popleft().file.remove)
        if self._unmarked is not None:
            window, self._unmarked = self._unmarked, None
            try:
                async with self._parts.database.transaction() as tx:
                    await hold_recordings(tx, self._camera_key, *window, hold=self._event_hold)
            except OUTAGE_ERRORS:
                self._mark_later(window)
                raise

    def _mark_later(self, window: tuple[datetime, datetime]) -> None:
        """What is stored of the window is to be marked as held."""
        start, end = self._unmarked or window
        self._unmarked = (min(start, window[0]), max(end, window[1]))

    async def _store(self, waiting: _Waiting) -> None:
        segment, path = waiting.file.segment, waiting.file.path
        objects, database = self._parts.objects, self._parts.database
        if not await asyncio.to_thread(path.is_file):
            self._report_missing("it was removed")
            return
        usable = await objects.usable_bytes()
        if usable is not None and usable < segment.bytes:
            raise not_enough_space(segment.bytes, usable)
        is_held = self._holds.covers(segment)
        recording = _recording(self._camera_key, segment)
        async with database.transaction() as tx:
            is_new = await begin_recording(
                tx,
                recording,
                hold=self._event_hold if is_held else None,
                live=LIVE_FOR if waiting.is_live_only and not is_held else None,
            )
        if not is_new:
            return
        await objects.put_file(recording.key, path)
        async with database.transaction() as tx:
            is_known = await finish_recording(tx, recording.recording_id)
        if not is_known:
            await objects.delete([recording.key])
            return
        self._parts.metrics.segments.labels("stored").inc()
        self._parts.metrics.bytes.inc(segment.bytes)

    @property
    def _is_paused(self) -> bool:
        return self._pause_reason is not None or self._missing_source is not None

    def _count_pause(self, was_paused: bool) -> None:
        self._parts.metrics.paused.inc(self._is_paused - was_paused)

    def _set_pause(self, reason: str | None) -> None:
        if (reason is None) != (self._pause_reason is None):
            if reason is None:
                log.info("recording.resumed", camera_key=str(self._camera_key), dropped=self._dropped)
            else:
                log.warning("recording.paused", camera_key=str(self._camera_key), reason=reason)
        was_paused, self._pause_reason = self._is_paused, reason
        self._count_pause(was_paused)

    async def _save_report(self) -> None:
        report = self.report
        if report == self._saved:
            return
        async with self._parts.database.transaction() as tx:
            await save_recorder_state(tx, self._camera_key, report)
        self._saved = report


def _recording(camera_key: UUID, segment: FinishedSegment) -> Recording:
    recording_id = uuid5(camera_key, segment.name)  # the same when it is tried again
    return Recording(
        recording_id=recording_id,
        camera_key=camera_key,
        run=UUID(hex=segment.run),
        number=segment.number,
        started_at=segment.started_at,
        ended_at=segment.ended_at,
        key=recording_key(camera_key, segment.started_at, recording_id),
        bytes=segment.bytes,
        init_bytes=segment.init_bytes,
        codec=segment.codec,
        width=segment.width,
        height=segment.height,
        has_audio=segment.has_audio,
        is_independent=segment.is_independent,
    )


def _reason(error: Exception) -> str:
    if isinstance(error, PlatformError):
        return error.public_message
    return "The database is not available" if not isinstance(error, OSError) else "The disk is not available"
