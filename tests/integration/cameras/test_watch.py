"""Watching cameras: live, lost and back, wrong passwords, stalls, other sizes, jumping clocks, several processes."""

import httpx
import pytest

from sightline.api import create_app
from sightline.cameras import CamerasSettings
from sightline.cameras.motion import MotionGate, save_gate
from sightline.cameras.sources import CameraProcess
from sightline.objects import camera_motion_key
from support.bright_detector import BrightDetector
from support.camera_clips import coded_clip, scene
from support.picture_server import PictureCamera
from support.rtsp_server import RtspCamera
from support.waiting import until
from support.watch_rig import until_detections, until_state, watching

# On a busy machine a camera may take long to answer; that it did not is a matter of the test of stalls alone.
PATIENT = CamerasSettings(stall_timeout_s=600, connect_timeout_s=600, picture_every_s=0.5, lease_s=600)
pytestmark = pytest.mark.time_limit(240)


@pytest.fixture
async def platform(platform_with):
    return await platform_with(cameras=PATIENT)


async def add(client, camera, name="Yard", **source):
    body = {"name": name, "source": {"address": camera.address, "looks_per_s": 10} | source}
    answer = await client.post("/api/cameras", json=body)
    assert answer.status_code == 201, answer.text


@pytest.mark.req(565, 566)
async def test_a_person_who_walks_by_is_one_track_with_pictures(client, platform):
    async with RtspCamera() as camera, watching(platform, BrightDetector()):
        await add(client, camera)
        live = await until_state(client, "yard", "live")
        assert (live["code"], live["reason"]) == (None, None)
        found = await until_detections(client, "yard", lambda all_: any(one["image_url"] for one in all_))
        first = min(found, key=lambda one: one["detected_at"])
        assert (first["object_type"], first["confidence"]) == ("person", 0.8)
        assert first["attributes"]["track_id"]
        assert first["attributes"]["model"] == "bright"
        picture = await client.get(first["image_url"])
        assert picture.content.startswith(b"\xff\xd8")

        async def newest() -> bool:
            answer = await client.get("/api/cameras/yard/picture.jpg")
            return answer.status_code == 200

        await until(newest)
        await until(lambda: _is_measured(client))


async def _is_measured(client) -> bool:
    state = (await client.get("/api/cameras/yard")).json()["state"]
    return (state["width"], state["height"], state["codec"]) == (320, 240, "h264") and bool(state["last_picture_at"])


@pytest.mark.req(567)
async def test_a_cut_camera_is_lost_and_comes_back_by_itself(client, platform):
    camera = RtspCamera()
    await camera.plug_in()
    async with watching(platform):
        await add(client, camera)
        await until_state(client, "yard", "live")
        await camera.unplug()
        lost = await until_state(client, "yard", "lost")
        assert lost["code"] == "connection_refused"
        assert "Check the port" in lost["reason"]
        await camera.plug_in()
        await until_state(client, "yard", "live")
        await camera.unplug()
    events = (await client.get("/api/live/events", params={"after": 0})).json()
    types = [one["type"] for one in events["messages"]]
    assert types[:3] == ["camera.live", "camera.lost", "camera.live"]
    assert events["messages"][1]["data"]["code"] == "connection_refused"


@pytest.mark.req(567)
async def test_a_stalled_camera_is_connected_again(platform_with, client_for, log_lines):
    platform = await platform_with(cameras=PATIENT.model_copy(update={"stall_timeout_s": 1.5}))
    client = client_for(create_app(platform))
    async with RtspCamera() as camera, watching(platform):
        await add(client, camera)
        await until_state(client, "yard", "live")
        camera.is_stalled = True
        await until(lambda: camera.connections > 1)
        camera.is_stalled = False
        await until_state(client, "yard", "live")
    reasons = {line["reason"] for line in log_lines() if line["event"] == "camera.disconnected"}
    assert reasons == {"stalled"}


@pytest.mark.req(567)
async def test_a_camera_that_hangs_up_while_it_is_connected_is_tried_again_soon(client, platform, log_lines):
    async with RtspCamera() as camera, watching(platform):
        camera.hangs_up_at = "DESCRIBE"
        await add(client, camera)
        await until_state(client, "yard", "live")
    lines = log_lines()
    assert len([line for line in lines if line["event"] == "camera.disconnected"]) == 1
    assert [line["state"] for line in lines if line["event"] == "camera.state"] == ["live"]


