"""The notification sender: rate limits, retries, and a circuit breaker per destination."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta
from typing import Protocol, TypeVar

import structlog

from sightline.errors import BackendUnavailable, ConfigurationError, PermanentFailure, Throttled, is_retryable
from sightline.http import CircuitBreaker, CircuitOpen
from sightline.notifications.mail.sink_channel import is_kept_id
from sightline.notifications.push.channel import Notification, NotificationChannel
from sightline.notifications.push.rate import SendRate
from sightline.notifications.push.settings import PushSettings
from sightline.notifications.push.turns import Turns
from sightline.timing import Backoff

MAX_WAIT_IN_PLACE_S = 5.0
MAX_QUEUE_S = 30.0
MAX_DESTINATIONS = 1000

log = structlog.get_logger(__name__)

Sleep = Callable[[float], Awaitable[object]]
Entry = TypeVar("Entry")


class NotificationPostponed(Throttled):
    """The notification cannot be sent now; try again after `retry_after`."""


class SendObserver(Protocol):
    """Is notified of each attempt."""

    def tried(self, channel: str, outcome: str, seconds: float) -> None: ...
    def breaker(self, channel: str, state: str) -> None: ...


class NotificationSender:
    def __init__(
        self,
        channels: Mapping[str, NotificationChannel],
        settings: PushSettings,
        *,
        observer: SendObserver | None = None,
        sleep: Sleep = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self._channels = channels
        self._settings = settings
        self._observer = observer
        self._sleep = sleep
        self._clock = clock
        self._chance = chance
        self._backoff = Backoff(first_s=settings.retry_first_s, max_s=60.0)
        self._breakers: dict[str, CircuitBreaker] = {}
        self._rates: dict[str, SendRate] = {}
        self._turns: dict[str, Turns] = {}

    @property
    def max_duration_s(self) -> float:
        """The longest time that sending one notification takes, waits included."""
        waits: float = sum(self._settings.retry_first_s * 1.2 * 2**n for n in range(self._settings.tries - 1))
        in_place_s = MAX_QUEUE_S + MAX_WAIT_IN_PLACE_S
        return self._settings.tries * (self._settings.send_timeout_s + in_place_s) + waits

    async def send(self, channel_name: str, notification: Notification, *, is_repetition: bool = False) -> str:
        """Returns the provider's id. Raises `NotificationPostponed` if it should wait, another error if it failed."""
        channel = self._channels.get(channel_name)
        if channel is None:
            raise PermanentFailure(f"unknown channel {channel_name!r}")
        if is_repetition and (found := await self._find(channel, notification)) is not None:
            log.info("notification.found", channel=channel.name, notification_id=found)
            return found
        destination = channel.destination(notification)
        breaker = self._breaker(destination)
        for attempt in range(1, self._settings.tries + 1):
            await self._wait_for_rate(channel.name, destination, notification)
            try:
                return await self._try(channel, notification, breaker)
            except CircuitOpen as error:
                raise NotificationPostponed(error.message, retry_after=error.retry_after) from error
            except Throttled as error:
                if error.retry_after.total_seconds() > MAX_WAIT_IN_PLACE_S:
                    raise NotificationPostponed(error.message, retry_after=error.retry_after) from error
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

    async def _try(self, channel: NotificationChannel, notification: Notification, breaker: CircuitBreaker) -> str:
        try:
            breaker.enter()
        except CircuitOpen:
            self._report(channel, "refused", 0.0)
            raise
        started = self._clock()
        try:
            async with asyncio.timeout(self._settings.send_timeout_s):
                found = await channel.send(notification)
        except asyncio.CancelledError:
            breaker.withdrawn()
            raise
        except Exception as error:
            error = self._named(channel, error)
            if not is_retryable(error):
                breaker.withdrawn()
            elif isinstance(error, Throttled):
                breaker.withdrawn()  # the destination works; requests are too frequent
            else:
                breaker.failed()
            outcome = "retry" if is_retryable(error) else "failed"
            self._report(channel, outcome, self._clock() - started)
            log.warning("notification.failed", channel=channel.name, outcome=outcome, error=str(error))
            raise error from error.__cause__
        breaker.succeeded()
        self._report(channel, "kept" if is_kept_id(found) else "sent", self._clock() - started)
        return found

    async def _find(self, channel: NotificationChannel, notification: Notification) -> str | None:
        try:
            async with asyncio.timeout(self._settings.send_timeout_s):
                return await channel.find(notification)
        except TimeoutError:
            return None

    async def _wait_for_rate(self, channel: str, destination: str, notification: Notification) -> None:
        """Waits for a turn and for the rate. Hosts of webhooks have rates of their own; ntfy and email each have one server."""
        per_minute = self._per_minute(channel)
        if per_minute == 0:
            return
        limited = destination if channel == "webhook" else channel
        rate = self._rates.get(limited)
        if rate is None:
            rate = _remember(self._rates, limited, SendRate(per_minute, clock=self._clock))
        turns = self._turns.get(limited) or _remember(self._turns, limited, Turns())
        if not notification.is_alarm and (queue_s := turns.ahead(notification.lane) * 60 / per_minute) > MAX_QUEUE_S:
            raise NotificationPostponed(f"{limited} rate limit reached", retry_after=timedelta(seconds=queue_s))
        async with turns.turn(notification.lane, is_alarm=notification.is_alarm):
            while (wait_s := rate.wait_s()) > 0:
                if wait_s > MAX_WAIT_IN_PLACE_S:
                    raise NotificationPostponed(f"{limited} rate limit reached", retry_after=timedelta(seconds=wait_s))
                await self._sleep(wait_s)

    def _per_minute(self, channel: str) -> int:
        per_minute = {
            "ntfy": self._settings.ntfy_per_minute,
            "webhook": self._settings.webhook_per_minute,
            "email": self._settings.email_per_minute,
        }
        return per_minute.get(channel, 0)

    def _breaker(self, destination: str) -> CircuitBreaker:
        found = self._breakers.get(destination)
        if found is None:
            made = CircuitBreaker(
                destination,
                failures=self._settings.breaker_failures,
                open_s=self._settings.breaker_open_s,
                clock=self._clock,
            )
            found = _remember(self._breakers, destination, made)
        return found

    def _named(self, channel: NotificationChannel, error: Exception) -> Exception:
        if isinstance(error, TimeoutError):
            named = BackendUnavailable(
                channel.name, f"{channel.name} did not respond within {self._settings.send_timeout_s:g} s"
            )
            named.__cause__ = error
            return named
        if isinstance(error, ConfigurationError):
            return PermanentFailure(error.message)
        return error

    def _report(self, channel: NotificationChannel, outcome: str, seconds: float) -> None:
        if self._observer is not None:
            self._observer.tried(channel.name, outcome, seconds)
            self._observer.breaker(channel.name, self._worst_state(channel.name))

    def _worst_state(self, channel: str) -> str:
        """The metric has one value per channel, and destinations are too many to be labels: the worst of them."""
        states: list[str] = [
            one.state for one in self._breakers.values() if one.destination.partition(" ")[0] == channel
        ]
        return max(states, key=("closed", "half_open", "open").index, default="closed")


def _remember(kept: dict[str, Entry], destination: str, made: Entry) -> Entry:
    """People may name any number of webhook hosts; the oldest entries are dropped."""
    if len(kept) >= MAX_DESTINATIONS:
        del kept[next(iter(kept))]
    kept[destination] = made
    return made
