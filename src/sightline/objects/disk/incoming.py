"""Bytes on their way into a file: hashed and written in a thread, in batches, while the next batch arrives."""

import asyncio
import os
from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

from sightline.objects.checksums import Digests
from sightline.objects.disk.files import pwritev_all
from sightline.objects.disk.threads import DiskThreads, ended
from sightline.objects.refusals import refused, told

BATCH = 1024 * 1024
_WRITE_BEHIND = 8 * 1024 * 1024

Kept = TypeVar("Kept")


class Incoming(Generic[Kept]):
    """Give it all bytes, then `settle`, compare checksums, and `keep`. Without that, `discard` leaves nothing behind.

    Never more than two batches are in memory, one being written and one being filled.
    """

    def __init__(
        self,
        threads: DiskThreads,
        handle: int,
        *,
        length: int,
        offset: int = 0,
        doing: str,
        checksums: Iterable[str] = (),
        keep: Callable[[str], Kept],
        discard: Callable[[], None],
    ) -> None:
        """`keep` is given the md5 and runs in a thread, as does `discard`; each of them closes the handle."""
        self._threads = threads
        self._handle = handle
        self._offset = self._on_its_way = offset
        self._length = length
        self._doing = doing
        self._keep = keep
        self._discard = discard
        self._batch: list[bytes] = []
        self._batched = 0
        self._writing: asyncio.Future[None] | None = None
        self._is_over = False
        self.taken = 0
        self.digests = Digests(checksums)

    async def take(self, data: bytes) -> None:
        self.taken += len(data)
        if self.taken > self._length:
            raise refused("InvalidRequest", f"cannot {self._doing}: more bytes came than the {self._length} told of")
        self._batch.append(data)
        self._batched += len(data)
        if self._batched >= BATCH:
            await self._flush()

    async def settle(self) -> None:
        """All bytes have been given: after this the checksums are final."""
        await self._flush()
        await self._written()
        if self.taken != self._length:
            raise refused(
                "IncompleteBody", f"cannot {self._doing}: {self.taken} bytes came of the {self._length} told of"
            )

    async def keep(self) -> Kept:
        """Stored, on the disk, for everybody to see."""
        self._is_over = True
        keeping = self._threads.start(self._keep, self.digests.md5)
        await ended(keeping)
        return keeping.result()

    async def discard(self) -> None:
        """Does nothing after `keep`."""
        if self._is_over:
            return
        self._is_over = True
        if self._writing is not None:
            await ended(self._writing)
        await ended(self._threads.start(self._discard))

    async def _flush(self) -> None:
        await self._written()
        if self._batch:
            batch, self._batch, self._batched = self._batch, [], 0
            self._writing = self._threads.start(self._write, batch)

    async def _written(self) -> None:
        if self._writing is not None:
            await ended(self._writing)
            writing, self._writing = self._writing, None
            writing.result()

    def _write(self, batch: list[bytes]) -> None:
        for piece in batch:
            self.digests.update(piece)
        with told(self._doing):
            self._offset += pwritev_all(self._handle, batch, self._offset)
            if self._offset - self._on_its_way >= _WRITE_BEHIND:
                self._write_behind()

    def _write_behind(self) -> None:
        """Has the disk begin with what it has, without waiting for it (that is what Linux makes of this advice).

        Otherwise the disk has nothing to do until the last byte has come, and the client nothing while the disk catches up:
        on a disk of 100 MB/s, one connection then reaches 60.
        """
        count = self._offset - self._on_its_way
        os.posix_fadvise(self._handle, self._on_its_way, count, os.POSIX_FADV_DONTNEED)
        self._on_its_way = self._offset
