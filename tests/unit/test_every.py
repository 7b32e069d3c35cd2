"""The periodic service: one pause, one outage policy, one way to be woken and stopped."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

import asyncpg
import pytest
from structlog.testing import capture_logs

from sightline.errors import BackendUnavailable, ConfigurationError
from sightline.supervisor import Every, NextRun, Supervisor
from sightline.timing import Backoff
from support.leaping_loop import LeapingLoop
from support.waiting import soon

HOUR_S = 3600.0


def run_until(work_done: Callable[[asyncio.Event], Every]) -> float:
    """Runs a service whose work stops it, on a clock that leaps; returns how many seconds passed."""

    async def go() -> None:
        stop = asyncio.Event()
        await work_done(stop).run(stop, lambda: None)

    with asyncio.Runner(loop_factory=LeapingLoop) as runner:
        runner.run(go())
        return runner.get_loop().time()


def scripted(stop: asyncio.Event, *outcomes: object) -> Callable[[], Awaitable[object]]:
    """Work that raises the errors among the outcomes and returns the rest, and stops the service with the last one."""
    left = list(outcomes)

    async def work() -> object:
        outcome = left.pop(0)
        if not left:
            stop.set()
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    return work


def test_the_work_runs_at_once_and_then_every_so_many_seconds():
    assert run_until(lambda stop: Every("tidy", HOUR_S, scripted(stop, 1, 2, 3), jitter=0)) == 2 * HOUR_S


@pytest.mark.parametrize(("chance", "seconds"), [(0.0, 90.0), (0.5, 100.0)])
def test_chance_spreads_the_pauses(chance: float, seconds: float):
    assert (
        run_until(lambda stop: Every("tidy", 100, scripted(stop, 1, 2), jitter=0.1, chance=lambda: chance)) == seconds
    )


def test_the_work_can_choose_when_it_runs_next():
    outcomes = (NextRun(0), NextRun(7), 1, 1)
    assert run_until(lambda stop: Every("tidy", 100, scripted(stop, *outcomes), jitter=0)) == 107


@pytest.mark.parametrize(
    "error",
    [BackendUnavailable("database", "gone"), asyncpg.AdminShutdownError("bye"), OSError("reset"), ValueError("x")],
)
def test_an_outage_is_logged_once_backs_off_and_ends_with_the_next_success(error: Exception):
    backoff = Backoff(first_s=1, max_s=10, jitter=0)
    outcomes = (error, error, error, 1, error, 1, 1)
    with capture_logs() as lines:
        passed = run_until(lambda stop: Every("job-watch", 100, scripted(stop, *outcomes), jitter=0, backoff=backoff))
    assert passed == (1 + 2 + 4) + 100 + 1 + 100
    events = [(line["event"], line.get("failures"), line.get("retry_in_s")) for line in lines]
    failed = ("job_watch.failed", None, 1)
    assert events == [failed, ("job_watch.resumed", 3, None), failed, ("job_watch.resumed", 1, None)]


def test_only_an_error_that_no_outage_explains_is_logged_with_its_traceback():
    def logged(error: Exception) -> object:
        with capture_logs() as lines:
            run_until(lambda stop: Every("tidy", 1, scripted(stop, error, 1)))
        return lines[0]["exc_info"]

    bug = KeyError("name")
    assert logged(bug) is bug
    assert logged(OSError("reset")) is None


async def test_a_configuration_error_ends_the_process():
    async def work() -> None:
        raise ConfigurationError("the bucket is gone")

    supervisor = Supervisor()
    await supervisor.start(Every("tidy", 1, work))
    with pytest.raises(ConfigurationError, match="the bucket is gone"):
        await soon(supervisor.wait())
    await supervisor.stop()


async def test_stopping_ends_a_pause_at_once():
    runs = 0

    async def work() -> None:
        nonlocal runs
        runs += 1

    supervisor = Supervisor()
    await supervisor.start(Every("tidy", HOUR_S, work))
    await soon(supervisor.stop())
    assert (runs, supervisor.statuses[0].state) == (1, "stopped")


async def test_stopping_ends_the_pause_of_an_outage_at_once():
    failed = asyncio.Event()

    async def work() -> None:
        failed.set()
        raise OSError("reset")

    supervisor = Supervisor()
    await supervisor.start(Every("tidy", 1, work, backoff=Backoff(first_s=HOUR_S, max_s=HOUR_S)))
    await soon(failed.wait())
    await soon(supervisor.stop())
    assert supervisor.statuses[0].state == "stopped"


class Alarm:
    def __init__(self) -> None:
        self.ring: Callable[[], None] | None = None

    @contextmanager
    def __call__(self, wake: Callable[[], None]) -> Iterator[None]:
        self.ring = wake
        try:
            yield
        finally:
            self.ring = None


async def test_a_wake_up_ends_the_pause_and_is_unsubscribed_with_the_service():
    alarm, ran, stop = Alarm(), asyncio.Queue[int](), asyncio.Event()

    async def work() -> None:
        ran.put_nowait(1)

    running = asyncio.create_task(Every("tidy", HOUR_S, work, wake_on=alarm).run(stop, lambda: None))
    for _ in range(3):
        await soon(ran.get())
        assert alarm.ring is not None
        alarm.ring()
    await soon(ran.get())
    stop.set()
    await soon(running)
    assert alarm.ring is None


async def test_a_wake_up_during_the_work_is_not_lost():
    alarm, ran, stop = Alarm(), 0, asyncio.Event()

    async def work() -> None:
        nonlocal ran
        ran += 1
        if ran == 1:
            assert alarm.ring is not None
            alarm.ring()
        else:
            stop.set()

    await soon(Every("tidy", HOUR_S, work, wake_on=alarm).run(stop, lambda: None))
    assert ran == 2


def test_a_wake_up_does_not_shorten_the_pause_of_an_outage():
    alarm = Alarm()

    def service(stop: asyncio.Event) -> Every:
        inner = scripted(stop, OSError("reset"), 1)

        async def work() -> object:
            assert alarm.ring is not None
            asyncio.get_running_loop().call_later(1, alarm.ring)
            return await inner()

        return Every("tidy", 1, work, backoff=Backoff(first_s=50, max_s=50, jitter=0), wake_on=alarm)

    assert run_until(service) == 50
