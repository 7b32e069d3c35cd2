"""Which branch of the error tree gets which answer."""

from datetime import timedelta

import pytest
from structlog.testing import capture_logs

from conftest import as_json
from sightline.api.serving.errors import answer_for, internal_error, validation_status
from sightline.errors import (
    BackendUnavailable,
    ConfigurationError,
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
    TransientFailure,
)

TABLE = [
    (InvalidInput("limit is too large"), 422, "VALIDATION_ERROR"),
    (NotAuthenticated("who"), 401, "UNAUTHORIZED"),
    (NotAllowed("not you"), 403, "FORBIDDEN"),
    (NotFound("no such thing"), 404, "NOT_FOUND"),
    (NotFound("no video 1", code="VIDEO_NOT_FOUND"), 404, "VIDEO_NOT_FOUND"),
    (NotFound("no message 1", code="MESSAGE_NOT_FOUND"), 404, "MESSAGE_NOT_FOUND"),
    (Gone("it was removed", code="ORIGINAL_REMOVED"), 410, "ORIGINAL_REMOVED"),
    (QuotaExceeded("that is too much"), 403, "QUOTA_EXCEEDED"),
    (Conflict("it is done already"), 409, "CONFLICT"),
    (TooLarge("too much"), 413, "PAYLOAD_TOO_LARGE"),
    (Throttled("slow down", retry_after=timedelta(seconds=3)), 429, "RATE_LIMIT_EXCEEDED"),
    (PermanentFailure("the file is broken"), 500, "INTERNAL_SERVER_ERROR"),
    (ConfigurationError("a setting is wrong"), 500, "INTERNAL_SERVER_ERROR"),
    (PlatformError("anything"), 500, "INTERNAL_SERVER_ERROR"),
    (TransientFailure("later"), 503, "SERVICE_UNAVAILABLE"),
    (BackendUnavailable("database", "away"), 503, "SERVICE_UNAVAILABLE"),
]


def _branches(kind: type[PlatformError]) -> set[type[PlatformError]]:
    return {kind}.union(*(_branches(below) for below in kind.__subclasses__() if below.__module__ == kind.__module__))


def test_the_table_here_names_every_branch():
    assert {type(error) for error, _, _ in TABLE} == _branches(PlatformError)


@pytest.mark.req(184)
@pytest.mark.parametrize(("error", "status", "code"), TABLE, ids=lambda value: str(getattr(value, "message", value)))
def test_each_branch_has_its_status_and_code(error: PlatformError, status: int, code: str):
    answer = answer_for(error, "/videos")
    body = as_json(bytes(answer.body))["error"]
    assert isinstance(body, dict)
    assert (answer.status_code, body["code"], set(body)) == (status, code, {"code", "message", "details"})


@pytest.mark.req(184)
def test_a_new_kind_of_error_is_answered_like_its_branch():
    class ObjectMissing(NotFound):
        pass

    assert answer_for(ObjectMissing("no object at a/b"), "/videos").status_code == 404


@pytest.mark.req(184)
@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/health", 400),
        ("/api/", 400),
        ("/api", 422),
        ("/apis/x", 422),
        ("/videos", 422),
        ("/videos/api/x", 422),
        ("", 422),
    ],
)
def test_a_bad_request_is_400_below_api_and_422_elsewhere(path: str, status: int):
    assert validation_status(path) == status
    assert answer_for(InvalidInput("x"), path).status_code == status


@pytest.mark.req(184)
@pytest.mark.parametrize(
    ("wait", "told"),
    [
        (timedelta(0), "1"),
        (timedelta(milliseconds=1), "1"),
        (timedelta(seconds=2.1), "3"),
        (timedelta(minutes=2), "120"),
    ],
)
def test_retry_after_is_whole_seconds_and_never_too_early(wait: timedelta, told: str):
    assert answer_for(Throttled("slow", retry_after=wait), "/videos").headers["retry-after"] == told


@pytest.mark.req(184)
def test_whoever_is_not_known_is_told_how_to_sign_in():
    assert answer_for(NotAuthenticated("who"), "/videos").headers["www-authenticate"] == "Bearer"


@pytest.mark.req(184)
def test_details_reach_the_caller():
    answer = answer_for(Conflict("done", details={"status": "COMPLETED"}), "/videos")
    assert as_json(bytes(answer.body))["error"] == {
        "code": "CONFLICT",
        "message": "done",
        "details": {"status": "COMPLETED"},
    }


@pytest.mark.req(184)
@pytest.mark.parametrize("kind", [PermanentFailure, ConfigurationError, PlatformError])
def test_a_500_tells_nothing_of_the_inside(kind: type[PlatformError]):
    error = kind("cannot open /var/lib/inside", details={"password": "inside"})
    assert b"inside" not in bytes(answer_for(error, "/videos").body)


def test_a_500_is_logged_with_what_happened():
    with capture_logs() as lines:
        answer_for(PermanentFailure("cannot open /var/lib/inside"), "/videos")
    assert [(line["event"], line["log_level"], line["error"]) for line in lines] == [
        ("request.failed", "error", "cannot open /var/lib/inside")
    ]


def test_a_refusal_is_not_logged_as_a_failure():
    with capture_logs() as lines:
        answer_for(NotFound("no such thing"), "/videos")
    assert lines == []


@pytest.mark.req(184)
def test_the_last_answer_has_the_same_form():
    answer = internal_error()
    assert answer.status_code == 500
    assert as_json(bytes(answer.body)) == {
        "error": {"code": "INTERNAL_SERVER_ERROR", "message": "something went wrong on our side", "details": {}}
    }
