"""A collector of OpenTelemetry traces, for tests that read what processes reported."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from support.local_http import LocalHttp


@dataclass(frozen=True, slots=True)
class CollectedSpan:
    service: str
    name: str
    trace_id: str
    span_id: str
    parent_id: str
    linked_to: tuple[str, ...]
    attributes: dict[str, str]


class TraceCollector:
    def __init__(self, http: LocalHttp) -> None:
        self._http = http

    def environment(self, service: str) -> dict[str, str]:
        """What a process is started with, so that it reports its spans here within a tenth of a second."""
        return {
            "OTEL_EXPORTER_OTLP_ENDPOINT": self._http.url,
            "OTEL_SERVICE_NAME": service,
            "OTEL_BSP_SCHEDULE_DELAY": "100",
        }

    @property
    def spans(self) -> list[CollectedSpan]:
        exports = [ExportTraceServiceRequest.FromString(body) for body in self._http.bodies]
        return [
            CollectedSpan(
                service=_attributes(resource.resource).get("service.name", ""),
                name=span.name,
                trace_id=span.trace_id.hex(),
                span_id=span.span_id.hex(),
                parent_id=span.parent_span_id.hex(),
                linked_to=tuple(link.trace_id.hex() for link in span.links),
                attributes=_attributes(span),
            )
            for export in exports
            for resource in export.resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]


def _attributes(thing) -> dict[str, str]:
    return {item.key: item.value.string_value or str(item.value.int_value) for item in thing.attributes}


@asynccontextmanager
async def trace_collector() -> AsyncIterator[TraceCollector]:
    http = LocalHttp()
    await http.start()
    try:
        yield TraceCollector(http)
    finally:
        http.stop()
