"""Marking, correcting and publishing techniques over the API."""

import asyncio
import json
from uuid import UUID

import pytest

from sightline import job_types
from sightline.bus import Names
from sightline.contracts.technique_events import event_id
from sightline.objects import result_key
from sightline.techniques.marks import publish_marks
from sightline.videos import need_video
from support.asking import is_error
from support.technique_rig import new_video, running
from support.waiting import until, until_blocked_by

ANN, BEN, TEAM = (UUID(int=number) for number in (11, 12, 77))
SWEEP = {"t_start": 1500, "t_end": 3250, "category": "GUARD_PLAY", "name": "Scissor Sweep", "role": "athlete in blue"}
ARMBAR = {**SWEEP, "t_start": 9000, "t_end": 12_000, "category": "SUBMISSION_OFFENSE", "name": "Armbar"}
HEADER = "start,end,category,technique,role"


@pytest.fixture
async def video(platform):
    return await new_video(platform)


async def mark(client, video, body=SWEEP, **more):
    answer = await client.post(f"/videos/{video}/marks", json=body | more)
    assert answer.status_code == 201, answer.text
    return answer.json()


async def change(client, video, found, **changes):
    body = {"version": found["version"], **changes}
    answer = await client.patch(f"/videos/{video}/marks/{found['id']}", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def review(client, video):
    answer = await client.get(f"/videos/{video}/marks")
    assert answer.status_code == 200, answer.text
    return answer.json()


async def published(client, platform, video, revision):
    answer = await client.post(f"/videos/{video}/marks/publish", json={"revision": revision})
    assert answer.status_code == 202, answer.text
    job_id = answer.json()["job_id"]

    async def is_done():
        return (await client.get(f"/jobs/{job_id}")).json()["status"] == "completed"

    async with running(job_types.worker_for(job_types.analyze(platform), platform)):
        await until(is_done)
    return answer.json()


async def messages_of(platform):
    found = []
    while batch := await platform.bus.receive("video_analysis_events_db_consumer", limit=10, wait_s=0):
        for one in batch:
            envelope = json.loads(one.body)
            values = {name: given["Value"] for name, given in envelope["MessageAttributes"].items()}
            found.append((json.loads(envelope["Message"]), values))
    return found


@pytest.mark.req(881)
async def test_a_technique_is_marked_changed_deleted_and_restored(client, video):
    assert (await review(client, video))["revision"] == 0
    first = await mark(client, video)
    assert (first["state"], first["confidence"], first["analyzer"], first["version"]) == ("accepted", 1.0, None, 1)
    second = await change(client, video, first, name="  Flower\u0007 Sweep ", finished=True, note="hips\nhigh")
    assert (second["name"], second["finished"], second["note"], second["version"]) == (
        "Flower  Sweep",
        True,
        "hips high",
        2,
    )
    third = await change(client, video, second, finished=None)
    assert (third["finished"], third["name"]) == (None, "Flower  Sweep")
    deleted = (await client.delete(f"/videos/{video}/marks/{first['id']}", params={"version": 3})).json()
    assert (await review(client, video))["marks"] == []
    restored = await client.post(f"/videos/{video}/marks/{first['id']}/restore", json={"version": deleted["version"]})
    assert restored.json()["name"] == "Flower  Sweep"
    found = await review(client, video)
    assert (found["revision"], found["can_change"], [one["id"] for one in found["marks"]]) == (5, True, [first["id"]])


@pytest.mark.req(881)
async def test_a_change_names_the_version_that_it_expects(client, video):
    seen = await mark(client, video)
    await change(client, video, seen, state="rejected")
    refused = await client.patch(f"/videos/{video}/marks/{seen['id']}", json={"version": 1, "name": "Armbar"})
    error = is_error(refused, 409, "CONFLICT")
    assert "Review it and try again" in error["message"]
    assert error["details"]["version"] == 2
    is_error(await client.delete(f"/videos/{video}/marks/{seen['id']}", params={"version": 1}), 409, "CONFLICT")
    assert [(one["state"], one["name"]) for one in (await review(client, video))["marks"]] == [
        ("rejected", "Scissor Sweep")
    ]


@pytest.mark.req(881)
@pytest.mark.parametrize(
    "wrong",
    [
        {"name": "\u0007 "},
        {"category": "COOKING"},
        {"confidence": 1.1},
        {"t_end": 1499},
        {"role": ""},
        {"state": "maybe"},
        {"t_start": -1},
        {"extra": 1},
    ],
)
async def test_what_no_mark_can_have_is_refused(client, video, wrong):
    is_error(await client.post(f"/videos/{video}/marks", json=SWEEP | wrong), 422, "VALIDATION_ERROR")
    assert (await review(client, video))["revision"] == 0


@pytest.mark.req(881)
async def test_a_change_that_changes_nothing_or_empties_a_field_is_refused(client, video):
    seen = await mark(client, video)
    for body in ({"version": 1}, {"version": 1, "name": None}, {"name": "Armbar"}):
        is_error(await client.patch(f"/videos/{video}/marks/{seen['id']}", json=body), 422, "VALIDATION_ERROR")
    none = await client.patch(f"/videos/{video}/marks/none", json={"version": 1, "name": "Armbar"})
    is_error(none, 404, "MARK_NOT_FOUND")
    lost = await client.patch(f"/videos/{video}/marks/{UUID(int=3)}", json={"version": 1, "name": "Armbar"})
    is_error(lost, 404, "MARK_NOT_FOUND")


@pytest.mark.req(882)
async def test_the_team_sees_marks_and_the_owner_changes_them(client_with, auth_on, signed_in, video_of):
    client = await client_with(auth=auth_on)
    video = await video_of(ANN, TEAM)
    ann, ben = signed_in(ANN), signed_in(BEN, team_ids=[str(TEAM)])
    made = await client.post(f"/videos/{video}/marks", json=SWEEP, headers=ann)
    assert made.status_code == 201, made.text
    seen = (await client.get(f"/videos/{video}/marks", headers=ben)).json()
    assert (len(seen["marks"]), seen["can_change"]) == (1, False)
    path = f"/videos/{video}/marks/{made.json()['id']}"
    for refused in (
        await client.post(f"/videos/{video}/marks", json=SWEEP, headers=ben),
        await client.patch(path, json={"version": 1, "state": "rejected"}, headers=ben),
        await client.delete(path, params={"version": 1}, headers=ben),
        await client.post(f"/videos/{video}/marks/publish", json={"revision": 1}, headers=ben),
        await client.post(f"/videos/{video}/marks/import", content="[]", headers=ben),
    ):
        is_error(refused, 403, "FORBIDDEN")
    stranger = signed_in(UUID(int=99))
    is_error(await client.get(f"/videos/{video}/marks", headers=stranger), 404, "VIDEO_NOT_FOUND")
    is_error(await client.get(f"/videos/{video}/marks/export", headers=stranger), 404, "VIDEO_NOT_FOUND")


@pytest.mark.req(883)
async def test_the_accepted_set_goes_out_as_a_run_of_its_own(client, platform, video):
    await client.put(
        f"/videos/{video}/annotations",
        content=f"{HEADER}\n1.5,3,GUARD_PLAY,Sweep,white gi\n9,12,GUARD_PLAY,Armbar,white gi\n20,22,GUARD_PLAY,Nothing,white gi\n",
        headers={"content-type": "text/csv"},
    )
    job = (await client.post("/jobs", json={"video_id": str(video)})).json()["job_id"]

    async def is_done():
        return (await client.get(f"/jobs/{job}")).json()["status"] == "completed"

    async with running(job_types.worker_for(job_types.analyze(platform), platform)):
        await until(is_done)
    assert len(await messages_of(platform)) == 4
    sweep, armbar, nothing = (await review(client, video))["marks"]
    assert {one["state"] for one in (sweep, armbar, nothing)} == {"candidate"}
    await change(client, video, sweep, state="accepted")
    await change(client, video, armbar, state="accepted", category="SUBMISSION_OFFENSE", t_end=13_900)
    await change(client, video, nothing, state="rejected")
    await mark(client, video, {**SWEEP, "t_start": 61_000, "t_end": 62_000})
    revision = (await review(client, video))["revision"]
    done = await published(client, platform, video, revision)
    assert done["total_event_count"] == 3
    assert done["job_id"] != job
    *events, (complete, attributes) = await messages_of(platform)
    assert attributes["event_type"] == "analysis_complete"
    uri = f"s3://{platform.objects.bucket}/{result_key(video, UUID(done['job_id']))}"
    assert complete == {
        "video_id": str(video),
        "job_id": done["job_id"],
        "total_event_count": 3,
        "result_s3_uri": uri,
    }
    assert [
        (
            body["id"],
            body["start_time"],
            body["end_time"],
            body["event_candidates"][0]["skill_name"],
            body["event_candidates"][0]["category"],
            attributes["category"],
            attributes["event_index"],
            attributes["total_events"],
        )
        for body, attributes in events
    ] == [
        (str(event_id(done["job_id"], 1)), "00:00:01", "00:00:03", "Sweep", "GUARD_PLAY", "GUARD_PLAY", "1", "3"),
        (
            str(event_id(done["job_id"], 2)),
            "00:00:09",
            "00:00:13",
            "Armbar",
            "SUBMISSION_OFFENSE",
            "SUBMISSION_OFFENSE",
            "2",
            "3",
        ),
        (
            str(event_id(done["job_id"], 3)),
            "00:01:01",
            "00:01:02",
            "Scissor Sweep",
            "GUARD_PLAY",
            "GUARD_PLAY",
            "3",
            "3",
        ),
    ]
    result = json.loads(await platform.objects.get(result_key(video, UUID(done["job_id"]))))
    assert (result["analyzer"], len(result["clips"])) == ("marks", 3)
    after = await review(client, video)
    assert (after["revision"], after["published"]["revision"], after["published"]["total_event_count"]) == (
        revision,
        revision,
        3,
    )
    assert len(after["marks"]) == 4, "what is published does not come back as candidates"


@pytest.mark.req(883)
async def test_only_the_set_that_was_reviewed_is_published(client, platform, video):
    is_error(await client.post(f"/videos/{video}/marks/publish", json={"revision": 0}), 409, "CONFLICT")
    await mark(client, video)
    refused = await client.post(f"/videos/{video}/marks/publish", json={"revision": 0})
    assert is_error(refused, 409, "CONFLICT")["details"] == {"revision": 1}
    answers = await asyncio.gather(
        client.post(f"/videos/{video}/marks/publish", json={"revision": 1}),
        client.post(f"/videos/{video}/marks", json=ARMBAR),
    )
    assert [one.status_code for one in answers] in ([202, 201], [409, 201])


@pytest.mark.req(1111)
async def test_a_repeated_request_gets_the_run_that_there_is_and_sends_nothing(client, platform, video):
    path = f"/videos/{video}/marks/publish"
    await mark(client, video)
    async with platform.database.transaction() as tx:
        found = await publish_marks(
            tx,
            await need_video(tx, video),
            jobs=platform.jobs,
            objects=platform.objects,
            names=Names(),
            expected_revision=1,
            by=ANN,
        )
        repeating = asyncio.create_task(client.post(path, json={"revision": 1}))
        await until_blocked_by(tx)
    first = await repeating
    assert (first.status_code, first.json()) == (202, {"job_id": str(found.job_id), "total_event_count": 1})
    assert await published(client, platform, video, 1) == first.json()
    assert len(await messages_of(platform)) == 2
    await mark(client, video, ARMBAR)
    late = await client.post(path, json={"revision": 1})
    assert (late.status_code, late.json()) == (202, first.json())
    changed = await published(client, platform, video, 2)
    assert changed["job_id"] != first.json()["job_id"]
    assert len(await messages_of(platform)) == 3, "the changed set is published, and the first one is not sent again"
    is_error(await client.post(path, json={"revision": 1}), 409, "CONFLICT")


@pytest.mark.req(1111)
async def test_what_was_published_is_published_again_on_purpose_only(client, platform, video):
    path = f"/videos/{video}/marks/publish"
    await mark(client, video)
    first = await published(client, platform, video, 1)
    again = (await client.post(path, json={"revision": 1, "again": True})).json()
    assert again["job_id"] != first["job_id"]
    assert await published(client, platform, video, 1) == again
    assert len(await messages_of(platform)) == 4
    await mark(client, video, ARMBAR)
    stale = await client.post(path, json={"revision": 1, "again": True})
    assert is_error(stale, 409, "CONFLICT")["details"] == {"revision": 2}


@pytest.mark.req(883)
async def test_a_set_from_which_everything_was_rejected_is_only_completed(client, platform, video):
    await change(client, video, await mark(client, video), state="rejected")
    done = await published(client, platform, video, 2)
    assert done["total_event_count"] == 0
    ((complete, _),) = await messages_of(platform)
    assert complete["total_event_count"] == 0


@pytest.mark.req(884)
@pytest.mark.parametrize("form", ["csv", "json"])
async def test_an_exported_file_is_imported_without_a_difference(client, platform, video, form):
    await mark(client, video, finished=True, note='=a "note", with; everything', name="+Ção", confidence=0.3)
    await mark(client, video, ARMBAR, state="rejected", finished=False, role="'-quoted")
    exported = await client.get(f"/videos/{video}/marks/export", params={"format": form})
    kind = exported.headers["content-type"]
    assert "match.mp4-techniques" in exported.headers["content-disposition"]
    again = await client.post(f"/videos/{video}/marks/import", content=exported.content, headers={"content-type": kind})
    assert again.json() == {"added": 0, "changed": 0, "unchanged": 2}
    other = await new_video(platform)
    copied = await client.post(
        f"/videos/{other}/marks/import", content=exported.content, headers={"content-type": kind}
    )
    assert copied.json() == {"added": 2, "changed": 0, "unchanged": 0}
    fields = ("t_start", "t_end", "category", "name", "role", "confidence", "note", "finished", "state", "analyzer")
    assert [{name: one[name] for name in fields} for one in (await review(client, other))["marks"]] == [
        {name: one[name] for name in fields} for one in (await review(client, video))["marks"]
    ]


@pytest.mark.req(884)
async def test_a_file_that_was_changed_in_a_spreadsheet_changes_the_marks(client, video):
    seen = await mark(client, video)
    await mark(client, video, ARMBAR)
    exported = (await client.get(f"/videos/{video}/marks/export")).text
    changed = exported.replace("Armbar", "Kimura")
    csv = {"content-type": "text/csv"}
    answer = await client.post(f"/videos/{video}/marks/import", content=changed, headers=csv)
    assert answer.json() == {"added": 0, "changed": 1, "unchanged": 1}
    await change(client, video, seen, state="rejected")
    stale = await client.post(f"/videos/{video}/marks/import", content=exported, headers=csv)
    error = is_error(stale, 422, "VALIDATION_ERROR")
    assert "line 2: the mark was changed after the file was exported" in error["message"]
    assert "line 3: the mark was changed after" in error["message"]
    assert [one["name"] for one in (await review(client, video))["marks"]] == ["Scissor Sweep", "Kimura"]


@pytest.mark.req(884)
async def test_a_file_with_an_invalid_line_is_refused_as_a_whole(client, video):
    lines = (
        "1,2,GUARD_PLAY,Sweep,a",
        "3,2,GUARD_PLAY,Sweep,a",
        "0:01,0:02,COOKING,Omelette,cook",
        "4,5,GUARD_PLAY,,a",
        "soon,5,GUARD_PLAY,Sweep,a",
    )
    content = "\n".join((HEADER, *lines))
    answer = await client.post(f"/videos/{video}/marks/import", content=content, headers={"content-type": "text/csv"})
    error = is_error(answer, 422, "VALIDATION_ERROR")
    assert [one["where"] for one in error["details"]["errors"]] == ["line 3", "line 4", "line 5", "line 6"]
    assert (await review(client, video))["revision"] == 0
    wrong = {
        "marks": [{"start": 1, "end": 2, "category": "GUARD_PLAY", "technique": "A", "role": "b", "finished": "maybe"}]
    }
    error = is_error(await client.post(f"/videos/{video}/marks/import", json=wrong), 422, "VALIDATION_ERROR")
    assert "mark 1: finished" in error["message"]
    unknown = await client.post(f"/videos/{video}/marks/import", content="x", headers={"content-type": "text/plain"})
    is_error(unknown, 422, "VALIDATION_ERROR")


@pytest.mark.req(886)
async def test_a_summary_counts_what_was_accepted_per_athlete(client, video):
    assert (await client.get(f"/videos/{video}/techniques/summary")).json()["of"] == "nothing"
    await mark(client, video, finished=True)
    await mark(client, video, {**SWEEP, "t_start": 3000, "t_end": 4000}, finished=False)
    await mark(client, video, {**ARMBAR, "role": "athlete in white"})
    await mark(client, video, ARMBAR, state="rejected")
    found = (await client.get(f"/videos/{video}/techniques/summary")).json()
    assert found["of"] == "accepted"
    blue, white = found["athletes"]
    assert (blue["role"], blue["ms"]) == ("athlete in blue", 2500)
    assert blue["categories"] == [{"category": "GUARD_PLAY", "ms": 2500, "tried": 2, "finished": 1}]
    assert blue["techniques"] == [{"name": "Scissor Sweep", "category": "GUARD_PLAY", "tried": 2, "finished": 1}]
    assert (white["role"], white["ms"], white["techniques"][0]["finished"]) == ("athlete in white", 3000, 0)


@pytest.mark.req(881)
async def test_names_to_choose_from_are_those_of_the_list_and_ones_own(client, video):
    await mark(client, video, name="Tornado of the house")
    await mark(client, video, {**ARMBAR, "name": "Armbar"})
    names = (await client.get("/api/technique-names")).json()["names"]
    assert names[0] == {
        "name": "Tornado of the house",
        "category": "GUARD_PLAY",
        "name_pt": "Tornado of the house",
        "also": [],
        "is_own": True,
    }
    (armbar,) = [one for one in names if one["name"] == "Armbar"]
    assert (armbar["category"], armbar["name_pt"], armbar["is_own"]) == ("SUBMISSION_OFFENSE", "Chave de Braço", False)
