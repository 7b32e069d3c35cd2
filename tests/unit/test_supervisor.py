"""The supervisor: restarts services that die, and stops all of them in order and in time."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from sightline.errors import ConfigurationError
from sightline.observability import create_registry, render
from sightline.supervisor import Supervisor
from sightline.timing import Backoff
from support.leaping_loop import LeapingLoop
from support.waiting import soon, until

FAST = Backoff(first_s=0.001, max_s=0.002)
Work = Callable[[asyncio.Event, Callable[[], None]], Awaitable[None]]


class Scripted:
    def __init__(self, name: str, work: Work) -> None:
        self.name = name
        self._work = work

    async def run(self, stop: asyncio.Event, ready: Callable[[], None]) -> None:
        await self._work(stop, ready)


async def _steady(stop: asyncio.Event, ready: Callable[[], None]) -> None:
    ready()
    await stop.wait()


async def test_a_service_that_dies_is_brought_back_and_counted():
    runs = 0

    async def dies_twice(stop: asyncio.Event, ready: Callable[[], None]) -> None:
        nonlocal runs
        runs += 1
        ready()
        if runs <= 2:
            raise OSError("the wire was cut")
        await stop.wait()

    registry = create_registry()
    supervisor = Supervisor(backoff=FAST, registry=registry)
    await supervisor.start(Scripted("fragile", dies_twice))
    await until(lambda: runs == 3 and supervisor.statuses[0].state == "running")
    assert supervisor.statuses[0].restarts == 2
    assert supervisor.statuses[0].last_error == "the wire was cut"
    assert b'sightline_service_restarts_total{service="fragile"} 2.0' in render(registry)
    await supervisor.stop()
    assert supervisor.statuses[0].state == "stopped"


async def test_a_service_that_returns_by_itself_is_brought_back_too():
    runs = 0

    async def returns_once(stop: asyncio.Event, ready: Callable[[], None]) -> None:
        nonlocal runs
        runs += 1
        ready()
        if runs > 1:
            await stop.wait()

    supervisor = Supervisor(backoff=FAST)
    await supervisor.start(Scripted("brief", returns_once))
    await until(lambda: runs == 2)
    await supervisor.stop()


async def test_an_error_before_it_was_ever_ready_is_raised_at_the_start():
    async def never_ready(_stop: asyncio.Event, _ready: Callable[[], None]) -> None:
        raise RuntimeError("no data directory")

    supervisor = Supervisor(backoff=FAST)
    with pytest.raises(RuntimeError, match="no data directory"):
        await supervisor.start(Scripted("broken", never_ready))
    assert supervisor.statuses[0].state == "failed"
    await supervisor.stop()


async def test_a_configuration_error_stops_everything_even_later():
    async def finds_out_late(_stop: asyncio.Event, ready: Callable[[], None]) -> None:
        ready()
        raise ConfigurationError("the bucket is gone")

    supervisor = Supervisor(backoff=FAST)
    await supervisor.start(Scripted("late", finds_out_late))
    with pytest.raises(ConfigurationError, match="the bucket is gone"):
        await soon(supervisor.wait())
    await supervisor.stop()


async def test_services_stop_in_the_reverse_order_of_their_start():
    stopped: list[str] = []

    def noting(name: str) -> Scripted:
        async def work(stop: asyncio.Event, ready: Callable[[], None]) -> None:
            ready()
            await stop.wait()
            stopped.append(name)

        return Scripted(name, work)

    supervisor = Supervisor()
    for name in ("postgres", "listener", "api"):
        await supervisor.start(noting(name))
    await supervisor.stop()
    assert stopped == ["api", "listener", "postgres"]


async def test_stopping_can_halt_above_a_service_that_others_still_need():
    supervisor = Supervisor()
    below, above = Scripted("below", _steady), Scripted("above", _steady)
    await supervisor.start(below)
    await supervisor.start(above)
    await supervisor.stop(after=below)
    assert [status.state for status in supervisor.statuses] == ["running", "stopped"]
    await supervisor.stop()
    assert [status.state for status in supervisor.statuses] == ["stopped", "stopped"]


def test_services_that_do_not_stop_are_cancelled_within_the_grace_of_all_together():
    async def deaf(_stop: asyncio.Event, ready: Callable[[], None]) -> None:
        ready()
        await asyncio.Event().wait()

    async def stop_them() -> Supervisor:
        supervisor = Supervisor(grace_s=100)
        for number in range(3):
            await supervisor.start(Scripted(f"deaf-{number}", deaf))
        await supervisor.stop()
        return supervisor

    with asyncio.Runner(loop_factory=LeapingLoop) as runner:
        supervisor = runner.run(stop_them())
        assert 100 <= runner.get_loop().time() < 101
    assert {status.state for status in supervisor.statuses} == {"stopped"}


async def test_each_change_is_reported():
    reported: list[list[str]] = []
    supervisor = Supervisor(changed=lambda statuses: reported.append([status.state for status in statuses]))
    await supervisor.start(Scripted("one", _steady))
    await supervisor.stop()
    assert reported == [["running"], ["stopping"], ["stopped"]]
