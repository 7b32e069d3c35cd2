"""Capture of the log lines of one job or request, besides writing them."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from structlog.typing import EventDict, WrappedLogger

MAX_CAPTURED_LINES = 10_000

_captured: ContextVar[list[dict[str, Any]] | None] = ContextVar("captured_lines", default=None)


@contextmanager
def captured_lines() -> Iterator[list[dict[str, Any]]]:
    """Inside the block, and in tasks started there, every log line is also added to the list."""
    lines: list[dict[str, Any]] = []
    token = _captured.set(lines)
    try:
        yield lines
    finally:
        _captured.reset(token)


def capture(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """The processor of the logging chain that captures lines."""
    lines = _captured.get()
    if lines is not None and len(lines) < MAX_CAPTURED_LINES:
        lines.append({name: value for name, value in event.items() if not name.startswith("_") and name != "exc_info"})
    return event
