"""Sightings of the platform's own cameras are an event at once; what follows revises that event."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from sightline.contracts.jobs import AssessRisk
from sightline.live import LiveFeed
from sightline.security import SecuritySettings
from sightline.security.detections import DetectionImage, NewDetection
from sightline.security.events import Event
from support.security_rig import MIDNIGHT, NOON, Watch, new_detection
from support.waiting import until

JPEG = b"\xff\xd8\xff\xe0 a picture"


@pytest.fixture
async def watch(platform) -> Watch:
    made = Watch(platform)
    await made.camera()
    return made


def sighting(track: str = "t1", *, after_s: float = 0.0, n: int = 0, **more: Any) -> NewDetection:
    attributes = {"track_id": track, **more.pop("attributes", {})}
    at = more.pop("at", NOON) + timedelta(seconds=after_s)
    return new_detection(
        more.pop("kind", "person"), detected_at=at, attributes=attributes, source_id=f"{track}:{n}:{after_s}", **more
    )


async def all_done(watch: Watch) -> bool:
    return not await watch.rows("SELECT FROM jobs WHERE status <> 'done' AND job_type = 'assess_risk'")


async def settled(watch: Watch) -> list[Event]:
    """Events after all jobs are done, newest first."""
    async with watch.working():
        await until(lambda: all_done(watch))
    return await watch.events()


async def close_all(watch: Watch) -> None:
    await watch.age("opened_at", timedelta(seconds=91))
    await watch.security.closer.close_due()


async def is_closed(watch: Watch) -> bool:
    """The closer skips a batch that a worker has locked, and looks again."""
    await close_all(watch)
    return not await watch.rows("SELECT FROM detection_batches WHERE state = 'open'")


async def messages(watch: Watch) -> list[tuple[str, int]]:
    rows = await watch.rows("SELECT type, data FROM live_messages WHERE stream = 'events' ORDER BY sequence")
    return [(row["type"], row["data"].get("version", 1)) for row in rows]


@pytest.mark.req(597, 190)
async def test_the_first_sighting_is_an_event_while_its_batch_stays_open(watch):
    async with watch.working():
        (taken,) = await watch.receive(sighting())
        event = await watch.event_of(taken.batch_id)
    (batch,) = await watch.rows("SELECT state, close_reason FROM detection_batches")
    assert tuple(batch) == ("open", None)
    assert (event.version, event.assessor, event.state) == (1, "rules", "created")
    assert await messages(watch) == [("event", 1)]


@pytest.mark.req(597)
async def test_the_event_has_the_picture_of_its_first_sighting(watch):
    (row,) = await watch.rows("SELECT camera_key FROM cameras")
    seen = sighting(camera_key=row["camera_key"])
    await watch.security.incoming.receive_with_images([seen], [DetectionImage(JPEG, "jpg")], now=NOON)
    (event,) = await settled(watch)
    assert event.picture_key is not None
    assert await watch.platform.objects.get(event.picture_key) == JPEG


@pytest.mark.req(598)
async def test_one_walk_is_one_event_that_later_sightings_and_the_closing_revise(watch):
    await watch.receive(sighting(n=0))
    await settled(watch)
    crossed = [{"kind": "line_crossed", "name": "Gate", "direction": "in"}]
    await watch.receive(sighting(n=1, after_s=10, attributes={"behaviours": crossed, "direction": "left"}))
    (event,) = await settled(watch)
    assert (event.version, list(event.behaviours), event.risk_score) == (2, ["line_crossed"], 45)
    assert event.summary == "1 person at Front_Door, 12:00: crossed the line Gate (in), moving left"
    assert "crossed the line Gate (in) (+10)" in event.reasoning
    await close_all(watch)
    await watch.receive(sighting(n=2, after_s=95))  # it walks on after the batch closed
    (event,) = await settled(watch)
    assert event.ended_at == NOON + timedelta(seconds=95)
    assert len(await watch.rows("SELECT FROM detection_batches")) == 1
    assert len(await watch.rows("SELECT FROM detections WHERE batch_id = $1", event.batch_id)) == 3
    kinds = await messages(watch)
    assert kinds[0] == ("event", 1)
    assert {kind for kind, _ in kinds[1:]} == {"event.updated"}
    assert [version for _, version in kinds] == list(range(1, event.version + 1))


@pytest.mark.req(598)
async def test_a_sighting_that_says_nothing_new_is_no_new_version(watch):
    await watch.receive(sighting(n=0, attributes={"direction": "left"}))
    await settled(watch)
    await watch.receive(sighting(n=1, after_s=10, attributes={"direction": "right"}))
    (event,) = await settled(watch)
    assert (event.version, event.ended_at) == (1, NOON + timedelta(seconds=10))
    assert await messages(watch) == [("event", 1)]


@pytest.mark.req(598)
async def test_a_track_that_comes_after_the_batch_closed_is_another_event(watch):
    await watch.receive(sighting("t1"))
    await close_all(watch)
    await watch.receive(sighting("t2"), sighting("t1", n=1, after_s=5))
    events = await settled(watch)
    rows = await watch.rows("SELECT attributes ->> 'track_id' AS track, batch_id FROM detections")
    batches = {(row["track"], row["batch_id"]) for row in rows}
    assert sorted(track for track, _ in batches) == ["t1", "t2"]
    assert {batch_id for _, batch_id in batches} == {event.batch_id for event in events}


@pytest.mark.req(598)
async def test_a_track_older_than_the_limit_begins_another_event(watch):
    await watch.receive(sighting())
    await watch.age("opened_at", timedelta(seconds=3601))
    await watch.security.closer.close_due()
    await watch.receive(sighting(n=1, after_s=3601))
    assert len(await settled(watch)) == 2


@pytest.mark.req(599)
async def test_a_certain_person_of_our_camera_has_one_event_and_a_weapon_its_own(watch):
    (person,) = await watch.receive(sighting(confidence=0.97))
    (knife,) = await watch.receive(sighting("t2", kind="knife", confidence=0.7))
    (later,) = await watch.receive(sighting("t2", kind="knife", confidence=0.7, n=1, after_s=20))
    assert (person.is_fast_path, knife.is_fast_path, later.batch_id) == (False, True, knife.batch_id)
    events = await settled(watch)
    assert sorted(event.risk_level for event in events) == ["critical", "medium"]


@pytest.mark.req(599)
async def test_a_posted_detection_with_a_track_waits_for_its_batch_as_before(watch, client):
    body = {"camera_id": "front_door", "object_type": "person", "confidence": 0.8, "attributes": {"track_id": "t"}}
    assert (await client.post("/api/detections", json=body)).status_code == 201
    assert await watch.rows("SELECT FROM jobs") == []
    await close_all(watch)
    again = await client.post("/api/detections", json=body)
    assert again.status_code == 201
    assert len(await watch.rows("SELECT FROM detection_batches")) == 2


@pytest.mark.req(599)
async def test_foreign_detectors_get_early_events_by_a_setting(platform_with, client_for):
    watch = Watch(await platform_with(security=SecuritySettings(early_events="all")))
    await watch.camera()
    for n in range(3):
        await watch.receive(new_detection(source_id=str(n), is_posted=True))
    assert len(await watch.rows("SELECT FROM jobs")) == 1  # not one for each of many reports in a second
    assert len(await settled(watch)) == 1


@pytest.mark.req(598, 196)
async def test_reported_twice_and_assessed_at_once_by_many_it_stays_one_event(watch):
    async with watch.working(watch.security.assess_risk, watch.security.assess_risk):
        await asyncio.gather(*(watch.receive(sighting(n=n % 3, after_s=n % 3)) for n in range(9)))
        (batch,) = await watch.rows("SELECT batch_id FROM detection_batches")
        async with watch.database.transaction() as tx:
            for _ in range(5):
                await watch.platform.jobs.enqueue(tx, AssessRisk(batch_id=batch["batch_id"]))
        await until(lambda: is_closed(watch))
        await until(lambda: all_done(watch))
    (event,) = await watch.events()
    assert len(await watch.rows("SELECT FROM detections")) == 3
    assert [kind for kind, _ in await messages(watch)].count("event") == 1
    (seen,) = await watch.rows("SELECT detections, visits FROM camera_activity")
    assert tuple(seen) == (3, 1)
    assert event.ended_at == NOON + timedelta(seconds=2)


@pytest.mark.req(600)
async def test_what_a_track_does_after_its_event_was_resolved_is_a_new_event(watch):
    await watch.receive(sighting())
    (event,) = await settled(watch)
    await watch.security.lifecycle.acknowledge(event.id, by="ana")
    resolved = await watch.security.lifecycle.resolve(event.id, by="ana")
    await watch.receive(sighting(n=1, after_s=10))
    (same,) = await settled(watch)
    assert (same.version, same.ended_at) == (resolved.version, NOON + timedelta(seconds=10))
    await watch.receive(sighting(n=2, after_s=20, attributes={"behaviours": ["loitering"]}))
    await watch.receive(sighting(n=3, after_s=30, attributes={"behaviours": ["loitering"]}))
    new, old = await settled(watch)
    assert (old.id, list(old.behaviours)) == (event.id, [])
    assert (list(new.behaviours), new.started_at) == (["loitering"], NOON + timedelta(seconds=20))


@pytest.mark.req(600)
async def test_rules_that_match_only_later_raise_their_alerts_then_and_once(watch, client):
    conditions = {"risk_threshold": 60}
    assert (await client.post("/api/alert-rules", json={"name": "R", "conditions": conditions})).status_code == 201
    await watch.receive(sighting(at=MIDNIGHT))
    await settled(watch)
    assert (await client.get("/api/alerts")).json()["alerts"] == []
    for n in (1, 2):
        await watch.receive(
            sighting(n=n, at=MIDNIGHT, after_s=10 * n, attributes={"behaviours": [{"kind": "line_crossed"}]})
        )
        await settled(watch)
    (alert,) = (await client.get("/api/alerts")).json()["alerts"]
    (event,) = await watch.events()
    assert (alert["event_id"], event.risk_score) == (event.id, 65)


@pytest.mark.req(597, 203)
async def test_an_assessment_that_is_interrupted_leaves_nothing_and_is_made_again(watch, monkeypatch):
    append = LiveFeed.append

    async def killed(*args: Any) -> int:
        await append(*args)
        raise RuntimeError("killed")

    with monkeypatch.context() as patched:
        patched.setattr(LiveFeed, "append", killed)
        async with watch.working():
            await watch.receive(sighting())
            await until(lambda: is_retried(watch))
    assert await watch.events() == []
    assert await watch.rows("SELECT FROM event_history") == []
    await watch.run("UPDATE jobs SET run_after = NULL")
    (event,) = await settled(watch)
    assert (event.version, await messages(watch)) == (1, [("event", 1)])


async def is_retried(watch: Watch) -> bool:
    return bool(await watch.rows("SELECT FROM jobs WHERE status = 'queued' AND retry_count = 1"))


@pytest.mark.req(601)
async def test_how_often_a_kind_was_seen_at_this_hour_is_said(watch):
    await watch.run(
        "INSERT INTO camera_activity (camera_key, day, hour, object_type, detections, visits)"
        " SELECT camera_key, $1::date - n, CASE WHEN n <= 2 THEN 12 ELSE 3 END, 'person', 50, n"
        " FROM cameras, generate_series(1, 10) AS n",
        NOON.date(),
    )
    await watch.receive(sighting())
    (event,) = await settled(watch)
    assert "seen 3 times in 28 days at this hour (on 2 of 10 days) (+0)" in event.reasoning
