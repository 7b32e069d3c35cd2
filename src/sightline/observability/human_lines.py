"""Log lines for people at a terminal: time, what happened, and the fields that say to what."""

import traceback
from datetime import datetime
from typing import Any

from structlog.typing import EventDict, ExcInfo, WrappedLogger

# Fields that tie lines together for a program; a person sees them in the JSON form.
HIDDEN_FIELDS = frozenset({"logger", "correlation_id", "trace_id", "span_id"})
_LEVEL_COLOURS = {"warning": "\x1b[33m", "error": "\x1b[31m", "critical": "\x1b[31m"}
_DIM, _BOLD, _RESET = "\x1b[2m", "\x1b[1m", "\x1b[0m"


class HumanLines:
    """A renderer for structlog. `12:30:05 job.finished job_type=ocr seconds=1.5`; warnings and errors say so."""

    def __init__(self, *, colours: bool) -> None:
        self._colours = colours

    def __call__(self, _logger: WrappedLogger, _method: str, event: EventDict) -> str:
        level = str(event.pop("level", "info"))
        moment = _local_time(event.pop("timestamp", None))
        name = str(event.pop("event", ""))
        error = _error_text(event.pop("exc_info", None), with_traceback=level in ("error", "critical"))
        event.pop("stack_info", None)
        fields = " ".join(f"{key}={_value(value)}" for key, value in event.items() if key not in HIDDEN_FIELDS)
        label = "" if level in ("debug", "info") else f"{level.upper()} "
        parts = (
            self._paint(_DIM, moment),
            self._paint(_LEVEL_COLOURS.get(level, ""), label) + self._paint(_BOLD, name),
            fields,
        )
        return " ".join(part for part in parts if part) + (f"\n{error}" if error else "")

    def _paint(self, colour: str, text: str) -> str:
        return f"{colour}{text}{_RESET}" if self._colours and colour and text else text


def _local_time(timestamp: Any) -> str:
    try:
        return datetime.fromisoformat(str(timestamp)).astimezone().strftime("%H:%M:%S")
    except ValueError:
        return ""


def _value(value: object) -> str:
    """Quoted when it would otherwise be read as several fields."""
    text = value if isinstance(value, str) else str(value)
    return repr(text) if not text or any(character in text for character in ' ="\n\t') else text


def _error_text(exc_info: BaseException | ExcInfo | bool | None, *, with_traceback: bool) -> str:
    """An error with its traceback; a warning needs no more than its last line."""
    error = exc_info[1] if isinstance(exc_info, tuple) else exc_info
    if not isinstance(error, BaseException):
        return ""
    lines = traceback.format_exception(error) if with_traceback else traceback.format_exception_only(error)
    return "".join(lines).rstrip()
