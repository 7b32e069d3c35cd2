"""Sockets as the hub sees them: written to directly where that is possible, through the server's `send` elsewhere."""

import asyncio
from collections import deque

from starlette.types import Message, Scope, Send

from sightline.api.live.transport import transport_of
from sightline.live import Frames, close_frame

# How long a client that is being closed may take to read the rest.
GRACE_S = 5.0
_LONGEST_REASON = 123


def closing(code: int, reason: str) -> Message:
    cut = reason.encode()[:_LONGEST_REASON].decode(errors="ignore")
    return {"type": "websocket.close", "code": code, "reason": cut}


def connection_for(scope: Scope, send: Send) -> "DirectConnection | QueuedConnection":
    transport = transport_of(scope)
    return QueuedConnection(send) if transport is None else DirectConnection(transport, send)


class DirectConnection:
    def __init__(self, transport: asyncio.Transport, send: Send) -> None:
        self._transport = transport
        self._send = send
        self._closing: asyncio.Task[None] | None = None
        self.pending_bytes = transport.get_write_buffer_size

    def send(self, frames: Frames) -> bool:
        if self._transport.is_closing():
            return False
        self._transport.write(frames.wire)
        return True

    def close(self, code: int, reason: str) -> None:
        self._closing = asyncio.create_task(self._close(code, reason))

    async def _close(self, code: int, reason: str) -> None:
        try:
            async with asyncio.timeout(GRACE_S):
                await self._send(closing(code, reason))
        except Exception:  # gone, or not reading
            self._transport.abort()

    def kick(self, code: int, reason: str) -> None:
        self._transport.write(close_frame(code, reason))
        self._transport.close()
        asyncio.get_running_loop().call_later(GRACE_S, self._transport.abort)

    async def finish(self) -> None:
        if self._closing is not None:
            await self._closing


class QueuedConnection:
    """One task per connection waits for the server in the hub's place."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._queue: deque[Message] = deque()
        self._pending = 0
        self._is_over = False
        self._stir = asyncio.Event()
        self._writing = asyncio.create_task(self._write())

    def send(self, frames: Frames) -> bool:
        if self._is_over:
            return False
        for payload in frames.payloads:
            self._pending += len(payload)
            self._queue.append({"type": "websocket.send", "text": payload.decode()})
        self._stir.set()
        return True

    def pending_bytes(self) -> int:
        return self._pending

    def close(self, code: int, reason: str) -> None:
        self._is_over = True
        self._queue.append(closing(code, reason))
        self._stir.set()

    def kick(self, code: int, reason: str) -> None:
        self._queue.clear()
        self.close(code, reason)

    async def finish(self) -> None:
        self._is_over = True
        self._stir.set()
        try:
            async with asyncio.timeout(GRACE_S):
                await self._writing
        except TimeoutError:
            pass

    async def _write(self) -> None:
        try:
            while not self._is_over or self._queue:
                await self._stir.wait()
                self._stir.clear()
                while self._queue:
                    message = self._queue.popleft()
                    await self._send(message)
                    self._pending -= len(message.get("text", ""))
        except Exception:  # the client is gone, which the receiving side notices too
            self._is_over = True
