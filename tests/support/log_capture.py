"""Logs in tests: as the JSON lines that leave the process, and with tracebacks that are quick to write."""

import io
import json
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import structlog

from sightline.observability import ObservabilitySettings, configure_logging


@contextmanager
def captured_log_lines() -> Iterator[Callable[[], list[dict[str, Any]]]]:
    """The lines as they leave the process."""
    stream = io.StringIO()
    before, root = structlog.get_config(), logging.getLogger()
    handlers, level = root.handlers, root.level
    configure_logging(ObservabilitySettings(log_format="json", log_level="info"), stream=stream)
    structlog.configure(cache_logger_on_first_use=False)  # a cached logger would outlive the test
    try:
        yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    finally:
        structlog.configure(**before)
        root.handlers = handlers
        root.setLevel(level)


@contextmanager
def plain_tracebacks() -> Iterator[None]:
    """Coloured ones with all variables take half a second each, during which no worker runs."""
    before = structlog.get_config()
    *others, last = before["processors"]
    if isinstance(last, structlog.dev.ConsoleRenderer):
        plain = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
        structlog.configure(processors=[*others, plain])
    try:
        yield
    finally:
        structlog.configure(**before)
