"""What can be done with a video: as the server says it, and as it is when it is tried."""

from uuid import UUID

import pytest

from sightline.bootstrap import Platform
from sightline.contracts import LOCAL_OWNER
from sightline.contracts.jobs import Analyze
from sightline.db import Database
from sightline.jobs import JobQueue
from sightline.techniques import TechniquesSettings
from sightline.techniques.analyzers import installed
from support.asking import is_error
from support.dead_jobs import LEASE, WORKER, dead, queued, transcode

ANN, BEN, TEAM = (UUID(int=number) for number in (11, 12, 77))


@pytest.fixture
def database(platform: Platform) -> Database:
    return platform.database


async def actions(client, video_id, headers=None):
    answer = await client.get(f"/videos/{video_id}/actions", headers=headers)
    assert answer.status_code == 200, answer.text
    found = answer.json()
    return {name: found[name]["cannot"] for name in ("analyze", "clip", "download", "retry", "delete")} | {
        "latest": found["latest_analysis"]
    }


async def set_status(database, video_id, status, **columns):
    """As the video's stages would have left it."""
    order = ["UPLOADING", "UPLOADED", "PROCESSING", "SPLITTING", "PRINTING", "COMPLETED"]
    async with database.transaction() as tx:
        for one in order[: order.index(status) + 1]:
            await tx.execute("UPDATE videos SET status = $2::text::video_status WHERE id = $1", video_id, one)
        for name, value in columns.items():
            await tx.execute(f"UPDATE videos SET {name} = {value} WHERE id = $1", video_id)


@pytest.mark.req(450, 451)
async def test_an_analysis_needs_a_model_or_annotations(client, database, video_of, monkeypatch):
    monkeypatch.setattr(installed, "has_poses", lambda _: False)  # `make vision` may have installed them
    video_id = await video_of(LOCAL_OWNER.user_id)
    await set_status(database, video_id, "COMPLETED")
    found = await actions(client, video_id)
    assert found == {
        "analyze": "no_analyzer",
        "clip": None,
        "download": None,
        "retry": "nothing_failed",
        "delete": None,
        "latest": None,
    }
    csv = "start,end,category,technique,role\n0:01,0:02,GUARD_PLAY,Scissor Sweep,athlete in blue\n"
    headers = {"content-type": "text/csv"}
    put = await client.put(f"/videos/{video_id}/annotations", content=csv, headers=headers)
    assert put.is_success, put.text
    assert (await actions(client, video_id))["analyze"] is None


@pytest.mark.req(450, 451, 1092)
async def test_a_running_and_a_failed_analysis_are_shown(client_with, platform_with, video_of):
    client = await client_with(techniques=TechniquesSettings(model_url="http://127.0.0.1:9/v1"))
    database = (await platform_with()).database
    video_id = await video_of(LOCAL_OWNER.user_id)
    assert (await actions(client, video_id))["analyze"] == "not_ready"
    await set_status(database, video_id, "COMPLETED")
    assert (await actions(client, video_id))["analyze"] is None
    await queued(database, Analyze(video_id=video_id, analyzer="vision-llm"))
    found = await actions(client, video_id)
    assert (found["analyze"], found["latest"]["status"]) == ("running", "queued")
    async with database.transaction() as tx:
        [job] = await JobQueue(database).claim(tx, "analyze", worker=WORKER, limit=1, lease=LEASE)
        await JobQueue(database).fail(tx, job, {"type": "X", "message": "the model is gone"}, worker=WORKER)
    found = await actions(client, video_id)
    assert (found["analyze"], found["latest"]["status"], found["latest"]["error"]) == (
        None,
        "failed",
        "the model is gone",
    )
    assert found["latest"]["analyzer"] == "vision-llm"  # by which the page tries it again
    async with database.transaction() as tx:
        await tx.execute("UPDATE videos SET frames_removed_at = now() WHERE id = $1", video_id)
    assert (await actions(client, video_id))["analyze"] == "frames_removed"


@pytest.mark.req(450, 452)
async def test_a_retry_is_offered_where_it_may_help(client, database, video_of):
    for error_type, expected in (("Boom", None), ("MediaUnreadable", "file_unreadable")):
        video_id = await video_of(LOCAL_OWNER.user_id)
        await set_status(database, video_id, "PROCESSING")
        job_id = await dead(database, transcode(video_id))
        async with database.transaction() as tx:
            await tx.execute(
                "UPDATE jobs SET error = jsonb_set(error, '{type}', to_jsonb($2::text)) WHERE id = $1",
                job_id,
                error_type,
            )
            await tx.execute("UPDATE videos SET status = 'FAILED', error_reason = 'x' WHERE id = $1", video_id)
        assert (await actions(client, video_id))["retry"] == expected
        steps = (await client.get("/api/pipelines", params={"video_ids": str(video_id)})).json()["pipelines"][0][
            "steps"
        ]
        assert [step["can_retry"] for step in steps] == [expected is None, False, False, False]


@pytest.mark.req(450, 452)
async def test_what_needs_the_original_is_not_offered_without_it(client, database, video_of):
    video_id = await video_of(LOCAL_OWNER.user_id)
    assert (await actions(client, video_id))["download"] == "not_ready"
    await set_status(database, video_id, "COMPLETED", original_removed_at="now()")
    found = await actions(client, video_id)
    assert (found["clip"], found["download"]) == ("original_removed", "original_removed")
    assert is_error(
        await client.post("/clips", json={"video_id": str(video_id), "t_start": 0, "t_end": 1000}),
        410,
        "ORIGINAL_REMOVED",
    )


@pytest.mark.req(450, 452)
async def test_a_team_member_is_offered_what_a_team_member_may(
    client_with, platform_with, auth_on, signed_in, video_of
):
    client = await client_with(auth=auth_on)
    database = (await platform_with()).database
    video_id = await video_of(ANN, TEAM)
    await set_status(database, video_id, "COMPLETED")
    member = signed_in(BEN, team_ids=[str(TEAM)])
    found = await actions(client, video_id, member)
    assert (found["analyze"], found["delete"], found["clip"]) == ("not_owner", "not_owner", None)
    assert (await client.get(f"/videos/{video_id}", headers=member)).json()["canChange"] is False
    assert (await client.get(f"/videos/{video_id}", headers=signed_in(ANN))).json()["canChange"] is True
    is_error(await client.delete(f"/videos/{video_id}", headers=member), 403, "FORBIDDEN")
    is_error(await client.get(f"/videos/{video_id}/actions", headers=signed_in(BEN)), 404, "VIDEO_NOT_FOUND")


@pytest.mark.req(452)
async def test_channels_that_reach_nobody_say_why(client):
    async def channels():
        answer = (await client.get("/api/notification-preferences")).json()
        return {one["channel"]: one.get("cannot") for one in answer["channels"]}

    without_address = dict.fromkeys(("ntfy", "webhook", "web_push"), "no_address")
    assert await channels() == {"log": None, "email": "no_mail_server", **without_address}
    await client.put("/api/notification-preferences", json={"ntfy_topic": "ana-9f27c1"})
    assert (await channels())["ntfy"] is None
