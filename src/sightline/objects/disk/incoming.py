"""Incoming bytes of an object or part: hashed and written in a thread, in batches, while the next batch arrives."""

import asyncio
import os
from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

from sightline.objects.disk.files import pwritev_all
from sightline.objects.disk.threads import DiskThreads, ended
from sightline.objects.errors import invalid_request, translate_os_errors
from sightline.objects.protocol import Digests

BATCH_BYTES = 1024 * 1024
_WRITE_BEHIND_BYTES = 8 * 1024 * 1024

Committed = TypeVar("Committed")


class IncomingBytes(Generic[Committed]):
    """`write` all bytes, then `flush`, compare checksums, and `commit`; or `discard`, which leaves nothing behind.

    At most two batches are in memory, one being written and one being filled.
    """

    def __init__(
        self,
        threads: DiskThreads,
        handle: int,
        *,
        length: int,
        offset: int = 0,
        operation: str,
        checksums: Iterable[str] = (),
        with_md5: bool = True,
        commit: Callable[[str], Committed],
        discard: Callable[[], None],
    ) -> None:
        """`commit` is called with the ETag in a thread, as is `discard`; each of them closes the handle.

        `operation` completes the sentence "cannot …" in errors.
        """
        self._threads = threads
        self._handle = handle
        self._offset = self._written_behind = offset
        self._length = length
        self._operation = operation
        self._commit = commit
        self._discard = discard
        self._batch: list[bytes] = []
        self._batched = 0
        self._writing: asyncio.Future[None] | None = None
        self._is_finished = False
        self.received = 0
        self.digests = Digests(checksums, with_md5=with_md5)

    async def write(self, data: bytes) -> None:
        self.received += len(data)
        if self.received > self._length:
            raise invalid_request("InvalidRequest", f"cannot {self._operation}: more than {self._length} bytes arrived")
        self._batch.append(data)
        self._batched += len(data)
        if self._batched >= BATCH_BYTES:
            await self._start_batch()

    async def flush(self) -> None:
        """Call after the last `write`: from then on the checksums are final."""
        await self._start_batch()
        await self._batch_written()
        if self.received != self._length:
            raise invalid_request(
                "IncompleteBody",
                f"cannot {self._operation}: {self.received} bytes arrived of the declared {self._length}",
            )

    async def commit(self) -> Committed:
        """Makes the bytes durable and visible."""
        self._is_finished = True
        committing = self._threads.start(self._commit, self.digests.etag)
        await ended(committing)
        return committing.result()

    async def discard(self) -> None:
        """Does nothing after `commit`."""
        if self._is_finished:
            return
        self._is_finished = True
        if self._writing is not None:
            await ended(self._writing)
        await ended(self._threads.start(self._discard))

    async def _start_batch(self) -> None:
        await self._batch_written()
        if self._batch:
            batch, self._batch, self._batched = self._batch, [], 0
            self._writing = self._threads.start(self._write_batch, batch)

    async def _batch_written(self) -> None:
        if self._writing is not None:
            await ended(self._writing)
            writing, self._writing = self._writing, None
            writing.result()

    def _write_batch(self, batch: list[bytes]) -> None:
        for chunk in batch:
            self.digests.update(chunk)
        with translate_os_errors(self._operation):
            self._offset += pwritev_all(self._handle, batch, self._offset)
            if self._offset - self._written_behind >= _WRITE_BEHIND_BYTES:
                self._write_behind()

    def _write_behind(self) -> None:
        """Starts writing dirty pages to disk without waiting (which is how Linux acts on this advice).

        Otherwise the disk is idle until the last byte has arrived, and the client is idle while the disk catches up:
        on a disk of 100 MB/s, one connection then reaches 60.
        """
        count = self._offset - self._written_behind
        os.posix_fadvise(self._handle, self._written_behind, count, os.POSIX_FADV_DONTNEED)
        self._written_behind = self._offset
