"""HTTP client of the platform's API: retries while the server is unavailable, and raises its error messages."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import httpx

from sightline.errors import BackendUnavailable, Conflict, InvalidInput, NotAuthenticated, PermanentFailure
from sightline.timing import Backoff

MAX_ATTEMPTS = 6
PATIENT_ATTEMPTS = 40
"""About twelve minutes: as long as a server may take to be restarted or a network to come back."""
# No response (None), or one from a proxy whose server is stopped or starting.
_OUTAGE = (None, 502, 503, 504)

Sleep = Callable[[float], Awaitable[object]]


class ApiClient:
    def __init__(
        self, http: httpx.AsyncClient, *, backoff: Backoff | None = None, sleep: Sleep = asyncio.sleep
    ) -> None:
        self.http = http
        self._backoff = backoff or Backoff(first_s=0.5, max_s=20.0)
        self._sleep = sleep
        self._max_outages = MAX_ATTEMPTS

    def be_patient(self) -> None:
        """From now on an outage of the server is waited for; there is something to lose."""
        self._max_outages = PATIENT_ATTEMPTS

    def attempts(self) -> "Attempts":
        return Attempts(self._max_outages)

    async def call(self, method: str, path: str, **options: Any) -> Any:
        """Returns the JSON of the response; None if it is empty."""
        attempts = self.attempts()
        while True:
            status = None
            try:
                response = await self.http.request(method, path, **options)
            except httpx.TransportError as error:
                reason = str(error) or type(error).__name__
            else:
                status = response.status_code
                if status < 400:
                    return response.json() if response.content else None
                reason = _message(response)
                if status == 401:
                    raise NotAuthenticated(f"not signed in: {reason}; pass --token or set SIGHTLINE_TOKEN")
                if status == 409:
                    raise Conflict(reason)
                if status == 507:
                    raise PermanentFailure(reason)  # space does not come back while a command waits
                if status < 500 and status != 429:
                    raise InvalidInput(reason)
            attempts.failed(status)
            if attempts.are_over:
                raise BackendUnavailable("api", f"no response from the server at {self.http.base_url}: {reason}")
            await self.wait(attempts)

    async def wait(self, attempts: "Attempts") -> None:
        await self._sleep(self._backoff.delay_s(attempts.count))


class Attempts:
    """Failed attempts of one request. An outage does not use up what errors have, since it says nothing about the request."""

    def __init__(self, max_outages: int) -> None:
        self._max_outages = max_outages
        self._outages = 0
        self._errors = 0

    def failed(self, status: int | None) -> None:
        """The status is that of the response; None: there was none."""
        if status in _OUTAGE:
            self._outages += 1
        else:
            self._errors += 1

    @property
    def count(self) -> int:
        return self._outages + self._errors

    @property
    def are_over(self) -> bool:
        return self._outages >= self._max_outages or self._errors >= MAX_ATTEMPTS


def _message(response: httpx.Response) -> str:
    try:
        return str(response.json()["error"]["message"])
    except (ValueError, KeyError, TypeError):
        return f"{response.status_code} {response.text[:200]}"
