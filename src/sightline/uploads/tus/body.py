"""Reading a request's body up to a number of bytes, until it ends, breaks off or is interrupted."""

import asyncio
from collections.abc import AsyncIterator, Callable

from sightline.uploads.tus.upload import BodyBroken


class BodyReader:
    """Iterating over `chunks` raises `BodyBroken` when the connection ends too early."""

    def __init__(
        self, chunks: AsyncIterator[bytes], interrupted: asyncio.Event, seen: Callable[[bytes], object] | None = None
    ) -> None:
        """`seen` is called with all bytes, in their order."""
        self._chunks = chunks
        self._interrupted = interrupted
        self._seen = seen
        self._rest = b""
        self.is_ended = False
        """No more bytes will come, for whichever reason."""
        self.is_whole = False
        """The body came to its end."""

    async def read(self, limit: int) -> bytes:
        """The next bytes, fewer than `limit` only at the end."""
        buffer = bytearray()
        filling = asyncio.ensure_future(self._fill(buffer, limit))
        interruption = asyncio.ensure_future(self._interrupted.wait())
        try:
            await asyncio.wait((filling, interruption), return_when=asyncio.FIRST_COMPLETED)
        finally:
            interruption.cancel()
            if not filling.done():
                filling.cancel()
                self.is_ended = True
            await asyncio.gather(filling, interruption, return_exceptions=True)
        if not filling.cancelled():
            filling.result()
        return bytes(buffer)

    async def has_more(self) -> bool:
        """Whether the body is longer than what was read of it."""
        return bool(await self.read(1))

    async def _fill(self, buffer: bytearray, limit: int) -> None:
        while len(buffer) < limit and not self.is_ended:
            if not self._rest:
                try:
                    self._rest = await anext(self._chunks)
                except StopAsyncIteration:
                    self.is_ended = self.is_whole = True
                    return
                except BodyBroken:
                    self.is_ended = True
                    return
                if self._seen is not None:
                    self._seen(self._rest)
            taken = limit - len(buffer)
            buffer += self._rest[:taken]
            self._rest = self._rest[taken:]
