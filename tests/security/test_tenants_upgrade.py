"""What an installation from before tenants were kept apart by ids and numbers has after the upgrade."""

from collections.abc import AsyncIterator
from uuid import UUID

import asyncpg
import pytest

from sightline.contracts import Caller
from sightline.db import migrate, open_database
from sightline.db.migrate import read_migrations
from sightline.live.store import caller_number, read_numbered
from support.postgres import DatabaseAddresses, patient_settings

ANN, BOB, TEAM = UUID(int=21), UUID(int=22), UUID(int=77)
BEFORE = 15  # the last migration of the version before


@pytest.fixture
async def old(empty_database: DatabaseAddresses) -> AsyncIterator[asyncpg.Connection]:
    await migrate(empty_database.admin_url, [one for one in read_migrations() if one.number <= BEFORE])
    admin = await asyncpg.connect(empty_database.admin_url)
    yield admin
    await admin.close()


async def say(admin: asyncpg.Connection, owner: UUID, count: int) -> None:
    await admin.execute(
        "INSERT INTO live_streams AS s (stream, top) VALUES ('events', $1) ON CONFLICT (stream) DO UPDATE SET top = s.top + $1",
        count,
    )
    await admin.execute(
        "INSERT INTO live_messages (stream, sequence, type, data, owner_id) SELECT 'events', s.top - $1::int + n, 'event', '{}', $2"
        " FROM live_streams AS s, generate_series(1, $1::int) AS n WHERE s.stream = 'events'",
        count,
        owner,
    )


@pytest.mark.req(353)
async def test_cameras_keep_their_ids_zones_detections_and_habits(old, empty_database):
    await old.execute(
        "INSERT INTO cameras (camera_id, name, owner_id) VALUES ('door', 'D', $1), ('yard', 'Y', $2)", ANN, BOB
    )
    await old.execute(
        "INSERT INTO camera_zones (camera_id, name, kind, polygon) VALUES ('door', 'Porch', 'entry', '[[0,0],[1,0],[1,1]]')"
    )
    await old.execute(
        "INSERT INTO detection_batches (batch_id, camera_id, started_at, ended_at) VALUES ('batch-00000001', 'door', now(), now())"
    )
    await old.execute(
        "INSERT INTO detections (batch_id, camera_id, object_type, confidence, detected_at)"
        " VALUES ('batch-00000001', 'door', 'dog', 0.5, now())"
    )
    await old.execute("INSERT INTO camera_activity VALUES ('door', current_date, 3, 'dog', 1)")
    await migrate(empty_database.admin_url)
    for table in ("camera_zones", "detection_batches", "detections", "camera_activity"):
        owners = await old.fetch(f"SELECT c.owner_id, c.camera_id FROM {table} JOIN cameras AS c USING (camera_key)")
        assert [tuple(row) for row in owners] == [(ANN, "door")], table
    await old.execute("INSERT INTO cameras (camera_id, name, owner_id) VALUES ('door', 'D', $1)", BOB)


@pytest.mark.req(357)
async def test_numbers_and_epoch_of_an_installation_of_one_person_stay(old, empty_database):
    await say(old, ANN, 7)
    await old.execute("DELETE FROM live_messages WHERE sequence <= 2")
    epoch = await old.fetchval("SELECT epoch FROM live_streams")
    await migrate(empty_database.admin_url)
    database = await open_database(patient_settings(), empty_database.url)
    async with database.as_caller(Caller(ANN).claims()) as tx:
        state, found = await read_numbered(tx, "events", after=0, limit=10)
    database.terminate()
    assert (state.epoch, state.top, state.oldest) == (epoch, 7, 3)
    assert [one.number for one in found] == [3, 4, 5, 6, 7]


@pytest.mark.req(357)
async def test_beside_other_tenants_the_epoch_is_new_and_no_number_is_below_one_that_a_client_has(old, empty_database):
    await say(old, ANN, 3)
    await say(old, BOB, 4)
    epoch = await old.fetchval("SELECT epoch FROM live_streams")
    await migrate(empty_database.admin_url)
    assert await old.fetchval("SELECT epoch FROM live_streams") != epoch
    database = await open_database(patient_settings(), empty_database.url)
    for person in (ANN, BOB):
        async with database.as_caller(Caller(person).claims()) as tx:
            assert await caller_number(tx, "events", up_to=7) == 7
    database.terminate()


@pytest.mark.req(352)
async def test_rules_that_watch_a_team_get_the_same_days_as_others(old, empty_database):
    await old.execute(
        "INSERT INTO alert_rules (owner_id, team_id, name, conditions) VALUES ($1, $2, 'Team', '{}')", ANN, TEAM
    )
    await migrate(empty_database.admin_url)
    assert await old.fetchval("SELECT sightline.is_member($1, $2)", ANN, TEAM)
    assert not await old.fetchval("SELECT sightline.is_member($1, $2)", BOB, TEAM)
