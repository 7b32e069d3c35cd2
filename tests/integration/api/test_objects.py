"""The objects of the disk keeper as part of the whole API: guards, limits, announcements on the bus, metrics."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from pydantic import SecretStr

from sightline.api import create_app
from sightline.bootstrap import Platform
from sightline.bus import STORAGE_QUEUE
from sightline.config import ApiSettings
from sightline.objects import DiskObjectStore, ObjectsSettings, PartTag
from sightline.roles import services_of
from support.api_description import served_description
from support.postgres import Databases

KEY = "videos/original/7f0c/master.mp4"
FOREIGN = {"origin": "https://page.example"}


@pytest.fixture
async def local(platform_with: Callable[..., Awaitable[Platform]]) -> Platform:
    """As `client` knows it: on localhost:8400."""
    return await platform_with(api=ApiSettings(public_url="http://localhost:8400", max_body_bytes=2048))


@pytest.fixture
def disk(local: Platform) -> DiskObjectStore:
    assert local.open_objects.disk is not None
    return local.open_objects.disk


@pytest.fixture
def asking(local: Platform, client_for: Callable[[FastAPI], httpx.AsyncClient]) -> httpx.AsyncClient:
    return client_for(create_app(local))


async def upload(disk: DiskObjectStore, client: httpx.AsyncClient, content: bytes = b"bytes") -> str:
    upload_id = await disk.create_upload(KEY)
    answer = await client.put(await disk.sign_part(KEY, upload_id, 1, expires_s=3600), content=content)
    assert answer.status_code == 200, answer.text
    await disk.complete_upload(KEY, upload_id, [PartTag(1, answer.headers["etag"])])
    return upload_id


async def test_a_part_may_be_larger_than_other_bodies(disk: DiskObjectStore, asking: httpx.AsyncClient):
    await upload(disk, asking, b"x" * 100_000)
    answer = await asking.get(await disk.sign_get(KEY, expires_s=3600))
    assert (answer.status_code, len(answer.content)) == (200, 100_000)
    assert (await asking.post("/videos", content=b"x" * 3000)).status_code == 413


@pytest.mark.req(267)
async def test_a_completed_upload_is_announced_on_the_bus(
    disk: DiskObjectStore, local: Platform, asking: httpx.AsyncClient
):
    await disk.put("frames/1.jpg", b"of our own")
    await upload(disk, asking)
    (message,) = await local.bus.receive(STORAGE_QUEUE, limit=10, wait_s=0)
    assert KEY in message.body
    assert "CompleteMultipartUpload" in message.body
    assert '"aws.s3"' in message.body
    assert f"arn:aws:s3:::{disk.bucket}" in message.body


async def test_an_upload_is_completed_although_the_database_is_gone_and_left_for_the_upkeep_to_tell(
    disk: DiskObjectStore, local: Platform, asking: httpx.AsyncClient
):
    upload_id = await disk.create_upload(KEY)
    answer = await asking.put(await disk.sign_part(KEY, upload_id, 1, expires_s=3600), content=b"bytes")
    local.database.terminate()  # nobody can be told now
    stored = await disk.complete_upload(KEY, upload_id, [PartTag(1, answer.headers["etag"])])
    assert stored.size == 5
    assert len(os.listdir(disk.layout.announcements)) == 1
    names = [service.name for service in services_of("schedule", local)]
    assert {"objects-announcements", "objects-sweep"} <= set(names)


async def test_a_page_of_elsewhere_may_use_a_signed_address_and_nothing_else(
    disk: DiskObjectStore, asking: httpx.AsyncClient
):
    await disk.put(KEY, b"bytes")
    address = await disk.sign_get(KEY, expires_s=3600)
    answer = await asking.get(address, headers=FOREIGN)
    assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (200, "*")
    assert (await asking.get(address.partition("?")[0], headers=FOREIGN)).status_code == 403
    assert (await asking.get("/videos", headers=FOREIGN)).status_code == 403
    assert (await asking.get("/objects-of-others", headers=FOREIGN)).status_code == 403
    preflight = {"access-control-request-method": "PUT", **FOREIGN}
    assert (await asking.options(address, headers=preflight)).status_code == 204
    assert (await asking.options("/videos", headers=preflight)).status_code == 403


async def test_an_allowed_origin_is_answered_once(platform_with: Any, client_for: Any):
    platform = await platform_with(
        api=ApiSettings(public_url="http://localhost:8400", cors_origins=("https://page.example",))
    )
    await platform.objects.put(KEY, b"bytes")
    answer = await client_for(create_app(platform)).get(
        await platform.objects.sign_get(KEY, expires_s=3600), headers=FOREIGN
    )
    assert answer.headers.get_list("access-control-allow-origin") == ["*"]


async def test_another_name_of_this_machine_is_refused_even_with_a_signature(
    disk: DiskObjectStore, asking: httpx.AsyncClient
):
    await disk.put(KEY, b"bytes")
    answer = await asking.get(await disk.sign_get(KEY, expires_s=3600), headers={"host": "rebound.example"})
    assert answer.status_code == 403
    assert answer.json()["error"]["code"] == "FORBIDDEN"


async def test_requests_are_logged_and_counted_without_keys_or_signatures(
    disk: DiskObjectStore, local: Platform, asking: httpx.AsyncClient, log_lines: Any
):
    await disk.put(KEY, b"bytes")
    answer = await asking.get(await disk.sign_get(KEY, expires_s=3600))
    assert answer.headers["x-correlation-id"]
    (line,) = [one for one in log_lines() if one["event"] == "request.completed"]
    assert (line["status"], line["path"]) == (200, f"/objects/{disk.bucket}/{KEY}")
    assert "Signature" not in str(line)
    count = local.registry.get_sample_value(
        "sightline_http_requests_total", {"method": "GET", "route": "/objects/{bucket}/{key:path}", "status": "200"}
    )
    assert count == 1


async def test_with_authentication_a_signed_address_needs_no_token(platform_with: Any, client_for: Any, auth_on: Any):
    platform = await platform_with(auth=auth_on, api=ApiSettings(public_url="https://video.example/sightline"))
    await platform.objects.put(KEY, b"bytes")
    address = await platform.objects.sign_get(KEY, expires_s=3600)
    assert address.startswith("https://video.example/sightline/objects/")
    behind_a_proxy = address.replace("https://video.example/sightline", "http://localhost:8400")
    answer = await client_for(create_app(platform)).get(behind_a_proxy)
    assert (answer.status_code, answer.content) == (200, b"bytes")


async def test_with_s3_there_are_no_such_routes(platform_with: Any, client_for: Any):
    settings = ObjectsSettings(
        backend="s3", s3_endpoint="http://127.0.0.1:1", s3_access_key_id="x", s3_secret_access_key=SecretStr("y")
    )
    platform = await platform_with(objects=settings)
    client = client_for(create_app(platform))
    assert (await client.get("/objects/fiapx-videos/a")).status_code == 404
    assert (await client.get("/objects/fiapx-videos/a", headers=FOREIGN)).status_code == 403
    assert (await client.put("/objects/fiapx-videos/a", content=b"x" * 2_000_000)).status_code == 413
    assert platform.open_objects.services == ()
    health = (await client.get("/api/health?deep=true")).json()
    assert health["parts"]["objects"]["status"] == "unavailable"


def test_the_routes_are_not_in_our_own_schema(databases: Databases, tmp_path_factory: pytest.TempPathFactory):
    schema = served_description(databases, tmp_path_factory.getbasetemp())
    assert not [path for path in schema["paths"] if path.startswith("/objects")]


async def test_processes_of_one_state_directory_sign_with_one_key(platform_with: Any):
    first, second = await asyncio.gather(platform_with(), platform_with())
    assert first.open_objects.disk.signing_key == second.open_objects.disk.signing_key
