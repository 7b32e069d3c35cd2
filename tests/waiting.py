"""Waiting for a condition instead of sleeping and hoping."""

import asyncio
import time
from collections.abc import Awaitable, Callable


async def until(condition: Callable[[], bool | Awaitable[bool]], *, within_s: float = 10.0) -> None:
    """Returns as soon as the condition holds; fails the test when it does not within the time."""
    deadline = time.monotonic() + within_s
    while True:
        answer = condition()
        if await answer if isinstance(answer, Awaitable) else answer:
            return
        assert time.monotonic() < deadline, f"did not come true within {within_s} s: {condition}"
        await asyncio.sleep(0.01)
