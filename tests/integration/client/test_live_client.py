"""The Python client of the live feed against a real server, and `sightline watch` with it."""

import asyncio
import json
import sys

import pytest

from sightline.client import FeedGap, FeedMessage, FeedPosition, LiveClient
from sightline.errors import InvalidInput, NotAuthenticated
from sightline.live import LiveSettings
from sightline.timing import Backoff
from support.live_rig import Live
from support.waiting import limited, soon, until

QUICK = Backoff(first_s=0.01, max_s=0.05)


def client_of(live: Live, **more) -> LiveClient:
    return LiveClient(f"http://127.0.0.1:{live.port}", backoff=QUICK, **more)


async def take(feed: LiveClient, count: int) -> list[FeedMessage | FeedGap]:
    items = aiter(feed)
    async with limited():
        return [await anext(items) for _ in range(count)]


@pytest.mark.req(211)
async def test_a_client_goes_on_where_it_was_after_its_connection_broke(live):
    async with client_of(live, position=FeedPosition(0, "another")) as feed:
        assert isinstance((await take(feed, 1))[0], FeedGap)  # of another epoch
    async with client_of(live) as feed:
        reading = asyncio.create_task(take(feed, 3))
        await until(lambda: feed.position is not None)
        first = await live.append()
        await until(lambda: feed.position is not None and feed.position.sequence == first)
        assert feed._socket is not None
        feed._socket.transport.abort()
        missed = [await live.append(), await live.append()]
        found = await reading
    assert [item.sequence for item in found if isinstance(item, FeedMessage)] == [first, *missed]


@pytest.mark.req(214)
async def test_a_critical_message_is_confirmed_when_the_loop_goes_on(live):
    async with client_of(live, client_id="tablet") as feed:
        reading = asyncio.create_task(take(feed, 1))
        await until(lambda: feed.position is not None)
        critical = await live.append(requires_ack=True)
        await reading

        async def acks() -> int:
            async with live.platform.database.transaction() as tx:
                return len(await live.platform.live.acks(tx, "events", critical))

        assert await acks() == 0
        going_on = asyncio.create_task(take(feed, 1))

        async def is_acked() -> bool:
            return await acks() == 1

        await until(is_acked)
        await live.append()
        await going_on


@pytest.mark.req(214)
async def test_a_client_that_crashed_over_a_message_gets_it_again(live):
    async with client_of(live, client_id="tablet") as feed:
        reading = asyncio.create_task(take(feed, 1))
        await until(lambda: feed.position is not None)
        critical = await live.append(requires_ack=True)
        await reading
        position = feed.position
    async with client_of(live, client_id="tablet", position=position) as feed:
        (again,) = await take(feed, 1)
    assert isinstance(again, FeedMessage)
    assert again.sequence == critical


@pytest.mark.req(212)
async def test_a_client_that_was_away_too_long_is_told_to_load_afresh(live_with):
    live = await live_with(live=LiveSettings(buffer_size=2))
    async with client_of(live) as feed:
        reading = asyncio.create_task(take(feed, 1))
        await until(lambda: feed.position is not None)
        await live.append_many(1)
        await reading
        position = feed.position
    await live.append_many(5)
    async with client_of(live, position=position) as feed:
        (gap,) = await take(feed, 1)
        assert isinstance(gap, FeedGap)
        assert gap.reason == "buffer_exceeded"
        last = asyncio.create_task(take(feed, 1))
        sequence = await live.append()
        (message,) = await last
    assert isinstance(message, FeedMessage)
    assert message.sequence == sequence


async def test_a_client_whose_token_is_refused_does_not_come_back(live_with, auth_on):
    live = await live_with(auth=auth_on)
    async with client_of(live, token="nonsense") as feed:
        with pytest.raises(NotAuthenticated, match="refused this client"):
            await take(feed, 1)


async def test_a_server_that_is_away_is_waited_for(live):
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 3:
            feed._address = feed._address.replace(":1/", f":{live.port}/")

    feed = LiveClient("http://127.0.0.1:1", backoff=Backoff(first_s=1, max_s=3, jitter=0), sleep=sleep)
    async with feed:
        reading = asyncio.create_task(take(feed, 1))
        await until(lambda: feed.position is not None)
        await live.append()
        await reading
    assert pauses == [1, 2, 3]


@pytest.mark.parametrize("url", ["", "127.0.0.1:8400", "ftp://x"])
def test_an_invalid_url_is_refused(url):
    with pytest.raises(InvalidInput, match="not the URL of a Sightline server"):
        LiveClient(url)


async def test_sightline_watch_shows_what_happens(live):
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "sightline", "watch", "--server", f"http://127.0.0.1:{live.port}"),
        *("--json", "--count", "2", "--only", "event"),
        stdout=asyncio.subprocess.PIPE,
    )
    await until(lambda: live.metric("sightline_live_connections", stream="events") == 1, within_s=60)
    numbers = [await live.append(), await live.append(kind="other"), await live.append()]
    out, _ = await soon(process.communicate(), within_s=60)
    assert [json.loads(line)["sequence"] for line in out.splitlines()] == [numbers[0], numbers[2]]
    assert process.returncode == 0
