"""Looking through what a camera recorded: events of the time at which it was filmed, nothing twice, progress, cancelled, killed."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

import sightline.api.recordings.detect as api_module
import sightline.cameras.detect.recordings.detect_recording as job_module
from sightline.api import create_app
from sightline.errors import Conflict, PermanentFailure
from sightline.jobs import retry_one_job
from sightline.timing import iso_utc, utc_now
from sightline.worker_services import detect_recording
from support.platform_process import ask
from support.recording_rig import START, recorded_clip
from support.security_rig import Watch, new_detection
from support.waiting import until
from support.walking_clip import ColourDetector, Figure, make_walking_clip

WALKER = Figure("person", x=0.0, speed=0.12, appears=2.0, leaves=8.0)
PARKED = Figure("car", x=0.75, speed=0.0, y=0.2, width=0.15, height=0.15)
SPAN = {"from": iso_utc(START), "until": iso_utc(START + timedelta(seconds=60))}


@pytest.fixture(scope="module")
def clip(tmp_path_factory):
    path = tmp_path_factory.mktemp("walk") / "walk.mp4"
    return make_walking_clip(path, [WALKER, PARKED], seconds=12, key_every=10)


@pytest.fixture
async def platform(platform):
    return replace(platform, detector=ColourDetector())


@pytest.fixture
async def client(platform, client_for):
    return client_for(create_app(platform))


async def finished(platform: Any, client: Any, body: dict[str, Any] = SPAN) -> dict[str, Any]:
    """A run that was requested and is over."""
    asked = await client.post("/api/cameras/front_door/detect", json=body)
    assert asked.status_code == 202, asked.text
    return await over(platform, client, asked.json()["job_id"])


async def over(platform: Any, client: Any, job_id: str) -> dict[str, Any]:
    run: dict[str, Any] = {}
    async with Watch(platform).working(detect_recording(platform)):

        async def is_over() -> bool:
            nonlocal run
            run = (await client.get(f"/api/cameras/front_door/detect/{job_id}")).json()
            return run["status"] in ("done", "failed", "cancelled")

        await until(is_over)
    return run


async def detections(client: Any) -> list[dict[str, Any]]:
    found = (await client.get("/api/detections", params={"limit": 100})).json()["detections"]
    return sorted(found, key=lambda one: one["detected_at"])


async def events(platform: Any) -> list[Any]:
    watch = Watch(platform)
    await watch.age("opened_at", timedelta(seconds=91))
    await watch.security.closer.close_due()
    async with watch.working():

        async def are_assessed() -> bool:
            return not await watch.rows("SELECT FROM jobs WHERE job_type = 'assess_risk' AND status <> 'done'")

        await until(are_assessed)
    return await watch.events()


@pytest.mark.req(682)
async def test_what_was_recorded_becomes_an_event_of_the_time_at_which_it_was_filmed(platform, client, tmp_path, clip):
    await recorded_clip(platform, tmp_path / "camera", clip)
    run = await finished(platform, client)
    assert (run["status"], run["reported"], run["known"], run["left_out"]) == ("done", 1, 0, 0), run
    assert (run["progress"], run["reached_at"]) == (1.0, SPAN["until"])
    first, last = await detections(client)
    assert first["object_type"] == last["object_type"] == "person"
    assert iso_utc(START + timedelta(seconds=2)) <= first["detected_at"] < last["detected_at"]
    assert last["detected_at"] < iso_utc(START + timedelta(seconds=9))
    assert first["image_url"] is not None
    assert (await client.get(first["image_url"])).content.startswith(b"\xff\xd8")
    assert last["attributes"]["ended"] is True
    for one in (first, last):  # it walks evenly, so its place says when it was filmed
        seen_s = (datetime.fromisoformat(one["detected_at"]) - START).total_seconds()
        assert seen_s == pytest.approx(2 + one["bbox"][0] / 0.12, abs=0.3)
    (event,) = await events(platform)
    assert START < event.started_at < event.ended_at < START + timedelta(seconds=9)
    assert event.picture_key is not None
    # What shows it is kept as long as that of a watched camera.
    (held,) = await Watch(platform).rows("SELECT count(*) AS n FROM recordings WHERE held_until IS NOT NULL")
    assert held["n"] >= 4


@pytest.mark.req(683)
async def test_a_span_that_was_looked_through_before_or_overlaps_adds_nothing(platform, client, tmp_path, clip):
    await recorded_clip(platform, tmp_path / "camera", clip)
    assert (await finished(platform, client))["reported"] == 1
    again = await finished(platform, client)
    assert (again["reported"] + again["known"]) == 1
    shifted = SPAN | {"from": iso_utc(START + timedelta(seconds=3.7))}
    other = await finished(platform, client, shifted)
    assert (other["status"], other["reported"], other["known"]) == ("done", 0, 1)
    assert len(await detections(client)) == 2
    assert len(await events(platform)) == 1


@pytest.mark.req(683)
async def test_what_the_camera_itself_or_another_detector_reported_is_not_reported_again(
    platform, client, tmp_path, clip
):
    camera_key = await recorded_clip(platform, tmp_path / "camera", clip)
    live = new_detection(
        camera_key=camera_key,
        detected_at=START + timedelta(seconds=5.5),  # a second late, by the clock of another program
        box=(0.12 * 2.5, 0.4, 0.08, 0.4),
    )
    await Watch(platform).receive(live)
    run = await finished(platform, client)
    assert (run["reported"], run["known"]) == (0, 1)
    # A bird at the same place is another thing.
    assert len(await detections(client)) == 1
    await Watch(platform).rows("UPDATE detections SET object_type = 'bird' RETURNING 1")
    assert (await finished(platform, client))["reported"] == 1


@pytest.mark.req(684)
async def test_a_run_is_cancelled_while_it_waits_and_while_it_works(platform, client, tmp_path, clip, monkeypatch):
    monkeypatch.setattr(job_module, "CHECK_EVERY_S", 0.0)
    await recorded_clip(platform, tmp_path / "camera", clip)
    waiting = (await client.post("/api/cameras/front_door/detect", json=SPAN)).json()
    busy = await client.post("/api/cameras/front_door/detect", json=SPAN)
    assert (busy.status_code, busy.json()["error"]["details"]["job_id"]) == (409, waiting["job_id"])
    path = f"/api/cameras/front_door/detect/{waiting['job_id']}/cancel"
    assert (await client.post(path)).json()["status"] == "cancelled"
    assert (await client.post(path)).json()["status"] == "cancelled"  # once more changes nothing
    working = (await client.post("/api/cameras/front_door/detect", json=SPAN)).json()
    look = platform.detector.detect

    async def detect_and_cancel(*given: Any, **more: Any) -> Any:
        await client.post(f"/api/cameras/front_door/detect/{working['job_id']}/cancel")
        return await look(*given, **more)

    monkeypatch.setattr(platform.detector, "detect", detect_and_cancel)
    ended = await over(platform, client, working["job_id"])
    assert (ended["status"], ended["error"], ended["progress"] < 0.5) == ("cancelled", None, True)
    assert await detections(client) == []
    listed = (await client.get("/api/cameras/front_door/detect")).json()["runs"]
    assert [one["job_id"] for one in listed] == [working["job_id"], waiting["job_id"]]
    monkeypatch.setattr(platform.detector, "detect", look)
    async with platform.database.transaction() as tx:
        await retry_one_job(tx, UUID(working["job_id"]))
    assert (await over(platform, client, working["job_id"]))["status"] == "done"


@pytest.mark.req(684)
async def test_a_run_that_a_worker_takes_just_then_is_cancelled_and_one_that_failed_keeps_its_error(
    platform, client, tmp_path, clip, monkeypatch
):
    monkeypatch.setattr(job_module, "CHECK_EVERY_S", 0.0)
    await recorded_clip(platform, tmp_path / "camera", clip)
    asked = (await client.post("/api/cameras/front_door/detect", json=SPAN)).json()

    async def is_taken(*_: Any, **__: Any) -> None:
        raise Conflict("a worker was faster")

    with monkeypatch.context() as patch:
        patch.setattr(api_module, "cancel_queued_job", is_taken)
        path = f"/api/cameras/front_door/detect/{asked['job_id']}/cancel"
        assert (await client.post(path)).json()["status"] == "queued"
    assert (await over(platform, client, asked["job_id"]))["status"] == "cancelled"
    asked = (await client.post("/api/cameras/front_door/detect", json=SPAN)).json()

    async def breaks(*_: Any, **__: Any) -> None:
        raise PermanentFailure("the model is broken")

    monkeypatch.setattr(platform.detector, "detect", breaks)
    assert (await over(platform, client, asked["job_id"]))["status"] == "failed"
    told = (await client.post(f"/api/cameras/front_door/detect/{asked['job_id']}/cancel")).json()
    assert (told["status"], told["error"]) == ("failed", "the model is broken")


@pytest.mark.req(684)
async def test_an_attempt_after_one_that_was_broken_off_goes_on_and_reports_nothing_twice(
    platform, client, tmp_path, clip
):
    later = START + timedelta(minutes=5)
    camera_key = await recorded_clip(platform, tmp_path / "camera", clip)
    await recorded_clip(platform, tmp_path / "later", clip, at=later, camera_key=camera_key)
    body = SPAN | {"until": iso_utc(START + timedelta(minutes=10))}
    asked = (await client.post("/api/cameras/front_door/detect", json=body)).json()
    broken = detect_recording(platform)
    report, episodes = broken._report, 0

    async def report_and_die(*given: Any) -> None:
        nonlocal episodes
        episodes += 1
        await report(*given)
        if episodes == 2:
            raise RuntimeError("killed right after it was stored")

    broken._report = report_and_die
    watch = Watch(platform)
    async with watch.working(broken):

        async def has_failed() -> bool:
            return bool(await watch.rows("SELECT FROM jobs WHERE job_type = 'detect_recording' AND retry_count = 1"))

        await until(has_failed)
    reached = (await client.get(f"/api/cameras/front_door/detect/{asked['job_id']}")).json()["reached_at"]
    assert iso_utc(START) < reached < iso_utc(later + timedelta(seconds=9))
    await watch.rows("UPDATE jobs SET run_after = NULL WHERE job_type = 'detect_recording' RETURNING 1")
    run = await over(platform, client, asked["job_id"])
    assert (run["status"], run["reported"] + run["known"]) == ("done", 2)
    assert len(await detections(client)) == 4
    first, second = sorted(await events(platform), key=lambda event: event.started_at)
    assert (first.started_at < START + timedelta(minutes=1), second.started_at > later) == (True, True)


@pytest.mark.req(684)
async def test_what_cannot_be_read_or_was_removed_is_counted_and_stops_nothing(platform, client, tmp_path, clip):
    camera_key = await recorded_clip(platform, tmp_path / "0", clip)
    for number in (1, 2):
        at = START + timedelta(minutes=number)
        await recorded_clip(platform, tmp_path / str(number), clip, at=at, camera_key=camera_key)
    rows = await Watch(platform).rows("SELECT key, started_at FROM recordings ORDER BY started_at")
    first = [row["key"] for row in rows if row["started_at"] < START + timedelta(minutes=1)]
    second = [row["key"] for row in rows if timedelta(minutes=1) <= row["started_at"] - START < timedelta(minutes=2)]
    for key in first:
        await platform.objects.put(key, b"not a video")
    await platform.objects.delete(second)
    run = await finished(platform, client, SPAN | {"until": iso_utc(START + timedelta(minutes=5))})
    assert (run["status"], run["reported"], run["left_out"]) == ("done", 1, len(first) + len(second))
    assert (await detections(client))[0]["detected_at"] > iso_utc(START + timedelta(minutes=2))


@pytest.mark.req(685)
async def test_wrong_spans_are_refused_in_words(platform, client, tmp_path, clip):
    await recorded_clip(platform, tmp_path / "camera", clip)
    path = "/api/cameras/front_door/detect"
    backwards = {"from": SPAN["until"], "until": SPAN["from"]}
    assert (await client.post(path, json=backwards)).status_code == 400
    long = {"from": iso_utc(START), "until": iso_utc(START + timedelta(days=2))}
    assert "24 hours" in (await client.post(path, json=long)).json()["error"]["message"]
    empty = {"from": iso_utc(START - timedelta(hours=2)), "until": iso_utc(START - timedelta(hours=1))}
    refused = await client.post(path, json=empty)
    assert (refused.status_code, refused.json()["error"]["code"]) == (404, "RECORDING_NOT_FOUND")
    future = {"from": iso_utc(utc_now() + timedelta(hours=1)), "until": iso_utc(utc_now() + timedelta(hours=2))}
    assert (await client.post(path, json=future)).status_code == 400
    assert (await client.get(f"{path}/{UUID(int=5)}")).json()["error"]["code"] == "RUN_NOT_FOUND"
    platform.detector = None
    without = await client.post(path, json=SPAN)
    assert (without.status_code, "not installed" in without.json()["error"]["message"]) == (409, True)


@pytest.mark.req(685)
async def test_the_command_waits_for_the_run_and_says_what_was_found(platform, serving, tmp_path, clip):
    await recorded_clip(platform, tmp_path / "camera", clip)
    span = ("--from", START.strftime("%Y-%m-%dT%H:%M:%S%z"), "--until", "2026-02-26T00:00:00+0000")
    async with serving(create_app(platform)) as port, Watch(platform).working(detect_recording(platform)):
        server = ("--server", f"http://127.0.0.1:{port}")
        code, out, err = await ask("cameras", "detect", "front_door", *span, *server)
        assert (code, out.strip()) == (0, "1 found"), err
        code, out, err = await ask("cameras", "detect", "nowhere", *span, *server)
        assert (code, "nowhere" in err) == (1, True)
