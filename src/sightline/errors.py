"""The error tree: the branch of an error decides whether a runner retries.

    PlatformError
    ├── ConfigurationError      the process stops at start
    ├── InvalidInput            no retry: the request is invalid
    ├── NotAuthenticated        no retry: the caller is not authenticated
    ├── NotAllowed              no retry: the caller is not authorized
    ├── QuotaExceeded           no retry: the caller has used up a quota
    ├── NotFound                no retry: it does not exist
    │   └── Gone                it existed and was removed on purpose
    ├── Conflict                no retry: it is in another state
    ├── TooLarge                no retry: it exceeds a size limit
    ├── PermanentFailure        no retry: it would fail again
    └── TransientFailure        retry later
        ├── Throttled           retry after `retry_after`
        └── BackendUnavailable  retry when the named part is back

Anything that is not a `PlatformError` is unknown, and is retried. Only `api/errors.py` translates
these into HTTP.
"""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any


class PlatformError(Exception):
    """Base of all errors that Sightline raises on purpose. The message names the thing."""

    is_retryable = False

    def __init__(self, message: str, *, details: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.details: dict[str, Any] = dict(details or {})

    @property
    def public_message(self) -> str:
        """What callers read; the message itself is for operators where it may speak of the inside."""
        return self.message


class ConfigurationError(PlatformError):
    """A setting, or the machine, does not allow Sightline to run."""


class InvalidInput(PlatformError):
    """The request does not have the form that the contract defines."""


class NotAuthenticated(PlatformError):
    """No credential, or an invalid one."""


class NotAllowed(PlatformError):
    """The caller is known and may not do this."""


class NotFound(PlatformError):
    """There is no such thing, or the caller may not know of it. `code` is its code in an API response."""

    def __init__(self, message: str, *, code: str = "NOT_FOUND", details: Mapping[str, Any] | None = None) -> None:
        super().__init__(message, details=details)
        self.code = code


class Gone(NotFound):
    """It existed and was removed on purpose. The message says what is left and what to do."""


class QuotaExceeded(PlatformError):
    """The caller has used up a quota; what is stored stays."""


class Conflict(PlatformError):
    """The thing is in a state that does not allow the move. `code` is its code in an API response."""

    def __init__(self, message: str, *, code: str = "CONFLICT", details: Mapping[str, Any] | None = None) -> None:
        super().__init__(message, details=details)
        self.code = code


class TooLarge(PlatformError):
    """More bytes than the limit allows."""


class PermanentFailure(PlatformError):
    """It failed, and would fail again the same way."""


class TransientFailure(PlatformError):
    """It failed, and may work later."""

    is_retryable = True
    max_retries: int | None = None
    """A lower limit than usual."""


class Throttled(TransientFailure):
    """A rate limit was reached; retry after `retry_after`."""

    def __init__(self, message: str, *, retry_after: timedelta) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class BackendUnavailable(TransientFailure):
    """A part that Sightline depends on does not respond; `part` names it.

    Its message may name addresses and errors of the inside, so callers read `public` instead.
    """

    def __init__(self, part: str, message: str, *, public: str | None = None) -> None:
        super().__init__(message, details={"part": part})
        self.part = part
        self._public = public or f"{part} does not respond. Try again later."

    @property
    def public_message(self) -> str:
        return self._public


def is_retryable(error: BaseException) -> bool:
    """Whether the same work may succeed later. Unknown errors may."""
    return error.is_retryable if isinstance(error, PlatformError) else True
