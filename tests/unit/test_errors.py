"""The error tree: again, or never again."""

from datetime import timedelta

import pytest

from sightline import errors
from sightline.errors import (
    BackendUnavailable,
    ConfigurationError,
    Conflict,
    InvalidInput,
    NotAllowed,
    NotAuthenticated,
    NotFound,
    PermanentFailure,
    PlatformError,
    Throttled,
    TooLarge,
    TransientFailure,
    is_retryable,
)


@pytest.mark.parametrize(
    "kind",
    [
        PlatformError,
        ConfigurationError,
        InvalidInput,
        NotAuthenticated,
        NotAllowed,
        NotFound,
        Conflict,
        TooLarge,
        PermanentFailure,
    ],
)
def test_what_would_fail_the_same_way_is_not_tried_again(kind: type[PlatformError]):
    assert not is_retryable(kind("x"))


@pytest.mark.parametrize(
    "error",
    [
        TransientFailure("x"),
        Throttled("x", retry_after=timedelta(seconds=1)),
        BackendUnavailable("database", "away"),
        ValueError("nobody foresaw this"),
        KeyError("nor this"),
        TimeoutError(),
        ExceptionGroup("several", [ValueError("x")]),
    ],
)
def test_what_may_pass_and_what_is_unknown_is_tried_again(error: Exception):
    assert is_retryable(error)


def test_a_new_kind_takes_its_branchs_answer():
    class MediaUnreadable(PermanentFailure):
        pass

    class MailServerBusy(TransientFailure):
        pass

    assert (is_retryable(MediaUnreadable("x")), is_retryable(MailServerBusy("x"))) == (False, True)


def test_an_error_says_its_message():
    error = PermanentFailure("no object at a/b")
    assert (str(error), error.message, error.details) == ("no object at a/b", "no object at a/b", {})


def test_details_are_a_copy():
    given = {"status": "FAILED"}
    error = Conflict("done", details=given)
    given["status"] = "changed"
    assert error.details == {"status": "FAILED"}


def test_what_was_not_found_has_a_code():
    assert NotFound("x").code == "NOT_FOUND"
    assert NotFound("x", code="VIDEO_NOT_FOUND", details={"id": 1}).details == {"id": 1}


def test_a_part_that_is_away_is_named():
    error = BackendUnavailable("bus", "not listening")
    assert (error.part, error.details, error.message) == ("bus", {"part": "bus"}, "not listening")


def test_whoever_was_too_fast_knows_when_to_come_back():
    assert Throttled("slow", retry_after=timedelta(seconds=3)).retry_after == timedelta(seconds=3)


def test_the_tree_at_the_top_of_the_file_names_every_error():
    kinds = [name for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, PlatformError)]
    assert [name for name in kinds if name not in (errors.__doc__ or "")] == []
