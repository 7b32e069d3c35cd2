"""Retry rules: when a failed job is retried, and what is stored about the failure. Pure."""

import math
import random
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

import asyncpg

from sightline.errors import PlatformError, Throttled, TransientFailure, is_retryable
from sightline.timing import iso_utc

MAX_RETRIES = 3
DELAYS_S = (60.0, 300.0, 900.0)
JITTER = 0.2
MAX_MESSAGE_LENGTH = 10_000
FINAL_ERROR_TYPES = frozenset({"S3ObjectNotFound"})
"""The error of document 001's example, which it lists among those that are never retried."""

# Errors that the contract never retries: constraint violations and missing permissions.
_NEVER_AGAIN = (
    asyncpg.IntegrityConstraintViolationError,
    asyncpg.InsufficientPrivilegeError,
    asyncpg.InvalidAuthorizationSpecificationError,
)


def retry_delay(
    retry_count: int, chance: Callable[[], float] = random.random, *, error: BaseException | None = None
) -> timedelta:
    """The wait before retry number `retry_count` + 1: about 1, 5 and 15 minutes, each times a factor in [0.8, 1.2].

    Longer if the error itself says so.
    """
    base = DELAYS_S[min(retry_count, len(DELAYS_S) - 1)]
    delay = timedelta(seconds=base * (1 - JITTER + 2 * JITTER * chance()))
    return max(delay, error.retry_after) if isinstance(error, Throttled) else delay


def may_retry(error: BaseException, retry_count: int) -> bool:
    own_limit = error.max_retries if isinstance(error, TransientFailure) else None
    limit = MAX_RETRIES if own_limit is None else min(own_limit, MAX_RETRIES)
    return is_retryable(error) and not isinstance(error, _NEVER_AGAIN) and retry_count < limit


def may_retry_reported(error: Mapping[str, Any] | None, retry_count: int) -> bool:
    """The same for a failure that another program has stored: retried, unless it says that this is of no use."""
    found = error or {}
    is_final = found.get("retryable") is False or found.get("type") in FINAL_ERROR_TYPES
    return retry_count < MAX_RETRIES and not is_final


def describe(error: BaseException, *, retry_count: int, at: datetime) -> dict[str, Any]:
    """The error in the form of the contract."""
    found: dict[str, Any] = {
        "type": type(error).__name__,
        "message": storable(str(error) or type(error).__name__),
        "timestamp": iso_utc(at),
        "retry_count": retry_count,
    }
    if isinstance(error, PlatformError) and error.details:
        found["details"] = _as_json(error.details)
    return found


def storable(text: str) -> str:
    """The text as PostgreSQL can store it: without NUL and lone surrogates, and limited in length."""
    return text[:MAX_MESSAGE_LENGTH].replace("\0", "\ufffd").encode("utf-8", "replace").decode()


def _as_json(value: Any) -> Any:
    """Turns values that are not JSON into text: an error that cannot be stored would leave its job unfinished."""
    match value:
        case None | bool() | int():
            return value
        case float() if math.isfinite(value):
            return value
        case Mapping():
            return {storable(str(key)): _as_json(inner) for key, inner in value.items()}
        case list() | tuple():
            return [_as_json(inner) for inner in value]
    return storable(str(value))
