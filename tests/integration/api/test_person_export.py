"""Export of a person's data over HTTP and by the command."""

import io
import json
import zipfile
from uuid import UUID

import pytest

from sightline.api import create_app
from support.asking import is_error

ANN, BEN = UUID(int=11), UUID(int=12)


@pytest.fixture
async def app(platform_with, auth_on):
    return create_app(await platform_with(auth=auth_on))


@pytest.mark.req(1057)
async def test_people_export_their_own_data_and_operators_anyones(client, signed_in, video_of):
    video_id = await video_of(ANN)
    await video_of(BEN)
    await client.get("/api/me", headers=signed_in(ANN, email="ann@example.com"))
    found = await client.get("/api/me/export", headers=signed_in(ANN))
    assert (found.status_code, found.headers["content-type"]) == (200, "application/zip")
    archive = zipfile.ZipFile(io.BytesIO(found.content))
    assert [one["id"] for one in json.loads(archive.read("videos.json"))] == [str(video_id)]
    assert json.loads(archive.read("manifest.json"))["person"] == str(ANN)
    operator = signed_in(BEN, sightline_role="operator")
    same = await client.get(f"/api/people/{ANN}/export", headers=operator)
    assert zipfile.ZipFile(io.BytesIO(same.content)).read("videos.json") == archive.read("videos.json")
    actions = [
        (one["action"], one["target"]) for one in (await client.get("/api/audit", headers=operator)).json()["entries"]
    ]
    assert ("person.exported", None) in actions
    assert ("person.exported", f"person {ANN}") in actions


@pytest.mark.req(1057)
async def test_nobody_exports_others_or_by_key_or_all_the_time(client, signed_in, still_limits, video_of):
    await video_of(ANN)
    is_error(await client.get(f"/api/people/{ANN}/export", headers=signed_in(BEN)), 403, "FORBIDDEN")
    operator = signed_in(BEN, sightline_role="operator")
    is_error(await client.get(f"/api/people/{UUID(int=99)}/export", headers=operator), 404, "NOT_FOUND")
    scopes = ["audit:read", "videos:read", "operator"]
    key = (await client.post("/api/keys", json={"name": "k", "scopes": scopes}, headers=operator)).json()["key"]
    for path in ("/api/me/export", f"/api/people/{ANN}/export"):
        is_error(await client.get(path, headers={"x-api-key": key}), 403, "FORBIDDEN")
    assert (await client.get("/api/me/export", headers=signed_in(ANN))).status_code == 200
    is_error(await client.get("/api/me/export", headers=signed_in(ANN)), 429, "RATE_LIMIT_EXCEEDED")
