"""What a stranger's socket costs: headers, bodies, silence and numbers of connections are limited before anything is read."""

import asyncio
import contextlib
import itertools
from collections.abc import AsyncIterator, Awaitable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest
from fastapi import Request
from fastapi.responses import StreamingResponse
from websockets.asyncio.client import connect

from sightline.api import create_app
from sightline.api.edge import Connections
from sightline.api.edge.http import GuardedHttp
from sightline.bootstrap import Platform
from sightline.config import ApiSettings
from support.hand_clock import HandClock
from support.raw_http import RawClient, raw_client, request
from support.waiting import limited, soon, until

MIB = 1024 * 1024


class Server:
    """A platform on a real socket, whose limits of time are reached when the test lets time pass."""

    def __init__(
        self, platform: Platform, connections: Connections, clock: HandClock, port: int, may_read: asyncio.Event
    ) -> None:
        self.platform = platform
        self.port = port
        self._connections = connections
        self._clock = clock
        self.may_read = may_read

    def pass_time(self, seconds: float) -> None:
        self._clock.now += seconds
        self._connections.check_all()

    @property
    def connections(self) -> list[Any]:
        return [one for one in self._connections._open if isinstance(one, GuardedHttp)]

    async def expects(self, stage: str) -> None:
        """Returns when this is what the server waits for on its connection."""
        await until(lambda: [one.stage.value for one in self.connections] == [stage])

    async def takes(self, client: RawClient, data: bytes) -> None:
        """Sends bytes of a body, and returns when the server has them."""
        (connection,) = self.connections
        before = connection.body_bytes
        await client.send(data)
        await until(lambda: connection.body_bytes == before + len(data))

    def refused(self, reason: str) -> float:
        name = "sightline_http_connections_refused_total"
        return self.platform.registry.get_sample_value(name, {"reason": reason}) or 0.0

    def open(self) -> float | None:
        return self.platform.registry.get_sample_value("sightline_http_connections")


