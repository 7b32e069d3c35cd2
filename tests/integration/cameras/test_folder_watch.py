"""Cameras that upload files: looked at once each, whatever else lies in the folder."""

from uuid import uuid4

import asyncpg
import pytest

from sightline.api import create_app
from sightline.cameras import CamerasSettings
from support.bright_detector import BrightDetector
from support.camera_clips import jpeg, write_clip
from support.waiting import until
from support.watch_rig import until_detections, until_state, watching

pytestmark = pytest.mark.time_limit(240)


@pytest.fixture
def folder(tmp_path):
    (made := tmp_path / "uploads").mkdir()
    return made


QUICK = CamerasSettings(folder_poll_s=0.05, folder_settle_s=0.05, lease_s=3)


@pytest.fixture
async def platform(platform_with):
    return await platform_with(cameras=QUICK)


async def add(client, folder, **source):
    body = {"name": "Yard", "source": {"kind": "folder", "address": str(folder)} | source}
    answer = await client.post("/api/cameras", json=body)
    assert answer.status_code == 201, answer.text
    return answer.json()


async def files_of(database) -> dict[str, tuple[str, str | None, int]]:
    admin = await asyncpg.connect(database.admin_url)
    try:
        rows = await admin.fetch("SELECT name, outcome, reason, sightings FROM camera_files")
    finally:
        await admin.close()
    return {row["name"]: (row["outcome"], row["reason"], row["sightings"]) for row in rows}


async def until_files(database, *names: str) -> dict[str, tuple[str, str | None, int]]:
    found: dict[str, tuple[str, str | None, int]] = {}

    async def are_there() -> bool:
        nonlocal found
        found = await files_of(database)
        return set(names) <= set(found)

    await until(are_there)
    return found


@pytest.mark.req(631)
async def test_pictures_and_clips_become_detections_and_are_looked_at_once(
    client, platform, platform_with, folder, fresh_database
):
    (folder / "first.jpg").write_bytes(jpeg())
    write_clip(folder / "walk.mp4")
    await add(client, folder)
    async with watching(platform, BrightDetector()) as detector:
        found = await until_files(fresh_database, "first.jpg", "walk.mp4")
        assert found["first.jpg"] == ("looked", None, 1)
        assert found["walk.mp4"][2] >= 1
        seen = await until_detections(client, "yard", lambda all_: len(all_) == 1 + found["walk.mp4"][2])
        picture = next(one for one in seen if one["image_url"])
        assert (picture["object_type"], picture["attributes"]["model"]) == ("person", "bright")
        assert (await client.get(picture["image_url"])).content.startswith(b"\xff\xd8")
        state = await until_state(client, "yard", "live")
        assert state["last_picture_at"]
        assert (await client.get("/api/cameras/yard/picture.jpg")).status_code == 200
        looks = detector.looks
    async with watching(await platform_with(cameras=QUICK), BrightDetector()) as again:
        (folder / "later.jpg").write_bytes(jpeg(at=40))
        await until_files(fresh_database, "later.jpg")
        assert again.looks == 1
    assert looks > 3


@pytest.mark.req(632)
async def test_a_file_that_is_looked_at_twice_is_one_detection(client, platform, platform_with, folder, fresh_database):
    """As after a kill between the report and the record of the file."""
    (folder / "one.jpg").write_bytes(jpeg())
    write_clip(folder / "walk.mp4")
    await add(client, folder)
    async with watching(platform, BrightDetector()):
        await until_files(fresh_database, "one.jpg", "walk.mp4")
    before = await until_detections(client, "yard")
    admin = await asyncpg.connect(fresh_database.admin_url)
    await admin.execute("DELETE FROM camera_files")
    await admin.close()
    async with watching(await platform_with(cameras=QUICK), BrightDetector()):
        await until_files(fresh_database, "one.jpg", "walk.mp4")
    after = await until_detections(client, "yard")
    assert [one["id"] for one in after] == [one["id"] for one in before]


@pytest.mark.req(633)
async def test_bad_files_and_links_are_set_aside_and_stop_nothing(client, platform, folder, fresh_database, log_lines):
    outside = folder.parent / "outside.jpg"
    outside.write_bytes(jpeg())
    (folder / "0-link.jpg").symlink_to(outside)
    (folder / "1-text.jpg").write_text("this is no picture")
    (folder / "2-good.jpg").write_bytes(jpeg())
    await add(client, folder)
    async with watching(platform, BrightDetector()) as detector:
        found = await until_files(fresh_database, "1-text.jpg", "2-good.jpg")
        assert found["1-text.jpg"] == (
            "unreadable",
            "The file is neither a picture nor a video that can be read.",
            0,
        )
        assert found["2-good.jpg"][0] == "looked"
        assert "0-link.jpg" not in found
        assert detector.looks == 1
    named = [line["file"] for line in log_lines() if line["event"] == "camera.file_unreadable"]
    assert named == ["1-text.jpg"]


