"""When a failed job is tried again: 1, 5 and 15 minutes, and never for what would fail the same way."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import PurePath
from typing import Any
from uuid import UUID

import asyncpg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.errors import (
    BackendUnavailable,
    Conflict,
    InvalidInput,
    NotAllowed,
    NotAuthenticated,
    NotFound,
    PermanentFailure,
    Throttled,
    TransientFailure,
)
from sightline.jobs.retry import MAX_RETRIES, describe, may_retry, retry_delay

AT = datetime(2025, 11, 13, 15, 42, tzinfo=UTC)


@pytest.mark.req(69)
@pytest.mark.parametrize(("retry_count", "seconds"), [(0, 60), (1, 300), (2, 900)])
def test_the_delays_are_one_five_and_fifteen_minutes(retry_count, seconds):
    assert retry_delay(retry_count, lambda: 0.5) == timedelta(seconds=seconds)
    assert retry_delay(retry_count, lambda: 0.0).total_seconds() == pytest.approx(0.8 * seconds)
    assert retry_delay(retry_count, lambda: 1.0).total_seconds() == pytest.approx(1.2 * seconds)


@pytest.mark.req(69)
@given(st.integers(0, 2), st.floats(0, 1, exclude_max=True))
def test_each_delay_is_its_base_times_a_factor_between_08_and_12(retry_count, chance):
    delay = retry_delay(retry_count, lambda: chance).total_seconds()
    base = (60, 300, 900)[retry_count]
    assert 0.8 * base - 1e-6 <= delay <= 1.2 * base + 1e-6


@pytest.mark.req(69)
def test_the_jitter_spreads_a_crowd():
    delays = {retry_delay(0) for _ in range(100)}
    assert len(delays) > 90


@given(st.integers(0, 2), st.floats(0, 1, exclude_max=True), st.floats(0, 10_000))
def test_a_throttled_job_is_not_retried_before_its_retry_after(retry_count, chance, retry_after_s):
    error = Throttled("too often", retry_after=timedelta(seconds=retry_after_s))
    delay = retry_delay(retry_count, lambda: chance, error=error)
    assert delay == max(retry_delay(retry_count, lambda: chance), error.retry_after)


@pytest.mark.req(70)
def test_three_retries_make_four_attempts():
    error = TransientFailure("later")
    assert MAX_RETRIES == 3
    assert [may_retry(error, retry_count) for retry_count in range(5)] == [True, True, True, False, False]


@pytest.mark.req(73)
@pytest.mark.parametrize(
    "error",
    [
        TimeoutError(),
        ConnectionResetError("reset"),
        OSError("network"),
        BackendUnavailable("objects", "storage does not answer"),
        Throttled("slow down", retry_after=timedelta(seconds=1)),
        ValueError("not known to us"),
        asyncpg.DeadlockDetectedError("deadlock"),
        asyncpg.SerializationError("serialization"),
        asyncpg.AdminShutdownError("shutdown"),
        asyncpg.TooManyConnectionsError("full"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_what_may_work_later_is_tried_again(error):
    assert may_retry(error, 0)


@pytest.mark.req(72)
@pytest.mark.parametrize(
    "error",
    [
        InvalidInput("payload"),
        NotFound("no object at videos/original/x/master.mp4"),
        PermanentFailure("broken"),
        Conflict("state"),
        NotAuthenticated("who"),
        NotAllowed("not you"),
        asyncpg.UniqueViolationError("twice"),
        asyncpg.ForeignKeyViolationError("no such video"),
        asyncpg.CheckViolationError("out of range"),
        asyncpg.NotNullViolationError("missing"),
        asyncpg.ExclusionViolationError("overlap"),
        asyncpg.InvalidPasswordError("password"),
        asyncpg.InsufficientPrivilegeError("permission denied for table videos"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_what_would_fail_the_same_way_is_not(error):
    assert not may_retry(error, 0)


@pytest.mark.req(74)
def test_an_error_is_described_as_the_contract_shows_it():
    error = NotFound("Original video not found at videos/original/abc-123/master.mp4")
    assert describe(error, retry_count=2, at=AT) == {
        "type": "NotFound",
        "message": "Original video not found at videos/original/abc-123/master.mp4",
        "timestamp": "2025-11-13T15:42:00.000Z",
        "retry_count": 2,
    }


def test_an_error_without_a_message_is_described_by_its_type():
    assert describe(TimeoutError(), retry_count=0, at=AT)["message"] == "TimeoutError"


@given(st.text(st.characters(codec=None, exclude_categories=()), max_size=50))
def test_any_message_at_all_can_be_stored(text):
    """PostgreSQL keeps no NUL and no half of a surrogate pair; an error that cannot be written down would be lost."""
    error = InvalidInput(text + "\0\ud800", details={"\0\udfff": [text, {"deep": "\0"}]})
    written = json.dumps(describe(error, retry_count=0, at=AT), ensure_ascii=False).encode()
    assert b"\\u0000" not in written


def test_details_that_json_does_not_know_are_written_as_text():
    details: dict[Any, object] = {
        "id": UUID(int=7),
        "path": PurePath("a/b"),
        "number": float("nan"),
        "some": {3},
        "pair": (1, 2.5, None, True),
        5: "a key that is no text",
    }
    described = describe(InvalidInput("odd", details=details), retry_count=0, at=AT)
    assert json.loads(json.dumps(described, allow_nan=False))["details"] == {
        "id": str(UUID(int=7)),
        "path": "a/b",
        "number": "nan",
        "some": "{3}",
        "pair": [1, 2.5, None, True],
        "5": "a key that is no text",
    }


def test_a_message_of_megabytes_is_cut():
    assert len(describe(ValueError("x" * 10_000_000), retry_count=0, at=AT)["message"]) < 20_000


def test_an_error_may_be_worth_fewer_tries_than_others():
    class Once(TransientFailure):
        max_retries = 1

    assert may_retry(Once("crashed"), 0)
    assert not may_retry(Once("crashed"), 1)
    assert may_retry(TransientFailure("later"), 1)
