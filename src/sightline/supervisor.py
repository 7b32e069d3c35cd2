"""Services and their supervisor: runs them together, restarts the ones that die, stops them in order, reports their state."""

import asyncio
import gc
import random
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, Protocol

import asyncpg
import structlog
from prometheus_client import CollectorRegistry, Counter, Gauge

from sightline.errors import ConfigurationError, TransientFailure
from sightline.timing import Backoff, Clock, is_set_within, iso_utc, utc_now

__all__ = [
    "OUTAGE_ERRORS",
    "Every",
    "NextRun",
    "Service",
    "ServiceStatus",
    "Supervisor",
    "collect_garbage_less_often",
    "start_without_collecting",
]

State = Literal["starting", "running", "restarting", "stopping", "stopped", "failed"]
STEADY_AFTER_S = 60.0
# Errors that an outage of a server explains; any other one is logged with its traceback.
OUTAGE_ERRORS = (TransientFailure, asyncpg.PostgresError, asyncpg.InterfaceError, OSError)

log = structlog.get_logger(__name__)


def start_without_collecting() -> None:
    """Until everything has started, nearly all new objects stay: modules, routes, models. Looking for garbage among them
    took a third of the time to start. `collect_garbage_less_often` is to be called after that."""
    gc.freeze()
    gc.set_threshold(1_000_000, 20, 20)


