"""A long-lived child process that serves requests one after the other: a model that is loaded once, and asked many times.

It is the process of `open_process`, with one result for each request. Requests of different sources take turns, so that a busy
source delays no other for longer than one request. A process that dies is started again for the next request.
"""

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import structlog

from sightline.errors import PermanentFailure, TransientFailure
from sightline.jobs.confinement import Sandbox
from sightline.jobs.open_process import OpenProcess, open_process
from sightline.jobs.process import ProcessCrashed
from sightline.jobs.process_channel import ChildChannel
from sightline.jobs.process_limits import ProcessLimits, limit_behind

Handler = Callable[[dict[str, Any], memoryview], dict[str, Any]]
"""Serves one request in the child: takes what it says and its bytes, returns a result as JSON."""
Buffer = bytes | bytearray | memoryview

REQUEST, READY, RESULT, REFUSED, BROKEN = "request", "ready", "result", "refused", "broken"
"""The kinds of messages; a child that is broken ends."""
RESTART_DELAYS_S = (0.0, 1.0, 5.0, 15.0, 60.0)
"""After each start that failed; a process that has served a request begins anew."""
MAX_URGENT_IN_ROW = 3
"""Urgent requests that go before an older one; then that one is served."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceSpec:
    """What the child does. `opener`, `module:function` at module level, takes the argument and returns the `Handler`; it raises
    a `PermanentFailure` for an argument that can never work."""

    name: str
    opener: str
    argument: Mapping[str, Any]
    sandbox: Sandbox
    limits: ProcessLimits
    request_timeout_s: float = 60.0
    start_timeout_s: float = 120.0


@dataclass(slots=True)
class _WaitingRequest:
    header: dict[str, Any]
    content: Buffer
    answer: asyncio.Future[dict[str, Any]]
    is_urgent: bool = False


class ServedProcess:
    """Use `open_served_process`. The process starts with the first request."""

    def __init__(self, spec: ServiceSpec) -> None:
        self._spec = spec
        self._waiting: OrderedDict[str, deque[_WaitingRequest]] = OrderedDict()
        self._has_request = asyncio.Event()
        self._current: _WaitingRequest | None = None
        self._urgent_in_row = 0
        self._failed_starts = 0
        self._next_start = 0.0
        self.starts = 0
        """How often the process was started."""
        self.start_failure: Exception | None = None
        """Why the last start failed; None if it did not."""

    @property
    def queued(self) -> int:
        return sum(map(len, self._waiting.values()))

    async def request(
        self, header: dict[str, Any], content: Buffer = b"", *, source: str = "", is_urgent: bool = False
    ) -> dict[str, Any]:
        """The handler's result. `source` names who asks; sources take turns, those with an urgent request before the others.

        A request that is cancelled while it waits is never sent. Raises `PermanentFailure` when the child cannot start or refuses
        the request, `TransientFailure` when it died or took too long.
        """
        if self.start_failure is not None and asyncio.get_running_loop().time() < self._next_start:
            raise self.start_failure
        request = _WaitingRequest(header, content, asyncio.get_running_loop().create_future(), is_urgent)
        self._waiting.setdefault(source, deque()).append(request)
        self._has_request.set()
        return await request.answer

    async def run(self) -> None:
        """Serves requests until it is cancelled."""
        request = await self._next()
        while True:
            try:
                async with self._child() as process:
                    while (
                        await process.is_open()
                    ):  # else it ended between two requests, and the next one starts it again
                        await self._serve(process, request)
                        request = await self._next()
            except Exception as error:
                log.warning("served_process.ended", process=self._spec.name, error=str(error))
                _fail(request, error)
                if error is self.start_failure:
                    self._fail_waiting(error)
                request = await self._next()

    def close(self) -> None:
        """Fails the requests that run or wait."""
        failure = TransientFailure(f"{self._spec.name} was stopped")
        if self._current is not None:
            _fail(self._current, failure)
        self._fail_waiting(failure)

    def _fail_waiting(self, error: Exception) -> None:
        while (request := self._pop()) is not None:
            _fail(request, error)

    async def _next(self) -> _WaitingRequest:
        while (request := self._pop()) is None:
            self._has_request.clear()
            await self._has_request.wait()
        self._current = request
        return request

    def _pop(self) -> _WaitingRequest | None:
        """The oldest request of the source whose turn it is."""
        while self._waiting:
            source = self._turn()
            requests = self._waiting.pop(source)
            request = requests.popleft()
            if requests:
                self._waiting[source] = requests  # behind the other sources
            if not request.answer.done():  # cancelled while it waited
                return request
        return None

    def _turn(self) -> str:
        """The source that was served longest ago, unless another one is urgent."""
        longest_ago = next(iter(self._waiting))
        urgent = next((source for source, requests in self._waiting.items() if requests[0].is_urgent), longest_ago)
        if urgent == longest_ago or self._urgent_in_row >= MAX_URGENT_IN_ROW:
            self._urgent_in_row = 0
            return longest_ago
        self._urgent_in_row += 1
        return urgent

    async def _serve(self, process: OpenProcess, request: _WaitingRequest) -> None:
        try:
            async with asyncio.timeout(self._spec.request_timeout_s):
                await process.send(REQUEST, request.header, request.content)
                message = await process.receive()
        except TimeoutError:
            seconds = self._spec.request_timeout_s
            raise TransientFailure(f"{self._spec.name} did not answer within {seconds:g} s and was restarted") from None
        self._failed_starts = 0
        match message.kind, message.fields:
            case (kind, result) if kind == RESULT:
                if not request.answer.done():
                    request.answer.set_result(result)
            case (kind, {"message": str() as text}) if kind == REFUSED:
                _fail(request, PermanentFailure(text))
            case (kind, {"message": str() as text}) if kind == BROKEN:
                raise TransientFailure(text)
            case _:
                raise ProcessCrashed(f"{self._spec.name} sent an answer that cannot be read")

    @asynccontextmanager
    async def _child(self) -> AsyncIterator[OpenProcess]:
        """A started process. Its end ends the block with its reason."""
        spec = self._spec
        await asyncio.sleep(max(0.0, self._next_start - asyncio.get_running_loop().time()))
        self.starts += 1
        argument = {"opener": spec.opener, "argument": dict(spec.argument)}
        async with open_process(serve_in_child, argument, limits=spec.limits, sandbox=spec.sandbox) as process:
            await self._started(process)
            yield process

    async def _started(self, process: OpenProcess) -> None:
        try:
            async with asyncio.timeout(self._spec.start_timeout_s):
                message = await process.receive()
            match message.kind, message.fields:
                case (kind, _) if kind == READY:
                    self.start_failure = None
                    log.info("served_process.started", process=self._spec.name, starts=self.starts)
                    return
                case (kind, {"message": str() as text}) if kind == REFUSED:
                    raise PermanentFailure(text)
            raise ProcessCrashed(f"{self._spec.name} sent an answer that cannot be read")
        except Exception as error:
            failure = TransientFailure(f"{self._spec.name} did not start in time") if _is_late(error) else error
            self._failed_starts = min(self._failed_starts + 1, len(RESTART_DELAYS_S) - 1)
            self._next_start = asyncio.get_running_loop().time() + RESTART_DELAYS_S[self._failed_starts]
            self.start_failure = failure
            raise failure from None


@asynccontextmanager
async def open_served_process(spec: ServiceSpec) -> AsyncIterator[ServedProcess]:
    """The process ends with the block."""
    served = ServedProcess(spec)
    running = asyncio.create_task(served.run())
    try:
        yield served
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        served.close()


def serve_in_child(argument: dict[str, Any], channel: ChildChannel) -> None:
    """Sandboxed work: opens the service and serves requests until the channel is closed."""
    module, _, name = str(argument["opener"]).partition(":")
    try:
        handler: Handler = getattr(import_module(module), name)(argument["argument"])
    except PermanentFailure as error:
        channel.send(REFUSED, {"message": error.message})
        return
    channel.send(READY)
    while (request := channel.receive()) is not None:
        try:
            channel.send(RESULT, handler(request.fields, memoryview(request.content)))
        except PermanentFailure as error:
            channel.send(REFUSED, {"message": error.message})
        except Exception as error:
            if limit_behind(error) is not None:
                raise
            channel.send(BROKEN, {"message": f"{type(error).__name__}: {error}"})
            return


def _fail(request: _WaitingRequest, error: Exception) -> None:
    if not request.answer.done():
        request.answer.set_exception(error)


def _is_late(error: Exception) -> bool:
    return isinstance(error, TimeoutError)
