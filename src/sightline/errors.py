"""The error tree: which branch an error stands on answers the only question a runner has, try again or not.

    PlatformError
    ├── ConfigurationError      the process stops at start
    ├── InvalidInput            never again: what was asked cannot be done
    ├── NotAuthenticated        never again: nobody known is asking
    ├── NotAllowed              never again: this caller may not
    ├── NotFound                never again: there is no such thing
    ├── Conflict                never again: the thing is in another state
    ├── TooLarge                never again: more than is taken in
    ├── PermanentFailure        never again: it failed and will fail the same way
    └── TransientFailure        again, later
        ├── Throttled           again, not before `retry_after`
        └── BackendUnavailable  again, when the named part is back

Anything that is not a `PlatformError` is unknown, and unknown is tried again. `api/errors.py` alone turns
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


class ConfigurationError(PlatformError):
    """A setting, or the place Sightline was started at, does not allow it to run."""


class InvalidInput(PlatformError):
    """What was asked for is not of the form that the contract sets out."""


class NotAuthenticated(PlatformError):
    """No credential, or one that does not hold."""


class NotAllowed(PlatformError):
    """The caller is known and may not do this."""


class NotFound(PlatformError):
    """There is no such thing, or the caller may not know of it. `code` is what an API answer calls it."""

    def __init__(self, message: str, *, code: str = "NOT_FOUND", details: Mapping[str, Any] | None = None) -> None:
        super().__init__(message, details=details)
        self.code = code


class Conflict(PlatformError):
    """The thing is in a state that does not allow the move."""


class TooLarge(PlatformError):
    """More bytes than are taken in at this place."""


class PermanentFailure(PlatformError):
    """It failed, and would fail again the same way."""


class TransientFailure(PlatformError):
    """It failed, and may work later."""

    is_retryable = True
    max_retries: int | None = None
    """Where fewer tries than usual are worth it."""


class Throttled(TransientFailure):
    """Asked too often; not before `retry_after`."""

    def __init__(self, message: str, *, retry_after: timedelta) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class BackendUnavailable(TransientFailure):
    """A part that Sightline stands on does not answer; `part` names it."""

    def __init__(self, part: str, message: str) -> None:
        super().__init__(message, details={"part": part})
        self.part = part


def is_retryable(error: BaseException) -> bool:
    """Whether the same work may succeed later. Unknown errors may."""
    return error.is_retryable if isinstance(error, PlatformError) else True
