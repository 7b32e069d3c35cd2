"""Connections for single statements that run often, at half of what a statement costs on a connection of the pool.

A pool makes a proxy, a future and a task for each use of a connection, and resets its session. A statement that is a transaction
of its own needs none of that: whatever happens to it, either it is complete or its connection is closed.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

import asyncpg

IDLE_S = 60.0
"""A connection that nothing ran on for so long is closed; each is a process of the server with 3 to 8 MB of its own."""


class StatementConnections:
    """Up to `limit` connections, opened when they are needed first."""

    def __init__(self, connect: Callable[[], Awaitable[asyncpg.Connection]], limit: int) -> None:
        self._connect = connect
        self._left = limit
        self._free: list[asyncpg.Connection] = []
        self._open: set[asyncpg.Connection] = set()
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._is_closed = False
        self._uses = 0
        self._idle_check: asyncio.TimerHandle | None = None

    async def close(self) -> None:
        """Waits for the statements that run."""
        self._is_closed = True
        self._stop_checking()
        while self._open:
            for connection in [one for one in self._free if one in self._open]:
                self._open.discard(connection)
                await connection.close()
            if self._open:
                await self._freed()

    def terminate(self) -> None:
        self._is_closed = True
        self._stop_checking()
        for connection in self._open:
            connection.terminate()
        self._open.clear()

    async def acquire(self) -> asyncpg.Connection:
        """A connection for one statement, to be released after it."""
        self._uses += 1
        while not self._free and not self._left:
            await self._freed()
        if self._is_closed:
            self._wake()  # whoever closes them may wait behind this one
            raise asyncpg.InterfaceError("the connections are closed")
        while self._free:
            connection = self._free.pop()
            if not connection.is_closed():
                return connection
            self._forget(connection)  # the server went away while nothing ran on it
        self._left -= 1
        try:
            connection = await self._connect()
        except BaseException:
            self._left += 1
            self._wake()
            raise
        self._open.add(connection)
        return connection

    def release(self, connection: asyncpg.Connection, *, after: BaseException | None = None) -> None:
        """After an error other than a refusal by the server, a statement may still be running: the connection is closed."""
        if after is not None and not isinstance(after, asyncpg.PostgresError):
            connection.terminate()
        if connection.is_closed():
            self._forget(connection)
        else:
            self._free.append(connection)
            if self._idle_check is None and not self._is_closed:
                self._check_idle_later()
        self._wake()

    def _check_idle_later(self) -> None:
        self._idle_check = asyncio.get_running_loop().call_later(IDLE_S, self._close_idle, self._uses)

    def _stop_checking(self) -> None:
        if self._idle_check is not None:
            self._idle_check.cancel()
            self._idle_check = None

    def _close_idle(self, uses: int) -> None:
        """Closes the free ones if none was used since the check before."""
        self._idle_check = None
        if uses == self._uses:
            free, self._free = self._free, []
            for connection in free:
                connection.terminate()
                self._forget(connection)
        elif self._free:
            self._check_idle_later()

    def _forget(self, connection: asyncpg.Connection) -> None:
        self._open.discard(connection)
        self._left += 1

    async def _freed(self) -> None:
        freed = asyncio.get_running_loop().create_future()
        self._waiting.append(freed)
        try:
            await freed
        except asyncio.CancelledError:
            if freed.done() and not freed.cancelled():
                self._wake()  # its turn goes to the next one
            raise

    def _wake(self) -> None:
        while self._waiting:
            freed = self._waiting.popleft()
            if not freed.done():
                freed.set_result(None)
                return
