"""HTTP calls of the platform's API: retried where that is safe, failures as branches of the error tree."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import httpx

from sightline.client.failures import failure_of, retry_after_s
from sightline.errors import BackendUnavailable, PlatformError
from sightline.timing import Backoff

MAX_ATTEMPTS = 6
PATIENT_ATTEMPTS = 40
"""About twelve minutes: as long as a server may take to be restarted or a network to come back."""
MAX_RETRY_AFTER_S = 60.0
# No response (None), or one from a proxy whose server is stopped or starting.
_OUTAGE = (None, 502, 503, 504)
# The server has done nothing yet, whatever the method.
_REFUSED = (429, 503)
_REPEATABLE = frozenset({"GET", "HEAD", "PUT", "DELETE"})
_NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)

Sleep = Callable[[float], Awaitable[object]]


class ApiClient:
    """`headers` hold the credentials: they go to the API alone, never to the signed URLs of an object store."""

    def __init__(
        self,
        http: httpx.AsyncClient,
        *,
        headers: Mapping[str, str] | None = None,
        backoff: Backoff | None = None,
        sleep: Sleep = asyncio.sleep,
        sign_in_hint: str = "",
        max_attempts: int = MAX_ATTEMPTS,
    ) -> None:
        """`sign_in_hint` tells how to pass a credential, where none or an invalid one was given."""
        self.http = http
        self._headers = dict(headers or {})
        self._backoff = backoff or Backoff(first_s=0.5, max_s=20.0)
        self._sleep = sleep
        self._sign_in_hint = sign_in_hint
        self._max_errors = max_attempts
        self._max_outages = max_attempts

    def patient(self) -> "ApiClient":
        """The same client for work that would be lost: it waits for a server that is away."""
        other = ApiClient(
            self.http,
            headers=self._headers,
            backoff=self._backoff,
            sleep=self._sleep,
            sign_in_hint=self._sign_in_hint,
            max_attempts=self._max_errors,
        )
        other._max_outages = PATIENT_ATTEMPTS
        return other

    def attempts(self) -> "Attempts":
        return Attempts(self._max_errors, self._max_outages)

    async def call(self, method: str, path: str, *, is_repeatable: bool | None = None, **options: Any) -> Any:
        """Returns the JSON of the response; None if it is empty."""
        response = await self.request(method, path, is_repeatable=is_repeatable, **options)
        if not response.content:
            return None
        try:
            return response.json()
        except ValueError as error:
            raise BackendUnavailable(
                "api", f"{self.http.base_url} did not answer with JSON; is it a Sightline?"
            ) from error

    async def request(
        self, method: str, path: str, *, is_repeatable: bool | None = None, **options: Any
    ) -> httpx.Response:
        """A response below 400. A call that may have had its effect is sent again only if it is repeatable, which reading,
        replacing and deleting are; any call is sent again if the server did not take it."""
        is_repeatable = method in _REPEATABLE if is_repeatable is None else is_repeatable
        attempts = self.attempts()
        while True:
            failure: PlatformError
            try:
                response = await self.http.request(method, path, headers=self._headers, **options)
            except httpx.TransportError as error:
                status, may_repeat, after_s = None, is_repeatable or isinstance(error, _NOT_SENT), 0.0
                reason = str(error) or type(error).__name__
                failure = BackendUnavailable("api", f"no response from the server at {self.http.base_url}: {reason}")
            else:
                status, after_s = response.status_code, retry_after_s(response)
                if status < 400:
                    return response
                if status == 404 and method == "DELETE" and attempts.count:
                    return response  # deleted by the attempt whose response was lost
                failure = failure_of(response, str(self.http.base_url), self._sign_in_hint)
                if not failure.is_retryable or after_s > MAX_RETRY_AFTER_S:
                    raise failure
                may_repeat = is_repeatable or status in _REFUSED
            attempts.failed(status)
            if attempts.are_over or not may_repeat:
                raise failure
            await self.wait(attempts, at_least_s=after_s)

    async def wait(self, attempts: "Attempts", *, at_least_s: float = 0.0) -> None:
        await self._sleep(max(at_least_s, self._backoff.delay_s(attempts.count)))


class Attempts:
    """Failed attempts of one request. An outage does not use up what errors have, since it says nothing about the request."""

    def __init__(self, max_errors: int, max_outages: int) -> None:
        self._max_errors = max_errors
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
        return self._outages >= self._max_outages or self._errors >= self._max_errors