@pytest.fixture
def served(platform_with: Any, serving: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """`async with served(max_connections=1) as server`."""

    @asynccontextmanager
    async def serve(**limits: Any) -> AsyncIterator[Server]:
        platform = await platform_with(api=ApiSettings(**({"keep_alive_s": 3600} | limits)))
        clock = HandClock()
        connections = Connections(platform.settings.api, platform.registry, clock=clock)
        monkeypatch.setattr("sightline.api.serving.server._connections_of", lambda app: connections)
        app = create_app(platform)
        may_read = asyncio.Event()

        async def held(request: Request) -> int:
            await may_read.wait()
            return len(await request.body())

        async def endless() -> StreamingResponse:
            return StreamingResponse(b"x" * 65536 for _ in itertools.count())

        app.add_api_route("/endless", endless)
        app.add_api_route("/held", held, methods=["POST"])
        stop, ready = asyncio.Event(), asyncio.Event()
        hub = asyncio.create_task(platform.live_hub.run(stop, ready.set))
        await soon(ready.wait())
        async with serving(app) as port:
            yield Server(platform, connections, clock, port, may_read)
        stop.set()
        await hub

    return serve


async def is_well(port: int) -> None:
    async with raw_client(port, request()) as client:
        assert (await client.answer()).status == 200


def upgrade(*headers: str, path: str = "/ws/events") -> bytes:
    usual = (
        "connection: Upgrade",
        "upgrade: websocket",
        "sec-websocket-version: 13",
        "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==",
    )
    return request("GET", path, *usual, *headers)


@pytest.mark.req(323)
@pytest.mark.parametrize("beginning", [b"GET / HTTP/1.1\r\nx: ", b"GET /", upgrade()[:-2] + b"x: "])
async def test_a_header_without_end_is_431_long_before_it_is_whole(served, beginning):
    async with served() as server, raw_client(server.port, beginning) as client:
        with contextlib.suppress(ConnectionError):
            for _ in range(96):
                await client.send(b"a" * MIB)
                if server.refused("large_headers"):
                    break
        answer = await client.answer()
        assert (answer.status, answer.json()["error"]["code"]) == (431, "REQUEST_HEADER_FIELDS_TOO_LARGE")
        assert answer.headers["connection"] == "close"
        assert server.refused("large_headers") == 1
        await is_well(server.port)


@pytest.mark.req(323)
async def test_headers_that_arrive_at_once_are_held_to_the_same_size(served):
    async with served(max_header_bytes=8192) as server:
        for sizes, status in (((8000,), 200), ((9000,), 431), ((4000, 4000), 200), ((4000, 4000, 4000), 431)):
            fields = [f"x-{number}: {'a' * size}" for number, size in enumerate(sizes)]
            async with raw_client(server.port, request("GET", "/api/health", *fields)) as client:
                assert (await client.answer()).status == status, sizes


@pytest.mark.req(323)
async def test_the_request_line_counts_too(served):
    long = request(path=f"/api/health?x={'a' * 9000}")
    async with served(max_header_bytes=8192) as server, raw_client(server.port, long) as client:
        assert (await client.answer()).status == 431


@pytest.mark.req(323)
async def test_a_hundred_header_fields_are_taken_and_one_more_is_431(served):
    async with served() as server:
        for count, status in ((99, 200), (100, 431)):  # and the host
            async with raw_client(
                server.port, request("GET", "/api/health", *(f"x-{n}: y" for n in range(count)))
            ) as client:
                assert (await client.answer()).status == status, count
        assert server.refused("many_headers") == 1


@pytest.mark.req(323)
async def test_the_handshake_of_a_websocket_has_the_same_limits(served):
    async with served() as server:
        async with raw_client(server.port, upgrade(f"x: {'a' * 40_000}")) as client:
            assert (await client.answer()).status == 431
        async with raw_client(server.port, upgrade(*(f"x-{n}: y" for n in range(200)))) as client:
            assert (await client.answer()).status == 431


@pytest.mark.req(323)
async def test_trailers_of_a_chunked_body_count_as_headers(served):
    start = request("POST", "/api/detections", "transfer-encoding: chunked") + b"1\r\nx\r\n0\r\nx-trailer: "
    async with served() as server, raw_client(server.port, start) as client:
        with contextlib.suppress(ConnectionError):
            for _ in range(96):
                await client.send(b"a" * MIB)
                if server.refused("large_headers"):
                    break
        assert server.refused("large_headers") == 1
        await is_well(server.port)


@pytest.mark.req(324)
@pytest.mark.parametrize("start", [b"GET / HT", b"GET / HTTP/1.1\r\nhost: localhost\r\nx: y\r\n", upgrade()[:-2]])
async def test_headers_that_do_not_come_to_an_end_in_time_are_408(served, start):
    async with served() as server, raw_client(server.port, start) as client:
        await server.expects("headers")
        server.pass_time(9)
        assert server.refused("slow_headers") == 0
        await client.send(b"x")  # a byte now and again gains no time
        server.pass_time(2)
        answer = await client.answer()
        assert (answer.status, answer.json()["error"]["code"]) == (408, "REQUEST_TIMEOUT")
        assert server.refused("slow_headers") == 1
        assert await client.rest() == b""


@pytest.mark.req(324)
async def test_connections_are_checked_without_anybody_asking(serving, platform_with):
    platform = await platform_with(api=ApiSettings(header_timeout_s=0.1))
    async with serving(create_app(platform)) as port, raw_client(port, b"GET / HT") as client:
        assert b"408" in await client.rest()


@pytest.mark.req(324)
@pytest.mark.parametrize("said", [b"", b"\r\n"])
async def test_a_silent_connection_is_closed(served, said):
    async with served(keep_alive_s=5) as server, raw_client(server.port, said) as client:
        await server.expects("request")
        server.pass_time(11)
        assert await client.rest() == b""
        assert server.refused("silent") == 1


@pytest.mark.req(324)
async def test_empty_lines_do_not_keep_an_answered_connection_open(served):
    async with served(keep_alive_s=10) as server, raw_client(server.port, request()) as client:
        assert (await client.answer()).status == 200
        for _ in range(2):
            await client.send(b"\r\n")
            server.pass_time(6)
        assert await client.rest() == b""


@pytest.mark.req(325)
@pytest.mark.parametrize("framing", ["content-length: 100000", "transfer-encoding: chunked"])
async def test_a_body_that_stops_is_408(served, framing):
    start = request("POST", "/api/cameras", "content-type: application/json", framing)
    async with served() as server, raw_client(server.port, start) as client:
        await server.expects("body")
        server.pass_time(31)
        answer = await client.answer()
        assert (answer.status, answer.headers["connection"]) == (408, "close")
        assert server.refused("slow_body") == 1
        assert await client.rest() == b""


@pytest.mark.req(325)
@pytest.mark.parametrize(("piece", "is_taken"), [(100, False), (300 * 10, True)])
async def test_a_body_may_be_slow_but_not_by_single_bytes(served, piece, is_taken):
    """Ten seconds pass between two pieces: three minutes in all, so that a limit on the whole time would cut it."""
    body = b'{"name": "Yard"' + b" " * 60_000 + b"}"
    start = request("POST", "/api/cameras", "content-type: application/json", f"content-length: {len(body)}")
    async with served() as server, raw_client(server.port, start) as client:
        await server.expects("body")
        for at in range(0, len(body) - piece, piece):
            await server.takes(client, body[at : at + piece])
            server.pass_time(10)
            if server.refused("slow_body"):
                break
        else:
            await client.send(body[at + piece :])
        answer = await client.answer()
        assert (answer.status == 201) is is_taken, answer
        assert answer.status in (201, 408)


@pytest.mark.req(325)
async def test_a_client_is_not_to_blame_while_the_server_does_not_read(served):
    """Only after `100 Continue` does a polite client send its body."""
    start = request("POST", "/held", "expect: 100-continue", "content-length: 5")
    async with served() as server, raw_client(server.port, start) as client:
        await server.expects("body")
        server.pass_time(31)
        server.pass_time(31)
        assert server.refused("slow_body") == 0
        server.may_read.set()
        assert (await client.answer()).status == 100
        await client.send(b"bytes")
        assert (await client.answer()).status == 200


@pytest.mark.req(325)
async def test_a_client_that_reads_nothing_of_its_answer_is_disconnected(served):
    async with served() as server:
        _, writer = await asyncio.open_connection("127.0.0.1", server.port, limit=1024)
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        writer.write(request(path="/endless"))
        async with limited():
            while not server.refused("slow_reader"):
                server.pass_time(130)
                await asyncio.sleep(0.01)
        writer.close()


@pytest.mark.req(326)
async def test_connections_from_one_address_are_limited_and_free_again_when_closed(served):
    async with served(max_connections_per_address=3) as server, AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(raw_client(server.port, request())) for _ in range(3)]
        for client in clients:
            assert (await client.answer()).status == 200
        async with raw_client(server.port) as fourth:
            answer = await fourth.answer()
            assert (answer.status, answer.json()["error"]["code"]) == (429, "RATE_LIMIT_EXCEEDED")
            assert int(answer.headers["retry-after"]) > 0
        assert server.refused("too_many_from_address") == 1
        clients[0].close()
        await until(lambda: server.open() == 2)
        await is_well(server.port)


