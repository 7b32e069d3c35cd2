"""The connection itself: who may connect, heartbeat, idle end, and what a client may say."""

import time
import uuid

import pytest
from websockets.exceptions import InvalidStatus

from sightline.api import create_app
from sightline.config import ApiSettings
from sightline.live import LiveSettings
from support.live_rig import Client, open_socket
from support.waiting import until

ANN = uuid.uuid4()


def token(header):
    return header["authorization"].removeprefix("Bearer ")


@pytest.mark.req(219)
async def test_a_key_in_the_address_is_taken(live_with, auth_on, signed_in):
    live = await live_with(auth=auth_on)
    for parameter in ("token", "key", "api_key"):
        client = await live.connect(**{parameter: token(signed_in(ANN))})
        number = await live.append(owner_id=ANN)
        assert await client.sequences(1) == [number], parameter


@pytest.mark.req(219)
async def test_a_key_as_sub_protocol_is_taken_and_not_repeated_where_that_can_be_helped(live_with, auth_on, signed_in):
    live = await live_with(auth=auth_on)
    key = token(signed_in(ANN))
    for kind in ("bearer", "api-key"):
        client = await live.connect(subprotocols=["sightline", f"{kind}.{key}"])
        assert client.socket.subprotocol == "sightline"
    alone = await live.connect(subprotocols=[f"api-key.{key}"])
    assert alone.socket.subprotocol == f"api-key.{key}"  # browsers insist on one of those they offered


@pytest.mark.req(219)
async def test_a_bad_key_closes_with_1008(live_with, auth_on):
    live = await live_with(auth=auth_on)
    for offered in ({}, {"token": "nonsense"}, {"subprotocols": ["api-key.nonsense"]}):
        code, reason = await (await live.open(**offered)).end()
        assert code == 1008, offered
        assert "bearer token" in reason or "Invalid or expired token" in reason, reason


@pytest.mark.req(219)
@pytest.mark.usefixtures("still_limits")
async def test_too_many_connects_close_with_1008(live_with):
    live = await live_with(live=LiveSettings(connects_per_minute=30))
    for _ in range(3):
        await live.connect()
    assert await (await live.open()).end() == (1008, "Too many requests. Try again later.")


@pytest.mark.req(219)
async def test_more_connections_than_a_process_takes_close_with_1008_until_one_leaves(live_with):
    live = await live_with(live=LiveSettings(max_connections=2))
    first, _ = await live.connect(), await live.connect("videos")
    assert await (await live.open()).end() == (1008, "too many connections")
    await first.close()
    await until(lambda: live.metric("sightline_live_connections", stream="events") == 0)
    await live.connect()


async def test_a_connection_that_asks_for_nonsense_is_refused_with_the_reason(live):
    for stream, query, reason in (
        ("gossip", {}, "no live stream 'gossip'; there are events, videos"),
        ("events", {"client_id": "a b"}, "client_id: 1 to 64 letters, digits, _ . : -"),
        ("events", {"last_sequence": "-1"}, "last_sequence: a number from 0 on"),
        ("events", {"last_sequence": "9" * 19}, "last_sequence: a number from 0 on"),
        ("events", {"patterns": "a*"}, "'a*' is not a valid pattern: use *, a word, or words.with.dots.*"),
    ):
        assert await (await live.open(stream, **query)).end() == (1008, reason)


async def test_a_foreign_page_is_refused_before_it_is_accepted(live):
    with pytest.raises(InvalidStatus) as refused:
        await live.open(headers={"origin": "https://evil.example"})
    assert refused.value.response.status_code == 403


async def test_a_connection_ends_with_its_token(live_with, auth_on, signed_in):
    live = await live_with(auth=auth_on, live=LiveSettings(idle_close_s=10**6))
    client = await live.connect(headers=signed_in(ANN, exp=int(time.time()) + 3600))
    await live.pass_time(3600)  # and then there are thirty seconds of leeway
    await client.next_of("ping")
    await client.nothing_more()
    await live.pass_time(3600)
    assert await client.end() == (1008, "the token has expired")


