"""OpenTelemetry traces: on when the standard OTEL_* variables name an exporter, and absent otherwise.

Absent means that neither its SDK nor an exporter is imported, and a span costs one attribute look-up. The bare API
package may still be loaded: FastAPI imports it.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from sightline.errors import ConfigurationError

_tracer: Any = None
_provider: Any = None


def is_tracing_requested(environment: Mapping[str, str]) -> bool:
    """Whether the standard variables request traces."""
    if environment.get("OTEL_SDK_DISABLED", "").lower() == "true":
        return False
    exporter = environment.get("OTEL_TRACES_EXPORTER", "")
    if exporter == "none":
        return False
    endpoints = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
    return bool(exporter) or any(environment.get(name) for name in endpoints)


def configure_tracing(environment: Mapping[str, str] = os.environ) -> bool:
    """Starts exporting if it is requested, and returns whether it did. An error names the extra if it is missing."""
    global _tracer, _provider
    if not is_tracing_requested(environment):
        return False
    try:
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError as error:
        raise ConfigurationError(
            "OTEL_* variables request traces, but OpenTelemetry is not installed: pip install 'sightline[otel]'"
        ) from error
    # OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES are read by the SDK and win over our name.
    name = {} if environment.get("OTEL_SERVICE_NAME") else {"service.name": "sightline"}
    _provider = TracerProvider(resource=Resource.create(name))
    _provider.add_span_processor(BatchSpanProcessor(_exporter(environment)))
    _tracer = _provider.get_tracer("sightline")
    return True


def _exporter(environment: Mapping[str, str]) -> Any:
    match environment.get("OTEL_TRACES_EXPORTER") or "otlp":
        case "otlp":
            from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

            return OTLPSpanExporter()
        case "console":
            from opentelemetry.sdk.trace.export import ConsoleSpanExporter

            return ConsoleSpanExporter()
        case other:
            raise ConfigurationError(f"OTEL_TRACES_EXPORTER is {other!r}; use otlp, console or none")


def shut_down_tracing() -> None:
    """Sends the remaining spans and turns tracing off."""
    global _tracer, _provider
    if _provider is not None:
        _provider.shutdown()
    _tracer = _provider = None


@contextmanager
def span(
    name: str, *, carrier: Mapping[str, str] | None = None, **attributes: str | int | float | bool
) -> Iterator[Any]:
    """A span around the block, child of the current one or of the one in `carrier` (traceparent)."""
    if _tracer is None:
        yield None
        return
    from opentelemetry.propagate import extract

    context = extract(dict(carrier)) if carrier else None
    with _tracer.start_as_current_span(name, context=context, attributes=attributes) as current:
        yield current


@contextmanager
def resumed_span(name: str, carrier: Mapping[str, str] | None) -> Iterator[Any]:
    """A span in the trace of `carrier`, linked to the current one: work that began earlier and is finished from here.

    Where no trace was carried, it belongs to the current one.
    """
    if _tracer is None:
        yield None
        return
    if not carrier or "traceparent" not in carrier:
        with span(name) as current:
            yield current
        return
    from opentelemetry.propagate import extract
    from opentelemetry.trace import Link, get_current_span

    here = get_current_span().get_span_context()
    links = [Link(here)] if here.is_valid else []
    with _tracer.start_as_current_span(name, context=extract(dict(carrier)), links=links) as current:
        yield current


def trace_carrier() -> dict[str, str]:
    """The current span as headers to send; empty when there is none."""
    carrier: dict[str, str] = {}
    if _tracer is not None:
        from opentelemetry.propagate import inject

        inject(carrier)
    return carrier


def current_trace_ids() -> dict[str, str]:
    """Fields for a log line."""
    if _tracer is None:
        return {}
    from opentelemetry.trace import get_current_span

    context = get_current_span().get_span_context()
    if not context.is_valid:
        return {}
    return {"trace_id": f"{context.trace_id:032x}", "span_id": f"{context.span_id:016x}"}