@pytest.mark.req(326)
async def test_connections_in_total_are_limited(served):
    async with served(max_connections=2) as server, raw_client(server.port), raw_client(server.port):
        await until(lambda: server.open() == 2)
        async with raw_client(server.port) as third:
            assert (await third.answer()).status == 503
        assert server.refused("too_many") == 1


@pytest.mark.req(326)
async def test_a_websocket_counts_once_and_until_it_is_closed(served):
    async with served(max_connections_per_address=2) as server:
        async with connect(f"ws://127.0.0.1:{server.port}/ws/events") as following:
            assert "hello" in str(await soon(following.recv()))
            assert server.open() == 1
            await is_well(server.port)
            await until(lambda: server.open() == 1)
            async with connect(f"ws://127.0.0.1:{server.port}/ws/videos"), raw_client(server.port) as third:
                assert (await third.answer()).status == 429
        await until(lambda: server.open() == 0)


@pytest.mark.req(326)
async def test_behind_a_trusted_proxy_the_clients_are_counted_instead_of_its_connections(served):
    async with served(max_connections_per_address=2, trusted_proxies=("127.0.0.0/8",)) as server:
        waiting = "/api/live?stream=events&wait=50"
        async with AsyncExitStack() as stack:
            for _ in range(2):
                start = request("GET", waiting, "x-forwarded-for: 192.0.2.7")
                await stack.enter_async_context(raw_client(server.port, start))
            async with raw_client(server.port) as client:

                async def status_for(forwarded: str) -> int:
                    await client.send(request("GET", "/api/health", f"x-forwarded-for: {forwarded}"))
                    return (await client.answer()).status

                await until(lambda: _is(status_for("192.0.2.7"), 429))
                assert await status_for("192.0.2.8") == 200
                assert await status_for("192.0.2.7, 192.0.2.8") == 200, "the last one is the proxy's word"


