"""The one Prometheus endpoint."""

import asyncio
import re

import pytest
from prometheus_client.parser import text_string_to_metric_families
from pydantic import SecretStr

from sightline.api import create_app
from sightline.observability import ObservabilitySettings
from sightline.supervisor import Supervisor


class _Idle:
    name = "idle"

    async def run(self, stop, ready):
        ready()
        await stop.wait()


async def _samples(client, **headers):
    answer = await client.get("/metrics", headers=headers)
    assert answer.status_code == 200
    return [sample for family in text_string_to_metric_families(answer.text) for sample in family.samples]


@pytest.mark.req(308)
async def test_metrics_of_http_services_and_the_process_are_on_one_page(platform, client_for):
    supervisor = Supervisor(registry=platform.registry)
    await supervisor.start(_Idle())
    client = client_for(create_app(platform))
    await client.get("/api/health")
    found = {(sample.name, sample.labels.get("service")) for sample in await _samples(client)}
    await supervisor.stop()
    assert {
        ("sightline_http_requests_total", None),
        ("sightline_http_request_duration_seconds_bucket", None),
        ("sightline_service_up", "idle"),
        ("process_resident_memory_bytes", None),
        ("python_info", None),
        ("sightline_info", None),
    } <= found


@pytest.mark.req(308)
async def test_the_answer_is_prometheus_text(client):
    assert (await client.get("/metrics")).headers["content-type"].startswith("text/plain; version=")


@pytest.mark.req(308)
async def test_a_request_is_counted_by_its_route_and_not_by_its_path(client):
    for number in range(3):
        await client.get(f"/videos/00000000-0000-0000-0000-00000000000{number}")
    counted = [
        (sample.labels["route"], sample.labels["status"], sample.value)
        for sample in await _samples(client)
        if sample.name == "sightline_http_requests_total"
    ]
    assert counted == [("/videos/{video_id}", "404", 3.0)]


@pytest.mark.req(308)
async def test_no_stranger_can_make_the_page_grow_without_end(client):
    for number in range(20):
        await client.get(f"/no/such/path/{number}")
        await client.request(f"WORD{number}", "/videos")
        await client.get(f"/docs/assets/{number}.js")
    labels = {
        (sample.labels["method"], sample.labels["route"])
        for sample in await _samples(client)
        if sample.name == "sightline_http_requests_total"
    }
    assert len(labels) <= 3
    assert ("GET", "unmatched") in labels


async def test_a_crash_is_counted_as_500(app, client_for, log_lines):
    async def crash() -> None:
        raise RuntimeError("boom")

    app.add_api_route("/crash", crash)
    client = client_for(app)
    await client.get("/crash")
    text = (await client.get("/metrics")).text
    assert 'sightline_http_requests_total{method="GET",route="/crash",status="500"} 1.0' in text
    assert [line["path"] for line in log_lines() if line["event"] == "request.crashed"] == ["/crash"]


@pytest.mark.req(308)
async def test_with_authentication_metrics_are_for_operators(client_with, auth_on, signed_in):
    client = await client_with(auth=auth_on)
    nobody: dict[str, str] = {}
    statuses = [
        (await client.get("/metrics", headers=headers)).status_code
        for headers in (nobody, signed_in("ann"), signed_in("olga", sightline_role="operator"))
    ]
    assert statuses == [401, 403, 200]


@pytest.mark.req(308)
async def test_a_scraper_may_read_metrics_with_its_token(client_with, auth_on):
    scraping = ObservabilitySettings(metrics_token=SecretStr("scraper's"))
    client = await client_with(auth=auth_on, observability=scraping)
    assert await _samples(client, authorization="Bearer scraper's")


async def test_nearly_the_scrapers_token_is_not_enough(client_with, auth_on):
    scraping = ObservabilitySettings(metrics_token=SecretStr("scraper's"))
    client = await client_with(auth=auth_on, observability=scraping)
    for offered in ("Bearer scraper", "Bearer scraper's ", "scraper's", "Bearer ", "", "Bearer é"):
        answer = await client.get("/metrics", headers=[(b"authorization", offered.encode())])
        assert answer.status_code == 401, offered


async def test_the_scrapers_token_opens_nothing_else(client_with, auth_on):
    scraping = ObservabilitySettings(metrics_token=SecretStr("scraper's"))
    client = await client_with(auth=auth_on, observability=scraping)
    headers = {"authorization": "Bearer scraper's"}
    assert [(await client.get(path, headers=headers)).status_code for path in ("/videos", "/api/status")] == [401, 401]


async def test_a_token_that_was_set_to_nothing_opens_no_door(client_with, auth_on):
    client = await client_with(auth=auth_on, observability=ObservabilitySettings(metrics_token=SecretStr("")))
    assert (await client.get("/metrics", headers=[(b"authorization", b"Bearer ")])).status_code == 401


async def test_whoever_hung_up_is_counted_as_unanswered(app, client_for):
    waiting = asyncio.Event()

    async def slow() -> None:
        waiting.set()
        await asyncio.Event().wait()

    app.add_api_route("/slow", slow)
    client = client_for(app)
    asking = asyncio.create_task(client.get("/slow"))
    await waiting.wait()
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    text = (await client.get("/metrics")).text
    assert re.search(r'requests_total\{method="GET",route="/slow",status="0"\} 1\.0', text)
