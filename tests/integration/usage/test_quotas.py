"""Quotas of single owners: enforced before bytes are taken, by every way of uploading, and by nobody twice."""

import asyncio
import base64
from uuid import UUID

import pytest

from sightline.api import create_app
from sightline.uploads import UploadsSettings
from sightline.usage import OwnQuotas, set_quotas
from support.asking import is_error
from support.usage_rows import used_by

ANN, BEN, OPERATOR = UUID(int=11), UUID(int=12), UUID(int=13)


@pytest.fixture
async def app(platform_with, auth_on):
    return create_app(await platform_with(auth=auth_on, uploads=UploadsSettings(quota_bytes=100)))


async def give(app, owner, **quotas):
    async with app.state.platform.database.transaction() as tx:
        await set_quotas(tx, owner, OwnQuotas(**quotas))


async def post(client, headers, size=10):
    return await client.post("/videos", json={"totalSize": size, "filename": "talk.mp4"}, headers=headers)


@pytest.mark.req(1142)
async def test_what_was_set_for_an_owner_holds_instead_of_the_default_and_for_nobody_else(app, client, signed_in):
    await give(app, ANN, storage_bytes=1000)
    assert (await post(client, signed_in(ANN), 500)).status_code == 201
    error = is_error(await post(client, signed_in(BEN), 500), 403, "QUOTA_EXCEEDED")
    assert error["details"] == {"quota": "quota_bytes", "limit": 100, "used": 0, "needed": 500}
    await give(app, BEN, storage_bytes=0)  # no limit
    assert (await post(client, signed_in(BEN), 10**9)).status_code == 201
    await give(app, BEN)  # the default again
    assert (await post(client, signed_in(BEN), 1)).status_code == 403


@pytest.mark.req(1142)
async def test_uploads_at_the_same_moment_cannot_both_take_the_last_space(app, client, signed_in):
    await give(app, ANN, storage_bytes=35)
    answers = await asyncio.gather(*(post(client, signed_in(ANN)) for _ in range(8)))
    assert sorted(answer.status_code for answer in answers) == [201] * 3 + [403] * 5


@pytest.mark.req(1143)
async def test_minutes_of_the_month_refuse_the_next_upload_and_not_the_video_that_used_them(app, client, signed_in):
    await give(app, ANN, minutes_per_month=2)
    began = (await post(client, signed_in(ANN))).json()["videoId"]
    async with app.state.platform.database.transaction() as tx:
        await tx.execute("UPDATE videos SET duration_ms = 150000 WHERE id = $1", UUID(began))
    assert (await used_by(app.state.platform, ANN))["processed_ms"] == 150_000
    error = is_error(await post(client, signed_in(ANN)), 403, "QUOTA_EXCEEDED")
    details = error["details"]
    assert (details["quota"], details["limit"], details["used"]) == ("quota_minutes_per_month", 2, 2)
    assert "2 of 2 minutes" in error["message"]
    assert details["resets_at"][:10] in error["message"]
    part = await client.post(f"/videos/{began}/parts/next", headers=signed_in(ANN))
    assert part.status_code != 403  # what began goes on
    async with app.state.platform.database.transaction() as tx:
        await tx.execute("UPDATE owner_usage_changes SET day = day - 40")  # last month
    assert (await post(client, signed_in(ANN))).status_code == 201


@pytest.mark.req(1142)
async def test_every_way_of_uploading_is_refused_in_its_own_words(app, client, signed_in):
    await give(app, ANN, storage_bytes=5)
    mine = signed_in(ANN)
    uppy = await client.post(
        "/s3/multipart", json={"filename": "a.mp4", "metadata": {"size": 6, "partSize": 6}}, headers=mine
    )
    assert (uppy.status_code, uppy.json()["message"][:14]) == (403, "Quota exceeded")
    name = base64.b64encode(b"a.mp4").decode()
    tus = {"tus-resumable": "1.0.0", "upload-length": "6", "upload-metadata": f"filename {name}"}
    for more in ({}, {"upload-concat": "partial"}):
        answer = await client.post("/files/", headers=mine | tus | more)
        assert answer.status_code == 403
        assert "Quota exceeded" in answer.text
        assert answer.headers["tus-resumable"] == "1.0.0"
    assert (await post(client, mine, 6)).status_code == 403
    async with app.state.platform.database.transaction() as tx:
        assert await tx.fetchval("SELECT count(*) FROM videos") == 0
    assert [one async for one in app.state.platform.objects.find_uploads("")] == []


@pytest.mark.req(1142)
async def test_recordings_count_as_they_were_measured_last(app, client, signed_in):
    async with app.state.platform.database.transaction() as tx:
        await tx.execute(
            """INSERT INTO owner_usage (owner_id, day, measure, amount)
               VALUES ($1, (now() AT TIME ZONE 'UTC')::date, 'stored_recordings_bytes', 95)""",
            ANN,
        )
    assert (await post(client, signed_in(ANN), 6)).status_code == 403
    assert (await post(client, signed_in(ANN), 5)).status_code == 201


@pytest.mark.req(1142)
async def test_a_change_by_an_operator_counts_from_the_next_upload_on_and_is_recorded(app, client, signed_in):
    operator = signed_in(OPERATOR, sightline_role="operator")
    path = f"/api/usage/owners/{ANN}/quotas"
    for method in ("GET", "PUT", "DELETE"):
        is_error(await client.request(method, path, json={}, headers=signed_in(ANN)), 403, "FORBIDDEN")
    changed = await client.put(path, json={"storage_bytes": 5, "videos": 0}, headers=operator)
    assert changed.json()["set"] == {
        "storage_bytes": 5,
        "videos": 0,
        "open_uploads": None,
        "minutes_per_month": None,
    }
    assert changed.json()["in_force"]["storage_bytes"] == 5
    assert (await post(client, signed_in(ANN), 6)).status_code == 403
    assert (await client.delete(path, headers=operator)).json()["in_force"]["storage_bytes"] == 100
    assert (await post(client, signed_in(ANN), 6)).status_code == 201
    entries = (await client.get("/api/audit", headers=operator)).json()["entries"]
    changes = [one for one in entries if one["action"] == "quotas.changed" and one["outcome"] == "done"]
    assert [one["target"] for one in changes] == [f"owner {ANN}"] * 2
    is_error(await client.put(path, json={"storage_bytes": -1}, headers=operator), 400, "VALIDATION_ERROR")
