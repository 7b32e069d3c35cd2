"""Export and erasure of one person, held against every table that the schema has."""

import io
import json
import zipfile
from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from sightline.access import access_key_secret
from sightline.errors import NotFound
from sightline.job_types import person_parts
from sightline.live import LiveMessage
from sightline.personal_data import (
    ERASED_BY_PARENT,
    ERASED_OTHERWISE,
    NO_PERSON,
    NOT_EXPORTED,
    Erasure,
    PersonExport,
    erased_tables,
    exported_tables,
    find_person,
    is_known,
)
from sightline.personal_data.person import pseudonym_id
from sightline.teams import add_member, create_team
from support.filled_tables import PEOPLE_COLUMNS, Filler, allow_any_value, fill, rows_of, tables_of

ANN, BEN = Filler("ann", 9011), Filler("ben", 9012)


@pytest.fixture
async def admin(fresh_database) -> AsyncIterator[asyncpg.Connection]:
    opened = await asyncpg.connect(fresh_database.admin_url)
    yield opened
    await opened.close()


@pytest.fixture
async def filled(admin, platform) -> asyncpg.Connection:
    """Every table has a row of Ann and one of Ben."""
    await allow_any_value(admin)
    for person in (ANN, BEN):
        await fill(admin, person)
    return admin


async def exported(platform, *, with_files: bool = False) -> zipfile.ZipFile:
    async with platform.database.transaction() as tx:
        person = await find_person(tx, "ann")
    export = PersonExport(platform.database, platform.objects, platform.open_messages.store)
    content = b"".join([chunk async for chunk in export.stream(person, with_files=with_files)])
    return zipfile.ZipFile(io.BytesIO(content))


async def left_of_ann(admin: asyncpg.Connection) -> dict[str, set[str]]:
    left = {name: rows for name, rows in (await rows_of(admin, ANN)).items() if rows and name not in NO_PERSON}
    # What was done stays, with the words that the row was filled with.
    audit = {
        row for row in left.pop("audit_log", set()) if str(ANN.id) in row or ANN.email in row or "192.0.2.7" in row
    }
    return left | ({"audit_log": audit} if audit else {})


async def erase(platform, **more: Any) -> Erasure:
    async with platform.database.transaction() as tx:
        person = await find_person(tx, ANN.email)
    erasure = Erasure(person_parts(platform), person, **more)
    await erasure.run()
    return erasure


@pytest.mark.req(1051, 1054)
async def test_each_table_is_exported_and_erased_or_has_a_reason_why_not(admin):
    tables = {name.partition(".")[2]: columns for name, columns in (await tables_of(admin)).items()}
    assert len(tables) > 90
    for name, columns in tables.items():
        has_person = any(one.name in PEOPLE_COLUMNS - {"scope"} and one.type == "uuid" for one in columns)
        assert not (has_person and name in NO_PERSON), f"{name} names people"
        assert name in NO_PERSON or name in exported_tables() or name in NOT_EXPORTED, f"{name} is not exported"
        assert name in NO_PERSON or name in erased_tables(), f"{name} is not erased"
    for named in (exported_tables(), erased_tables(), NO_PERSON, NOT_EXPORTED, ERASED_BY_PARENT, ERASED_OTHERWISE):
        assert set(named) <= set(tables), "a table that does not exist"


@pytest.mark.req(1051)
async def test_the_export_has_what_every_table_says_of_the_person_and_nothing_of_another(filled, platform):
    archive = await exported(platform)
    for name in exported_tables() - {"messages"}:
        text = archive.read(f"{name}.json").decode()
        assert len(json.loads(text)) == 1, name
        assert "ben" not in text, name
        assert not BEN.is_in(text), name
    assert not archive.testzip()


@pytest.mark.req(1052)
async def test_no_secret_is_exported(filled, platform):
    archive = await exported(platform)
    secrets = {
        "page_sessions": {"secret_hash", "sealed_id_token"},
        "api_keys": {"secret_hash"},
        "shares": {"token_hash", "sealed_token"},
        "team_invitations": {"token_hash"},
        "push_devices": {"auth_secret", "public_key"},
        "camera_sources": {"sealed"},
        "bus_connections": {"sealed_parameters"},
        "notification_addresses": {"challenge", "secret_salt", "previous_salt"},
        "stored_settings": {"sealed"},
    }
    for name, hidden in secrets.items():
        (row,) = json.loads(archive.read(f"{name}.json"))
        assert not hidden & set(row), name
    everything = "".join(archive.read(name).decode() for name in archive.namelist())
    for columns in (await tables_of(filled)).values():
        for column in columns:
            assert column.type != "bytea" or f'"{column.name}": "\\\\x' not in everything, column.name


