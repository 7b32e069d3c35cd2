"""Watching a folder: each file that a camera uploads is looked at once, oldest first; what cannot be read stops nothing else."""

import asyncio
import heapq
import itertools
import time
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from uuid import UUID, uuid5

import structlog

from sightline.cameras.folder import (
    Folder,
    FolderFile,
    UnreadableFile,
    folder_of,
    forget_files,
    old_files,
    open_file,
    record_file,
    unhandled_files,
)
from sightline.cameras.problems import SourceProblem
from sightline.cameras.shapes import Shapes
from sightline.cameras.source import SourceState
from sightline.cameras.sources import CameraLook, Opened
from sightline.cameras.watch.camera_watch import WatchParts
from sightline.cameras.watch.eyes import DetectingEyes, jpeg_encoder, moment
from sightline.cameras.watch.leases_store import WatchedCamera
from sightline.cameras.watch.picture_eyes import PictureEyes
from sightline.cameras.watch.sighting import CameraSighting
from sightline.errors import PlatformError, is_retryable
from sightline.supervisor import OUTAGE_ERRORS
from sightline.timing import Backoff, is_set_within, utc_now

FILES_AT_ONCE = 500
"""How many names are compared with the database at a time."""
MAX_CANDIDATES = 1000
"""The oldest of those that were not looked at; the others are found again afterwards."""
WHOLE_AFTER_S = 60.0
"""A file that ends too early and has not grown for so long will not."""
SEARCH_EVERY_S = 30.0
"""However quiet the folder seems: a file that is written anew under its name changes no directory."""
MARGIN_NS = 5_000_000_000
CLIP_LOOKS_PER_S = 2.0
MAX_REPORTED = 20
SWEEP_EVERY_S = 3600.0
REMEMBERED_DAYS = 30
MAX_TRIES = 3
"""A file on which the detector fails so often, while it looks at others, is set aside."""

log = structlog.get_logger(__name__)


@dataclass(slots=True)
class _FailedFile:
    looked: int
    """How many files had been looked at when it failed first."""
    tries: int = 0


