"""Traces reach a collector when they are asked for, and cost nothing otherwise. In processes of their own."""

import asyncio
import json
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from support.local_http import LocalHttp
from support.postgres import Databases

# One process serves with each set of variables in turn: what it has loaded, it has loaded for good, so the first are those
# that are to load nothing.
ASK = """
import asyncio, json, os, sys
import httpx
from pydantic import SecretStr
import sightline.cli.run
from sightline.api import create_app
from sightline.bootstrap import open_platform
from sightline.config import Settings
from sightline.db import DatabaseSettings
from sightline.observability import ObservabilitySettings, configure_logging, configure_tracing, shut_down_tracing

variables, requests = json.loads(os.environ["TEST_VARIABLES"]), json.loads(os.environ["TEST_REQUESTS"])


async def ask(name):
    settings = Settings(state_dir="state", database=DatabaseSettings(url=SecretStr(os.environ["TEST_DATABASE"])))
    async with open_platform(settings) as platform:
        transport = httpx.ASGITransport(create_app(platform))
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost:8400") as client:
            return [
                (await client.get("/videos", headers={"x-correlation-id": f"{name}-{what}", **headers})).status_code
                for what, headers in requests.items()
            ]


def serve(name, added):
    os.environ.update(added)
    is_on = configure_tracing()
    statuses = asyncio.run(ask(name))
    shut_down_tracing()
    for variable in added:
        del os.environ[variable]
    loaded = any(name.startswith(("opentelemetry.sdk", "opentelemetry.exporter")) for name in sys.modules)
    return {"is_on": is_on, "statuses": statuses, "loaded": loaded}


configure_logging(ObservabilitySettings(log_format="json"))
print(json.dumps({name: serve(name, added) for name, added in variables.items()}))
"""
TRACE = "0af7651916cd43dd8448eb211c80319c"
PARENT = "b7ad6b7169203331"
REQUESTS = {
    "plain": {},
    "traced": {"traceparent": f"00-{TRACE}-{PARENT}-01"},
    "hostile": {"traceparent": "00-zz-;drop-99", "tracestate": "=" * 5000},
}


@dataclass
class Served:
    """What a process did with each set of variables."""

    outcomes: dict[str, dict[str, Any]]
    lines: list[dict[str, Any]]
    collected: dict[str, list[ExportTraceServiceRequest]]

    def line(self, correlation_id: str) -> dict[str, Any]:
        (found,) = [line for line in self.lines if line.get("correlation_id") == correlation_id]
        assert found["event"] == "request.completed"
        return found

    def span(self, correlation_id: str) -> Span:
        """The span that the log line of this request leads to."""
        span_id = self.line(correlation_id)["span_id"]
        name, _, _ = correlation_id.partition("-")
        (found,) = [span for span in _spans(self.collected[f"/{name}/v1/traces"]) if span.span_id.hex() == span_id]
        return found


def _spans(exports: list[ExportTraceServiceRequest]) -> list[Span]:
    return [
        span
        for export in exports
        for resource in export.resource_spans
        for scope in resource.scope_spans
        for span in scope.spans
    ]


async def _serve(database_url: str, directory: Path) -> Served:
    collector, refusing = LocalHttp(), LocalHttp()
    refusing.status = 400
    for service in (collector, refusing):
        await service.start()
    variables = {
        "without": {},
        "disabled": {"OTEL_EXPORTER_OTLP_ENDPOINT": f"{collector.url}/disabled", "OTEL_SDK_DISABLED": "true"},
        "usual": {"OTEL_EXPORTER_OTLP_ENDPOINT": f"{collector.url}/usual"},
        "named": {"OTEL_EXPORTER_OTLP_ENDPOINT": f"{collector.url}/named", "OTEL_SERVICE_NAME": "mine"},
        "refused": {"OTEL_EXPORTER_OTLP_ENDPOINT": f"{refusing.url}/refused"},
    }
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("OTEL_", "SIGHTLINE_"))}
    given = {
        "TEST_DATABASE": database_url,
        "TEST_VARIABLES": json.dumps(variables),
        "TEST_REQUESTS": json.dumps(REQUESTS),
    }
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", ASK),
        cwd=directory,
        env=kept | given,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await process.communicate()
    assert process.returncode == 0, err.decode()
    collected: dict[str, list[ExportTraceServiceRequest]] = {}
    for service in (collector, refusing):
        for (method, path), body in zip(service.asked, service.bodies, strict=True):
            assert method == "POST"
            collected.setdefault(path, []).append(ExportTraceServiceRequest.FromString(body))
        service.stop()
    lines = [json.loads(line) for line in err.splitlines() if line.startswith(b"{")]
    return Served(json.loads(out), lines, collected)