@pytest.mark.req(1051)
async def test_files_come_with_the_export_if_wanted_and_missing_ones_are_named(filled, platform):
    key = f"videos/original/{ANN.video_id}/master.mp4"
    await filled.execute("UPDATE videos SET s3_original_path = $1 WHERE id = $2", key, ANN.video_id)
    await platform.objects.put(key, b"the original")
    archive = await exported(platform, with_files=True)
    assert archive.read(f"files/{key}") == b"the original"
    manifest = json.loads(archive.read("manifest.json"))
    assert "image_key of ann" in manifest["missing_files"]
    assert manifest["rows"]["videos"] == 1
    assert not any(name.startswith("files/") for name in (await exported(platform)).namelist())


@pytest.mark.req(1053, 1054)
async def test_an_erased_person_is_in_no_table_and_nobody_elses_row_changes(filled, platform):
    await filled.execute("UPDATE event_history SET actor_id = NULL, actor = NULL WHERE event_id = 9012")
    before = await rows_of(filled, BEN)
    for rows in (before, await rows_of(filled, ANN)):
        assert [name for name in exported_tables() if not rows[name]] == []
    await erase(platform)
    assert await left_of_ann(filled) == {}
    after = await rows_of(filled, BEN)
    assert {name: rows for name, rows in after.items() if name not in NO_PERSON} == {
        name: rows for name, rows in before.items() if name not in NO_PERSON
    }


@pytest.mark.req(1053)
async def test_an_erasure_is_resumed_and_repeated_without_harm(filled, platform):
    before = (await rows_of(filled, BEN))["videos"]
    await erase(platform, batch=1)
    again = Erasure(person_parts(platform), (await _by_id(platform)))
    report = await again.run()
    assert sum(report.counts.values()) == 0
    assert (await rows_of(filled, BEN))["videos"] == before


@pytest.mark.req(1054)
async def test_files_of_the_person_are_gone_and_those_of_others_are_there(filled, platform):
    keys = {}
    for person in (ANN, BEN):
        keys[person.tag] = [
            f"videos/original/{person.video_id}/master.mp4",
            f"frames/{person.video_id}/0.jpg",
            f"cameras/{person.camera_key}/latest.jpg",
            f"recordings/{person.camera_key}/2026-01-17/a.mp4",
            f"event_clips/{person.number}.mp4",
            f"security/door/{person.tag}.jpg",
        ]
        for key in keys[person.tag]:
            await platform.objects.put(key, b"x")
        await filled.execute(
            "UPDATE detections SET image_key = $1 WHERE camera_key = $2", keys[person.tag][-1], person.camera_key
        )
    for table in ("video_removals", "recording_removals"):
        await filled.execute(f"TRUNCATE {table}")
    await erase(platform)
    assert [key for key in keys["ann"] if await platform.objects.head(key) is not None] == []
    assert [key for key in keys["ben"] if await platform.objects.head(key) is None] == []