class FolderWatch:
    """One revision of one camera. Raises nothing: problems are states of the camera, and tried again."""

    def __init__(self, parts: WatchParts, camera: WatchedCamera) -> None:
        self._parts = parts
        self._camera = camera
        self._settings = parts.settings
        self._log = log.bind(camera_id=camera.camera_id, camera_key=str(camera.camera_key))
        self._encode = jpeg_encoder(parts.settings.jpeg_quality)
        self._shapes: Shapes | None = None
        self._picture_eyes: PictureEyes | None = None
        self._folder: Folder | None = None
        self._state: str | None = None
        self._looked = 0
        self._failed: dict[str, _FailedFile] = {}
        self._searched_at = self._swept_at = float("-inf")
        self._handled_until_ns = 0
        """All files that changed before were looked at, so that a large folder is compared with the database only once."""
        self._waiting: list[FolderFile] = []

    @property
    def revision(self) -> int:
        return self._camera.source.revision

    def set_viewed(self, is_viewed: bool) -> None:
        """Pictures come when the camera uploads them, whether a person looks or not."""

    async def is_redrawn(self) -> bool:
        return self._shapes is not None and await self._parts.load_shapes(self._camera) != self._shapes

    async def run(self, stop: asyncio.Event) -> None:
        try:
            await self._run(stop)
        finally:
            self._parts.pictures.forget(self._camera.camera_key)

    async def _run(self, stop: asyncio.Event) -> None:
        failures = 0
        while not stop.is_set():
            pause_s = self._settings.folder_poll_s
            try:
                await self._pass(stop)
                failures = 0
            except SourceProblem as problem:
                await self._set_state("refused" if problem.needs_person else "lost", problem)
            except (PlatformError, *OUTAGE_ERRORS) as error:
                failures += 1
                if failures == 1:
                    self._log.warning("camera.watch_failed", error=str(error) or type(error).__name__)
                pause_s = Backoff(first_s=self._settings.folder_poll_s, max_s=30.0).delay_s(failures)
            except Exception as error:  # one camera must not end the others
                self._log.error("camera.watch_failed", error=type(error).__name__, exc_info=error)
                pause_s = 30.0
            await is_set_within(stop, pause_s)

    async def _pass(self, stop: asyncio.Event) -> None:
        source = self._camera.source
        root = folder_of(self._camera.camera_key, source.address, source.reach, folders=self._parts.folders)
        if not source.address:
            await asyncio.to_thread(root.mkdir, mode=0o770, parents=True, exist_ok=True)
        if self._shapes is None:
            self._shapes = await self._parts.load_shapes(self._camera)
        self._folder = folder = self._folder or Folder(root)
        while not stop.is_set():
            candidates = await self._candidates(folder)
            await self._set_state("live", None)
            self._waiting = []
            # Those that failed come last, so that they stop no other.
            for file in sorted(candidates, key=lambda file: file.name in self._failed):
                if stop.is_set():
                    return
                await self._handle(folder, file)
            if len(candidates) < MAX_CANDIDATES:
                break
        if time.monotonic() - self._swept_at >= SWEEP_EVERY_S:
            self._swept_at = time.monotonic()
            await self._sweep(folder)

    async def _candidates(self, folder: Folder) -> list[FolderFile]:
        """The files to look at, oldest first."""
        now = time.monotonic()
        if now - self._searched_at < SEARCH_EVERY_S and not await asyncio.to_thread(folder.has_changed):
            present = [await asyncio.to_thread(folder.state_of, file.name) for file in self._waiting]
            return [file for file in present if file is not None]
        started_ns = time.time_ns()
        since_ns = self._handled_until_ns - MARGIN_NS
        oldest: list[FolderFile] = []
        files = (file for file in folder.files() if file.changed_ns >= since_ns)
        while batch := await asyncio.to_thread(lambda: list(itertools.islice(files, FILES_AT_ONCE))):
            async with self._parts.database.transaction() as tx:
                new = await unhandled_files(tx, self._camera.camera_key, batch)
            oldest = heapq.nsmallest(MAX_CANDIDATES, oldest + new, key=lambda file: (file.modified_ns, file.name))
        self._searched_at = now if len(oldest) < MAX_CANDIDATES else float("-inf")
        if not oldest:
            self._handled_until_ns = started_ns
        return oldest

    async def _handle(self, folder: Folder, file: FolderFile) -> None:
        # By both clocks: a copied file keeps its old time of modification, and a clock may be wrong.
        quiet_s = (time.time_ns() - max(file.changed_ns, min(file.modified_ns, time.time_ns()))) / 1e9
        if 0 <= quiet_s < self._settings.folder_settle_s:
            self._waiting.append(file)
            return
        try:
            sightings = await self._look_at(folder, file)
        except UnreadableFile as error:
            if error.may_grow and 0 <= quiet_s < WHOLE_AFTER_S:
                self._waiting.append(file)
                return
            self._log.warning("camera.file_unreadable", file=file.name, reason=error.reason)
            await self._record(file, reason=error.reason)
            return
        except FileNotFoundError:
            return  # removed in the meantime
        except OSError as error:
            self._log.warning("camera.file_unreadable", file=file.name, reason=error.strerror)
            await self._record(file, reason="The file cannot be opened.")
            return
        except SourceProblem:
            raise
        except PlatformError as error:
            await self._set_aside_or_raise(file, error)
            return
        if await asyncio.to_thread(folder.state_of, file.name) != file:
            self._waiting.append(file)  # written to while it was read
            return
        await self._report(sightings)
        await self._record(file, sightings=len(sightings))
        self._looked += 1
        self._failed.pop(file.name, None)

    async def _set_aside_or_raise(self, file: FolderFile, error: PlatformError) -> None:
        """A detector that fails on every file is waited for; one that fails on this file alone is not."""
        failed = self._failed.setdefault(file.name, _FailedFile(self._looked))
        failed.tries += 1
        if failed.tries < MAX_TRIES or self._looked == failed.looked:
            self._searched_at = float("-inf")  # the files after it were not looked at
            raise error
        del self._failed[file.name]
        self._log.warning("camera.file_unreadable", file=file.name, reason=error.message)
        await self._record(file, reason="The detector failed on this file.")

    async def _look_at(self, folder: Folder, file: FolderFile) -> list[CameraSighting]:
        if file.size_bytes > self._settings.folder_max_file_bytes:
            raise UnreadableFile("too_large")
        shapes = self._shapes or Shapes()
        argument = {
            "picture_width": self._settings.picture_width,
            "looks_per_s": min(CLIP_LOOKS_PER_S, self._camera.source.looks_per_s),
            "gate": {"masks": shapes.masks, "zones": {zone.name: zone.polygon for zone in shapes.zones}},
        }
        ended = min(file.modified_ns, time.time_ns()) / 1e9
        looks: list[CameraLook] = []
        sightings: list[CameraSighting] = []
        eyes: DetectingEyes | None = None
        detector = self._parts.detector if self._camera.source.detects else None
        with ExitStack() as stack:
            number = await asyncio.to_thread(stack.enter_context, folder.opened(file.name))
            async with open_file(
                number,
                argument,
                memory_bytes=self._settings.process_memory_bytes,
                may_be_unconfined=self._parts.may_be_unconfined,
            ) as opened:
                async for found in opened.looks():
                    look = replace(found, at=ended + found.at)
                    looks = [*looks[:1], look]
                    if len(looks) == 2 and detector is not None:
                        if eyes is None:
                            eyes = DetectingEyes(
                                self._camera, detector, shapes, labels=self._settings.labels, encode=self._encode
                            )
                            sightings += (await eyes.look(looks[0])).sightings
                        sightings += (await eyes.look(look)).sightings
                    self._parts.metrics.looks.labels(self._camera.camera_id).inc()
        file_id = _file_id(self._camera.camera_key, file)
        if eyes is not None:
            sightings = _named_by_file([*sightings, *eyes.finish(ended)], file_id)
        elif looks:
            sightings = await self._eyes_for_pictures(shapes).look(looks[-1], ended, file_id)
        if looks:
            await self._show(looks[-1])
        return sightings

    def _eyes_for_pictures(self, shapes: Shapes) -> PictureEyes:
        if self._picture_eyes is None:
            self._picture_eyes = PictureEyes(
                self._camera, self._parts.detector, shapes, labels=self._settings.labels, encode=self._encode
            )
        return self._picture_eyes

    async def _show(self, look: CameraLook) -> None:
        """The newest picture of the camera."""
        content = await asyncio.to_thread(self._encode, look.picture)
        height, width = look.picture.shape[:2]
        await self._parts.pictures.offer(self._camera.camera_key, content, store_every_s=0)
        await self._parts.states.save_picture(
            self._camera.camera_key, moment(look.at), Opened(width, height, "file", None)
        )

    async def _report(self, sightings: list[CameraSighting]) -> None:
        """Repeats what fails for a while; the file is looked at again after a longer outage."""
        for start in range(0, len(sightings), MAX_REPORTED):
            batch = sightings[start : start + MAX_REPORTED]
            try:
                await self._parts.report(batch)
            except PlatformError as error:
                if is_retryable(error):
                    raise
                self._log.warning("camera.sightings_refused", error=error.message)
                continue
            self._parts.metrics.sightings.inc(len(batch))

    async def _record(self, file: FolderFile, *, reason: str | None = None, sightings: int = 0) -> None:
        async with self._parts.database.transaction() as tx:
            await record_file(tx, self._camera.camera_key, file, reason=reason, sightings=sightings)
        self._parts.metrics.files.labels("looked" if reason is None else "unreadable").inc()

    async def _sweep(self, folder: Folder) -> None:
        """Removes old files, if that is wanted, and the records of files that are gone."""
        days = self._settings.folder_remove_days
        before = utc_now() - timedelta(days=days or REMEMBERED_DAYS)
        after = ""
        removed = 0
        while True:
            async with self._parts.database.transaction() as tx:
                page = await old_files(tx, self._camera.camera_key, before=before, after=after, limit=FILES_AT_ONCE)
            if not page:
                break
            after = page[-1].name
            gone = []
            for file in page:
                if not days:
                    if await asyncio.to_thread(folder.state_of, file.name) is None:
                        gone.append(file.name)
                    continue
                with suppress(OSError):
                    if await asyncio.to_thread(folder.remove, file):
                        gone.append(file.name)
                        removed += 1
            async with self._parts.database.transaction() as tx:
                await forget_files(tx, self._camera.camera_key, gone)
        if removed:
            self._log.info("camera.files_removed", files=removed)

    async def _set_state(self, state: SourceState, problem: SourceProblem | None) -> None:
        key = state if problem is None else problem.code
        if key != self._state:
            self._state = key
            await self._parts.states.save(self._camera, state, problem)


def _file_id(camera_key: UUID, file: FolderFile) -> UUID:
    return uuid5(camera_key, f"{file.name}\n{file.size_bytes}\n{file.modified_ns}")


def _named_by_file(sightings: list[CameraSighting], file_id: UUID) -> list[CameraSighting]:
    """Tracks are numbered within the file: looked at again, the same file gives the same sightings."""
    order: dict[str, str] = {}
    named = []
    for one in sightings:
        track_id = order.setdefault(one.track_id, str(uuid5(file_id, str(len(order)))))
        named.append(replace(one, track_id=track_id, attributes={**one.attributes, "track_id": track_id}))
    return named
