"""Traces reach a collector when they are asked for, and cost nothing otherwise. In processes of their own."""

import asyncio
import json
import os
import sys
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

ASK = """
import asyncio, json, os, sys
import httpx
from pydantic import SecretStr
import sightline.cli
from sightline.api import create_app
from sightline.bootstrap import open_platform
from sightline.config import Settings
from sightline.db import DatabaseSettings
from sightline.observability import ObservabilitySettings, configure_logging, configure_tracing, shut_down_tracing


async def ask():
    settings = Settings(state_dir="state", database=DatabaseSettings(url=SecretStr(os.environ["TEST_DATABASE"])))
    async with open_platform(settings) as platform:
        transport = httpx.ASGITransport(create_app(platform))
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost:8400") as client:
            return (await client.get("/videos", headers=json.loads(os.environ.get("TEST_HEADERS", "{}")))).status_code


configure_logging(ObservabilitySettings(log_format="json"))
is_on = configure_tracing()
status = asyncio.run(ask())
shut_down_tracing()
loaded = any(name.startswith(("opentelemetry.sdk", "opentelemetry.exporter")) for name in sys.modules)
print(json.dumps({"is_on": is_on, "status": status, "loaded": loaded}))
"""
TRACE = "0af7651916cd43dd8448eb211c80319c"
PARENT = "b7ad6b7169203331"


@pytest.fixture
def ask(fresh_database, tmp_path):
    """Makes one request in a process of its own; returns what it printed and what it logged."""

    async def run(
        headers: dict[str, str] | None = None, **variables: str
    ) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("OTEL_", "SIGHTLINE_"))}
        asked = {"TEST_DATABASE": fresh_database.url, "TEST_HEADERS": json.dumps(headers or {})}
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            ASK,
            cwd=tmp_path,
            env=kept | asked | variables,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        out, err = await process.communicate()
        assert process.returncode == 0, err.decode()
        return json.loads(out), [json.loads(line) for line in err.splitlines() if line.startswith(b"{")]

    return run


def _spans(local_http):
    return [
        span
        for body in local_http.bodies
        for resource in ExportTraceServiceRequest.FromString(body).resource_spans
        for scope in resource.scope_spans
        for span in scope.spans
    ]


def _attributes(thing) -> dict[str, str]:
    return {item.key: item.value.string_value or str(item.value.int_value) for item in thing.attributes}


async def test_without_the_variables_neither_sdk_nor_exporter_is_loaded(ask):
    # FastAPI itself imports the bare API package (opentelemetry-api), which does and sends nothing.
    told, _ = await ask()
    assert told == {"is_on": False, "status": 200, "loaded": False}


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


async def test_a_request_is_told_to_the_collector(ask, local_http):
    told, _ = await ask(OTEL_EXPORTER_OTLP_ENDPOINT=local_http.url)
    assert told == {"is_on": True, "status": 200, "loaded": True}
    assert local_http.asked == [("POST", "/v1/traces")]


async def test_a_span_tells_method_route_and_status(ask, local_http):
    await ask(OTEL_EXPORTER_OTLP_ENDPOINT=local_http.url)
    (span,) = _spans(local_http)
    assert _attributes(span) == {
        "http.request.method": "GET",
        "http.route": "/videos",
        "http.response.status_code": "200",
    }


async def test_the_callers_trace_goes_on_in_ours(ask, local_http):
    await ask({"traceparent": f"00-{TRACE}-{PARENT}-01"}, OTEL_EXPORTER_OTLP_ENDPOINT=local_http.url)
    (span,) = _spans(local_http)
    assert (span.trace_id.hex(), span.parent_span_id.hex()) == (TRACE, PARENT)


async def test_a_hostile_traceparent_begins_a_trace_of_our_own(ask, local_http):
    headers = {"traceparent": "00-zz-;drop-99", "tracestate": "=" * 5000}
    told, _ = await ask(headers, OTEL_EXPORTER_OTLP_ENDPOINT=local_http.url)
    assert told["status"] == 200
    (span,) = _spans(local_http)
    assert len(span.trace_id) == 16
    assert span.parent_span_id == b""


@pytest.mark.req(296)
async def test_a_log_line_leads_to_its_trace(ask, local_http):
    _, lines = await ask(
        {"traceparent": f"00-{TRACE}-{PARENT}-01", "x-correlation-id": "c-1"},
        OTEL_EXPORTER_OTLP_ENDPOINT=local_http.url,
    )
    (line,) = [line for line in lines if line["event"] == "request.answered"]
    (span,) = _spans(local_http)
    assert (line["trace_id"], line["span_id"], line["correlation_id"]) == (TRACE, span.span_id.hex(), "c-1")


@pytest.mark.parametrize(("variables", "name"), [({}, "sightline"), ({"OTEL_SERVICE_NAME": "mine"}, "mine")])
async def test_the_service_has_a_name(ask, local_http, variables, name):
    await ask(OTEL_EXPORTER_OTLP_ENDPOINT=local_http.url, **variables)
    (resource,) = ExportTraceServiceRequest.FromString(local_http.bodies[0]).resource_spans
    assert _attributes(resource.resource)["service.name"] == name


async def test_turned_off_by_the_standard_variable_nothing_is_sent(ask, local_http):
    told, _ = await ask(OTEL_EXPORTER_OTLP_ENDPOINT=local_http.url, OTEL_SDK_DISABLED="true")
    assert told == {"is_on": False, "status": 200, "loaded": False}
    assert local_http.asked == []


async def test_a_collector_that_refuses_does_not_harm_the_request(ask, local_http):
    local_http.status = 400
    told, _ = await ask(OTEL_EXPORTER_OTLP_ENDPOINT=local_http.url)
    assert told["status"] == 200
