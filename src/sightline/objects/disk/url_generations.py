"""Generations of signed URLs: raising the generation of a video ends every URL of it that was signed before.

A small file per video, beside the objects: every process that serves them sees it at once, and a video whose URLs were
never revoked has none.
"""

import os
from contextlib import suppress
from pathlib import Path
from uuid import UUID

from sightline.objects.disk.files import make_directories, sync_directory
from sightline.objects.disk.layout import DiskLayout
from sightline.objects.keys import original_key, video_id_of_key

PARAMETER = "X-Sightline-Generation"
"""Part of the signed query, so that it cannot be exchanged for another."""


class UrlGenerations:
    def __init__(self, layout: DiskLayout) -> None:
        self._layout = layout
        self._folder = layout.hidden / "url-generations"
        make_directories(self._folder)

    def of_key(self, key: str) -> int:
        """The generation that a URL of this object must have; 0 for what belongs to no video."""
        video_id = video_id_of_key(key)
        return 0 if video_id is None else self._read(video_id)

    def raise_for(self, video_id: UUID) -> None:
        """Durable when this returns. Raised twice at once it may rise by one, which ends the older URLs all the same."""
        temporary = self._layout.new_temporary()
        with temporary.open("w") as file:
            file.write(str(self._read(video_id) + 1))
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, self._path(video_id))
        sync_directory(self._folder)

    def remove_unneeded(self, before: float) -> int:
        """Removes files of videos that are gone and whose URLs have all expired."""
        removed = 0
        with os.scandir(self._folder) as entries:
            for entry in entries:
                with suppress(FileNotFoundError, ValueError):
                    is_old = entry.stat(follow_symlinks=False).st_mtime < before
                    if is_old and self._layout.find(original_key(UUID(entry.name))) is None:
                        os.unlink(entry.path)
                        removed += 1
        return removed

    def _read(self, video_id: UUID) -> int:
        try:
            return int(self._path(video_id).read_text())
        except FileNotFoundError:
            return 0

    def _path(self, video_id: UUID) -> Path:
        return self._folder / str(video_id)
