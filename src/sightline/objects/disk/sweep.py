"""Cleanup of the disk backend's hidden directory: what killed processes left, and records that are old enough."""

import os
import shutil
import time
from pathlib import Path

import structlog

from sightline.errors import NotFound
from sightline.objects.disk.completed import CompletedUploads
from sightline.objects.disk.layout import DiskLayout
from sightline.objects.disk.threads import DiskThreads
from sightline.objects.disk.uploads import DiskUploads
from sightline.objects.disk.url_generations import UrlGenerations
from sightline.supervisor import Every

SWEEP_EVERY_S = 3600.0
MAX_TEMPORARY_AGE_S = 24 * 3600.0
"""No process writes to a temporary file for this long without a pause."""
MAX_RECORD_AGE_S = 7 * 24 * 3600.0
"""As long as the longest signed URL is valid, with which a client could repeat a completion."""

log = structlog.get_logger(__name__)


class DiskSweep:
    def __init__(
        self,
        layout: DiskLayout,
        uploads: DiskUploads,
        completed: CompletedUploads,
        generations: UrlGenerations,
        threads: DiskThreads,
    ) -> None:
        self._layout = layout
        self._uploads = uploads
        self._completed = completed
        self._generations = generations
        self._threads = threads

    def service(self) -> Every:
        return Every("objects-sweep", SWEEP_EVERY_S, self.sweep)

    async def sweep(self) -> None:
        removed = await self._threads.run(self._sweep, time.time())
        if removed:
            log.info("objects.leftovers_removed", count=removed)

    def _sweep(self, now: float) -> int:
        old = [
            *_older(self._layout.temporary, now - MAX_TEMPORARY_AGE_S),
            *_older(self._layout.completed, now - MAX_RECORD_AGE_S),
        ]
        for path in old:
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)
        unneeded = self._generations.remove_unneeded(now - MAX_RECORD_AGE_S)
        return len(old) + unneeded + self._remove_published()

    def _remove_published(self) -> int:
        """Removes folders of uploads whose object has its name already."""
        count = 0
        for upload in self._uploads.find(""):
            try:
                folder = self._uploads.open(upload.key, upload.upload_id)
                if self._completed.is_published(upload.upload_id, folder.path):
                    with self._uploads.locked(folder):
                        self._uploads.remove(folder)
                    count += 1
            except (NotFound, FileNotFoundError):
                continue
        return count


def _older(directory: Path, moment: float) -> list[Path]:
    with os.scandir(directory) as entries:
        return [Path(entry.path) for entry in entries if entry.stat(follow_symlinks=False).st_mtime < moment]
