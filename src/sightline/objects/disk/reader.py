"""Readers of open objects on the disk."""

import os
from collections.abc import AsyncIterator

from sightline.objects.disk.threads import DiskThreads
from sightline.objects.errors import translate_os_errors
from sightline.objects.store import StoredObject

READ_BYTES = 512 * 1024


class ObjectReader:
    """An open object."""

    def __init__(self, threads: DiskThreads, handle: int, stored: StoredObject) -> None:
        self._threads = threads
        self.handle = handle
        self.stored = stored

    async def chunks(self, start: int, end: int) -> AsyncIterator[bytes]:
        """The bytes from `start` up to `end`, which is excluded and not beyond the end of the object."""
        with translate_os_errors(f"read {self.stored.key}"):
            while start < end:
                chunk = await self._threads.run(os.pread, self.handle, min(READ_BYTES, end - start), start)
                if not chunk:
                    raise OSError(f"{self.stored.key} became shorter while it was read")
                yield chunk
                start += len(chunk)