@pytest.mark.req(1055)
async def test_what_the_person_did_with_things_of_others_stays_without_the_name(filled, platform):
    by_ann = {
        "UPDATE events SET acknowledged_by = $1, assigned_to = $2, assignee = $1 WHERE id = 9012": (ANN.email, ANN.id),
        "UPDATE alerts SET settled_by = $1 WHERE alert_id = 9012": (ANN.email,),
        "UPDATE stored_settings SET changed_by = $1": (ANN.email,),
        "UPDATE clips SET created_by = $1 WHERE video_id = $2": (ANN.id, BEN.video_id),
        "UPDATE technique_marks SET changed_by = $1 WHERE video_id = $2": (ANN.id, BEN.video_id),
        "UPDATE jobs SET moves = ARRAY[ROW('queued', now(), 'owner ' || $1, NULL)::sightline.job_move] WHERE video_id = $2": (
            str(ANN.id),
            BEN.video_id,
        ),
        "UPDATE event_history SET actor_id = $1, actor = $2, details = $3::text::jsonb WHERE event_id = 9012": (
            ANN.id,
            ANN.email,
            json.dumps({"assignee": ANN.email, "before": "joann@example.com"}),
        ),
        "UPDATE alert_rules SET escalation = $1::text::jsonb WHERE rule_id = 9012": (
            json.dumps([{"after_s": 60, "user_id": str(ANN.id)}, {"after_s": 90, "user_id": None}]),
        ),
    }
    for statement, values in by_ann.items():
        await filled.execute(statement, *values)
    counts = {name: len(rows) for name, rows in (await rows_of(filled, BEN)).items()}
    await erase(platform)
    assert await left_of_ann(filled) == {}
    after = {name: len(rows) for name, rows in (await rows_of(filled, BEN)).items()}
    assert after == counts | {name: after[name] for name in NO_PERSON}
    event = await filled.fetchrow("SELECT acknowledged_by, assigned_to FROM events WHERE id = 9012")
    assert tuple(event) == ("erased person", None)
    details = json.loads(await filled.fetchval("SELECT details::text FROM event_history WHERE event_id = 9012"))
    assert details == {"assignee": "erased person", "before": "joann@example.com"}
    steps = json.loads(await filled.fetchval("SELECT escalation::text FROM alert_rules WHERE rule_id = 9012"))
    assert [step["after_s"] for step in steps] == [90]


@pytest.mark.req(1055)
async def test_techniques_that_the_person_accepted_and_published_hold_to_their_checks_afterwards(admin, platform):
    """On the schema as it is: the other tests lift its checks."""
    await admin.execute(
        "INSERT INTO videos (id, owner_id, name, size_bytes) VALUES ($1, $2, 'match.mp4', 1)", BEN.video_id, BEN.id
    )
    await admin.execute(
        """INSERT INTO technique_reviews (video_id, revision, published_revision, published_job_id, published_total,
                                          published_at, published_by)
           VALUES ($1, 2, 2, $2, 1, now(), $3)""",
        BEN.video_id,
        BEN.uuid("run"),
        ANN.id,
    )
    await admin.execute(
        """INSERT INTO technique_marks (id, video_id, start_ms, end_ms, category, name, role, confidence, state, created_by,
                                        changed_by)
           SELECT gen_random_uuid(), $1, 0, 1000, 'GUARD_PLAY', 'Scissor Sweep', 'athlete in blue', 1, state, $2, $2
           FROM unnest(ARRAY['candidate', 'accepted', 'rejected']) AS state""",
        BEN.video_id,
        ANN.id,
    )
    await admin.execute(
        "INSERT INTO caller_memberships (user_id, name, team_ids, issued_at, expires_at) VALUES ($1, $2, '{}', now(), now())",
        ANN.id,
        ANN.email,
    )
    erasure = await erase(platform)
    people = await admin.fetch("SELECT DISTINCT created_by, changed_by FROM technique_marks")
    assert [tuple(row) for row in people] == [(erasure.pseudonym, erasure.pseudonym)]
    assert await admin.fetchval("SELECT published_by FROM technique_reviews") == erasure.pseudonym


async def _by_id(platform) -> Any:
    async with platform.database.transaction() as tx:
        return await find_person(tx, str(ANN.id))


@pytest.mark.req(1053)
async def test_a_pseudonym_is_the_same_each_time_and_needs_the_secret(platform):
    secret = access_key_secret(None, platform.settings.state_dir.absolute())
    assert pseudonym_id(ANN.id, secret) == pseudonym_id(ANN.id, secret)
    assert (
        len({pseudonym_id(ANN.id, secret), pseudonym_id(BEN.id, secret), pseudonym_id(ANN.id, b"another"), ANN.id}) == 4
    )


