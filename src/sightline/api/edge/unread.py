"""Bytes that a client does not read: how long they have not become fewer."""

import asyncio


class UnreadAnswer:
    def __init__(self, transport: asyncio.Transport, timeout_s: float) -> None:
        self._transport = transport
        self._timeout_s = timeout_s
        self._size = 0
        self._since = 0.0

    def is_stuck(self, now: float) -> bool:
        """Whether the client has read nothing for the timeout although something waits for it."""
        size = self._transport.get_write_buffer_size()
        if not size or size != self._size:
            self._size, self._since = size, now
            return False
        return now - self._since >= self._timeout_s
