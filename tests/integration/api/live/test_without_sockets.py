"""`GET /api/live`: the feed as Server-Sent Events and by long polling, asked over real HTTP."""

import asyncio
import json
import socket
import time
import uuid
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import Any

import pytest

from sightline.api import create_app
from sightline.live import LiveMessage, LiveSettings
from support.asking import is_error
from support.live_rig import http_client
from support.waiting import limited, soon, until

ANN, BEN = uuid.uuid4(), uuid.uuid4()


class Events:
    """What arrives on a stream of Server-Sent Events, as a browser would read it."""

    def __init__(self, answer):
        self.answer = answer
        self.last_id = None
        self._lines = answer.aiter_lines()

    async def next(self):
        """The next event's data; its id is remembered like a browser does."""
        data, name = None, "message"
        async with limited():
            async for line in self._lines:
                field, _, value = line.partition(": ")
                match field:
                    case "id":
                        self.last_id = value
                    case "data":
                        data = json.loads(value)
                    case "event":
                        name = value
                    case "" if data is not None:
                        return data if name == "message" else {"event": name, **data}
        return None

    async def messages(self, count):
        found: list[dict[str, Any]] = []
        while len(found) < count:
            frame = await self.next()
            assert frame is not None, "the stream has ended"
            found += [frame] if "sequence" in frame else []
        return found

    async def sequences(self, count):
        return [message["sequence"] for message in await self.messages(count)]


@asynccontextmanager
async def events(live, *, headers=None, **query):
    asked = {"accept": "text/event-stream"} | (headers or {})
    async with (
        live.http.stream("GET", "/api/live", params=query, headers=asked) as answer,
    ):
        assert answer.status_code == 200, await answer.aread()
        assert answer.headers["content-type"].startswith("text/event-stream")
        yield Events(answer)


async def poll(live, *, headers=None, **query):
    answer = await live.get("/api/live", headers=headers, **query)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_events_are_the_frames_of_the_socket_under_the_same_numbers(live):
    socket = await live.connect()
    async with events(live) as feed:
        hello = await feed.next()
        assert (hello["type"], hello["data"]["sequence"]) == ("hello", 0)
        await live.append_many(3, requires_ack=True)
        assert await feed.messages(3) == await socket.messages(3)
        assert feed.last_id == f"{hello['data']['epoch']}.3"


@pytest.mark.req(211)
async def test_a_browser_that_returns_with_its_last_id_gets_what_it_missed(live):
    async with events(live) as feed:
        await feed.next()
        await live.append_many(2)
        assert await feed.sequences(2) == [1, 2]
    await live.append_many(3)
    async with events(live, since=0, headers={"last-event-id": feed.last_id}) as again:
        await again.next()
        assert again.last_id is None  # what was missed is still to come
        resumed = (await again.next())["data"]
        assert (resumed["from"], resumed["to"], resumed["replayed"], resumed["recovered"]) == (3, 5, 3, True)
        assert [(m["sequence"], m["replay"]) for m in await again.messages(3)] == [(3, True), (4, True), (5, True)]
        await live.append()
        assert await again.sequences(1) == [6]


async def test_a_browser_that_saw_nothing_yet_returns_to_where_it_began(live):
    async with events(live) as feed:
        await feed.next()
    await live.append_many(1)
    async with events(live, headers={"last-event-id": feed.last_id}) as again:
        assert await again.sequences(1) == [1]


@pytest.mark.req(212)
async def test_what_cannot_be_replayed_is_a_gap_in_both_ways(live_with):
    live = await live_with(live=LiveSettings(buffer_size=5))
    await live.append_many(9)
    async with events(live, since=1) as feed:
        await feed.next()
        gap = await feed.next()
        assert (gap["type"], gap["data"]["reason"], gap["data"]["sequence"]) == ("gap", "buffer_exceeded", 9)
        assert feed.last_id == f"{gap['data']['epoch']}.9"
    answer = await poll(live, since=1)
    assert (answer["gap"], answer["sequence"], answer["messages"]) == (gap["data"], 9, [])
    wrong = await poll(live, since=8, epoch="00000000")
    assert (wrong["gap"]["reason"], wrong["sequence"]) == ("epoch_changed", 9)


async def test_a_poll_is_answered_with_what_was_missed_at_once(live):
    await live.append_many(3)
    answer = await poll(live, since=1, wait=20)
    assert ([m["sequence"] for m in answer["messages"]], answer["sequence"], answer["gap"]) == ([2, 3], 3, None)
    socket = await live.connect(last_sequence=1, epoch=answer["epoch"])
    await socket.next_of("resumed")
    assert await socket.messages(2) == answer["messages"]