@pytest.mark.req(1068)
async def test_teams_outlive_an_erased_owner_unless_nobody_else_belongs_to_them(admin, platform, video_of):
    """The editor who was there first becomes owner; a team of one goes with its videos."""
    cora, dan, eve = (UUID(int=number) for number in (51, 52, 53))
    async with platform.database.transaction() as tx:
        shared, alone = [await create_team(tx, name, owner_id=ANN.id) for name in ("Shared", "Alone")]
        await add_member(tx, shared, eve, "viewer")
        for person in (cora, dan):
            await add_member(tx, shared, person, "editor")
        await tx.execute("UPDATE team_members SET joined_at = joined_at - interval '1 day' WHERE user_id = $1", eve)
        await tx.execute("UPDATE team_members SET joined_at = joined_at - interval '1 hour' WHERE user_id = $1", cora)
        await tx.execute(
            "INSERT INTO caller_memberships (user_id, team_ids, name, issued_at, expires_at) VALUES ($1, '{}', $2, now(), now())",
            ANN.id,
            ANN.email,
        )
    kept, gone = await video_of(shared, shared), await video_of(alone, alone)
    await admin.execute("UPDATE videos SET uploaded_by = $1, owner_email = $2", ANN.id, ANN.email)
    await erase(platform)
    roles = {
        row["user_id"]: row["role"]
        for row in await admin.fetch("SELECT * FROM team_members WHERE team_id = $1", shared)
    }
    assert roles == {cora: "owner", dan: "editor", eve: "viewer"}
    rows = await admin.fetch("SELECT id, uploaded_by, owner_email FROM videos")
    assert [tuple(row) for row in rows] == [(kept, None, None)]
    assert gone not in {row["id"] for row in rows}
    assert [row["id"] for row in await admin.fetch("SELECT id FROM teams")] == [shared]


@pytest.mark.req(1068)
async def test_nothing_is_left_of_a_team_of_one(admin, platform, video_of):
    """What is found by the team's id and not by its videos."""
    async with platform.database.transaction() as tx:
        team = await create_team(tx, "Alone", owner_id=ANN.id)
    video_id = await video_of(team, team)
    for statement in (
        "INSERT INTO owner_usage (owner_id, day, measure, amount) VALUES ($1, current_date, 'uploads', 1)",
        "INSERT INTO owner_usage_changes (owner_id, measure, amount) VALUES ($1, 'uploads', 1)",
        "INSERT INTO owner_quotas (owner_id, videos) VALUES ($1, 1)",
        "INSERT INTO owner_quota_warnings (owner_id, quota, period, percent) VALUES ($1, 'videos', '', 80)",
        "INSERT INTO owner_quota_checks (owner_id) VALUES ($1) ON CONFLICT DO NOTHING",
        "INSERT INTO search_vocabulary (scope, word, videos) VALUES ($1, 'gate', 1)",
    ):
        await admin.execute(statement, team)
    async with platform.database.transaction() as tx:
        message = LiveMessage("videos", "video.named", {"name": "secret.mp4"}, owner_id=team, team_id=team)
        await platform.live.append(tx, message)
    await admin.execute(
        "INSERT INTO caller_memberships (user_id, team_ids, name, issued_at, expires_at) VALUES ($1, '{}', $2, now(), now())",
        ANN.id,
        ANN.email,
    )
    await admin.execute(
        "INSERT INTO video_words (video_id, owner_id, team_id, words) VALUES ($1, $2, $2, '{gate}')", video_id, team
    )
    await erase(platform)
    left = {
        table: await admin.fetchval(f"SELECT count(*) FROM {table} WHERE {column} = $1", team)
        for table, column in (
            ("videos", "owner_id"),
            ("teams", "id"),
            ("team_members", "team_id"),
            ("live_messages", "owner_id"),
            ("live_audiences", "owner_id"),
            ("search_vocabulary", "scope"),
            ("video_words", "owner_id"),
            ("owner_usage", "owner_id"),
            ("owner_usage_changes", "owner_id"),
            ("owner_quotas", "owner_id"),
            ("owner_quota_warnings", "owner_id"),
            ("owner_quota_checks", "owner_id"),
        )
    }
    assert {table: count for table, count in left.items() if count} == {}


@pytest.mark.req(1177)
async def test_a_team_is_no_person(platform, video_of):
    """Its id is taken among people, so that no subject becomes it; erasing \"the person\" would give it free."""
    async with platform.database.transaction() as tx:
        team = await create_team(tx, "Night shift", owner_id=ANN.id)
    await video_of(team, team)
    async with platform.database.transaction() as tx:
        assert not await is_known(tx, team)
        with pytest.raises(NotFound):
            await find_person(tx, str(team))
