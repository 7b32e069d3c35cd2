"""Detections become batches, and batches become events."""

import asyncio
import os
import re
from datetime import timedelta

import asyncpg
import pytest

from sightline.contracts.jobs import AssessRisk
from sightline.errors import NotFound
from sightline.security import SecuritySettings
from sightline.security.detections.batches_store import begin_batch, close_due, new_batch_id
from support.postgres import ADMIN_URL_VARIABLE, with_database
from support.security_rig import NOON, Watch, new_detection
from support.waiting import until

DISK_FULL = """
CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no space left' USING ERRCODE = 'disk_full'; END $$;
CREATE TRIGGER broken BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION fail();
"""


@pytest.fixture
def watch(platform) -> Watch:
    return Watch(platform)


@pytest.mark.req(190, 193, 195, 242)
async def test_a_batch_becomes_one_event_with_all_fields(watch):
    await watch.camera()
    later = NOON + timedelta(seconds=20)
    event = await watch.event(new_detection("car"), new_detection("person", detected_at=later))
    assert event.id >= 1
    assert re.fullmatch(r"batch-[0-9a-f]{8}", event.batch_id)
    assert (event.camera_id, event.risk_score, event.risk_level) == ("front_door", 35, "medium")
    assert "person" in event.summary
    assert "person seen (+35)" in event.reasoning
    assert (event.started_at, event.ended_at) == (NOON, later)
    assert event.created_at is not None
    assert (event.acknowledged_at, event.resolved_at) == (None, None)
    assert event.assessor == "rules"
    (batch,) = await watch.rows("SELECT * FROM detection_batches")
    assert (batch["batch_id"], batch["state"], batch["detection_count"]) == (event.batch_id, "assessed", 2)


@pytest.mark.req(201)
@pytest.mark.parametrize(("column", "seconds", "reason"), [("opened_at", 90, "age"), ("last_received_at", 30, "idle")])
async def test_a_batch_closes_by_age_or_idleness(watch, column, seconds, reason):
    await watch.camera()
    await watch.receive(new_detection())
    await watch.age(column, timedelta(seconds=seconds))
    closed = await watch.security.closer.close_due()
    (batch,) = await watch.rows("SELECT state, close_reason FROM detection_batches")
    assert (len(closed), batch["close_reason"]) == (1, reason)
    jobs = await watch.rows("SELECT payload FROM jobs WHERE job_type = 'assess_risk'")
    assert [job["payload"]["batch_id"] for job in jobs] == closed


@pytest.mark.req(201)
async def test_a_batch_does_not_close_a_moment_before(watch):
    await watch.camera()
    await watch.receive(new_detection())
    limits = watch.security.settings
    assert (limits.batch_age_s, limits.batch_idle_s) == (90, 30)
    async with watch.database.transaction() as tx:  # in which the database's clock stands still
        await tx.execute(
            "UPDATE detection_batches SET opened_at = now() - interval '89.999 s',"
            " last_received_at = now() - interval '29.999 s'"
        )
        assert await close_due(tx, age_s=limits.batch_age_s, idle_s=limits.batch_idle_s, limit=10) == []


@pytest.mark.req(201)
async def test_a_batch_closes_at_500_detections_and_the_next_begins(watch):
    await watch.camera()
    taken = await watch.receive(*(new_detection(source_id=str(n)) for n in range(501)))
    assert len({one.batch_id for one in taken[:500]}) == 1
    batches = await watch.rows("SELECT detection_count, close_reason FROM detection_batches ORDER BY opened_at, state")
    assert [tuple(batch) for batch in batches] == [(500, "full"), (1, None)]


@pytest.mark.req(201)
async def test_a_detection_that_comes_late_closes_the_old_batch_itself(watch):
    await watch.camera()
    (first,) = await watch.receive(new_detection())
    await watch.age("last_received_at", timedelta(seconds=31))
    (second,) = await watch.receive(new_detection())
    assert first.batch_id != second.batch_id
    (batch,) = await watch.rows("SELECT close_reason FROM detection_batches WHERE batch_id = $1", first.batch_id)
    assert batch["close_reason"] == "idle"