@pytest.mark.req(575)
async def test_a_camera_that_refuses_tcp_is_watched_over_udp(client, platform):
    async with RtspCamera() as camera, watching(platform):
        camera.refuses_tcp = True
        tried = await client.post("/api/cameras/test", json={"source": {"address": camera.address}})
        assert (tried.status_code, tried.json().get("width")) == (200, 320), tried.text
        refused = await client.post(
            "/api/cameras/test", json={"source": {"address": camera.address, "transport": "tcp"}}
        )
        assert refused.json()["error"]["details"]["reason"] == "transport_refused"
        await add(client, camera)
        await until_state(client, "yard", "live")


@pytest.mark.req(568)
async def test_a_wrong_password_is_refused_and_corrected_without_a_restart(client, platform, log_lines):
    async with RtspCamera(user="viewer", password="right-one") as camera, watching(platform):
        await add(client, camera, username="viewer", password="wrong-one")
        refused = await until_state(client, "yard", "refused")
        assert refused["code"] == "wrong_password"
        attempts = camera.connections
        change = {"source": {"password": "right-one"}}
        assert (await client.patch("/api/cameras/yard", json=change)).status_code == 200
        await until_state(client, "yard", "live")
        assert attempts <= 2  # a camera that counts wrong passwords is not locked
    text = str(log_lines())
    assert "camera.state" in text
    assert "right-one" not in text
    assert "wrong-one" not in text


@pytest.mark.req(569)
async def test_another_size_and_a_jumping_clock_do_not_end_the_stream(client, platform):
    async with RtspCamera() as camera, watching(platform, BrightDetector()) as detector:
        await add(client, camera)
        await until_state(client, "yard", "live")
        camera.clock_offset_s = 3600.0
        looks = detector.looks
        await until(lambda: detector.looks > looks + 3)
        camera.clock_offset_s = -20.0
        looks = detector.looks
        await until(lambda: detector.looks > looks + 3)
        camera.clip = coded_clip(480, 272)

        async def is_resized() -> bool:
            state = (await client.get("/api/cameras/yard")).json()["state"]
            return (state["width"], state["height"]) == (480, 272)

        await until(is_resized)
        assert camera.connections == 1


@pytest.mark.req(570)
@pytest.mark.parametrize("auth", ["basic", "digest"])
@pytest.mark.parametrize("kind", ["mjpeg", "snapshot"])
async def test_pictures_over_http_are_watched_too(client, platform, kind, auth):
    async with PictureCamera(user="viewer", password="p@ss", auth=auth) as camera, watching(platform, BrightDetector()):
        source = {"kind": kind, "address": camera.address(kind), "username": "viewer", "password": "p@ss"}
        tried = await client.post("/api/cameras/test", json={"source": source})
        assert (tried.status_code, tried.json()["codec"]) == (200, "jpeg"), tried.text
        body = {"name": "Yard", "source": source | {"looks_per_s": 10}}
        assert (await client.post("/api/cameras", json=body)).status_code == 201
        await until_state(client, "yard", "live")
        await until_detections(client, "yard")
        assert "p@ss" not in str(camera.requests)


@pytest.mark.req(571)
async def test_motion_alone_is_reported_only_where_the_camera_asks_for_it(client, platform):
    async with RtspCamera() as camera, watching(platform):
        await add(client, camera, "Silent")
        await add(client, camera, "Telling", reports_motion=True)
        found = await until_detections(client, "telling")
        assert {one["object_type"] for one in found} == {"motion"}
        silent = await client.get("/api/detections", params={"camera_id": "silent"})
        assert silent.json()["detections"] == []


@pytest.mark.req(572)
async def test_two_processes_share_cameras_and_one_replaces_the_other(client, platform, platform_with):
    other = await platform_with(cameras=PATIENT)
    async with RtspCamera() as camera, watching(other, BrightDetector()):
        async with watching(platform, BrightDetector()):
            for name in ("One", "Two", "Three"):
                await add(client, camera, name)
            for name in ("one", "two", "three"):
                await until_state(client, name, "live")
            async with platform.database.transaction() as tx:
                watchers = await tx.fetch("SELECT watched_by FROM camera_sources")
            assert camera.connections == 3
            assert all(row["watched_by"] for row in watchers)
        await until(lambda: _all_watched_by_one(platform))
        for name in ("one", "two", "three"):
            await until_state(client, name, "live")


