"""Long polls end with their client and with the server, without a task of their own for either."""

import asyncio
from collections.abc import Callable
from types import SimpleNamespace

import pytest
from starlette.types import Message, Scope

from sightline.api.aws.call import AwsError
from sightline.api.aws.waiting import client_of, while_connected
from sightline.api.live.transport import OffersTransport, StopSignal
from support.waiting import until


class Work:
    def __init__(self) -> None:
        self.result: asyncio.Future[dict[str, str]] = asyncio.get_running_loop().create_future()
        self.was_cancelled = False

    async def run(self) -> dict[str, str]:
        try:
            return await self.result
        except asyncio.CancelledError:
            self.was_cancelled = True
            raise


async def never() -> Message:
    return await asyncio.get_running_loop().create_future()


def served(stopping: StopSignal, *, is_closing: bool = False) -> tuple[Scope, set[Callable[[], None]]]:
    """The scope of a request on a server that tells when its client is lost."""
    lost: set[Callable[[], None]] = set()
    transport = SimpleNamespace(when_lost=lost, is_closing=lambda: is_closing)
    return {"extensions": {"sightline.transport": transport, "sightline.stopping": stopping}}, lost


@pytest.mark.req(519)
async def test_a_result_is_returned_and_nothing_is_left_registered():
    work, stopping = Work(), StopSignal()
    scope, lost = served(stopping)
    running = asyncio.create_task(while_connected(work.run(), client_of(scope, never)))
    await until(lambda: bool(lost))
    assert len(asyncio.all_tasks()) == 2  # this test and the request
    work.result.set_result({"a": "b"})
    assert await running == {"a": "b"}
    assert not lost
    assert not stopping.callbacks


@pytest.mark.req(519)
async def test_the_work_ends_when_the_client_is_lost():
    work = Work()
    scope, lost = served(StopSignal())
    running = asyncio.create_task(while_connected(work.run(), client_of(scope, never)))
    await until(lambda: bool(lost))
    for callback in tuple(lost):
        callback()
    with pytest.raises(AwsError):
        await running
    assert work.was_cancelled
    assert not lost


@pytest.mark.req(519)
async def test_the_work_ends_when_the_server_stops():
    work, stopping = Work(), StopSignal()
    scope, _ = served(stopping)
    running = asyncio.create_task(while_connected(work.run(), client_of(scope, never)))
    await until(lambda: bool(stopping.callbacks))
    stopping.set()
    with pytest.raises(AwsError, match="stopping") as caught:
        await running
    assert caught.value.status == 503
    assert work.was_cancelled


@pytest.mark.req(519)
@pytest.mark.parametrize("is_stopping", [True, False])
async def test_no_work_waits_for_a_client_that_is_gone_or_on_a_server_that_stops(is_stopping: bool):
    work, stopping = Work(), StopSignal()
    if is_stopping:
        stopping.set()
    scope, _ = served(stopping, is_closing=not is_stopping)
    with pytest.raises(AwsError):
        await while_connected(work.run(), client_of(scope, never))
    assert work.was_cancelled


@pytest.mark.req(519)
async def test_a_server_that_tells_it_only_to_those_who_ask_is_asked():
    work = Work()
    gone = asyncio.Event()

    async def receive() -> Message:
        await gone.wait()
        return {"type": "http.disconnect"}

    running = asyncio.create_task(while_connected(work.run(), client_of({}, receive)))
    gone.set()
    with pytest.raises(AwsError):
        await running
    assert work.was_cancelled


@pytest.mark.req(519)
async def test_who_cancels_the_request_itself_gets_it_cancelled():
    work = Work()
    scope, lost = served(StopSignal())
    running = asyncio.create_task(while_connected(work.run(), client_of(scope, never)))
    await until(lambda: bool(lost))
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running


@pytest.mark.req(519)
async def test_a_wrapped_send_offers_no_way_to_hear_of_a_lost_client():
    seen: list[Scope] = []

    async def app(scope: Scope, *_: object) -> None:
        seen.append(scope)

    async def send(_: Message) -> None: ...

    await OffersTransport(app, StopSignal())({"type": "http"}, never, send)
    assert seen[0]["extensions"]["sightline.transport"] is None
