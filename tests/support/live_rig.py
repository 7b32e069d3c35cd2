"""The live feed on real sockets: a platform with its hub and server, and clients as an author would write them."""

import asyncio
import itertools
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from sightline.api import create_app
from sightline.bootstrap import Platform
from sightline.live import LiveHub, LiveMessage
from support.hand_clock import HandClock
from support.waiting import limited, soon, until

_numbers = itertools.count(1)


class Client:
    """A connection that can be asked for what came, in order."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.hello: dict[str, Any] = {}

    async def next(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(await soon(self.socket.recv()))
        return found

    async def next_of(self, kind: str) -> dict[str, Any]:
        """The next frame of a type; what comes before it is passed over."""
        while (frame := await self.next())["type"] != kind:
            pass
        return frame

    async def messages(self, count: int) -> list[dict[str, Any]]:
        """The next numbered messages; pings may come in between."""
        found: list[dict[str, Any]] = []
        while len(found) < count:
            frame = await self.next()
            if "sequence" in frame:
                found.append(frame)
            else:
                assert frame["type"] == "ping", frame
        return found

    async def sequences(self, count: int) -> list[int]:
        return [message["sequence"] for message in await self.messages(count)]

    async def nothing_more(self) -> None:
        """Nothing came up to now: the next frame is the answer to a ping."""
        await self.say(type="ping")
        assert (await self.next())["type"] == "pong"

    async def say(self, text: str | bytes | None = None, **message: Any) -> None:
        await self.socket.send(json.dumps(message) if text is None else text)

    async def ack(self, sequence: int) -> dict[str, Any]:
        await self.say(type="ack", sequence=sequence)
        return await self.next_of("acked")

    async def close(self) -> None:
        await self.socket.close()

    async def end(self) -> tuple[int | None, str]:
        """Code and reason of the end, which the server brings about."""
        try:
            async with limited():
                while True:
                    await self.socket.recv()
        except ConnectionClosed as error:
            return (error.rcvd.code, error.rcvd.reason) if error.rcvd else (None, "")


class Live:
    """A platform whose API is served, with its hub running on a clock that only the test turns."""

    def __init__(self, platform: Platform, port: int, clock: HandClock, stack: AsyncExitStack) -> None:
        self.platform = platform
        self.port = port
        self._clock = clock
        self._stack = stack
        self.http = http_client(port)
        stack.push_async_callback(self.http.aclose)

    @property
    def hub(self) -> LiveHub:
        return self.platform.live_hub

    async def pass_time(self, seconds: float) -> None:
        """For the hub so much time passes, after which it looks at its connections."""
        self._clock.now += seconds
        await self.hub._look()

    async def connect(self, stream: str = "events", **options: Any) -> Client:
        """A client that has read its greeting; `headers` and `subprotocols` are the handshake's, the rest is the address's."""
        client = await self.open(stream, **options)
        client.hello = (await client.next_of("hello"))["data"]
        return client

    async def open(self, stream: str = "events", *, headers=None, subprotocols=None, **query: Any) -> Client:
        socket = await open_socket(self.port, stream, headers=headers, subprotocols=subprotocols, **query)
        self._stack.push_async_callback(socket.close)
        return Client(socket)

    async def append(self, stream: str = "events", kind: str = "event", **more: Any) -> int:
        async with self.platform.database.transaction() as tx:
            message = LiveMessage(stream, kind, {"n": next(_numbers)}, **more)
            return await self.platform.live.append(tx, message)

    async def append_many(self, count: int, **more: Any) -> list[int]:
        """One by one; returns when this process has them."""
        numbers = [await self.append(**more) for _ in range(count)]
        await self._has_come_to(numbers[-1], **more)
        return numbers

    async def append_together(self, count: int, **more: Any) -> list[int]:
        """In one transaction, for a history that only has to be there; returns when this process has it."""
        async with self.platform.database.transaction() as tx:
            messages = [LiveMessage("events", "event", {"n": next(_numbers)}, **more) for _ in range(count)]
            numbers = [await self.platform.live.append(tx, message) for message in messages]
        await self._has_come_to(numbers[-1])
        return numbers

    async def _has_come_to(self, number: int, stream: str = "events", **_: Any) -> None:
        await until(lambda: self.hub.state(stream).top >= number)

    async def get(self, path: str, **params: Any) -> httpx.Response:
        headers = params.pop("headers", None)
        return await self.http.get(path, params=params or None, headers=headers)

    def metric(self, name: str, **labels: str) -> float:
        return self.platform.registry.get_sample_value(name, labels) or 0.0


def http_client(port: int) -> httpx.AsyncClient:
    """Patient, without certificates, which take longer to read than a request, and with a connection for each request.

    The server ends a connection that is idle for some seconds, which on a busy machine may be between any two requests.
    """
    alone = httpx.Limits(max_keepalive_connections=0)
    return httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=None, verify=False, limits=alone)


async def open_socket(port: int, stream: str, *, headers=None, subprotocols=None, **query: Any) -> ClientConnection:
    address = f"ws://127.0.0.1:{port}/ws/{stream}?{urlencode(query)}"
    return await connect(
        address,
        additional_headers=headers,
        subprotocols=subprotocols,
        compression=None,
        ping_interval=None,
        proxy=None,
        open_timeout=None,
        close_timeout=2,
    )


@pytest.fixture
async def live_with(platform_with: Any, serving: Any, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Any]:
    """Live platforms with settings of the test's own; `hub` are options of the hub, `url` another way to the database.

    Pings, redeliveries and ends come when the test lets time pass, however long it takes itself. A test of the hub's own timer
    gives it `time.monotonic` as `clock`. A client may take its time to answer a close, as it does on a busy machine.
    """
    monkeypatch.setattr("sightline.api.live.connection.GRACE_S", 600.0)
    async with AsyncExitStack() as stack:

        async def start(*, hub: dict[str, Any] | None = None, **sections: Any) -> Live:
            platform: Platform = await platform_with(**sections)
            usual, clock = platform.live_hub, HandClock()
            options: dict[str, Any] = {"transport": usual._transport, "clock": clock} | (hub or {})
            platform.live_hub = LiveHub(
                platform.database, platform.listener, platform.settings.live, usual._metrics, usual.retries, **options
            )
            stop, ready = asyncio.Event(), asyncio.Event()
            running = asyncio.create_task(platform.live_hub.run(stop, ready.set))

            async def end() -> None:
                stop.set()
                await running

            stack.push_async_callback(end)
            await soon(ready.wait())
            port = await stack.enter_async_context(serving(create_app(platform)))
            return Live(platform, port, clock, stack)

        yield start


@pytest.fixture
async def live(live_with: Any) -> Live:
    started: Live = await live_with()
    return started