@pytest.mark.req(202)
async def test_a_certain_person_is_assessed_at_once(watch):
    await watch.camera()
    (unsure, certain, car) = await watch.receive(
        new_detection(confidence=0.89), new_detection(confidence=0.90), new_detection("car", confidence=0.99)
    )
    assert (unsure.is_fast_path, certain.is_fast_path, car.is_fast_path) == (False, True, False)
    assert unsure.batch_id == car.batch_id != certain.batch_id
    async with watch.working():
        event = await watch.event_of(certain.batch_id)
    assert event.started_at == event.ended_at == NOON
    assert [batch["state"] for batch in await watch.rows("SELECT state FROM detection_batches ORDER BY state")] == [
        "assessed",
        "open",
    ]


@pytest.mark.req(202)
async def test_somebody_who_stays_is_batched_after_the_first_alarm(watch):
    await watch.camera()
    await watch.receive(new_detection(confidence=0.95))
    # The alarm seems to come later than it does, so that a slow machine does not miss the pause after it.
    await watch.run("UPDATE cameras SET last_fast_path_at = last_fast_path_at + interval '1 hour'")
    (again,) = await watch.receive(new_detection(confidence=0.95))
    assert not again.is_fast_path
    await watch.run("UPDATE cameras SET last_fast_path_at = now() - interval '11 s'")
    (later,) = await watch.receive(new_detection(confidence=0.95))
    assert later.is_fast_path


async def test_a_detection_told_twice_is_kept_once(watch):
    await watch.camera()
    first = await watch.receive(new_detection(source_id="a"), new_detection(source_id="a"))
    again = await watch.receive(new_detection(source_id="a"))
    assert [one.detection_id is not None for one in (*first, *again)] == [True, False, False]
    assert len(await watch.rows("SELECT FROM detections")) == 1


async def test_a_request_is_taken_in_whole_or_not_at_all(watch):
    await watch.camera()
    with pytest.raises(NotFound, match="no camera elsewhere"):
        await watch.receive(new_detection(), new_detection(camera_id="elsewhere"))
    assert await watch.rows("SELECT FROM detections") == []


async def test_detections_from_many_sides_share_one_open_batch(platform_with):
    watch = Watch(await platform_with(security=SecuritySettings(batch_age_s=3600, batch_idle_s=3600)))
    await watch.camera()
    await watch.camera("yard")
    await asyncio.gather(
        *(watch.receive(new_detection(), new_detection(camera_id="yard")) for _ in range(10)),
        *(watch.receive(new_detection(camera_id="yard"), new_detection()) for _ in range(10)),
    )
    batches = await watch.rows("SELECT camera_id, detection_count FROM detection_batches ORDER BY camera_id")
    assert [tuple(batch) for batch in batches] == [("front_door", 20), ("yard", 20)]


@pytest.mark.req(195)
async def test_a_batch_id_that_is_taken_is_drawn_anew(watch):
    front_door, yard = await watch.camera(), await watch.camera("yard")
    ids = iter(["batch-00000001", "batch-00000001", "batch-00000002"])
    async with watch.database.transaction() as tx:
        first = await begin_batch(tx, new_detection(camera_key=front_door.camera_key), new_id=lambda: next(ids))
        seen = new_detection(camera_id="yard", camera_key=yard.camera_key)
        second = await begin_batch(tx, seen, new_id=lambda: next(ids))
    assert (first.batch_id, second.batch_id) == ("batch-00000001", "batch-00000002")
    assert re.fullmatch(r"batch-[0-9a-f]{8}", new_batch_id())


@pytest.mark.req(196)
async def test_a_batch_assessed_twice_at_once_yields_one_event(watch):
    await watch.camera()
    batch_id = await watch.batch_of(new_detection())
    async with watch.database.transaction() as tx:
        for _ in range(5):
            await watch.platform.jobs.enqueue(tx, AssessRisk(batch_id=batch_id))
    async with watch.working():
        await until(lambda: _all_done(watch))
    assert len(await watch.events()) == 1
    assert len(await watch.rows("SELECT FROM live_messages WHERE stream = 'events'")) == 1
    (seen,) = await watch.rows("SELECT detections FROM camera_activity")
    assert seen["detections"] == 1


