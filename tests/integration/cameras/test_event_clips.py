"""The clip of an event: cut without transcoding in a confined process, with poster and preview, kept as long as its event."""

import io
from datetime import timedelta

import av
import pytest

from sightline.api import create_app
from sightline.cameras.recording import RecordingSettings
from sightline.cameras.recording.clips import EventClipSweep
from sightline.security.events import known_event_ids
from sightline.timing import iso_utc, utc_now
from sightline.worker_services import recording_clip
from support.recording_rig import START, add_camera, add_event, recorded, recorded_clip
from support.security_rig import Watch, new_detection
from support.waiting import until
from support.walking_clip import Figure, make_walking_clip


async def clip_of(client, event_id):
    return (await client.get(f"/api/events/{event_id}/clip")).json()


async def made(platform, client, event_id):
    """The clip once it is done or has failed."""
    async with Watch(platform).working(recording_clip(platform)):

        async def is_over() -> bool:
            return (await clip_of(client, event_id))["state"] in ("done", "failed")

        await until(is_over)
    return await clip_of(client, event_id)


@pytest.mark.req(591)
async def test_one_click_makes_a_clip_with_padding_that_plays_at_once(platform, client, tmp_path):
    await recorded(platform, tmp_path / "camera", 30)
    event_id = await add_event(platform, START + timedelta(seconds=11.4), START + timedelta(seconds=14))
    asked = await client.post(f"/api/events/{event_id}/clip")
    assert (asked.status_code, asked.json()["state"]) == (202, "queued")
    assert (await client.post(f"/api/events/{event_id}/clip")).status_code == 200  # one is on its way

    clip = await made(platform, client, event_id)
    assert clip["state"] == "done"
    content = (await client.get(clip["url"])).content
    assert content.index(b"moov") < content.index(b"mdat")  # players start before they have everything
    with av.open(io.BytesIO(content), "r") as container:
        stream = container.streams.video[0]
        frames = list(container.decode(stream))
        assert stream.codec_context.name == "h264"
    # From the key frame at 6 s, the last before 6.4 s, to the key frame at 19 s.
    assert len(frames) == 130
    assert [round(frame.time * 10) for frame in frames] == list(range(130))
    assert clip["started_at"] == iso_utc(START + timedelta(seconds=6))
    assert clip["size_bytes"] == len(content)
    saved = await client.get(clip["download_url"])
    assert "attachment" in saved.headers["content-disposition"]

    poster = (await client.get(clip["poster_url"])).content
    assert poster.startswith(b"\xff\xd8")
    preview = (await client.get(clip["preview_url"])).content
    with av.open(io.BytesIO(preview), "r") as container:
        assert len(list(container.decode(video=0))) == 13  # a key frame per second
    part = await client.get(clip["url"], headers={"range": "bytes=0-99"})
    assert (part.status_code, len(part.content)) == (206, 100)


@pytest.mark.req(591)
async def test_a_clip_shows_the_very_packets_of_the_camera(platform, client, tmp_path):
    await recorded(platform, tmp_path / "camera", 30)
    event_id = await add_event(platform, START + timedelta(seconds=12), START + timedelta(seconds=13))
    await client.post(f"/api/events/{event_id}/clip")
    clip = await made(platform, client, event_id)
    content = (await client.get(clip["url"])).content
    async with platform.database.transaction() as tx:
        keys = [row["key"] for row in await tx.fetch("SELECT key FROM recordings ORDER BY started_at")]
    stored: list[bytes] = []
    for key in keys:
        with av.open(io.BytesIO(await platform.objects.get(key)), "r") as container:
            stored += [bytes(packet) for packet in container.demux(video=0) if packet.size]
    with av.open(io.BytesIO(content), "r") as container:
        cut = [bytes(packet) for packet in container.demux(video=0) if packet.size]
    at = stored.index(cut[0])
    assert len(cut) > 100
    assert stored[at : at + len(cut)] == cut


@pytest.mark.req(592)
async def test_without_a_recording_there_is_no_clip_and_the_answer_says_why(platform, client):
    await add_camera(platform)
    event_id = await add_event(platform, START, START + timedelta(seconds=2))
    refused = await client.post(f"/api/events/{event_id}/clip")
    assert (refused.status_code, refused.json()["error"]["code"]) == (404, "RECORDING_NOT_FOUND")
    assert (await client.get(f"/api/events/{event_id}/clip")).json()["error"]["code"] == "CLIP_NOT_FOUND"


@pytest.mark.req(592, 681)
async def test_the_clip_of_an_event_of_this_moment_waits_for_what_is_being_recorded(platform, client):
    source = {"address": "rtsp://127.0.0.1:1/none", "record_mode": "continuous"}
    await client.post("/api/cameras", json={"name": "Front Door", "source": source})
    event_id = await add_event(platform, utc_now(), utc_now())
    asked = await client.post(f"/api/events/{event_id}/clip")
    assert (asked.status_code, asked.json()["state"]) == (202, "queued")  # its first segment is not stored yet