@pytest.mark.req(631)
async def test_a_file_that_is_still_written_is_waited_for(client, platform, folder, fresh_database):
    whole = jpeg()
    with (folder / "slow.jpg").open("wb", buffering=0) as slow:
        slow.write(whole[: len(whole) // 2])
        await add(client, folder)
        async with watching(platform, BrightDetector()):
            (folder / "other.jpg").write_bytes(jpeg())
            assert set(await until_files(fresh_database, "other.jpg")) == {"other.jpg"}
            slow.write(whole[len(whole) // 2 :])
            found = await until_files(fresh_database, "slow.jpg")
            # How many looks that took is no matter: it is looked at again if the rest came just while it was read.
            assert found["slow.jpg"][:2] == ("looked", None)


@pytest.mark.req(634)
async def test_old_files_are_removed_where_that_is_set(platform_with, client_for, folder, fresh_database):
    settings = CamerasSettings(folder_poll_s=0.05, folder_settle_s=0, folder_remove_days=3)
    platform = await platform_with(cameras=settings)
    (folder / "old.jpg").write_bytes(jpeg())
    (folder / "new.jpg").write_bytes(jpeg(at=30))
    await add(client_for(create_app(platform)), folder)
    async with watching(platform, BrightDetector()):
        await until_files(fresh_database, "old.jpg", "new.jpg")
    admin = await asyncpg.connect(fresh_database.admin_url)
    await admin.execute("UPDATE camera_files SET handled_at = now() - interval '4 days' WHERE name = 'old.jpg'")
    await admin.close()
    async with watching(await platform_with(cameras=settings), BrightDetector()):
        await until(lambda: not (folder / "old.jpg").exists())
    assert (folder / "new.jpg").exists()


@pytest.mark.req(631)
async def test_without_a_detector_an_upload_is_motion(client, platform, folder):
    (folder / "one.jpg").write_bytes(jpeg())
    await add(client, folder, reports_motion=True)
    async with watching(platform):
        (seen,) = await until_detections(client, "yard")
        assert (seen["object_type"], seen["confidence"]) == ("motion", 0.5)


@pytest.mark.req(633)
async def test_a_missing_folder_is_a_state_and_a_persons_folder_is_the_cameras_own(
    client, client_with, auth_on, signed_in, platform, folder
):
    await add(client, folder / "missing")
    async with watching(platform):
        assert (await until_state(client, "yard", "refused"))["code"] == "folder_missing"
    others = await client_with(auth=auth_on)
    body = {"name": "Mine", "source": {"kind": "folder", "address": "/etc"}}
    refused = await others.post("/api/cameras", json=body, headers=signed_in(uuid4()))
    assert (refused.status_code, "Only operators" in refused.text) == (400, True)
    body = {"name": "Mine", "source": {"kind": "folder"}}
    assert (await others.post("/api/cameras", json=body, headers=signed_in(uuid4()))).status_code == 201


@pytest.mark.req(686)
async def test_a_camera_that_looks_only_in_its_zones_reports_nothing_outside_of_them(
    client, platform, folder, fresh_database
):
    added = await add(client, folder, detect_only_in_zones=True)
    assert added["source"]["detect_only_in_zones"] is True
    corner = {"name": "Corner", "kind": "entry", "polygon": [[0.9, 0.0], [1.0, 0.0], [1.0, 0.1]]}
    zone = await client.post("/api/cameras/yard/zones", json=corner)
    assert zone.status_code == 201, zone.text
    (folder / "outside.jpg").write_bytes(jpeg())
    async with watching(platform, BrightDetector()):
        found = await until_files(fresh_database, "outside.jpg")
        assert found["outside.jpg"] == ("looked", None, 0)
        changed = await client.patch("/api/cameras/yard", json={"source": {"detect_only_in_zones": False}})
        assert changed.json()["source"]["detect_only_in_zones"] is False
        (folder / "now.jpg").write_bytes(jpeg())
        assert (await until_files(fresh_database, "now.jpg"))["now.jpg"] == ("looked", None, 1)