async def _all_done(watch: Watch) -> bool:
    return not await watch.rows("SELECT FROM jobs WHERE status <> 'done'")


@pytest.mark.req(192, 193)
@pytest.mark.parametrize(
    ("score", "ended", "constraint"), [(101, 0, "risk_score"), (-1, 0, "risk_score"), (50, -1, "check")]
)
async def test_the_database_refuses_events_that_cannot_be(watch, score, ended, constraint):
    with pytest.raises(asyncpg.CheckViolationError, match=constraint):
        await watch.run(
            "INSERT INTO events (batch_id, camera_id, owner_id, risk_score, summary, reasoning, assessor, started_at, ended_at)"
            " VALUES ('batch-00000001', 'c', gen_random_uuid(), $1, 's', 'r', 'rules', $2, $3)",
            score,
            NOON,
            NOON + timedelta(seconds=ended),
        )


@pytest.mark.req(203)
async def test_a_batch_whose_event_cannot_be_stored_is_kept_and_assessed_later(watch):
    await watch.camera()
    batch_id = await watch.batch_of(new_detection())
    await _as_owner(watch, DISK_FULL)
    async with watch.working():
        await until(lambda: _is_waiting(watch))
    (batch,) = await watch.rows("SELECT state FROM detection_batches")
    assert batch["state"] == "closed"
    await _as_owner(watch, "DROP TRIGGER broken ON events")
    await watch.run("UPDATE jobs SET run_after = NULL")
    async with watch.working():
        assert (await watch.event_of(batch_id)).batch_id == batch_id


async def _is_waiting(watch: Watch) -> bool:
    return bool(await watch.rows("SELECT FROM jobs WHERE status = 'queued' AND retry_count = 1"))


@pytest.mark.req(203)
async def test_a_batch_that_nobody_could_assess_is_kept_with_its_dead_job(watch):
    await watch.camera()
    batch_id = await watch.batch_of(new_detection())
    await _as_owner(watch, DISK_FULL)
    await watch.run("UPDATE jobs SET retry_count = 3")
    async with watch.working():
        await until(lambda: _is_dead(watch))
    (batch,) = await watch.rows("SELECT state, detection_count FROM detection_batches WHERE batch_id = $1", batch_id)
    assert tuple(batch) == ("failed", 1)
    assert len(await watch.rows("SELECT FROM detections")) == 1


async def _is_dead(watch: Watch) -> bool:
    return bool(await watch.rows("SELECT FROM jobs WHERE status = 'failed'"))


async def _as_owner(watch: Watch, statement: str) -> None:
    (row,) = await watch.rows("SELECT current_database() AS name")
    connection = await asyncpg.connect(with_database(os.environ[ADMIN_URL_VARIABLE], row["name"]))
    try:
        await connection.execute(statement)
    finally:
        await connection.close()


@pytest.mark.req(658)
async def test_an_episode_of_a_recording_is_a_batch_of_its_own_beside_what_happens_now(watch):
    await watch.camera()
    (live,) = await watch.receive(new_detection(source_id="live"))
    key = (await watch.rows("SELECT camera_key FROM cameras"))[0]["camera_key"]
    yesterday = NOON - timedelta(days=1)
    seen = [
        new_detection("car", camera_key=key, detected_at=yesterday + timedelta(seconds=n), source_id=f"video:{n}")
        for n in range(3)
    ]
    found = await watch.security.incoming.receive_with_images(seen, [None] * 3, now=NOON, is_episode=True)
    (episode,) = {one.batch_id for one in found}
    assert episode != live.batch_id
    states = {row["batch_id"]: row["state"] for row in await watch.rows("SELECT * FROM detection_batches")}
    assert states == {live.batch_id: "open", episode: "closed"}
    jobs = await watch.rows("SELECT payload FROM jobs WHERE job_type = 'assess_risk'")
    assert [job["payload"]["batch_id"] for job in jobs] == [episode]
    (later,) = await watch.receive(new_detection(source_id="later"))
    assert later.batch_id == live.batch_id
    again = await watch.security.incoming.receive_with_images(seen, [None] * 3, now=NOON, is_episode=True)
    assert {one.detection_id for one in again} == {None}
