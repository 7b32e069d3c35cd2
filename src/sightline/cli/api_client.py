"""HTTP client of the platform's API: retries while the server is unavailable, and raises its error messages."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import httpx

from sightline.errors import BackendUnavailable, Conflict, InvalidInput, NotAuthenticated, PermanentFailure
from sightline.timing import Backoff

MAX_ATTEMPTS = 6

Sleep = Callable[[float], Awaitable[object]]


class ApiClient:
    def __init__(
        self, http: httpx.AsyncClient, *, backoff: Backoff | None = None, sleep: Sleep = asyncio.sleep
    ) -> None:
        self.http = http
        self._backoff = backoff or Backoff(first_s=0.5, max_s=20.0)
        self._sleep = sleep

    async def call(self, method: str, path: str, **options: Any) -> Any:
        """Returns the JSON of the response; None if it is empty."""
        for attempt in range(1, MAX_ATTEMPTS + 1):
            try:
                response = await self.http.request(method, path, **options)
            except httpx.TransportError as error:
                reason = str(error) or type(error).__name__
            else:
                if response.status_code < 400:
                    return response.json() if response.content else None
                reason = _message(response)
                if response.status_code == 401:
                    raise NotAuthenticated(f"not signed in: {reason}; pass --token or set SIGHTLINE_TOKEN")
                if response.status_code == 409:
                    raise Conflict(reason)
                if response.status_code == 507:
                    raise PermanentFailure(reason)  # space does not come back while a command waits
                if response.status_code < 500 and response.status_code != 429:
                    raise InvalidInput(reason)
            if attempt < MAX_ATTEMPTS:
                await self.wait(attempt)
        raise BackendUnavailable("api", f"no response from the server at {self.http.base_url}: {reason}")

    async def wait(self, attempt: int) -> None:
        await self._sleep(self._backoff.delay_s(attempt))


def _message(response: httpx.Response) -> str:
    try:
        return str(response.json()["error"]["message"])
    except (ValueError, KeyError, TypeError):
        return f"{response.status_code} {response.text[:200]}"
