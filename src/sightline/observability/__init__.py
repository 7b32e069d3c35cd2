"""Logs, metrics, traces and health checks."""

from sightline.observability.capture import captured_lines
from sightline.observability.context import (
    CORRELATION_HEADER,
    accept_correlation_id,
    correlation_id,
    fresh_work_context,
    work_context,
)
from sightline.observability.control_characters import escape_controls
from sightline.observability.health import Health, PartHealth
from sightline.observability.logging import configure_logging
from sightline.observability.metrics import CONTENT_TYPE_LATEST, create_registry, render
from sightline.observability.settings import ObservabilitySettings
from sightline.observability.tracing import configure_tracing, resumed_span, shut_down_tracing, span, trace_carrier

__all__ = [
    "CONTENT_TYPE_LATEST",
    "CORRELATION_HEADER",
    "Health",
    "ObservabilitySettings",
    "PartHealth",
    "accept_correlation_id",
    "captured_lines",
    "configure_logging",
    "configure_tracing",
    "correlation_id",
    "create_registry",
    "escape_controls",
    "fresh_work_context",
    "render",
    "resumed_span",
    "shut_down_tracing",
    "span",
    "trace_carrier",
    "work_context",
]
