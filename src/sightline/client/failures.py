"""Failed responses of the API as branches of the error tree."""

from collections.abc import Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from sightline.errors import (
    BackendUnavailable,
    Conflict,
    Gone,
    InvalidInput,
    NotAllowed,
    NotAuthenticated,
    NotFound,
    PermanentFailure,
    PlatformError,
    QuotaExceeded,
    Throttled,
    TooLarge,
)

if TYPE_CHECKING:
    import httpx

MAX_QUOTE_LENGTH = 200
_QUOTA_EXCEEDED = "QUOTA_EXCEEDED"
_BY_STATUS: dict[int, type[PlatformError]] = {
    401: NotAuthenticated,
    403: NotAllowed,
    409: Conflict,
    413: TooLarge,
    507: PermanentFailure,  # space does not come back while a client waits
}


class ProcessingFailed(PermanentFailure):
    """The platform could not process the video or cut the clip; the message says why."""


class StillProcessing(PlatformError):
    """The time to wait was over before the work was. The work goes on, so waiting again is fine."""


def failure_of(response: "httpx.Response", server: str, sign_in_hint: str = "") -> PlatformError:
    """The error of a response from 400 on; `details` has the code of the API beside what it says."""
    status, (code, message, details) = response.status_code, _error_of(response)
    details = {"status": status, "code": code, **details}
    if status == 401 and sign_in_hint:
        message = f"{message}; {sign_in_hint}"
    if status == 429:
        return Throttled(message, retry_after=timedelta(seconds=retry_after_s(response) or 1.0))
    if status == 403 and code == _QUOTA_EXCEEDED:
        return QuotaExceeded(message, details=details)
    if status in (404, 410):
        return (Gone if status == 410 else NotFound)(message, code=code or "NOT_FOUND", details=details)
    if status in _BY_STATUS:
        return _BY_STATUS[status](message, details=details)
    if status >= 500 or status == 408:
        return BackendUnavailable("api", f"no response from the server at {server}: {message}")
    return InvalidInput(message, details=details)


def retry_after_s(response: "httpx.Response") -> float:
    """Seconds of the header Retry-After; 0 without one, or with one that is a date."""
    text = response.headers.get("retry-after", "")
    return float(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0.0


def _error_of(response: "httpx.Response") -> tuple[str | None, str, Mapping[str, Any]]:
    try:
        error = response.json()["error"]
        details = error.get("details")
        return str(error["code"]), str(error["message"]), details if isinstance(details, dict) else {}
    except (ValueError, KeyError, TypeError, AttributeError):
        return None, f"{response.status_code} {response.text[:MAX_QUOTE_LENGTH]}".strip(), {}
