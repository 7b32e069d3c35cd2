"""Runs services together, restarts what dies with backoff, stops them together, and knows how each of them is."""

import asyncio
import gc
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any, Literal, Protocol

import structlog
from prometheus_client import CollectorRegistry, Counter, Gauge

from sightline.errors import ConfigurationError
from sightline.timing import Backoff, Clock, iso_utc, utc_now

State = Literal["starting", "running", "restarting", "stopping", "stopped", "failed"]
STEADY_AFTER_S = 60.0

log = structlog.get_logger(__name__)


def calm_collector() -> None:
    """Lets the collector of cycles look less often. By default it does so every 700 new objects, and one batch of rows
    from a queue is more than that, none of them in a cycle; a fifth of the time of a busy queue went there."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


class Service(Protocol):
    """Something that runs until told to stop."""

    @property
    def name(self) -> str: ...

    async def run(self, stop: asyncio.Event, ready: Callable[[], None]) -> None:
        """Works until `stop` is set, having called `ready` once it can be used. To return or raise before is to die."""


@dataclass(slots=True)
class ServiceStatus:
    name: str
    state: State
    since: datetime
    restarts: int = 0
    last_error: str | None = None

    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {"since": iso_utc(self.since)}


@dataclass(slots=True)
class _Running:
    service: Service
    status: ServiceStatus
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    ready: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[None] | None = None


class Supervisor:
    """Start services in the order in which they need each other; they are stopped the other way round."""

    def __init__(
        self,
        *,
        registry: CollectorRegistry | None = None,
        backoff: Backoff | None = None,
        grace_s: float = 4.5,
        clock: Clock = utc_now,
        changed: Callable[[list[ServiceStatus]], None] | None = None,
    ) -> None:
        self._backoff = backoff or Backoff(first_s=0.5, most_s=30.0)
        self._grace_s = grace_s
        self._clock = clock
        self._changed = changed
        self._running: list[_Running] = []
        self._asked_to_stop = asyncio.Event()
        self._fatal: BaseException | None = None
        self._deadline: float | None = None
        self._restarts = Counter(
            "sightline_service_restarts_total", "Services brought back.", ["service"], registry=registry
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

    def request_stop(self) -> None:
        self._asked_to_stop.set()

    async def wait(self) -> None:
        """Until a stop is asked for, or a service found a reason why nothing may run on."""
        await self._asked_to_stop.wait()
        if self._fatal is not None:
            raise self._fatal

    async def stop(self, *, after: Service | None = None) -> None:
        """Stops everything that was started after the given service, last started first; without one, everything.

        The grace period counts from the first call, for all services together; what is left then is cancelled.
        """
        now = asyncio.get_running_loop().time()
        self._deadline = deadline = self._deadline or now + self._grace_s
        self._asked_to_stop.set()
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
                running.task.exception()  # told by `start` or `wait` already; unread, the loop would complain of it
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
                self._asked_to_stop.set()
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
            with suppress(TimeoutError):
                await asyncio.wait_for(running.stop.wait(), delay)

    async def _run_once(self, running: _Running) -> Exception:
        def ready() -> None:
            running.ready.set()
            self._set(running, "running")

        try:
            await running.service.run(running.stop, ready)
        except Exception as error:
            return error
        return RuntimeError(f"{running.service.name} ended by itself")

    def _set(self, running: _Running, state: State, error: BaseException | None = None) -> None:
        status = running.status
        if error is not None:
            status.last_error = str(error) or type(error).__name__
        if status.state != state:
            status.state, status.since = state, self._clock()
        self._up.labels(status.name).set(state == "running")
        if self._changed is not None:
            self._changed(self.statuses)