async def test_a_poll_waits_for_news_and_is_answered_as_soon_as_there_is_some(live):
    asked = asyncio.create_task(poll(live, since=0, wait=55))
    await until(lambda: live.metric("sightline_live_connections", stream="events") == 1)
    await live.append()
    answer = await soon(asked)
    assert ([m["sequence"] for m in answer["messages"]], answer["sequence"]) == ([1], 1)
    assert live.metric("sightline_live_connections", stream="events") == 0


async def test_a_poll_without_news_is_answered_empty_after_its_time(live):
    await live.append_many(2)
    answer = await poll(live, wait=0)
    assert (answer["messages"], answer["gap"], answer["sequence"]) == ([], None, 2)
    assert (await poll(live, since=2, epoch=answer["epoch"], wait=0.05))["sequence"] == 2


@pytest.mark.req(211)
async def test_polls_one_after_the_other_lose_and_double_nothing(live):
    got: list[int] = []
    since, epoch = 0, ""

    def is_within_reach(written):
        return since > written - 60  # so that there is no gap to expect

    async def write():
        for written in range(1, 121):
            await live.append()
            await until(partial(is_within_reach, written))

    writing = asyncio.create_task(write())
    while len(got) < 120:
        answer = await poll(live, since=since, epoch=epoch, wait=5)
        got += [message["sequence"] for message in answer["messages"]]
        since, epoch = answer["sequence"], answer["epoch"]
        assert answer["gap"] is None
    await writing
    assert got == list(range(1, 121))


async def test_rights_and_patterns_hold_as_on_the_socket(live_with, auth_on, signed_in):
    live = await live_with(auth=auth_on)
    for owner, kind in ((ANN, "event"), (BEN, "event"), (None, "alert.raised"), (ANN, "alert.raised")):
        await live.append_many(1, owner_id=owner, kind=kind)
    answer = await poll(live, since=0, headers=signed_in(ANN))
    assert [(m["sequence"], m.get("prev")) for m in answer["messages"]] == [(1, None), (2, None), (3, None)]
    token = signed_in(BEN)["authorization"].removeprefix("Bearer ")
    async with events(live, since=0, patterns="alert.*", token=token) as feed:
        assert await feed.sequences(1) == [2]
        await live.append(owner_id=ANN, kind="alert.raised")
        await live.append(owner_id=BEN, kind="alert.raised")
        assert await feed.sequences(1) == [3]
    # What it does not follow is behind this client too: it need not ask for it again.
    assert (await poll(live, since=4, headers=signed_in(ANN), wait=0))["sequence"] == 4


@pytest.mark.req(219)
@pytest.mark.usefixtures("still_limits")
async def test_nobody_follows_without_a_token_or_too_often(live_with, auth_on, signed_in):
    live = await live_with(auth=auth_on, live=LiveSettings(connects_per_minute=20))
    is_error(await live.get("/api/live"), 401, "UNAUTHORIZED")
    is_error(await live.get("/api/live", headers={"accept": "text/event-stream"}), 401, "UNAUTHORIZED")
    for _ in range(2):
        await poll(live, headers=signed_in(ANN), wait=0)
    is_error(await live.get("/api/live", headers=signed_in(ANN), wait=0), 429, "RATE_LIMIT_EXCEEDED")
    await poll(live, headers=signed_in(BEN), wait=0)


async def test_a_process_takes_so_many_connections_of_all_kinds_together(live_with):
    live = await live_with(live=LiveSettings(max_connections=1))
    async with events(live):
        is_error(await live.get("/api/live", wait=0), 429, "RATE_LIMIT_EXCEEDED")
    await until(lambda: live.metric("sightline_live_connections", stream="events") == 0)
    await poll(live, wait=0)


async def test_a_stream_ends_with_the_token_and_says_so(live_with, auth_on, signed_in):
    live = await live_with(auth=auth_on)
    async with events(live, headers=signed_in(ANN, exp=int(time.time()) + 100)) as feed:
        assert (await feed.next())["type"] == "hello"
        await live.pass_time(100)  # and then 30 s are forgiven
        assert (await feed.next())["type"] == "ping"
        await live.pass_time(100)
        assert await feed.next() == {"event": "closed", "code": 1008, "reason": "the token has expired"}
        assert await feed.next() is None


@pytest.mark.req(220)
async def test_a_stream_is_pinged_and_stays_open_as_long_as_it_is_taken(live):
    async with events(live) as feed:
        assert (await feed.next())["type"] == "hello"
        for _ in range(20):  # twice as long as a silent socket would be left open
            await live.pass_time(30)
            assert (await feed.next())["type"] == "ping"
        await live.append()
        assert await feed.sequences(1) == [1]


