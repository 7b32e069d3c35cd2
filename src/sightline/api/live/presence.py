"""Presence of clients that wait to be admitted: one that leaves gives up its place in the queue at once."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any, TypeVar

from starlette.types import Message, Receive

# A client that sends more than this before it was greeted has to wait; only then its leaving is noticed later.
MAX_EARLY_MESSAGES = 16

Result = TypeVar("Result")


class ClientLeft(Exception):
    """The client left before the work for it was done."""


class Inbox:
    """What a client sends over a WebSocket; reading may begin before anything is done with it."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._early: deque[Message] = deque()
        self._reading: asyncio.Task[Message] | None = None

    async def until_gone(self) -> None:
        """Keeps early messages for `next`, and returns when the client has left. May be cancelled."""
        while len(self._early) < MAX_EARLY_MESSAGES:
            message = await self._read()
            self._early.append(message)
            if message["type"] == "websocket.disconnect":
                return
        await asyncio.Event().wait()

    async def next(self) -> Message:
        if self._early:
            return self._early.popleft()
        return await (self._receive() if self._reading is None else self._read())

    async def _read(self) -> Message:
        """A read that was given up is continued by the next one, so no message is lost between them."""
        if self._reading is None:
            self._reading = asyncio.ensure_future(_message(self._receive))
        message = await asyncio.shield(self._reading)
        self._reading = None
        return message

    async def close(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await self._reading


async def while_present(
    work: Coroutine[Any, Any, Result],
    gone: Callable[[], Awaitable[None]],
    *,
    undo: Callable[[Result], None],
) -> Result:
    """The result of the work, which is cancelled when `gone` returns first: then `ClientLeft` is raised.

    `undo` is called for work that was done in the same moment.
    """
    working = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(gone())
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
    finally:
        is_done = working.done()
        leaving.cancel()
        working.cancel()
        await asyncio.wait((working, leaving))
        if not is_done and not working.cancelled() and working.exception() is None:
            undo(working.result())
    if not is_done:
        raise ClientLeft
    return working.result()


async def _message(receive: Receive) -> Message:
    return await receive()
