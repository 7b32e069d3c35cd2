"""Clock and backoff: the only sources of time and randomness, so that tests can pass their own."""

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

__all__ = ["Backoff", "Clock", "is_set_within", "iso_utc", "utc_now"]

Clock = Callable[[], datetime]
"""Returns the current time, aware, in UTC."""


def utc_now() -> datetime:
    return datetime.now(UTC)


def iso_utc(moment: datetime) -> str:
    """ISO 8601 with milliseconds and Z, the one form in which JSON shows a time (row 305)."""
    if moment.tzinfo is None:
        raise ValueError(f"{moment!r} has no time zone")
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@dataclass(frozen=True, slots=True)
class Backoff:
    """Delays that double from `first_s` up to `max_s`, each spread by ±`jitter` so that clients do not retry at the same moment."""

    first_s: float = 0.5
    max_s: float = 30.0
    jitter: float = 0.2

    def delay_s(self, failures: int, chance: Callable[[], float] = random.random) -> float:
        """Seconds to wait after this many failures in a row (1 is the first); `chance` returns a number in [0, 1)."""
        exponent = min(max(failures, 1) - 1, 62)  # beyond this the float overflows long after `max_s` is reached
        base = min(self.first_s * 2.0**exponent, self.max_s)
        return base * (1 - self.jitter + 2 * self.jitter * chance())


async def is_set_within(event: asyncio.Event, seconds: float) -> bool:
    """Waits for the event; False when the time is over.

    Not by `asyncio.wait_for`: that of Python 3.11 forgets a cancellation that comes at the moment the event is set, and the
    cancelled task goes on.
    """
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return False
    return True
