"""Removes what killed processes left in the disk keeper's hidden directory, and what was remembered long enough."""

import asyncio
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import structlog

from sightline.errors import NotFound
from sightline.objects.disk.finished import FinishedUploads
from sightline.objects.disk.layout import Layout
from sightline.objects.disk.threads import DiskThreads
from sightline.objects.disk.uploads import DiskUploads
from sightline.timing import repeat

SWEEP_EVERY_S = 3600.0
LEFTOVER_AFTER_S = 24 * 3600.0
"""Nobody writes to a temporary file for this long without a pause."""
REMEMBERED_FOR_S = 7 * 24 * 3600.0
"""As long as the longest signed address is good, which somebody could repeat a completion with."""

log = structlog.get_logger(__name__)


class DiskSweep:
    name = "objects-sweep"

    def __init__(
        self,
        layout: Layout,
        uploads: DiskUploads,
        finished: FinishedUploads,
        threads: DiskThreads,
        *,
        every_s: float = SWEEP_EVERY_S,
    ) -> None:
        self._layout = layout
        self._uploads = uploads
        self._finished = finished
        self._threads = threads
        self._every_s = every_s

    async def run(self, stop: asyncio.Event, ready: Callable[[], None]) -> None:
        ready()
        await repeat(stop, self._every_s, self.sweep)

    async def sweep(self) -> None:
        removed = await self._threads.run(self._sweep, time.time())
        if removed:
            log.info("objects.leftovers_removed", count=removed)

    def _sweep(self, now: float) -> int:
        old = [
            *_older(self._layout.temporary, now - LEFTOVER_AFTER_S),
            *_older(self._layout.finished, now - REMEMBERED_FOR_S),
        ]
        for path in old:
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)
        return len(old) + self._clear_made()

    def _clear_made(self) -> int:
        """Folders of uploads whose object has its name already."""
        count = 0
        for upload in self._uploads.find(""):
            try:
                folder = self._uploads.open(upload.key, upload.upload_id)
                if self._finished.is_made(upload.upload_id, folder.path):
                    with self._uploads.held(folder):
                        self._uploads.remove(folder)
                    count += 1
            except (NotFound, FileNotFoundError):
                continue
        return count


def _older(directory: Path, moment: float) -> list[Path]:
    with os.scandir(directory) as entries:
        return [Path(entry.path) for entry in entries if entry.stat(follow_symlinks=False).st_mtime < moment]
