"""LISTEN/NOTIFY: one connection per process for all of its parts.

A notification is a hint to look, never the message itself. After a lost connection every subscriber is woken, since
notifications sent in between are lost; so subscribers need not know whether the connection held.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import asyncpg
import structlog

from sightline.timing import Backoff, is_set_within

KEEPALIVE_S = 15.0

_CONNECTION_ERRORS = (
    OSError,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # the server went away between two statements of a new connection
    TimeoutError,
)

log = structlog.get_logger(__name__)

OnNotification = Callable[[str], None]
"""Called with the payload of a notification, or with an empty text when anything may have been missed."""


class Listener:
    """A service that keeps the connection open; `subscribe` may be called before, during and after `run`."""

    name = "listener"

    def __init__(self, url: str, *, backoff: Backoff | None = None) -> None:
        self._url = url
        self._backoff = backoff or Backoff(first_s=0.2, max_s=5.0)
        self._subscribers: dict[str, list[OnNotification]] = defaultdict(list)
        self._listening: set[str] = set()
        # Set when there is something to do: stop, a new channel, or a lost connection.
        self._wake = asyncio.Event()
        self._is_connected = False

    @property
    def is_connected(self) -> bool:
        return self._is_connected

    @contextmanager
    def subscribe(self, channel: str, on_notification: OnNotification) -> Iterator[None]:
        """While the block runs, `on_notification` is called for each notification on `channel`. It must not block."""
        self._subscribers[channel].append(on_notification)
        self._wake.set()
        try:
            yield
        finally:
            self._subscribers[channel].remove(on_notification)

    async def run(self, stop: asyncio.Event, ready: Callable[[], None]) -> None:
        stopper = asyncio.create_task(self._wake_on(stop))
        failures = 0
        try:
            while not stop.is_set():
                try:
                    await self._connect_and_listen(stop, ready)
                    failures = 0
                except _CONNECTION_ERRORS as error:
                    failures += 1
                    log.warning("listener.lost", error=str(error) or type(error).__name__, failures=failures)
                    await is_set_within(stop, self._backoff.delay_s(failures))
        finally:
            stopper.cancel()

    async def _connect_and_listen(self, stop: asyncio.Event, ready: Callable[[], None]) -> None:
        connection = await asyncpg.connect(self._url, timeout=10, command_timeout=10)
        connection.add_termination_listener(lambda _: self._wake.set())
        self._listening.clear()
        try:
            await self._add_channels(connection)
            self._is_connected = True
            ready()
            while not stop.is_set():
                if not await is_set_within(self._wake, KEEPALIVE_S):
                    await connection.execute("SELECT 1")  # detects a connection that died silently
                self._wake.clear()
                if connection.is_closed():
                    raise ConnectionError("the server closed the connection")
                await self._add_channels(connection)
        finally:
            self._is_connected = False
            connection.terminate()

    async def _add_channels(self, connection: asyncpg.Connection) -> None:
        for channel in self._subscribers.keys() - self._listening:
            await connection.add_listener(channel, self._dispatch)
            self._listening.add(channel)
            self._dispatch(connection, 0, channel, "")

    async def _wake_on(self, stop: asyncio.Event) -> None:
        await stop.wait()
        self._wake.set()

    def _dispatch(self, _connection: object, _pid: int, channel: str, payload: object) -> None:
        for on_notification in tuple(self._subscribers.get(channel, ())):
            on_notification(str(payload))