@pytest.mark.req(592)
async def test_an_event_that_goes_on_gets_its_clip_anew_and_damage_is_reported(platform, client, tmp_path):
    await recorded(platform, tmp_path / "camera", 30)
    event_id = await add_event(platform, START + timedelta(seconds=8), START + timedelta(seconds=9))
    await client.post(f"/api/events/{event_id}/clip")
    short = await made(platform, client, event_id)
    async with platform.database.transaction() as tx:
        await tx.execute("UPDATE events SET ended_at = ended_at + interval '6 seconds'")
    assert (await client.post(f"/api/events/{event_id}/clip")).status_code == 202
    long = await made(platform, client, event_id)
    assert (long["state"], long["started_at"]) == ("done", short["started_at"])
    assert long["ended_at"] > short["ended_at"]

    async with platform.database.transaction() as tx:
        keys = [row["key"] for row in await tx.fetch("SELECT key FROM recordings")]
        await tx.execute("UPDATE events SET ended_at = ended_at + interval '6 seconds'")
    for key in keys:
        await platform.objects.put(key, b"not a video")
    assert (await client.post(f"/api/events/{event_id}/clip")).status_code == 202
    broken = await made(platform, client, event_id)
    assert (broken["state"], broken["error_reason"]) == ("failed", "What was recorded around this event cannot be read")


@pytest.mark.req(592)
async def test_a_clip_outlives_its_recording_and_goes_with_its_event(platform, client, tmp_path):
    await recorded(platform, tmp_path / "camera", 30)
    event_id = await add_event(platform, START + timedelta(seconds=8), START + timedelta(seconds=9))
    await client.post(f"/api/events/{event_id}/clip")
    await made(platform, client, event_id)
    async with platform.database.transaction() as tx:
        await tx.execute("DELETE FROM cameras")
    await platform.recording_sweep.sweep()
    sweep = EventClipSweep(platform.database, platform.objects, known_event_ids)
    assert await sweep.sweep() == 0
    clip = await clip_of(client, event_id)
    assert (await client.get(clip["url"])).status_code == 200
    assert (await client.post(f"/api/events/{event_id}/clip")).status_code == 200
    async with platform.database.transaction() as tx:
        await tx.execute("DELETE FROM events")
    assert await sweep.sweep() == 1
    assert [one.key async for one in platform.objects.find("event_clips/")] == []


async def over(platform) -> int:
    """An event of the camera whose batch is closed and assessed."""
    watch = Watch(platform)
    event = await watch.event(new_detection(detected_at=START + timedelta(seconds=11)))
    return event.id


@pytest.mark.req(691)
async def test_an_event_of_a_recorded_camera_gets_its_clip_and_preview_by_itself(platform, client, tmp_path):
    await recorded(platform, tmp_path / "camera", 30)
    event_id = await over(platform)
    assert (await clip_of(client, event_id))["state"] == "queued"
    assert (await client.post(f"/api/events/{event_id}/clip")).status_code == 200  # it is on its way
    clip = await made(platform, client, event_id)
    assert (clip["state"], clip["left_out"], clip["error_reason"]) == ("done", 0, None)
    assert (await client.get(clip["preview_url"])).status_code == 200
    with av.open(io.BytesIO((await client.get(clip["url"])).content), "r") as container:
        cut = [bytes(packet) for packet in container.demux(video=0) if packet.size]
    (first,) = await Watch(platform).rows("SELECT key FROM recordings ORDER BY started_at OFFSET 3 LIMIT 1")
    with av.open(io.BytesIO(await platform.objects.get(first["key"])), "r") as container:
        assert cut[0] == next(bytes(packet) for packet in container.demux(video=0) if packet.size)  # not transcoded


@pytest.mark.req(691)
async def test_no_clip_is_made_without_a_recording_or_where_it_is_switched_off(
    platform_with, client_for, tmp_path, platform
):
    await add_camera(platform)
    assert (await clip_of(client_for(create_app(platform)), await over(platform)))["error"]["code"] == "CLIP_NOT_FOUND"
    other = await platform_with(recording=RecordingSettings(event_clips=False))
    await recorded(other, tmp_path / "camera", 30, camera_key=await add_camera(other, "yard"))
    watch = Watch(other)
    event = await watch.event(new_detection(camera_id="yard", detected_at=START + timedelta(seconds=11)))
    assert await watch.rows("SELECT FROM event_clips WHERE event_id = $1", event.id) == []


@pytest.mark.req(694)
async def test_a_clip_does_not_jump_over_a_change_of_resolution_and_says_what_it_leaves_out(platform, client, tmp_path):
    walker = [Figure("person", x=0.0, speed=0.05)]
    large = make_walking_clip(tmp_path / "large.mp4", walker, seconds=8, key_every=10)
    small = make_walking_clip(tmp_path / "small.mp4", walker, seconds=8, key_every=10, size=(320, 180))
    changes = [START + timedelta(seconds=8 * number) for number in range(3)]
    camera_key = await recorded_clip(platform, tmp_path / "0", large)
    for number, at in enumerate(changes[1:], 1):
        await recorded_clip(platform, tmp_path / str(number), (small, large)[number - 1], at=at, camera_key=camera_key)
    # Five seconds around it reach into the large pictures before and after.
    event_id = await add_event(platform, changes[1] + timedelta(seconds=2), changes[1] + timedelta(seconds=5))
    await client.post(f"/api/events/{event_id}/clip")
    clip = await made(platform, client, event_id)
    assert (clip["started_at"], clip["ended_at"]) == (iso_utc(changes[1]), iso_utc(changes[2]))
    assert clip["left_out"] == 3
    with av.open(io.BytesIO((await client.get(clip["url"])).content), "r") as container:
        frames = list(container.decode(video=0))
    assert {(frame.width, frame.height) for frame in frames} == {(320, 180)}
    assert len(frames) == 80
