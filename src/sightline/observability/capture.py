"""Keeping the log lines of one piece of work, beside writing them out."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from structlog.typing import EventDict, WrappedLogger

MOST_LINES = 10_000

_captured: ContextVar[list[dict[str, Any]] | None] = ContextVar("captured_lines", default=None)


@contextmanager
def captured_lines() -> Iterator[list[dict[str, Any]]]:
    """Inside, and in tasks begun inside, every line that is written is also put on the list."""
    lines: list[dict[str, Any]] = []
    token = _captured.set(lines)
    try:
        yield lines
    finally:
        _captured.reset(token)


def capture(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """The step of the logging chain that does it."""
    lines = _captured.get()
    if lines is not None and len(lines) < MOST_LINES:
        lines.append({name: value for name, value in event.items() if not name.startswith("_") and name != "exc_info"})
    return event
