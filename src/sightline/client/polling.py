"""Waiting for work of the platform."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from sightline.client.api_client import Sleep
from sightline.client.failures import StillProcessing
from sightline.timing import Backoff

T = TypeVar("T")

LOOKS = Backoff(first_s=0.2, max_s=2.0)


async def poll(look: Callable[[], Awaitable[T | None]], *, timeout_s: float | None, sleep: Sleep, what: str) -> T:
    """Looks until there is a result, soon at first and then every two seconds."""
    count = 0
    try:
        async with asyncio.timeout(timeout_s):
            while (found := await look()) is None:
                count += 1
                await sleep(LOOKS.delay_s(count))
    except TimeoutError as error:
        raise StillProcessing(f"{what} is still being processed after {timeout_s:g} s") from error
    return found
