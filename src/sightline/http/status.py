"""HTTP statuses of responses as branches of the error tree."""

from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from sightline.errors import BackendUnavailable, PermanentFailure, PlatformError, Throttled
from sightline.http.response import HttpResponse

MAX_QUOTE_LENGTH = 200
MAX_RETRY_AFTER = timedelta(hours=24)
DEFAULT_RETRY_AFTER = timedelta(seconds=1)
_RETRYABLE_CLIENT_ERRORS = frozenset({408, 425})


def check_status(
    part: str,
    response: HttpResponse,
    *,
    url: str | None = None,
    quote_body: bool = True,
    max_retry_after: timedelta = MAX_RETRY_AFTER,
    now: datetime | None = None,
) -> None:
    """Raises unless the request was accepted. `part` names the callee, and so does `url` in messages if it is given.

    `quote_body` is off where the person who reads the error chose the address: it would read other servers for them.
    """
    quote = f": {_quote(response.text)}" if quote_body else ""
    error = _error_of(part, response, f"{url or part} responded with {response.status}{quote}", max_retry_after, now)
    if error is not None:
        raise error


def _error_of(
    part: str, response: HttpResponse, message: str, max_retry_after: timedelta, now: datetime | None
) -> PlatformError | None:
    status = response.status
    if 200 <= status < 300:
        return None
    if status == 429 or (status == 503 and "retry-after" in response.headers):
        wait = retry_after(response.headers.get("retry-after"), max_wait=max_retry_after, now=now)
        return Throttled(message, retry_after=wait)
    if status >= 500 or status in _RETRYABLE_CLIENT_ERRORS:
        return BackendUnavailable(part, message, public=f"{part} responded with {status}. Try again later.")
    # Redirects too: a request is not sent to an address that was not configured.
    return PermanentFailure(message, details={"status": status})


def retry_after(header: str | None, *, max_wait: timedelta = MAX_RETRY_AFTER, now: datetime | None = None) -> timedelta:
    """The wait that a `Retry-After` header asks for, in seconds or as a date; one second if it is missing or invalid."""
    text = (header or "").strip()
    try:
        wait = timedelta(seconds=min(float(text), max_wait.total_seconds()))
    except ValueError:
        try:
            wait = parsedate_to_datetime(text) - (now or datetime.now(UTC))
        except (ValueError, TypeError):
            wait = DEFAULT_RETRY_AFTER
    return min(max(wait, timedelta()), max_wait)


def _quote(text: str) -> str:
    line = "".join(char if char.isprintable() else " " for char in text[: 10 * MAX_QUOTE_LENGTH])
    return " ".join(line.split())[:MAX_QUOTE_LENGTH]
