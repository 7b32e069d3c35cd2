"""Log lines: a dotted event name and fields; JSON for programs, short lines for people."""

import logging
import sys
from typing import Any, TextIO

import structlog
from structlog.typing import EventDict, WrappedLogger

from sightline.observability.capture import capture
from sightline.observability.control_characters import escape_controls
from sightline.observability.human_lines import HumanLines
from sightline.observability.settings import ObservabilitySettings
from sightline.observability.tracing import current_trace_ids

_SECRET_WORDS = ("password", "secret", "token", "authorization", "api_key", "apikey", "cookie")


def configure_logging(settings: ObservabilitySettings, *, stream: TextIO | None = None) -> None:
    """Sends structlog and the standard library's loggers through one chain onto `stream` (stderr)."""
    output = stream or sys.stderr
    is_pretty = settings.log_format == "pretty" or (settings.log_format == "auto" and output.isatty())
    level = logging.getLevelNamesMapping()[settings.log_level.upper()]
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _add_trace_ids,
        _hide_secrets,
        capture,
    ]
    final: list[Any] = (
        [_escape_controls, HumanLines(colours=output.isatty())]
        if is_pretty
        else [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(default=str, ensure_ascii=False)]
    )
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(output)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *final],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level)
    # Each request is logged once, by us; these loggers report every step at info.
    for noisy in ("uvicorn.access", "uvicorn.error", "httpx", "httpcore", "asyncpg.pool"):
        logging.getLogger(noisy).setLevel(max(level, logging.WARNING))


def _hide_secrets(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    for name, value in event.items():
        event[name] = _without_secrets(name, value)
    return event


def _without_secrets(name: str, value: Any) -> Any:
    if any(word in name.lower() for word in _SECRET_WORDS):
        return "********"
    if isinstance(value, dict):
        return {key: _without_secrets(str(key), inner) for key, inner in value.items()}
    return value


def _escape_controls(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Paths and names come from callers, and a terminal executes the control sequences in them."""
    for name, value in event.items():
        if isinstance(value, str):
            event[name] = escape_controls(value)
    return event


def _add_trace_ids(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    event.update(current_trace_ids())
    return event