def collect_garbage_less_often() -> None:
    """Raises the thresholds of the garbage collector. By default it runs every 700 new objects, and one batch of rows
    from a queue is more than that, none of them in a cycle; that took a fifth of the time of a busy queue."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


class Service(Protocol):
    """A part of the process that runs until it is stopped."""

    @property
    def name(self) -> str: ...

    async def run(self, stop: asyncio.Event, ready: Callable[[], None]) -> None:
        """Works until `stop` is set, and calls `ready` once it can be used. To return or raise before is to die."""


@dataclass(frozen=True, slots=True)
class NextRun:
    """Returned by the work of `Every` to choose when it runs next; 0 means at once."""

    in_s: float


class Every:
    """The periodic service: runs `work` at once and then every `seconds`, until it is stopped.

    An error never ends it, unless it is a `ConfigurationError`. The first error of an outage is logged as `<name>.failed`; the
    work is tried again with backoff, and `<name>.resumed` is logged when it succeeds. Stopping interrupts a pause at once,
    while a run in progress is completed.
    """

    def __init__(
        self,
        name: str,
        seconds: float,
        work: Callable[[], Awaitable[object]],
        *,
        jitter: float = 0.05,
        chance: Callable[[], float] = random.random,
        backoff: Backoff | None = None,
        wake_on: Callable[[Callable[[], None]], AbstractContextManager[object]] | None = None,
    ) -> None:
        """Pauses are spread by ±`jitter`; `chance` gives a number in [0, 1). `wake_on` is given a function that ends the
        pause, for the time in which the service runs: `lambda wake: listener.subscribe(channel, lambda _: wake())`."""
        self.name = name
        self._seconds = seconds
        self._work = work
        self._jitter = jitter
        self._chance = chance
        self._backoff = backoff or Backoff(first_s=0.5, max_s=30.0)
        self._wake_on = wake_on
        event = name.replace("-", "_").replace(":", ".")
        self._failed_event, self._resumed_event = f"{event}.failed", f"{event}.resumed"

    async def run(self, stop: asyncio.Event, ready: Callable[[], None]) -> None:
        wake = asyncio.Event()
        failures = 0
        with self._wake_on(wake.set) if self._wake_on else nullcontext():
            ready()
            while not stop.is_set():
                wake.clear()
                try:
                    pause_s = self._pause_s(await self._work())
                except ConfigurationError:
                    raise
                except Exception as error:  # a periodic service outlives any error of its work
                    failures += 1
                    pause_s = self._backoff.delay_s(failures, self._chance)
                    self._log_first(failures, error, pause_s)
                    await _first_set(pause_s, stop)  # news of more to do does not end an outage
                    continue
                if failures:
                    log.info(self._resumed_event, failures=failures)
                    failures = 0
                if pause_s > 0:
                    await _first_set(pause_s, stop, wake)

    def _pause_s(self, result: object) -> float:
        if isinstance(result, NextRun):
            return result.in_s
        return self._seconds * (1 - self._jitter + 2 * self._jitter * self._chance())

    def _log_first(self, failures: int, error: Exception, pause_s: float) -> None:
        if failures > 1:
            return
        is_outage = isinstance(error, OUTAGE_ERRORS)
        log.warning(
            self._failed_event,
            error=str(error) or type(error).__name__,
            retry_in_s=round(pause_s, 2),
            exc_info=None if is_outage else error,
        )


async def _first_set(timeout_s: float, *events: asyncio.Event) -> None:
    """Returns when one of the events is set or the time is over."""
    if len(events) == 1:
        await is_set_within(events[0], timeout_s)
        return
    waits = [asyncio.create_task(event.wait()) for event in events]
    try:
        await asyncio.wait(waits, timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in waits:
            task.cancel()


@dataclass(slots=True)
class ServiceStatus:
    name: str
    state: State
    since: datetime
    restarts: int = 0
    last_error: str | None = None

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "state": self.state,
            "since": iso_utc(self.since),
            "restarts": self.restarts,
            "last_error": self.last_error,
        }


@dataclass(slots=True)
class _Running:
    service: Service
    status: ServiceStatus
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    ready: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[None] | None = None


class Supervisor:
    """Services are started in the order in which they need each other, and stopped in the reverse order."""

    def __init__(
        self,
        *,
        registry: CollectorRegistry | None = None,
        backoff: Backoff | None = None,
        grace_s: float = 4.5,
        clock: Clock = utc_now,
        changed: Callable[[list[ServiceStatus]], None] | None = None,
    ) -> None:
        self._backoff = backoff or Backoff(first_s=0.5, max_s=30.0)
        self._grace_s = grace_s
        self._clock = clock
        self._changed = changed
        self._running: list[_Running] = []
        self._stop_requested = asyncio.Event()
        self._fatal: BaseException | None = None
        self._deadline: float | None = None
        self._restarts = Counter(
            "sightline_service_restarts_total", "Services restarted after they died.", ["service"], registry=registry
        )
        self._up = Gauge("sightline_service_up", "Whether a service is running.", ["service"], registry=registry)

    @property
    def statuses(self) -> list[ServiceStatus]:
        return [running.status for running in self._running]

    async def start(self, service: Service) -> None:
        """Returns when the service is ready. An error before it was ready for the first time is raised here."""
        running = _Running(service, ServiceStatus(service.name, "starting", self._clock()))
        self._running.append(running)
        running.task = asyncio.create_task(self._keep_running(running), name=f"service:{service.name}")
        first_ready = asyncio.create_task(running.ready.wait())
        try:
            await asyncio.wait((running.task, first_ready), return_when=asyncio.FIRST_COMPLETED)
        finally:
            first_ready.cancel()
        if running.task.done() and not running.ready.is_set() and (error := running.task.exception()):
            raise error

    @property
    def stop_requested(self) -> asyncio.Event:
        """Set when the process has to stop."""
        return self._stop_requested

    def request_stop(self) -> None:
        self._stop_requested.set()

    async def wait(self) -> None:
        """Returns when a stop is requested; raises the error of a service after which the process must end."""
        await self._stop_requested.wait()
        if self._fatal is not None:
            raise self._fatal

    async def stop(self, *, after: Service | None = None) -> None:
        """Stops everything that was started after the given service, last started first; without one, everything.

        The grace period counts from the first call, for all services together; what is left then is cancelled.
        """
        now = asyncio.get_running_loop().time()
        self._deadline = deadline = self._deadline or now + self._grace_s
        self._stop_requested.set()
        for running in reversed(self._running):
            if running.service is after:
                break
            if running.task is None or running.status.state == "stopped":
                continue
            if not running.task.done():
                self._set(running, "stopping")
            running.stop.set()
            left = max(0.1, deadline - asyncio.get_running_loop().time())
            await asyncio.wait((running.task,), timeout=left)
            if not running.task.done():
                log.warning("service.cancelled", service=running.service.name)
                running.task.cancel()
                await asyncio.wait((running.task,), timeout=1.0)
            if not running.task.cancelled() and running.task.done():
                running.task.exception()  # `start` or `wait` raised it already; unread, the loop would log it
            self._set(running, "stopped")

    async def _keep_running(self, running: _Running) -> None:
        loop = asyncio.get_running_loop()
        failures = 0
        while not running.stop.is_set():
            started = loop.time()
            error = await self._run_once(running)
            if running.stop.is_set():
                return
            if isinstance(error, ConfigurationError) or not running.ready.is_set():
                self._fatal = error
                self._set(running, "failed", error)
                self._stop_requested.set()
                raise error
            failures = 1 if loop.time() - started > STEADY_AFTER_S else failures + 1
            delay = self._backoff.delay_s(failures)
            running.status.restarts += 1
            self._restarts.labels(running.service.name).inc()
            self._set(running, "restarting", error)
            log.error(
                "service.died",
                service=running.service.name,
                error=str(error),
                again_in_s=round(delay, 2),
                exc_info=error,
            )
            await is_set_within(running.stop, delay)

    async def _run_once(self, running: _Running) -> Exception:
        def ready() -> None:
            running.ready.set()
            self._set(running, "running")

        try:
            await running.service.run(running.stop, ready)
        except Exception as error:
            return error
        return RuntimeError(f"{running.service.name} returned before it was stopped")

    def _set(self, running: _Running, state: State, error: BaseException | None = None) -> None:
        status = running.status
        if error is not None:
            status.last_error = str(error) or type(error).__name__
        if status.state != state:
            status.state, status.since = state, self._clock()
        self._up.labels(status.name).set(state == "running")
        if self._changed is not None:
            self._changed(self.statuses)
