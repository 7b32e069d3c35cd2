"""Playback over HTTP: the timeline, playlists over recorded segments, live playlists, and who may have them."""

import asyncio
import io
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from uuid import uuid4

import av
import pytest

from sightline.api.app import create_app
from sightline.api.recordings import playback
from sightline.security import Cleaner
from sightline.timing import iso_utc, utc_now
from support.recorded_pages import entries, fetched
from support.recording_rig import START, add_camera, add_event, recorded, recorder_rig, segments_in
from support.waiting import until


def span(since, until):
    return {"since": iso_utc(since), "until": iso_utc(until)}


@pytest.mark.req(589)
async def test_the_playlist_plays_what_was_recorded_from_signed_addresses(platform, client, tmp_path):
    await recorded(platform, tmp_path / "camera", 20)
    query = span(START + timedelta(seconds=5), START + timedelta(seconds=13))
    response = await client.get("/api/cameras/front_door/recording/index.m3u8", params=query)
    assert response.status_code == 200
    assert response.headers["cache-control"] == "private, no-store"
    assert "#EXT-X-DISCONTINUITY" not in response.text
    parts = entries(response.text)
    assert len(parts) == 1 + 5  # one initialization, and the segments from 4 s to 14 s
    content = b"".join([await fetched(client, *part) for part in parts])
    with av.open(io.BytesIO(content), "r") as container:
        frames = list(container.decode(video=0))
    assert len(frames) == 100
    steps = {round(later.time - earlier.time, 3) for earlier, later in pairwise(frames)}
    assert steps == {0.1}
    head = await client.request("HEAD", parts[1][0].partition("?")[0])
    assert head.status_code == 403  # an address without its signature opens nothing
    assert (await client.get(parts[1][0])).headers["accept-ranges"] == "bytes"


@pytest.mark.req(589)
async def test_the_timeline_shows_spans_events_and_the_state(platform, client, tmp_path):
    camera_key = await recorded(platform, tmp_path / "camera", 10)
    await recorded(
        platform, tmp_path / "again", 10, at=START + timedelta(minutes=5), camera_key=await add_camera(platform, "yard")
    )
    async with platform.database.transaction() as tx:  # the same camera filmed five minutes later as well
        await tx.execute(
            "UPDATE recordings SET camera_key = $1, run = gen_random_uuid() WHERE camera_key <> $1", camera_key
        )
    event_id = await add_event(platform, START + timedelta(seconds=4), START + timedelta(seconds=6))
    query = span(START - timedelta(hours=1), START + timedelta(hours=1))
    answer = (await client.get("/api/cameras/front_door/recordings", params=query)).json()
    lengths = [(one["started_at"], one["ended_at"]) for one in answer["recordings"]]
    assert len(lengths) == 2
    assert lengths[0][0][:19] == iso_utc(START)[:19]
    assert lengths[0][1][:19] == iso_utc(START + timedelta(seconds=10))[:19]
    assert answer["bytes"] == sum(one["bytes"] for one in answer["recordings"]) > 0
    assert [(one["id"], one["label"], one["risk_level"]) for one in answer["events"]] == [(event_id, "person", "high")]
    assert answer["recorder"]["state"] == "recording"


async def test_times_that_are_too_far_apart_or_empty_are_refused_with_words(client, platform):
    await add_camera(platform)
    address = "/api/cameras/front_door/recording/index.m3u8"
    long = await client.get(address, params=span(START, START + timedelta(hours=3)))
    assert (long.status_code, "2 hours" in long.text) == (400, True)
    assert (await client.get(address, params=span(START, START))).status_code == 400
    nothing = await client.get(address, params=span(START, START + timedelta(hours=1)))
    assert (nothing.status_code, nothing.json()["error"]["code"]) == (404, "RECORDING_NOT_FOUND")


@pytest.mark.req(590)
async def test_other_people_see_neither_timeline_nor_recording_nor_live_view(
    platform_with, client_for, auth_on, signed_in, tmp_path
):
    platform = await platform_with(auth=auth_on)
    client = client_for(create_app(platform))
    owner, other = uuid4(), uuid4()
    key = await add_camera(platform, owner_id=owner)
    await recorded(platform, tmp_path / "camera", 4, camera_key=key)
    event_id = await add_event(platform, START, START + timedelta(seconds=2), owner_id=owner)
    query = span(START, START + timedelta(seconds=4))
    for path in ("recordings", "recording/index.m3u8"):
        address = f"/api/cameras/front_door/{path}"
        assert (await client.get(address, params=query, headers=signed_in(owner))).status_code == 200
        assert (await client.get(address, params=query, headers=signed_in(other))).status_code == 404
        assert (await client.get(address, params=query)).status_code == 401
    refused = await client.get("/api/cameras/front_door/live/index.m3u8", headers=signed_in(other))
    assert refused.status_code == 404
    assert (await client.post(f"/api/events/{event_id}/clip", headers=signed_in(other))).status_code == 404
    async with platform.database.as_caller({"sub": str(other), "role": "authenticated"}) as tx:
        assert await tx.fetchval("SELECT count(*) FROM recordings") == 0


@pytest.mark.req(588)
async def test_the_live_playlist_has_the_newest_segments_while_somebody_plays_them(platform, client, tmp_path):
    now = utc_now()
    async with recorder_rig(platform, tmp_path / "camera", mode="off", now=now) as rig:
        segments = segments_in(rig.directory, 10)
        moved = [replace(one, started_at=one.started_at + (now - START)) for one in segments]
        asking = asyncio.create_task(client.get("/api/cameras/front_door/live/index.m3u8"))
        await until(lambda: rig.recorder.wants_segments)
        await rig.keep(moved)
        response = await asking
        assert response.status_code == 200
        assert "#EXT-X-ENDLIST" not in response.text

        async def shows_all() -> bool:
            text = (await client.get("/api/cameras/front_door/live/index.m3u8")).text
            return len(entries(text)) == 1 + 5

        await until(shows_all)
        assert await rig.stored() == []  # nothing of it is kept


@pytest.mark.req(659)
async def test_the_timeline_has_the_newest_events_of_its_camera_alone_archived_or_not(platform, client, monkeypatch):
    monkeypatch.setattr(playback, "MAX_EVENTS", 3)
    await add_camera(platform)
    at = [START + timedelta(minutes=minute) for minute in range(5)]
    ids = [await add_event(platform, one, one + timedelta(seconds=5)) for one in at]
    async with platform.database.transaction() as tx:
        await tx.execute("UPDATE events SET created_at = now() - interval '40 days' WHERE id = $1", ids[3])
    security = platform.security
    cleaner = Cleaner(platform.database, platform.objects, security.settings, security.metrics)
    assert (await cleaner.clean()).events_archived == 1
    for one in at:  # a camera of the same name that belongs to somebody else
        await add_event(platform, one, one, owner_id=uuid4())
    query = span(START - timedelta(hours=1), START + timedelta(hours=1))
    answer = (await client.get("/api/cameras/front_door/recordings", params=query)).json()
    assert [one["id"] for one in answer["events"]] == [ids[4], ids[3], ids[2]]