@pytest.fixture(scope="module")
def served(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    database = databases.migrated()
    yield asyncio.run(_serve(database.url, tmp_path_factory.mktemp("tracing")))
    databases.drop(database)


def _attributes(thing: Any) -> dict[str, str]:
    return {item.key: item.value.string_value or str(item.value.int_value) for item in thing.attributes}


def test_without_the_variables_neither_sdk_nor_exporter_is_loaded(served):
    # FastAPI itself imports the bare API package (opentelemetry-api), which does and sends nothing.
    assert served.outcomes["without"] == {"is_on": False, "statuses": [200, 200, 200], "loaded": False}


async def test_our_own_tracing_loads_nothing_of_it_at_all_without_the_variables(tmp_path):
    code = """
import sys
from sightline.observability import configure_tracing, span, trace_carrier
assert configure_tracing({}) is False
with span("work"):
    assert trace_carrier() == {}
print([name for name in sys.modules if name.partition(".")[0] == "opentelemetry"])
"""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", code, cwd=tmp_path, stdout=asyncio.subprocess.PIPE
    )
    out, _ = await process.communicate()
    assert (process.returncode, out.strip()) == (0, b"[]")


def test_requests_are_reported_to_the_collector(served):
    assert served.outcomes["usual"] == {"is_on": True, "statuses": [200, 200, 200], "loaded": True}
    assert len(_spans(served.collected["/usual/v1/traces"])) == 3


def test_a_span_has_method_route_and_status(served):
    assert _attributes(served.span("usual-plain")) == {
        "http.request.method": "GET",
        "http.route": "/videos",
        "http.response.status_code": "200",
    }


def test_the_callers_trace_goes_on_in_ours(served):
    span = served.span("usual-traced")
    assert (span.trace_id.hex(), span.parent_span_id.hex()) == (TRACE, PARENT)


def test_a_hostile_traceparent_begins_a_trace_of_our_own(served):
    span = served.span("usual-hostile")
    assert len(span.trace_id) == 16
    assert span.parent_span_id == b""


@pytest.mark.req(296)
def test_a_log_line_leads_to_its_trace(served):
    line = served.line("usual-traced")
    (span,) = [one for one in _spans(served.collected["/usual/v1/traces"]) if one.trace_id.hex() == TRACE]
    assert (line["trace_id"], line["span_id"]) == (TRACE, span.span_id.hex())


@pytest.mark.parametrize(("variables", "name"), [("usual", "sightline"), ("named", "mine")])
def test_the_service_has_a_name(served, variables, name):
    for export in served.collected[f"/{variables}/v1/traces"]:
        (resource,) = export.resource_spans
        assert _attributes(resource.resource)["service.name"] == name


def test_turned_off_by_the_standard_variable_nothing_is_sent(served):
    assert served.outcomes["disabled"] == {"is_on": False, "statuses": [200, 200, 200], "loaded": False}
    assert "/disabled/v1/traces" not in served.collected


def test_a_collector_that_refuses_does_not_harm_the_request(served):
    assert served.collected["/refused/v1/traces"]
    assert served.outcomes["refused"]["statuses"] == [200, 200, 200]
