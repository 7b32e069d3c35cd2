"""What a log line looks like, and what never stands in one."""

import io
import json
import logging
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest
import structlog

from sightline.observability import ObservabilitySettings, configure_logging, work_context


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _logging_as_before() -> Iterator[None]:
    names = (None, "uvicorn.access", "uvicorn.error", "httpx", "httpcore")
    levels = {name: logging.getLogger(name).level for name in names}
    handlers = logging.getLogger().handlers
    yield
    logging.getLogger().handlers = handlers
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)
    structlog.reset_defaults()


def _log_to(stream: io.StringIO, **settings: Any) -> Any:
    configure_logging(ObservabilitySettings(**settings), stream=stream)
    structlog.configure(cache_logger_on_first_use=False)  # a cached logger would outlive the test
    return structlog.get_logger("sightline.test")


def _lines(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_elsewhere_than_on_a_terminal_a_line_is_one_json_object():
    stream = io.StringIO()
    _log_to(stream).info("job.finished", seconds=1.5)
    (line,) = _lines(stream)
    assert datetime.fromisoformat(line.pop("timestamp")).tzinfo is not None
    assert line == {"event": "job.finished", "seconds": 1.5, "level": "info", "logger": "sightline.test"}


@pytest.mark.req(305)
def test_the_time_of_a_line_is_utc_and_says_so():
    stream = io.StringIO()
    _log_to(stream).info("job.finished")
    assert _lines(stream)[0]["timestamp"].endswith("Z")


def test_newlines_in_a_value_do_not_make_a_second_line():
    stream = io.StringIO()
    _log_to(stream).info("request.completed", path='/a\n{"event": "forged"}\r\n')
    assert [line["event"] for line in _lines(stream)] == ["request.completed"]


def test_what_json_does_not_know_is_written_as_text():
    stream = io.StringIO()
    _log_to(stream).info("x", where=b"\xff", what={1, 2}.__class__)
    assert _lines(stream)[0]["where"] == "b'\\xff'"


def test_words_of_other_languages_stay_readable():
    stream = io.StringIO()
    _log_to(stream).info("x", name="Übung 東京")
    assert "Übung 東京" in stream.getvalue()


def test_an_exception_is_a_field_of_the_line():
    stream = io.StringIO()
    log = _log_to(stream)
    try:
        raise ValueError("broken")
    except ValueError:
        log.exception("job.failed")
    (line,) = _lines(stream)
    assert line["exception"].startswith("Traceback")
    assert line["exception"].endswith("ValueError: broken")


@pytest.mark.parametrize(
    "name",
    ["password", "db_password", "secret", "jwt_secret", "token", "access_token", "Authorization", "api_key", "cookie"],
)
@pytest.mark.parametrize("log_format", ["json", "pretty"])
def test_a_field_that_is_called_like_a_secret_is_hidden(name: str, log_format: str):
    stream = io.StringIO()
    _log_to(stream, log_format=log_format).info("x", **{name: "hunter2"})
    assert "hunter2" not in stream.getvalue()
    assert "********" in stream.getvalue()


def test_a_secret_inside_of_an_object_is_hidden():
    stream = io.StringIO()
    _log_to(stream).info("x", request={"headers": {"Authorization": "hunter2"}, "path": "/a"})
    assert _lines(stream)[0]["request"] == {"headers": {"Authorization": "********"}, "path": "/a"}


def test_hiding_a_secret_does_not_change_what_was_handed_in():
    request = {"token": "hunter2"}
    _log_to(io.StringIO()).info("x", request=request)
    assert request == {"token": "hunter2"}


@pytest.mark.req(296)
def test_a_line_carries_the_ids_of_the_work_at_hand():
    stream = io.StringIO()
    log = _log_to(stream)
    with work_context(correlation_id="c-1", job_id="7"):
        log.info("inside")
    log.info("outside")
    inside, outside = _lines(stream)
    assert (inside["correlation_id"], inside["job_id"]) == ("c-1", "7")
    assert "correlation_id" not in outside


@pytest.mark.req(296)
def test_lines_of_libraries_have_the_same_form_and_ids():
    stream = io.StringIO()
    _log_to(stream)
    with work_context(correlation_id="c-1"):
        logging.getLogger("some.library").warning("it took %d s", 3)
    (line,) = _lines(stream)
    assert (line["event"], line["logger"], line["level"], line["correlation_id"]) == (
        "it took 3 s",
        "some.library",
        "warning",
        "c-1",
    )


def test_lines_below_the_level_are_not_written():
    stream = io.StringIO()
    log = _log_to(stream, log_level="warning")
    log.info("quiet")
    log.warning("loud")
    assert [line["event"] for line in _lines(stream)] == ["loud"]


@pytest.mark.parametrize("name", ["uvicorn.access", "uvicorn.error", "httpx", "httpcore"])
def test_libraries_that_tell_of_every_step_are_kept_quiet(name: str):
    stream = io.StringIO()
    _log_to(stream)
    logging.getLogger(name).info("GET / 200")
    assert stream.getvalue() == ""


def test_configuring_twice_does_not_write_twice():
    stream = io.StringIO()
    _log_to(io.StringIO())
    _log_to(stream).info("once")
    assert len(_lines(stream)) == 1


def test_on_a_terminal_lines_are_for_people():
    stream = Terminal()
    _log_to(stream).info("job.finished", seconds=1.5)
    assert "\x1b[" in stream.getvalue()
    assert "job.finished" in stream.getvalue()
    assert not stream.getvalue().startswith("{")


def test_json_can_be_asked_for_on_a_terminal():
    stream = Terminal()
    _log_to(stream, log_format="json").info("job.finished")
    assert _lines(stream)[0]["event"] == "job.finished"


def test_pretty_lines_in_a_file_have_no_colours():
    stream = io.StringIO()
    _log_to(stream, log_format="pretty").info("job.finished", seconds=1.5)
    assert "\x1b" not in stream.getvalue()
    assert "seconds=1.5" in stream.getvalue()


@pytest.mark.parametrize("hostile", ["/\x1b[2J", "/\x1b]0;owned\x07", "/\x9b2J", "/\x08\x08", "/\x7f", "/\x00"])
def test_a_stranger_cannot_command_the_terminal(hostile: str):
    stream = io.StringIO()
    _log_to(stream, log_format="pretty").info("request.completed", path=hostile)
    assert all(character.isprintable() for character in stream.getvalue().rstrip("\n"))


@pytest.mark.parametrize("log_format", ["json", "pretty"])
def test_a_message_with_percent_signs_is_written_as_it_is(log_format: str):
    stream = io.StringIO()
    _log_to(stream, log_format=log_format).info("request.completed", path="/%s%d%n")
    assert "/%s%d%n" in stream.getvalue()
