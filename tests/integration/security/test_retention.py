"""What is archived, what is removed, what stays, and that a kill in between loses and doubles nothing."""

import asyncio
import os
from datetime import UTC, datetime, timedelta

import pytest

from sightline.job_types import retention
from sightline.jobs import PeriodicJob
from sightline.roles import daily_retention
from sightline.security import Cleaner, retention_store
from support.security_rig import Watch, new_detection
from support.waiting import until


@pytest.fixture
async def watch(platform) -> Watch:
    made = Watch(platform)
    await made.camera()
    return made


async def many_events(watch: Watch, count: int, *, age_days: int) -> None:
    """Events in every state, straight into the tables."""
    await watch.run(
        "INSERT INTO detection_batches"
        " (batch_id, camera_key, camera_id, state, started_at, ended_at, closed_at, close_reason, detection_count)"
        " SELECT 'batch-' || lpad(to_hex($2::int * 100000 + n), 8, '0'), camera_key, 'front_door', 'assessed',"
        " now(), now(), now(), 'idle', 1"
        " FROM generate_series(1, $1::int) AS n, cameras WHERE camera_id = 'front_door'",
        count,
        age_days,
    )
    await watch.run(
        "INSERT INTO detections (batch_id, camera_key, camera_id, object_type, confidence, detected_at, created_at)"
        " SELECT batch_id, camera_key, 'front_door', 'person', 0.5, now(), now() - make_interval(days => $1::int)"
        " FROM detection_batches"
        " WHERE batch_id LIKE 'batch-' || left(lpad(to_hex($1::int * 100000), 8, '0'), 4) || '%'",
        age_days,
    )
    await watch.run(
        "INSERT INTO events (batch_id, camera_id, owner_id, risk_score, summary, reasoning, assessor, started_at, created_at,"
        " broadcasted_at, acknowledged_at, resolved_at)"
        " SELECT 'batch-' || lpad(to_hex($2::int * 100000 + n), 8, '0'), 'front_door',"
        " '00000000-0000-0000-0000-000000000001', 10, 's', 'r', 'rules', now(), now() - make_interval(days => $2::int),"
        " CASE WHEN n % 4 > 0 THEN now() END, CASE WHEN n % 4 > 1 THEN now() END, CASE WHEN n % 4 > 2 THEN now() END"
        " FROM generate_series(1, $1::int) AS n",
        count,
        age_days,
    )


@pytest.mark.req(232, 238)
async def test_old_events_of_any_state_move_to_the_archive_in_batches(watch, client):
    await many_events(watch, 9, age_days=31)
    await many_events(watch, 2, age_days=29)
    cleaner = Cleaner(
        watch.database, watch.platform.objects, watch.security.settings, watch.security.metrics, at_once=4
    )
    cleaned = await cleaner.clean()
    assert cleaned.events_archived == 9
    assert len(await watch.rows("SELECT FROM events")) == 2
    archived = await watch.events(is_archived=True)
    assert len(archived) == 9
    assert {event.state for event in archived} == {"archived"}
    before = {row["state"] for row in await watch.rows("SELECT state FROM events_archive")}
    assert before == {"created", "broadcasted", "acknowledged", "resolved"}
    assert watch.metric("sightline_security_cleaned_total", kind="events_archived") == 9
    one = await client.get(f"/api/events/{archived[0].id}")
    assert (one.json()["state"], one.status_code) == ("archived", 200)
    refused = await client.patch(f"/api/events/{archived[0].id}/acknowledge")
    assert (refused.status_code, refused.json()["error"]["details"]["state"]) == (409, "archived")
    listed = (await client.get("/api/events", params={"state": "archived"})).json()["events"]
    assert len(listed) == 9


@pytest.mark.req(233)
async def test_a_kill_during_archiving_neither_loses_nor_doubles_an_event(watch):
    await many_events(watch, 40, age_days=31)
    with pytest.raises(RuntimeError, match="killed"):
        async with watch.database.transaction() as tx:
            assert await retention_store.archive_events(tx, days=30, limit=15) == 15
            raise RuntimeError("killed before the commit")
    assert len(await watch.rows("SELECT FROM events")) == 40
    # Two at once, and one whose connection dies at some moment.
    cleaners = [
        Cleaner(watch.database, watch.platform.objects, watch.security.settings, watch.security.metrics, at_once=3)
        for _ in range(2)
    ]
    runs = [asyncio.create_task(cleaner.clean()) for cleaner in cleaners]

    async def has_begun() -> bool:
        return bool(await watch.rows("SELECT FROM events_archive"))

    await until(has_begun)
    runs[0].cancel()
    await asyncio.gather(*runs, return_exceptions=True)
    await cleaners[1].clean()
    counts = await watch.rows("SELECT count(*) AS n, count(DISTINCT id) AS ids FROM events_archive")
    assert tuple(counts[0]) == (40, 40)
    assert await watch.rows("SELECT FROM events") == []


@pytest.mark.req(234)
async def test_archived_events_are_removed_after_a_further_period(watch):
    await many_events(watch, 3, age_days=31)
    await watch.security.cleaner.clean()
    await watch.run(
        "UPDATE events_archive SET archived_at = now() - interval '336 days' WHERE id = (SELECT min(id) FROM events_archive)"
    )
    cleaned = await watch.security.cleaner.clean()
    assert (cleaned.events_purged, len(await watch.rows("SELECT FROM events_archive"))) == (1, 2)


