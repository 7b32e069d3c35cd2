"""Asking a platform over HTTP, as any client does: again while it cannot answer, its own words when it refuses."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import httpx

from sightline.errors import BackendUnavailable, Conflict, InvalidInput, NotAuthenticated
from sightline.timing import Backoff

TRIES = 6

Sleep = Callable[[float], Awaitable[object]]


class ApiClient:
    def __init__(
        self, http: httpx.AsyncClient, *, backoff: Backoff | None = None, sleep: Sleep = asyncio.sleep
    ) -> None:
        self.http = http
        self._backoff = backoff or Backoff(first_s=0.5, max_s=20.0)
        self._sleep = sleep

    async def ask(self, method: str, path: str, **options: Any) -> Any:
        """The answer's JSON; None if it has none."""
        for attempt in range(1, TRIES + 1):
            try:
                answer = await self.http.request(method, path, **options)
            except httpx.TransportError as error:
                reason = str(error) or type(error).__name__
            else:
                if answer.status_code < 400:
                    return answer.json() if answer.content else None
                reason = _message(answer)
                if answer.status_code == 401:
                    raise NotAuthenticated(f"the server does not know you: {reason}; give --token or SIGHTLINE_TOKEN")
                if answer.status_code == 409:
                    raise Conflict(reason)
                if answer.status_code < 500 and answer.status_code != 429:
                    raise InvalidInput(reason)
            if attempt < TRIES:
                await self.wait(attempt)
        raise BackendUnavailable("api", f"the server at {self.http.base_url} does not answer: {reason}")

    async def wait(self, attempt: int) -> None:
        await self._sleep(self._backoff.delay_s(attempt))


def _message(answer: httpx.Response) -> str:
    try:
        return str(answer.json()["error"]["message"])
    except (ValueError, KeyError, TypeError):
        return f"{answer.status_code} {answer.text[:200]}"
