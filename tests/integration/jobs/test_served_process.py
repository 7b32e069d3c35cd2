"""A long-lived process that serves requests: confined, fair, and started again when it dies."""

import asyncio
from dataclasses import replace

import pytest

from sightline.errors import PermanentFailure, TransientFailure
from sightline.jobs import LimitExceeded, ProcessCrashed, ProcessLimits, Sandbox, ServiceSpec, open_served_process
from support.waiting import until

WORK = "support.served_work"
SPEC = ServiceSpec(
    name="echo",
    opener=f"{WORK}:open_echo",
    argument={"greeting": "hello"},
    sandbox=Sandbox(modules=(WORK,)),
    limits=ProcessLimits(memory_bytes=2 * 1024**3),
)


@pytest.mark.req(532)
async def test_requests_are_served_by_one_process_that_lives_on():
    async with open_served_process(SPEC) as served:
        first = await served.request({"n": 1}, bytes(range(10)))
        large = await served.request({"n": 2}, memoryview(bytearray(b"\1" * 3_000_000)))
    assert (first["bytes"], first["sum"], first["said"]) == (10, 45, {"n": 1})
    assert first["given"] == {"greeting": "hello"}
    assert (large["bytes"], large["pid"]) == (3_000_000, first["pid"])


@pytest.mark.req(532)
async def test_it_reaches_neither_files_nor_the_network():
    async with open_served_process(SPEC) as served:
        assert (await served.request({"read": "/etc/passwd"}))["read"] == "PermissionError"
        assert (await served.request({"connect": True}))["connect"] == "PermissionError"


@pytest.mark.req(533)
async def test_a_process_that_dies_fails_its_request_and_serves_the_next():
    async with open_served_process(SPEC) as served:
        before = await served.request({})
        with pytest.raises(ProcessCrashed, match="SIGKILL"):
            await served.request({"die": True})
        after = await served.request({})
        assert after["pid"] != before["pid"]
        assert served.starts == 2


@pytest.mark.req(533)
async def test_requests_that_wait_when_it_dies_are_served_by_the_next_process():
    async with open_served_process(SPEC) as served:
        dying = asyncio.create_task(served.request({"die": True}))
        waiting = [asyncio.create_task(served.request({"n": number})) for number in range(3)]
        with pytest.raises(ProcessCrashed):
            await dying
        assert [one["said"] for one in await asyncio.gather(*waiting)] == [{"n": 0}, {"n": 1}, {"n": 2}]


@pytest.mark.req(533)
async def test_a_request_that_takes_too_long_ends_the_process():
    async with open_served_process(replace(SPEC, request_timeout_s=1.0)) as served:
        with pytest.raises(TransientFailure, match="did not answer within 1 s"):
            await served.request({"hang": True})

        async def answers() -> bool:
            try:
                return (await served.request({"n": 1}))["said"] == {"n": 1}
            except TransientFailure:
                return False  # on a busy machine a second may be too short for any request

        await until(answers)
        assert served.starts > 1


@pytest.mark.req(532)
async def test_more_memory_than_its_limit_is_named_and_the_process_is_replaced():
    async with open_served_process(SPEC) as served:
        with pytest.raises(LimitExceeded, match="2 GiB of memory"):
            await served.request({"hoard": True})
        assert (await served.request({}))["bytes"] == 0


async def test_a_refused_request_leaves_the_process_as_it_is():
    async with open_served_process(SPEC) as served:
        first = await served.request({})
        with pytest.raises(PermanentFailure, match="this request is refused"):
            await served.request({"refuse": True})
        assert (await served.request({}))["pid"] == first["pid"]


async def test_an_unexpected_error_of_the_service_is_raised_here():
    async with open_served_process(SPEC) as served:
        with pytest.raises(TransientFailure, match="RuntimeError: the service is broken"):
            await served.request({"fail": True})


@pytest.mark.req(532)
async def test_a_service_that_can_never_start_says_why_to_every_caller_without_being_started_again_at_once():
    async with open_served_process(replace(SPEC, opener=f"{WORK}:open_nothing")) as served:
        requests = [asyncio.create_task(served.request({})) for _ in range(3)]
        for request in requests:
            with pytest.raises(PermanentFailure, match="the file is no model"):
                await request
        with pytest.raises(PermanentFailure, match="the file is no model"):
            await served.request({})
        assert served.starts == 1
        assert str(served.start_failure) == "the file is no model"


async def test_a_service_that_crashes_while_it_starts_is_an_error_that_can_be_retried():
    async with open_served_process(replace(SPEC, opener=f"{WORK}:open_broken")) as served:
        with pytest.raises(TransientFailure, match="SIGSEGV"):
            await served.request({})


@pytest.mark.req(534)
async def test_sources_take_turns():
    order: list[str] = []

    async def ask(source: str) -> None:
        await served.request({}, source=source)
        order.append(source)

    async with open_served_process(SPEC) as served:
        busy = [asyncio.create_task(ask("busy")) for _ in range(6)]
        await asyncio.sleep(0)
        calm = asyncio.create_task(ask("calm"))
        await asyncio.gather(*busy, calm)
    assert order.index("calm") <= 2


@pytest.mark.req(795)
async def test_urgent_requests_go_first_but_no_other_waits_for_all_of_them():
    order: list[str] = []

    async def ask(source: str, *, is_urgent: bool = False) -> None:
        await served.request({}, source=source, is_urgent=is_urgent)
        order.append(source)

    async with open_served_process(SPEC) as served:
        await served.request({})
        tasks = [asyncio.create_task(ask(f"calm {number}")) for number in range(3)]
        tasks += [asyncio.create_task(ask(f"urgent {number}", is_urgent=True)) for number in range(5)]
        await asyncio.gather(*tasks)
    # The first may have been taken before the others came; then three urgent ones go before each older one.
    waited = order[1:] if order[0] == "calm 0" else order
    assert waited[:3] == ["urgent 0", "urgent 1", "urgent 2"]
    assert waited[3].startswith("calm")
    assert waited[4:6] == ["urgent 3", "urgent 4"]


@pytest.mark.req(534)
async def test_a_cancelled_request_is_not_sent_and_confuses_no_other():
    async with open_served_process(SPEC) as served:
        await served.request({})
        running = asyncio.create_task(served.request({"n": "running"}, bytes(5_000_000)))
        waiting = asyncio.create_task(served.request({"die": True}))
        last = asyncio.create_task(served.request({"n": "last"}))
        await asyncio.sleep(0)  # all three are in the queue, and the first may have been taken
        running.cancel()
        waiting.cancel()
        assert (await last)["said"] == {"n": "last"}
        assert served.starts == 1


async def test_closing_fails_what_waits():
    async with open_served_process(SPEC) as served:
        hanging = asyncio.create_task(served.request({"hang": True}))
        waiting = asyncio.create_task(served.request({}))
        await until(lambda: served.queued == 1)
    for request in (hanging, waiting):
        with pytest.raises(TransientFailure, match="echo was stopped"):
            await request
