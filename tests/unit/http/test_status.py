"""Statuses of responses, and the waits that Retry-After asks for."""

from datetime import UTC, datetime, timedelta

import pytest

from sightline.errors import BackendUnavailable, PermanentFailure, Throttled
from sightline.http import HttpResponse, check_status, retry_after

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize("status", [200, 201, 202, 204])
def test_an_accepted_request_raises_nothing(status: int):
    check_status("ntfy", HttpResponse(status))


@pytest.mark.parametrize(
    ("status", "error"),
    [
        *((status, PermanentFailure) for status in (301, 302, 400, 401, 403, 404, 413)),
        *((status, BackendUnavailable) for status in (408, 425, 500, 502, 503, 504)),
        (429, Throttled),
    ],
)
def test_each_status_has_its_branch_of_the_error_tree(status: int, error: type[Exception]):
    with pytest.raises(error, match=f"ntfy responded with {status}: no"):
        check_status("ntfy", HttpResponse(status, body=bytearray(b"no")))


def test_an_overloaded_server_that_names_a_wait_is_throttling():
    with pytest.raises(Throttled) as caught:
        check_status("ntfy", HttpResponse(503, {"retry-after": "7"}))
    assert caught.value.retry_after == timedelta(seconds=7)


def test_the_body_is_quoted_as_one_short_line_after_the_url():
    body = bytearray("a\r\n\u202eb \0".encode() + b"c" * 5000)
    with pytest.raises(PermanentFailure) as caught:
        check_status("model", HttpResponse(400, body=body), url="http://m/v1")
    assert caught.value.message == "http://m/v1 responded with 400: " + ("a b " + "c" * 500)[:200]


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("5", 5),
        (" 1.5 ", 1.5),
        ("Thu, 01 Jan 2026 12:00:30 GMT", 30),
        ("Thu, 01 Jan 2026 11:00:00 GMT", 0),
        ("-3", 0),
        ("999999999999999999", 60),
        ("inf", 60),
        ("nan", 1),
        ("soon", 1),
        ("", 1),
        (None, 1),
    ],
)
def test_a_wait_is_read_as_seconds_or_a_date_within_its_limit(header: str | None, seconds: float):
    assert retry_after(header, max_wait=timedelta(minutes=1), now=NOW) == timedelta(seconds=seconds)
