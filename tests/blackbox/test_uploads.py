"""Uploads over HTTP: what arrived is never lost, whatever the client leaves out."""

import hashlib
import os
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
import pytest_asyncio

from support.platform_process import up
from support.waiting import until

pytestmark = pytest.mark.asyncio(loop_scope="module")

MIB = 1024 * 1024
PART = 5 * MIB
CONTENT = os.urandom(MIB) * 11  # parts of 5, 5 and 1 MiB
# Long enough for a client that goes on, short enough for a test.
SOON = {"SIGHTLINE_UPLOADS_ABANDONED_AFTER_H": str(3 / 3600)}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def api(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[httpx.AsyncClient]:
    state = tmp_path_factory.mktemp("uploads") / "state"
    async with up(state) as platform, httpx.AsyncClient(base_url=platform.address, timeout=None) as client:
        yield client


async def begin(api: httpx.AsyncClient, **more: Any) -> str:
    body = {"totalSize": len(CONTENT), "filename": "match.mp4", "partSize": PART}
    answer = await api.post("/videos", json=body | more)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["videoId"])


async def put(api: httpx.AsyncClient, video: str, *numbers: int) -> None:
    """Without a report, as a client that ends right after the PUT."""
    issued = await api.get(f"/videos/{video}/upload-urls", params={"partNumbers": ",".join(map(str, numbers))})
    for one in issued.json()["urls"]:
        part = CONTENT[(one["partNumber"] - 1) * PART :][:PART]
        assert (await api.put(one["url"], content=part)).status_code == 200


async def status(api: httpx.AsyncClient, video: str) -> str:
    return str((await api.get(f"/videos/{video}/progress")).json()["status"])


def md5(number: int) -> str:
    return hashlib.md5(CONTENT[(number - 1) * PART :][:PART], usedforsecurity=False).hexdigest()


@pytest.mark.req(421)
@pytest.mark.parametrize("body", [b"", b"{}"])
async def test_completing_without_a_list_takes_what_the_store_has(api: httpx.AsyncClient, body: bytes):
    video, json = await begin(api), {"content-type": "application/json"}
    await put(api, video, 1, 3)
    refused = await api.post(f"/videos/{video}/complete", content=body, headers=json)
    assert refused.status_code == 409
    assert refused.json()["error"]["details"]["missing"] == [2]
    assert "part 2 is missing" in refused.json()["error"]["message"]
    await put(api, video, 2)
    done = await api.post(f"/videos/{video}/complete", content=body, headers=json)
    assert (done.status_code, done.json()["status"], done.json()["sizeBytes"]) == (200, "UPLOADED", len(CONTENT))


@pytest.mark.req(423)
async def test_a_client_that_resumes_gets_the_etags_and_the_other_urls(api: httpx.AsyncClient):
    video = await begin(api)
    await put(api, video, 1, 3)
    found = (await api.get(f"/videos/{video}/upload-urls", params={"fromPart": 1})).json()
    assert {part["partNumber"]: part["etag"] for part in found["etags"]} == {1: md5(1), 3: md5(3)}
    assert [(url["partNumber"], url["size"]) for url in found["urls"]] == [(2, PART)]
    progress = (await api.get(f"/videos/{video}/progress")).json()
    assert (progress["uploadedBytes"], progress["totalSize"]) == (6 * MIB, 11 * MIB)
    listed = {one["videoId"]: one for one in (await api.get("/uploads")).json()["uploads"]}
    assert listed[video]["uploadedBytes"] == 6 * MIB


@pytest.mark.req(424)
async def test_clients_choose_the_part_size_within_the_limits(api: httpx.AsyncClient):
    async def sizes(**body: int) -> tuple[int, int]:
        answer = await api.post("/videos", json={"filename": "a.mp4", **body})
        assert answer.status_code == 201, answer.text
        return answer.json()["partSize"], answer.json()["totalParts"]

    assert await sizes(totalSize=64 * MIB) == (32 * MIB, 2)
    assert await sizes(totalSize=64 * MIB, partSize=8 * MIB) == (8 * MIB, 8)
    assert await sizes(totalSize=100, partSize=8 * MIB) == (8 * MIB, 1)
    for wrong in (5 * MIB - 1, 5 * 1024 * MIB + 1, 0, -1):
        answer = await api.post("/videos", json={"filename": "a.mp4", "totalSize": 64 * MIB, "partSize": wrong})
        assert answer.status_code == 422
        assert "partSize" in answer.json()["error"]["message"]


@pytest.mark.req(419)
async def test_a_file_that_is_all_there_is_completed_and_never_deleted(tmp_path_factory: pytest.TempPathFactory):
    state = tmp_path_factory.mktemp("abandoned") / "state"
    async with up(state, **SOON) as platform, httpx.AsyncClient(base_url=platform.address, timeout=None) as api:
        whole, partial = await begin(api), await begin(api)
        await put(api, whole, 1, 2, 3)
        await put(api, partial, 1)

        async def has_ended() -> bool:
            return {await status(api, whole), await status(api, partial)}.isdisjoint({"CREATED", "UPLOADING"})

        await until(has_ended)
        assert (state / "objects" / "videos" / "original" / whole / "master.mp4").read_bytes() == CONTENT
        video = (await api.get(f"/videos/{partial}")).json()
        assert (video["status"], "abandoned" in video["errorReason"]) == ("FAILED", True)
