"""Live client: follows a live stream, reconnects by itself, reports every gap, and acknowledges what was handled.

    async with LiveClient("http://127.0.0.1:8400", "events", client_id="kitchen-tablet") as feed:
        async for item in feed:
            match item:
                case FeedMessage(type="event", data=data): show(data)
                case FeedGap(resync=where): reload(where)

A message is acknowledged when the loop requests the next one: a client that crashes while it handles a message gets it again.
"""

import asyncio
import json
import random
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlencode
from uuid import uuid4

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI

from sightline.client.live_rules import FeedFollower, FeedGap, FeedMessage, FeedPosition
from sightline.errors import InvalidInput, NotAuthenticated
from sightline.timing import Backoff

CLOSE_POLICY_VIOLATION = 1008  # an invalid token or address: reconnecting would not help
TOO_MANY_CLIENTS = "too many"
MAX_SILENCE_S = 90.0
"""The server sends a ping every 30 s; one that does not is gone."""


class LiveClient:
    """An endless async iterator of `FeedMessage` and `FeedGap`. Save `position` and pass it to the next start."""

    def __init__(
        self,
        url: str,
        stream: str = "events",
        *,
        token: str | None = None,
        client_id: str | None = None,
        position: FeedPosition | None = None,
        patterns: tuple[str, ...] = (),
        backoff: Backoff | None = None,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
        chance: Callable[[], float] = random.random,
        max_silence_s: float = MAX_SILENCE_S,
    ) -> None:
        scheme, _, rest = url.rstrip("/").partition("://")
        if scheme not in {"http", "https", "ws", "wss"} or not rest:
            raise InvalidInput(f"{url!r} is not the URL of a Sightline server; use http://host:port")
        self._address = f"{'wss' if scheme in {'https', 'wss'} else 'ws'}://{rest}/ws/{stream}"
        self._headers = {} if token is None else {"authorization": f"Bearer {token}"}
        self._client_id = client_id or str(uuid4())
        self._patterns = patterns
        self._backoff = backoff or Backoff(first_s=0.5, max_s=30.0)
        self._sleep = sleep
        self._chance = chance
        self._max_silence_s = max_silence_s
        self._follower = FeedFollower(position)
        self._socket: ClientConnection | None = None
        self._items: AsyncGenerator[FeedMessage | FeedGap, None] | None = None

    @property
    def position(self) -> FeedPosition | None:
        """Everything up to here was passed to the caller."""
        return self._follower.position

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        if self._items is not None:
            await self._items.aclose()
        await self._disconnect()

    def __aiter__(self) -> AsyncIterator[FeedMessage | FeedGap]:
        if self._items is None:
            self._items = self._follow()
        return self._items

    async def _follow(self) -> AsyncGenerator[FeedMessage | FeedGap, None]:
        failures = 0
        while True:
            try:
                self._socket = await self._connect()
                while True:
                    frame = await self._receive(self._socket)
                    failures = 0
                    step = self._follower.handle(frame)
                    await self._send(step.send)
                    if step.item is not None:
                        yield step.item
                        if isinstance(step.item, FeedMessage):
                            await self._send(self._follower.acknowledge(step.item))
            except ConnectionClosed as closed:
                _raise_if_refused(closed)
            except InvalidURI as error:
                raise InvalidInput(f"{self._address} is not a valid URL: {error}") from error
            except (OSError, TimeoutError, InvalidHandshake, ValueError):
                pass  # the server is away, restarting, or sent an invalid frame: the next connection replays the rest
            finally:
                await self._disconnect()
            failures += 1
            await self._sleep(self._backoff.delay_s(failures, self._chance))

    async def _connect(self) -> ClientConnection:
        query = {"client_id": self._client_id}
        if (position := self._follower.position) is not None:
            query |= {"last_sequence": str(position.sequence), "epoch": position.epoch}
        if self._patterns:
            query["patterns"] = ",".join(self._patterns)
        return await connect(
            f"{self._address}?{urlencode(query)}",
            additional_headers=self._headers,
            compression=None,
            ping_interval=None,
            proxy=None,
            close_timeout=1,
        )

    async def _receive(self, socket: ClientConnection) -> dict[str, Any]:
        async with asyncio.timeout(self._max_silence_s):
            frame = json.loads(await socket.recv())
        if not isinstance(frame, dict):
            raise ValueError("a frame must be a JSON object")
        return frame

    async def _send(self, messages: list[dict[str, Any]]) -> None:
        for message in messages:
            if self._socket is not None:
                await self._socket.send(json.dumps(message))

    async def _disconnect(self) -> None:
        socket, self._socket = self._socket, None
        if socket is not None:
            await socket.close()


def _raise_if_refused(closed: ConnectionClosed) -> None:
    """Raises if reconnecting would not help."""
    if (
        closed.rcvd is not None
        and closed.rcvd.code == CLOSE_POLICY_VIOLATION
        and TOO_MANY_CLIENTS not in closed.rcvd.reason
    ):
        raise NotAuthenticated(f"the server refused this client: {closed.rcvd.reason}") from closed