async def test_a_client_that_does_not_read_is_cut_off_and_others_get_everything(live_with):
    live = await live_with(live=LiveSettings(slow_consumer_bytes=64 * 1024))
    stalled = socket.socket()
    stalled.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    stalled.connect(("127.0.0.1", live.port))
    stalled.sendall(b"GET /api/live HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: text/event-stream\r\n\r\n")
    await until(lambda: live.metric("sightline_live_connections", stream="events") == 1)
    async with events(live) as healthy:
        await healthy.next()
        said = 0
        while live.metric("sightline_live_slow_consumers_total", stream="events") == 0:
            async with live.platform.database.transaction() as tx:
                for _ in range(10):
                    await live.platform.live.append(tx, LiveMessage("events", "event", {"text": "x" * 60_000}))
            said += 10
            assert await healthy.sequences(10) == list(range(said - 9, said + 1))
    await until(lambda: live.metric("sightline_live_connections", stream="events") == 0)
    stalled.close()


async def test_a_client_that_hangs_up_is_forgotten(live):
    asking = asyncio.create_task(live.get("/api/live?wait=55"))
    await until(lambda: live.metric("sightline_live_connections", stream="events") == 1)
    asking.cancel()
    await until(lambda: live.metric("sightline_live_connections", stream="events") == 0)


async def test_a_server_that_stops_ends_streams_and_answers_polls_and_waits_for_neither(live, serving, monkeypatch):
    monkeypatch.setattr(
        "sightline.api.serving.server.GRACE_S", 3600
    )  # so whatever it waited for would outlast the test
    async with AsyncExitStack() as stack:
        async with serving(create_app(live.platform)) as port:
            client = await stack.enter_async_context(http_client(port))
            asking = asyncio.create_task(client.get("/api/live", params={"wait": 55}))
            asked = client.build_request("GET", "/api/live", headers={"accept": "text/event-stream"})
            feed = Events(await client.send(asked, stream=True))
            assert (await feed.next())["type"] == "hello"
            await until(lambda: live.metric("sightline_live_connections", stream="events") == 2)
        assert await feed.next() == {"event": "closed", "code": 1012, "reason": "the server restarts"}
        assert (await asking).json()["messages"] == []
        await feed.answer.aclose()


@pytest.mark.req(213, 214)
async def test_what_was_not_acknowledged_is_offered_again_until_it_is(live):
    await live.append_many(2, requires_ack=True)
    first = await poll(live, since=0, client_id="till")
    assert [(m["sequence"], "redelivery" in m) for m in first["messages"]] == [(1, False), (2, False)]
    again = await poll(live, since=2, client_id="till")
    assert ([(m["sequence"], m["redelivery"]) for m in again["messages"]], again["sequence"]) == ([(1, 1), (2, 1)], 2)
    assert (await acknowledge(live, client_id="till", sequences=[2])).json() == {"mark": 2}
    async with events(live, since=2, client_id="till") as feed:
        assert [(m["sequence"], m["redelivery"]) for m in await feed.messages(1)] == [(1, 1)]
        assert feed.last_id.endswith(".2")  # offered again, it moves nobody back
        await acknowledge(live, client_id="till", sequences=[1, 2])
    assert (await poll(live, since=2, client_id="till", wait=0))["messages"] == []
    async with live.platform.database.transaction() as tx:
        stored = await live.platform.live.acks(tx, "events", 1)
    assert [ack.client_id for ack in stored] == ["till"]


async def acknowledge(live, stream="events", **body):
    return await live.http.post(f"/api/live/{stream}/acks", json=body)


async def test_an_acknowledgement_settles_the_streams_of_the_device_too(live):
    async with events(live, client_id="wall") as feed:
        await feed.next()
        for _ in range(2):
            await live.append(requires_ack=True)
        assert await feed.sequences(2) == [1, 2]
        await acknowledge(live, client_id="wall", sequences=[1])
        for times, seconds in enumerate((5, 10), start=1):
            await live.pass_time(seconds)
            assert [(m["sequence"], m["redelivery"]) for m in await feed.messages(1)] == [(2, times)]


@pytest.mark.req(222)
async def test_nonsense_is_refused(live):
    for query in ("since=-1", "since=x", "wait=56", "client_id=a%20b", "patterns=%2A%2A"):
        is_error(await live.get(f"/api/live?{query}"), 400, "VALIDATION_ERROR")
    is_error(await live.get("/api/live", headers={"last-event-id": "ab12cd34"}), 400, "VALIDATION_ERROR")
    is_error(await live.get("/api/live?stream=gossip"), 404, "STREAM_NOT_FOUND")
    is_error(await acknowledge(live, client_id="x", sequences=[1]), 400, "VALIDATION_ERROR")  # never said
    is_error(await acknowledge(live, client_id="x", sequences=[]), 400, "VALIDATION_ERROR")
    is_error(await acknowledge(live, "gossip", client_id="x", sequences=[1]), 404, "STREAM_NOT_FOUND")
