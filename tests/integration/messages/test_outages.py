"""What happens when a side dies: the sink for a while, a processor for good."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest

from sightline.timing import utc_now
from support import message_process
from support.messaging import Messaging
from support.ntfy_server import NtfyServer
from support.waiting import until

SCRIPT = Path(message_process.__file__)


@asynccontextmanager
async def _process(messaging: Messaging, server: NtfyServer) -> AsyncIterator[asyncio.subprocess.Process]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, str(SCRIPT), messaging.url, server.url),
        env={**os.environ, "PYTHONPATH": str(SCRIPT.parents[1])},
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


@pytest.mark.req(155, 159)
async def test_a_processor_killed_between_send_and_mark_sends_nothing_twice(messaging: Messaging, server: NtfyServer):
    """The one window of ADR 0021. ntfy's cache is asked, so even there nothing is doubled."""
    server.may_answer.clear()
    new = await messaging.create()
    async with _process(messaging, server) as process:
        await until(lambda: len(server.published) == 1)
        process.kill()
    server.may_answer.set()
    await messaging.let_time_pass()
    async with messaging.working(messaging.worker(server=server)):
        await until(lambda: messaging.is_now(new.message_id, "completed"))
    assert [one["sequence_id"] for one in server.published] == [new.message_id]
    assert (await messaging.get(new.message_id)).notification_id == server.published[0]["id"]


@pytest.mark.req(159)
async def test_where_the_cache_forgot_the_repetition_has_the_same_sequence(messaging: Messaging, server: NtfyServer):
    server.drops_after_taking = True
    new = await messaging.create()
    async with messaging.working(messaging.worker(server=server, tries=1)):
        await until(lambda: len(server.published) == 1)
        server.drops_after_taking = False
        await until(lambda: messaging.is_now(new.message_id, "completed"))
    assert {one["sequence_id"] for one in server.published} == {new.message_id}


@pytest.mark.req(188)
async def test_a_sink_that_is_down_opens_the_breaker_and_most_messages_wait_untried(
    messaging: Messaging, server: NtfyServer
):
    server.is_down = True
    created = [await messaging.create() for _ in range(12)]
    async with messaging.working(messaging.worker(server=server, breaker_open_s=3600)):
        await until(lambda: _are_waiting(messaging, [new.message_id for new in created]))
    assert messaging.counted("sightline_circuit_breaker_state", channel="ntfy") == 2
    assert len(server.asked) < 3 * len(created)
    assert await messaging.waiting() == 12
    assert await messaging.dead() == []


@pytest.mark.req(188)
async def test_a_sink_that_was_down_gets_all_when_it_is_back(messaging: Messaging, server: NtfyServer):
    server.answers = [(502, {}, b"bad gateway")] * 2
    created = [await messaging.create() for _ in range(5)]
    async with messaging.working(messaging.worker(server=server, breaker_open_s=0.2, breaker_failures=2, tries=1)):
        for new in created:
            await until(partial(messaging.is_now, new.message_id, "completed"))
    assert sorted(one["sequence_id"] for one in server.published) == sorted(new.message_id for new in created)
    assert await messaging.dead() == []
    assert messaging.counted("sightline_circuit_breaker_state", channel="ntfy") == 0


async def _are_waiting(messaging: Messaging, ids: list[str]) -> bool:
    return {(await messaging.get(one)).status for one in ids} <= {"queued", "failed"}


async def test_a_message_in_quiet_hours_waits_without_failing(messaging: Messaging, server: NtfyServer):
    new = await messaging.create(not_before=utc_now() + timedelta(hours=1))
    async with messaging.working(messaging.worker(server=server)):
        await until(lambda: _is(messaging, new.message_id, "queued"))
    assert server.published == []
    await messaging.let_time_pass()
    async with messaging.working(messaging.worker(server=server, clock=lambda: utc_now() + timedelta(hours=1))):
        await until(lambda: messaging.is_now(new.message_id, "completed"))
    kept = await messaging.get(new.message_id)
    assert kept.retry_count == 0
    assert any(step.note == "quiet hours" for step in kept.history)


async def _is(messaging: Messaging, message_id: str, status: str) -> bool:
    return (await messaging.get(message_id)).status == status
