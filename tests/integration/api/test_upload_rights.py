"""Whose upload it is."""

import asyncio
from uuid import UUID

import httpx
import pytest

from sightline.api import create_app
from support.uploading import CONTENT, Uploading, make_parts_small

ANN, BEN, EVE, TEAM = (UUID(int=number) for number in (11, 12, 13, 77))


@pytest.fixture
async def platform(platform_with, auth_on):
    return await platform_with(auth=auth_on)


@pytest.fixture
def client_of(platform, monkeypatch, signed_in):
    make_parts_small(monkeypatch, platform)
    app = create_app(platform)

    def client(person, **claims):
        return httpx.AsyncClient(
            transport=httpx.ASGITransport(app),
            base_url="http://localhost:8400",
            headers=signed_in(person, **claims) if person else {},
        )

    return client


ACTIONS = (
    ("GET", "/upload-urls", None),
    ("POST", "/parts/1", {"etag": "x"}),
    ("POST", "/complete", None),
    ("DELETE", "/upload", None),
    ("DELETE", "", None),
)


@pytest.mark.req(136, 266)
async def test_somebody_elses_upload_is_unknown(client_of, platform):
    async with client_of(ANN) as ann, client_of(EVE) as eve, client_of(None) as nobody:
        upload = await Uploading.start(ann, platform, CONTENT)
        for method, path, body in (*ACTIONS, ("GET", "/progress", None)):
            answer = await eve.request(method, f"/videos/{upload.video_id}{path}", json=body)
            assert answer.status_code == 404, (method, path)
            answer = await nobody.request(method, f"/videos/{upload.video_id}{path}", json=body)
            assert answer.status_code == 401, (method, path)
        assert (await eve.get("/uploads")).json() == {"uploads": []}
        assert (await upload.progress())["status"] == "CREATED"


@pytest.mark.req(266)
async def test_a_team_may_look_but_only_the_owner_acts(client_of, platform):
    team = [str(TEAM)]
    async with client_of(ANN, team_ids=team) as ann, client_of(BEN, team_ids=team) as ben:
        upload = await Uploading.start(ann, platform, CONTENT, teamId=str(TEAM))
        await upload.report(1)
        assert (await ben.get(f"/videos/{upload.video_id}/progress")).json()["uploadedParts"] == 1
        for method, path, body in ACTIONS:
            answer = await ben.request(method, f"/videos/{upload.video_id}{path}", json=body)
            assert (answer.status_code, answer.json()["error"]["code"]) == (403, "FORBIDDEN"), (method, path)


async def test_an_operator_may_act_for_others(client_of, platform):
    team = [str(TEAM)]
    async with (
        client_of(ANN, team_ids=team) as ann,
        client_of(BEN, team_ids=team, sightline_role="operator") as ben,
    ):
        upload = await Uploading.start(ann, platform, CONTENT, teamId=str(TEAM))
        assert (await ben.delete(f"/videos/{upload.video_id}/upload")).status_code == 204


async def test_a_video_can_be_given_to_ones_own_team_alone(client_of, platform):
    async with client_of(ANN) as ann:
        body = {"totalSize": 10, "filename": "a.mp4", "teamId": str(TEAM)}
        answer = await ann.post("/videos", json=body)
        assert answer.status_code == 403
        assert [one async for one in platform.objects.find_uploads("")] == []


@pytest.mark.req(283)
async def test_the_owners_address_is_kept_for_mails(client_of, platform):
    async with client_of(ANN, email="ann@example.com") as ann:
        upload = await Uploading.start(ann, platform, CONTENT)
    async with platform.database.transaction() as tx:
        found = await tx.fetchval("SELECT owner_email FROM videos WHERE id = $1", upload.video_id)
    assert found == "ann@example.com"


@pytest.mark.req(1074)
async def test_checks_that_arrive_together_are_still_made_for_each_caller(client_of, platform):
    team = [str(TEAM)]
    async with (
        client_of(ANN, team_ids=team) as ann,
        client_of(BEN, team_ids=team) as ben,
        client_of(EVE) as eve,
    ):
        upload = await Uploading.start(ann, platform, CONTENT, teamId=str(TEAM))
        path = f"/videos/{upload.video_id}/parts/1"
        answers = await asyncio.gather(
            *(person.post(path, json={"etag": "aa"}) for _ in range(4) for person in (eve, ben, ann))
        )
        assert [answer.status_code for answer in answers] == [404, 403, 200] * 4
