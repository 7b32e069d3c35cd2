"""Log lines for people."""

import sys
from typing import Any

from sightline.observability.human_lines import HumanLines


def _line(level: str = "info", **fields: Any) -> str:
    event = {"event": "job.finished", "level": level, "timestamp": "2026-11-16T12:30:05.123Z", **fields}
    return HumanLines(colours=False)(None, level, event)


def _caught() -> Any:
    try:
        raise ValueError("broken")
    except ValueError:
        return sys.exc_info()


def test_a_line_is_time_event_and_fields():
    assert _line(job_type="ocr", seconds=1.5)[2] == ":"
    assert _line(job_type="ocr", seconds=1.5)[9:] == "job.finished job_type=ocr seconds=1.5"


def test_ids_that_are_for_programs_are_left_out():
    hidden = {"logger": "sightline.jobs", "correlation_id": "c-1", "trace_id": "t", "span_id": "s"}
    assert _line(**hidden)[9:] == "job.finished"


def test_only_warnings_and_errors_name_their_level():
    assert _line("warning")[9:] == "WARNING job.finished"
    assert _line("error")[9:] == "ERROR job.finished"


def test_a_value_with_spaces_is_quoted():
    assert _line(error="the wire was cut", note="")[9:] == "job.finished error='the wire was cut' note=''"


def test_the_error_of_a_warning_is_one_line_and_that_of_an_error_has_its_traceback():
    assert _line("warning", exc_info=_caught()).splitlines()[1:] == ["ValueError: broken"]
    lines = _line("error", exc_info=_caught()).splitlines()
    assert lines[1] == "Traceback (most recent call last):"
    assert lines[-1] == "ValueError: broken"


def test_colours_are_used_only_when_wanted():
    event = {"event": "x", "level": "warning", "timestamp": "2026-11-16T12:30:05Z"}
    assert "\x1b[33mWARNING" in HumanLines(colours=True)(None, "warning", dict(event))
    assert "\x1b" not in HumanLines(colours=False)(None, "warning", dict(event))
