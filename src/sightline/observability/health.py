"""Health checks: one per part, all run at the same time."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import structlog

Check = Callable[[], Awaitable[str | None]]
"""Returns if the part works, perhaps with a word on how; raises with the reason if not."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class PartHealth:
    part: str
    error: str | None
    milliseconds: float
    detail: str | None = None

    @property
    def is_healthy(self) -> bool:
        return self.error is None


class Health:
    def __init__(self, *, timeout_s: float = 3.0) -> None:
        self._checks: dict[str, Check] = {}
        self._timeout_s = timeout_s

    def add(self, part: str, check: Check) -> None:
        if part in self._checks:
            raise ValueError(f"{part} has a health check already")
        self._checks[part] = check

    async def check_all(self) -> list[PartHealth]:
        """The health of every part, in the order in which they were added. A check that takes too long has failed."""
        return list(await asyncio.gather(*(self._check(part, check) for part, check in self._checks.items())))

    async def _check(self, part: str, check: Check) -> PartHealth:
        loop = asyncio.get_running_loop()
        started = loop.time()
        error: str | None = None
        detail: str | None = None
        try:
            async with asyncio.timeout(self._timeout_s) as limit:
                detail = await check()
        except Exception as problem:
            error = str(problem) or type(problem).__name__
            if limit.expired():
                error = f"no response in {self._timeout_s:g} s"
        if error is not None:
            log.warning("health.check_failed", part=part, error=error)
        return PartHealth(part, error, round((loop.time() - started) * 1000, 1), detail)
