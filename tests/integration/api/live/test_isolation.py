"""One client never disturbs another: closed, stalled, broken, or behind a server that frames by itself."""

import asyncio
import json
import socket
from functools import partial

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.frames import Close

from sightline.api import create_app
from sightline.api.live.connection import DirectConnection, QueuedConnection
from sightline.api.live.transport import OffersTransport, transport_of
from sightline.live import Frames, LiveMessage, LiveSettings
from support.live_rig import Client, open_socket
from support.waiting import soon, until

HANDSHAKE = (
    "GET /ws/events?client_id=stalled HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
    "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


async def stalled_socket(port):
    """A client that shakes hands and never reads a byte more."""
    raw = socket.socket()
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    raw.setblocking(False)
    loop = asyncio.get_running_loop()
    await loop.sock_connect(raw, ("127.0.0.1", port))
    await loop.sock_sendall(raw, HANDSHAKE.format(port=port).encode())
    return raw


async def say_large(live, count, size=30_000):
    async with live.platform.database.transaction() as tx:
        for _ in range(count):
            last = await live.platform.live.append(tx, LiveMessage("events", "event", {"text": "x" * size}))
    return last


def has_come_to(live, number):
    return live.hub.state("events").top == number


@pytest.mark.req(215)
async def test_a_closed_socket_does_not_disturb_the_others_and_its_messages_stay_replayable(live):
    clients = [await live.connect() for _ in range(4)]
    await live.append_many(2)
    for client in clients:
        await client.messages(2)
    clients[0].socket.transport.abort()
    await clients[1].close()
    await live.append_many(3)
    for client in clients[2:]:
        assert await client.sequences(3) == [3, 4, 5]
    again = await live.connect(last_sequence=2)
    assert (await again.next())["data"]["replayed"] == 3
    assert await again.sequences(3) == [3, 4, 5]
    await until(lambda: live.metric("sightline_live_connections", stream="events") == 3)


@pytest.mark.req(215)
async def test_a_client_that_does_not_read_is_ended_and_the_others_get_everything(live_with):
    live = await live_with(live=LiveSettings(slow_consumer_bytes=256 * 1024, buffer_size=10_000))
    healthy = [await live.connect() for _ in range(5)]
    raw = await stalled_socket(live.port)
    await until(lambda: live.metric("sightline_live_connections", stream="events") == 6)
    last = 0
    while live.metric("sightline_live_slow_consumers_total", stream="events") == 0:
        last = await say_large(live, 20)
        for client in healthy:
            assert (await client.sequences(20))[-1] == last
    last = await say_large(live, 20)
    for client in healthy:
        assert await client.sequences(20) == list(range(last - 19, last + 1))
    raw.close()
    await until(lambda: live.metric("sightline_live_connections", stream="events") == 5)


@pytest.mark.req(215)
async def test_a_slow_client_that_reads_at_last_finds_whole_messages_and_then_4008(live_with):
    live = await live_with(live=LiveSettings(slow_consumer_bytes=256 * 1024))
    slow = await live.connect()
    slow.socket.transport.pause_reading()
    last = 0
    while live.metric("sightline_live_slow_consumers_total", stream="events") == 0:
        last = await say_large(live, 20)
        await until(partial(has_come_to, live, last))
    slow.socket.transport.resume_reading()
    seen = []
    with pytest.raises(ConnectionClosed) as ended:
        while True:
            seen.append(json.loads(await soon(slow.socket.recv()))["sequence"])
    assert ended.value.rcvd == Close(4008, "slow consumer")
    assert seen == list(range(1, len(seen) + 1))  # nothing left out before the end
    assert len(seen) < last


async def test_under_our_server_frames_go_straight_to_the_transport(serving):
    """The contract with uvicorn: should an update take the way away, this says so."""
    found = []

    async def app(scope, receive, send):
        await receive()
        await send({"type": "websocket.accept"})
        found.append(transport_of(scope))
        await send({"type": "websocket.close"})

    async with serving(app) as port:
        (await open_socket(port, "events")).transport.abort()
        await until(lambda: bool(found))
    for name in ("write", "close", "abort", "is_closing", "get_write_buffer_size"):
        assert callable(getattr(found[0], name))


async def test_a_server_that_is_not_known_offers_no_transport():
    seen = []

    async def app(scope, receive, send):
        seen.append(transport_of(scope))

    async def send(message):
        pass

    async def receive():
        return {"type": "websocket.connect"}

    await OffersTransport(app)({"type": "websocket"}, receive, send)
    assert seen == [None]


class UnknownServer:
    """Hides the transport from the application, as any other server would."""

    def __init__(self, app):
        self._app = app

    async def __call__(self, scope, receive, send):
        if scope["type"] == "websocket":
            scope["extensions"] = {}
        await self._app(scope, receive, send)


async def test_without_a_transport_the_same_messages_go_through_the_server(live_with, serving):
    live = await live_with()
    async with serving(UnknownServer(create_app(live.platform))) as port:
        client = Client(await open_socket(port, "events", client_id="c", last_sequence=0))
        assert [(await client.next())["type"] for _ in range(2)] == ["hello", "resumed"]
        await live.append_many(30, requires_ack=True)
        assert await client.sequences(30) == list(range(1, 31))
        assert (await client.ack(30))["data"]["mark"] == 30
        refused = Client(await open_socket(port, "gossip"))
        assert (await refused.end())[0] == 1008
        await client.close()


async def test_the_queue_of_such_a_connection_is_bounded_like_a_transport():
    """`send` never returns here, as with a client that never reads."""
    sent = []

    async def send(message):
        sent.append(message)
        await asyncio.Event().wait()

    connection = QueuedConnection(send)
    frames = Frames([b"x" * 1000])
    for _ in range(10):
        assert connection.send(frames)
    assert connection.pending_bytes() == 10_000
    connection.kick(4008, "slow consumer")
    assert not connection.send(frames)
    connection._writing.cancel()


def test_the_two_kinds_of_connection_can_do_the_same():
    def public(kind):
        return {name for name in dir(kind) if not name.startswith("_")} | {"pending_bytes"}

    assert public(DirectConnection) == public(QueuedConnection)
