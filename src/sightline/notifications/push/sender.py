"""Hands notifications over: in a rate, in several tries, and not at all while a way is known to be broken."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta
from typing import Protocol, TypeVar

import structlog

from sightline.errors import BackendUnavailable, ConfigurationError, PermanentFailure, Throttled, is_retryable
from sightline.notifications.push.breaker import CircuitBreaker, CircuitOpen
from sightline.notifications.push.channel import Push, PushChannel
from sightline.notifications.push.rate import Rate
from sightline.notifications.push.settings import PushSettings
from sightline.timing import Backoff

LONGEST_PATIENCE_S = 5.0
WAYS_REMEMBERED = 1000

log = structlog.get_logger(__name__)

Sleep = Callable[[float], Awaitable[object]]
Kept = TypeVar("Kept")


class PutOff(Throttled):
    """Not now, and through no fault of the notification's: to be tried again after `retry_after`."""


class Watcher(Protocol):
    """Told of each try."""

    def tried(self, channel: str, outcome: str, seconds: float) -> None: ...
    def breaker(self, channel: str, state: str) -> None: ...


class Pusher:
    def __init__(
        self,
        channels: Mapping[str, PushChannel],
        settings: PushSettings,
        *,
        watcher: Watcher | None = None,
        sleep: Sleep = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self._channels = channels
        self._settings = settings
        self._watcher = watcher
        self._sleep = sleep
        self._clock = clock
        self._chance = chance
        self._backoff = Backoff(first_s=settings.retry_first_s, max_s=60.0)
        self._breakers: dict[str, CircuitBreaker] = {}
        self._rates: dict[str, Rate] = {}

    @property
    def longest_s(self) -> float:
        """That handing one over takes, waits included."""
        waits: float = sum(self._settings.retry_first_s * 1.2 * 2**n for n in range(self._settings.tries - 1))
        return self._settings.tries * (self._settings.send_timeout_s + LONGEST_PATIENCE_S) + waits

    async def push(self, channel_name: str, push: Push, *, is_repetition: bool = False) -> str:
        """The id on the other side. Raises `PutOff` where waiting is right, other errors where it failed."""
        channel = self._channels.get(channel_name)
        if channel is None:
            raise PermanentFailure(f"there is no channel {channel_name!r}")
        if is_repetition and (found := await self._find(channel, push)) is not None:
            log.info("notification.found", channel=channel.name, notification_id=found)
            return found
        way = channel.way(push)
        breaker = self._breaker(way)
        for attempt in range(1, self._settings.tries + 1):
            await self._keep_rate(channel.name, way)
            try:
                return await self._try(channel, push, breaker)
            except CircuitOpen as error:
                raise PutOff(error.message, retry_after=error.retry_after) from error
            except Throttled as error:
                if error.retry_after.total_seconds() > LONGEST_PATIENCE_S:
                    raise PutOff(error.message, retry_after=error.retry_after) from error
                await self._wait_or_raise(attempt, error, error.retry_after.total_seconds())
            except Exception as error:
                if not is_retryable(error):
                    raise
                await self._wait_or_raise(attempt, error, 0.0)
        raise AssertionError("the last try returns or raises")

    async def _wait_or_raise(self, attempt: int, error: Exception, least_s: float) -> None:
        if attempt == self._settings.tries:
            raise error
        await self._sleep(max(self._backoff.delay_s(attempt, self._chance), least_s))

    async def _try(self, channel: PushChannel, push: Push, breaker: CircuitBreaker) -> str:
        try:
            breaker.enter()
        except CircuitOpen:
            self._tell(channel, breaker, "refused", 0.0)
            raise
        started = self._clock()
        try:
            async with asyncio.timeout(self._settings.send_timeout_s):
                found = await channel.send(push)
        except asyncio.CancelledError:
            breaker.withdrawn()
            raise
        except Exception as error:
            error = self._named(channel, error)
            if not is_retryable(error):
                breaker.withdrawn()
            elif isinstance(error, Throttled):
                breaker.withdrawn()  # the way works; it is us who are too fast
            else:
                breaker.failed()
            outcome = "retry" if is_retryable(error) else "failed"
            self._tell(channel, breaker, outcome, self._clock() - started)
            log.warning("notification.failed", channel=channel.name, outcome=outcome, error=str(error))
            raise error from error.__cause__
        breaker.succeeded()
        self._tell(channel, breaker, "sent", self._clock() - started)
        return found

    async def _find(self, channel: PushChannel, push: Push) -> str | None:
        try:
            async with asyncio.timeout(self._settings.send_timeout_s):
                return await channel.find(push)
        except TimeoutError:
            return None

    async def _keep_rate(self, channel: str, way: str) -> None:
        rate = self._rates.get(way)
        if rate is None:
            rate = _remember(self._rates, way, Rate(self._per_minute(channel), clock=self._clock))
        while (wait_s := rate.wait_s()) > 0:
            if wait_s > LONGEST_PATIENCE_S:
                raise PutOff(f"{way} is used as often as it may be", retry_after=timedelta(seconds=wait_s))
            await self._sleep(wait_s)

    def _per_minute(self, channel: str) -> int:
        per_minute = {
            "ntfy": self._settings.ntfy_per_minute,
            "webhook": self._settings.webhook_per_minute,
            "email": self._settings.email_per_minute,
        }
        return per_minute.get(channel, 0)

    def _breaker(self, way: str) -> CircuitBreaker:
        found = self._breakers.get(way)
        if found is None:
            made = CircuitBreaker(
                way,
                failures=self._settings.breaker_failures,
                open_s=self._settings.breaker_open_s,
                clock=self._clock,
            )
            found = _remember(self._breakers, way, made)
        return found

    def _named(self, channel: PushChannel, error: Exception) -> Exception:
        if isinstance(error, TimeoutError):
            named = BackendUnavailable(
                channel.name, f"{channel.name} did not answer within {self._settings.send_timeout_s:g} s"
            )
            named.__cause__ = error
            return named
        if isinstance(error, ConfigurationError):
            return PermanentFailure(error.message)
        return error

    def _tell(self, channel: PushChannel, breaker: CircuitBreaker, outcome: str, seconds: float) -> None:
        if self._watcher is not None:
            self._watcher.tried(channel.name, outcome, seconds)
            self._watcher.breaker(channel.name, breaker.state)


def _remember(kept: dict[str, Kept], way: str, made: Kept) -> Kept:
    """Webhooks lead to as many hosts as people name; the oldest are forgotten."""
    if len(kept) >= WAYS_REMEMBERED:
        del kept[next(iter(kept))]
    kept[way] = made
    return made
