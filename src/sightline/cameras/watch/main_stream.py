"""The main stream of a camera whose sub-stream is looked at: recorded as it comes, and never decoded."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import structlog

from sightline.cameras.problems import SourceProblem
from sightline.cameras.recording import Recorder
from sightline.cameras.sources import (
    HostAddresses,
    LookOptions,
    NotRecorded,
    Opened,
    SegmentWritten,
    SourceRequest,
    open_source,
)
from sightline.errors import PlatformError
from sightline.timing import Backoff

CHECK_EVERY_S = 1.0
GRACE_S = 5.0
STEADY_S = 30.0
"""A main stream that was recorded for so long is connected again at once when it is lost."""
RECONNECT = Backoff(first_s=1.0, max_s=60.0)

Log = structlog.stdlib.BoundLogger


class MainStream:
    """Connected while the recorder wants segments. A main stream that cannot be read costs its recording, not the looking."""

    def __init__(
        self,
        request: SourceRequest,
        options: LookOptions,
        recorder: Recorder,
        directory: Path,
        *,
        resolve: HostAddresses,
        on_opened: Callable[[Opened], None],
        log: Log,
    ) -> None:
        self._request = request
        self._options = replace(options, sends_looks=False, decodes=False)
        self._recorder = recorder
        self._directory = directory
        self._resolve = resolve
        self._on_opened = on_opened
        self._log = log
        self._opened_at: float | None = None

    async def run(self) -> None:
        failures = 0
        while True:
            if not self._recorder.wants_segments:
                await asyncio.sleep(CHECK_EVERY_S)
                continue
            problem = await self._record_once()
            if problem is None:
                failures = 0
                continue
            lived_s = 0.0 if self._opened_at is None else time.monotonic() - self._opened_at
            failures = 1 if lived_s > STEADY_S else failures + 1
            if (other_way := self._request.after(problem)) is not None:
                self._request = other_way
            else:
                self._recorder.miss_source(problem.what)
            self._log.warning("camera.not_recorded", reason=f"main stream: {problem.code}", failures=failures)
            await asyncio.sleep(RECONNECT.delay_s(failures))

    async def _record_once(self) -> SourceProblem | None:
        """Why the main stream was lost; None: the recorder wants no more."""
        self._opened_at = None
        try:
            await self._record()
        except SourceProblem as problem:
            return problem
        except PlatformError as error:
            self._log.warning("camera.watch_failed", error=error.message)
            return SourceProblem("watcher_failed")
        except Exception as error:  # the looking goes on, and the recording is tried again
            self._log.error("camera.watch_failed", error=type(error).__name__, exc_info=error)
            return SourceProblem("watcher_failed")
        return None

    async def _record(self) -> None:
        """Until the recorder wants no more."""
        patience_s = 2 * self._options.connect_timeout_s + GRACE_S
        async with open_source(
            self._request, self._options, directory=self._directory, resolve=self._resolve
        ) as process:
            await process.record(is_on=True)
            while self._recorder.wants_segments:
                try:
                    async with asyncio.timeout(patience_s):
                        message = await process.receive()
                except TimeoutError:
                    raise SourceProblem("stalled") from None
                patience_s = self._options.stall_timeout_s + GRACE_S
                match message:
                    case Opened():
                        self._opened_at = time.monotonic()
                        self._recorder.miss_source(None)
                        self._on_opened(message)
                    case SegmentWritten(segment=segment):
                        await self._recorder.keep(segment)
                    case NotRecorded(reason=reason):
                        self._log.warning("camera.not_recorded", reason=reason)