@pytest.mark.req(235)
async def test_detections_go_after_their_period_but_not_before_their_event(watch):
    picture = "security/front_door/2026-01-01/a.jpg"
    await watch.platform.objects.put(picture, b"\xff\xd8\xff")
    live = await watch.event(new_detection(image_key=picture))
    await watch.receive(new_detection())  # in a batch that nobody has assessed yet
    await watch.run("UPDATE detections SET created_at = now() - interval '31 days'")
    assert (await watch.security.cleaner.clean()).detections_removed == 0
    await watch.run("UPDATE events SET created_at = now() - interval '31 days' WHERE id = $1", live.id)
    cleaned = await watch.security.cleaner.clean()
    assert (cleaned.events_archived, cleaned.detections_removed) == (1, 1)
    assert await watch.platform.objects.head(picture) is None
    assert len(await watch.rows("SELECT FROM detections")) == 1
    assert [row["state"] for row in await watch.rows("SELECT state FROM detection_batches")] == ["open"]


@pytest.mark.req(236)
async def test_logs_are_kept_for_seven_days(watch):
    for name in ("old", "new"):
        await watch.platform.objects.put(f"logs/pipeline/{name}.json", b"[]")
    newest = await watch.platform.objects.head("logs/pipeline/new.json")
    assert newest is not None
    later = newest.modified_at + timedelta(days=7)
    old_file = watch.platform.settings.state_dir / "objects" / "logs" / "pipeline" / "old.json"
    assert old_file.exists()
    os.utime(old_file, (0, 0))
    cleaner = Cleaner(
        watch.database,
        watch.platform.objects,
        watch.security.settings,
        watch.security.metrics,
        clock=lambda: later - timedelta(seconds=1),
    )
    removed = (await cleaner.clean()).logs_removed
    left = [stored.key async for stored in watch.platform.objects.find("logs/")]
    assert (removed, left) == (1, ["logs/pipeline/new.json"])


@pytest.mark.req(235)
async def test_pictures_that_no_detection_names_are_removed_after_a_day(watch, client):
    day = "security/front_door/2026-01-01"
    for name in ("kept", "orphan", "under-way"):
        await watch.platform.objects.put(f"{day}/{name}.jpg", b"\xff\xd8\xff")
    await watch.receive(new_detection(image_key=f"{day}/kept.jpg"))
    for name in ("kept", "orphan"):
        os.utime(watch.platform.settings.state_dir / "objects" / day / f"{name}.jpg", (0, 0))
    dry = await client.post("/api/events/cleanup")
    assert dry.json()["pictures_removed"] == 1
    assert (await watch.security.cleaner.clean()).pictures_removed == 1
    left = [stored.key async for stored in watch.platform.objects.find("security/")]
    assert left == [f"{day}/kept.jpg", f"{day}/under-way.jpg"]


@pytest.mark.req(695)
async def test_the_picture_of_an_event_outlives_its_camera_and_goes_with_the_event(watch, client):
    key = "security/front_door/2026-01-01/event.jpg"
    await watch.platform.objects.put(key, b"\xff\xd8\xff")
    event = await watch.event(new_detection(image_key=key))
    os.utime(watch.platform.settings.state_dir / "objects" / key, (0, 0))
    assert (await client.delete("/api/cameras/front_door")).status_code == 204
    assert await watch.rows("SELECT FROM detections") == []
    assert (await watch.security.cleaner.clean()).pictures_removed == 0
    shown = (await client.get(f"/api/events/{event.id}")).json()
    assert (shown["camera"], (await client.get(shown["picture_url"])).status_code) == (None, 200)
    await watch.rows("UPDATE events SET created_at = created_at - interval '40 days' RETURNING 1")
    assert (await watch.security.cleaner.clean()).pictures_removed == 0  # archived, it is still there to be read
    await watch.rows("UPDATE events_archive SET archived_at = archived_at - interval '900 days' RETURNING 1")
    assert (await watch.security.cleaner.clean()).pictures_removed == 1
    assert await watch.platform.objects.head(key) is None


@pytest.mark.req(237)
async def test_a_dry_run_counts_and_changes_nothing(watch, client):
    await many_events(watch, 5, age_days=31)
    answer = await client.post("/api/events/cleanup")
    assert answer.json() == {
        "events_archived": 5,
        "events_purged": 0,
        "detections_removed": 5,
        "logs_removed": 0,
        "pictures_removed": 0,
        "is_dry_run": True,
    }
    assert len(await watch.rows("SELECT FROM events")) == 5
    assert watch.metric("sightline_security_cleaned_total", kind="events_archived") == 0
    done = await client.post("/api/events/cleanup", params={"dry_run": False})
    assert done.json() == answer.json() | {"is_dry_run": False}


@pytest.mark.req(237)
async def test_the_clean_up_is_a_job_of_three_in_the_morning_that_reports_its_counts(watch):
    periodic: PeriodicJob = daily_retention(watch.platform)
    assert periodic.next_tick(datetime(2026, 3, 4, 2, 59, tzinfo=UTC)) == datetime(2026, 3, 4, 3, 0, tzinfo=UTC)
    assert periodic.next_tick(datetime(2026, 3, 4, 3, 0, tzinfo=UTC)) == datetime(2026, 3, 5, 3, 0, tzinfo=UTC)
    await many_events(watch, 2, age_days=31)
    async with watch.database.transaction() as tx:
        await watch.platform.jobs.enqueue(tx, periodic.make(datetime.now(UTC)))
    async with watch.working(retention(watch.platform)):

        async def is_done() -> bool:
            return bool(await watch.rows("SELECT FROM jobs WHERE status = 'done'"))

        await until(is_done)
    (job,) = await watch.rows("SELECT result FROM jobs")
    assert (job["result"]["events_archived"], job["result"]["is_dry_run"]) == (2, False)