async def _all_watched_by_one(platform) -> bool:
    async with platform.database.transaction() as tx:
        count = await tx.fetchval(
            "SELECT count(DISTINCT watched_by) FROM camera_sources WHERE watched_until > now() HAVING count(*) = 3"
        )
    return count == 1


@pytest.mark.req(566)
async def test_switched_off_changed_and_deleted_cameras_are_let_go(client, platform):
    async with RtspCamera() as camera, watching(platform):
        await add(client, camera)
        await until_state(client, "yard", "live")
        await client.patch("/api/cameras/yard", json={"is_enabled": False})
        await until(lambda: not camera.is_watched)
        assert (await until_state(client, "yard", "off"))["state"] == "off"
        await client.patch("/api/cameras/yard", json={"is_enabled": True})
        await until_state(client, "yard", "live")
        await client.delete("/api/cameras/yard")
        await until(lambda: not camera.is_watched)


@pytest.mark.req(577, 687, 688, 1128)
async def test_what_the_motion_gate_learned_outlives_its_process_and_is_forgotten_on_request(
    client, platform, monkeypatch
):
    given: list[bytes] = []
    restore = CameraProcess.restore_gate

    async def noted(process, state):
        given.append(state)
        await restore(process, state)

    monkeypatch.setattr(CameraProcess, "restore_gate", noted)
    async with RtspCamera() as camera, watching(platform):
        await add(client, camera)
        await until_state(client, "yard", "live")
        async with platform.database.transaction() as tx:
            key = await tx.fetchval("SELECT camera_key FROM camera_sources")
        gate = MotionGate()
        for number in range(5):
            gate.look(scene(320, 240, number)[:, :, 0], number / 5)
        state = save_gate(gate)
        assert state is not None
        assert given == []  # the first process had nothing to go on with
        await platform.objects.put(camera_motion_key(key), state)
        camera.hang_up()
        await until(lambda: camera.connections > 1)
        await until_state(client, "yard", "live")
        await until(lambda: given == [state])
        shown = (await client.get("/api/cameras/yard/motion")).json()
        assert (shown["rows"], shown["columns"], shown["share"]) == (30, 40, 0)
        assert shown["picture"].startswith("data:image/png;base64,")
        assert (await client.delete("/api/cameras/yard/motion")).status_code == 204
        assert (await client.get("/api/cameras/yard/motion")).json()["error"]["code"] == "MOTION_NOT_FOUND"
        unlearned = await client.get("/api/cameras/yard/motion", params={"or_null": "true"})
        assert (unlearned.status_code, unlearned.json()) == (200, None)
        await until(lambda: camera.connections > 2)
        await until_state(client, "yard", "live")
        assert given == [state]  # the new process begins with nothing
        await platform.objects.put(camera_motion_key(key), state)
        assert (await client.delete("/api/cameras/yard")).status_code == 204
        assert await platform.objects.head(camera_motion_key(key)) is None


@pytest.mark.req(573)
async def test_the_sample_camera_goes_the_same_way(client, platform):
    made = await client.post("/api/cameras/sample")
    assert (made.status_code, made.json()["camera_id"]) == (201, "sample_camera")
    assert (await client.post("/api/cameras/sample")).status_code == 409
    async with watching(platform):
        await until_state(client, "sample_camera", "live")
        found = await until_detections(client, "sample_camera")
        assert found[0]["object_type"] == "motion"  # honest: no detector is at work here


@pytest.mark.req(565)
async def test_a_report_that_fails_is_repeated_and_lost_nowhere(client, platform, monkeypatch):
    receive = platform.security.incoming.receive_with_images
    failures = 3

    async def flaky(*args, **kwargs):
        nonlocal failures
        if failures:
            failures -= 1
            raise httpx.ConnectError("the database is away")
        return await receive(*args, **kwargs)

    monkeypatch.setattr(platform.security.incoming, "receive_with_images", flaky, raising=False)
    async with RtspCamera() as camera, watching(platform, BrightDetector()):
        await add(client, camera)
        found = await until_detections(client, "yard")
        assert failures == 0
        assert found[-1]["image_url"]  # the first sighting, which the failures held up, with its picture