@pytest.mark.req(220)
async def test_the_server_pings_with_the_last_number_every_30_seconds(live):
    client = await live.connect()
    await live.pass_time(29.9)
    await client.nothing_more()
    await live.pass_time(0.1)
    assert await client.next() == {"type": "ping", "lastSeq": 0, "epoch": client.hello["epoch"]}
    await live.append_many(2)
    await client.messages(2)
    for _ in range(2):
        await live.pass_time(29.9)
        await client.nothing_more()
        await live.pass_time(0.1)
        assert await client.next() == {"type": "ping", "lastSeq": 2, "epoch": client.hello["epoch"]}


@pytest.mark.req(220)
async def test_the_hub_pings_by_itself_again_and_again(live_with):
    live = await live_with(live=LiveSettings(heartbeat_s=0.05), hub={"clock": time.monotonic})
    client = await live.connect()
    assert [(await client.next())["type"] for _ in range(3)] == ["ping", "ping", "ping"]


@pytest.mark.req(220)
async def test_a_client_that_says_nothing_for_300_seconds_is_closed_with_1000_and_one_that_answers_pings_is_not(live):
    silent, polite = await live.connect(), await live.connect()
    for _ in range(9):
        await live.pass_time(30)
        for client in (silent, polite):
            await client.next_of("ping")
        await polite.say(type="pong")
        await polite.nothing_more()  # so the answer was heard
    await live.pass_time(30)
    assert await silent.end() == (1000, "idle")
    await polite.next_of("ping")
    await polite.nothing_more()


@pytest.mark.req(221)
async def test_a_ping_is_answered_with_a_pong(live):
    client = await live.connect()
    for said in ("ping", '{"type":"ping"}', '{"type":"PING","data":{}}'):
        await client.say(said)
        assert await client.next() == {"type": "pong"}


@pytest.mark.req(222)
async def test_bad_messages_are_answered_by_code_and_the_socket_stays_open(live):
    client = await live.connect()
    for said, code in (
        ("{", "INVALID_JSON"),
        (b"\x00\x01", "INVALID_MESSAGE_FORMAT"),
        ("[]", "INVALID_MESSAGE_FORMAT"),
        ('{"type":"sing"}', "UNKNOWN_MESSAGE_TYPE"),
        ('{"type":"ack"}', "VALIDATION_ERROR"),
        ('{"type":"subscribe","patterns":["a*"]}', "VALIDATION_ERROR"),
        ('{"type":"resume","last_sequence":0,"channel":"videos"}', "VALIDATION_ERROR"),
    ):
        await client.say(said)
        problem = await client.next()
        assert (problem["type"], problem["error"]) == ("error", code)
    await live.append()
    assert await client.sequences(1) == [1]


async def test_a_message_larger_than_any_sensible_one_ends_the_connection(live):
    client = await live.connect()
    await client.say("x" * (64 * 1024 + 1))
    assert (await client.end())[0] == 1009


@pytest.mark.usefixtures("still_limits")
async def test_a_client_that_says_too_much_is_refused_and_stays(live_with):
    live = await live_with(api=ApiSettings(rate_limit_per_minute=10))
    client = await live.connect()
    for _ in range(2):
        await client.say(type="ping")
    assert (await client.next())["type"] == "pong"
    assert (await client.next())["error"] == "RATE_LIMIT_EXCEEDED"
    await live.append()
    assert await client.sequences(1) == [1]


async def test_before_the_hub_runs_clients_are_asked_to_come_again(platform, serving):
    async with serving(create_app(platform)) as port:
        socket = await open_socket(port, "events")
        assert await Client(socket).end() == (1013, "the live feed is not running yet")


async def test_a_server_that_stops_says_so(live, serving):
    async with serving(create_app(live.platform)) as port:
        client = Client(await open_socket(port, "events"))
        assert (await client.next())["type"] == "hello"
    assert (await client.end())[0] == 1012