@pytest.mark.req(326)
async def test_without_a_trusted_proxy_a_forwarded_address_means_nothing(served):
    async with served(max_connections_per_address=1) as server, raw_client(server.port, request()) as first:
        assert (await first.answer()).status == 200
        async with raw_client(server.port, request("GET", "/api/health", "x-forwarded-for: 192.0.2.7")) as second:
            assert (await second.answer()).status == 429


@pytest.mark.req(327)
async def test_what_lasts_by_design_is_not_cut(served):
    """A long poll, an event stream and a WebSocket outlive every time limit many times over."""
    async with served() as server, AsyncExitStack() as stack:
        socket = await stack.enter_async_context(connect(f"ws://127.0.0.1:{server.port}/ws/events"))
        await soon(socket.recv())
        events = request("GET", "/api/live?stream=events", "accept: text/event-stream")
        stream = await stack.enter_async_context(raw_client(server.port, events))
        poll = await stack.enter_async_context(raw_client(server.port, request(path="/api/live?stream=events&wait=1")))
        assert (await stream.head()).startswith(b"HTTP/1.1 200")
        await until(lambda: sum(one.is_answering for one in server.connections) == 2)
        for _ in range(10):
            server.pass_time(1000)
        assert (await poll.answer()).status == 200
        assert not stream.is_closed
        await soon(await socket.ping())
        assert [server.refused(reason) for reason in ("silent", "slow_headers", "slow_body", "slow_reader")] == [0] * 4


@pytest.mark.req(327)
async def test_a_request_that_is_not_http_is_400_in_the_usual_form(served):
    async with served() as server, raw_client(server.port, b"\x16\x03\x01\x02\x00\r\n\r\n") as client:
        answer = await client.answer()
        assert (answer.status, answer.json()["error"]["code"]) == (400, "VALIDATION_ERROR")
        assert server.refused("invalid") == 1


@pytest.mark.req(327)
async def test_thousands_of_requests_in_one_go_are_refused(served):
    async with served() as server, raw_client(server.port) as client:
        with contextlib.suppress(ConnectionError):
            for _ in range(50):
                await client.send(request("GET", "/api/live?stream=events&wait=50") * 100)
                if server.refused("too_many_pipelined"):
                    break
        await until(lambda: server.refused("too_many_pipelined") == 1)
        await is_well(server.port)


async def _is(answer: Awaitable[int], status: int) -> bool:
    return await answer == status
