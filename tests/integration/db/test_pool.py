"""Transactions: the platform's own, and those that run as their caller."""

import asyncio
import uuid
from typing import Literal

import asyncpg
import pytest

from sightline.contracts import Caller
from sightline.db import Database, DatabaseSettings, Transaction, open_database, pool
from sightline.errors import BackendUnavailable, ConfigurationError, InvalidInput
from support.postgres import DatabaseAddresses, patient_settings

ALICE, BOB, TEAM = uuid.UUID(int=11), uuid.UUID(int=12), uuid.UUID(int=77)


async def _add_video(database: Database, owner: uuid.UUID, *, team: uuid.UUID | None = None) -> uuid.UUID:
    async with database.transaction() as tx:
        found: uuid.UUID = await tx.fetchval(
            "INSERT INTO videos (owner_id, team_id, name) VALUES ($1, $2, 'v') RETURNING id", owner, team
        )
    return found


async def _seen_by(database: Database, caller: Caller) -> set[uuid.UUID]:
    async with database.as_caller(caller.claims()) as tx:
        return {row["id"] for row in await tx.fetch("SELECT id FROM videos")}


@pytest.mark.req(136)
async def test_a_caller_sees_their_own_and_their_teams_rows_and_no_others(database: Database):
    mine = await _add_video(database, ALICE)
    teams = await _add_video(database, BOB, team=TEAM)
    await _add_video(database, BOB)
    assert await _seen_by(database, Caller(ALICE, team_ids=(TEAM,))) == {mine, teams}
    assert await _seen_by(database, Caller(ALICE)) == {mine}


@pytest.mark.req(136)
async def test_without_claims_nothing_is_seen(database: Database):
    await _add_video(database, ALICE, team=TEAM)
    async with database.as_caller({}) as tx:
        assert await tx.fetch("SELECT id FROM videos") == []


@pytest.mark.req(136)
async def test_claims_are_gone_after_the_transaction(database: Database):
    await _add_video(database, ALICE)
    await _seen_by(database, Caller(ALICE))
    async with database.transaction() as tx:
        assert await tx.fetchval("SELECT current_user") == "sightline_worker"
        assert await tx.fetchval("SELECT auth.uid()") is None


@pytest.mark.req(137)
@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO videos (owner_id, name) VALUES (auth.uid(), 'x')",
        "UPDATE videos SET status = 'COMPLETED'",
        "DELETE FROM videos",
        "SELECT * FROM schema_migrations",
        "SELECT sightline.protect('videos')",
    ],
)
async def test_a_caller_cannot_write_what_is_the_platforms(database: Database, statement: str):
    await _add_video(database, ALICE)
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        async with database.as_caller(Caller(ALICE).claims()) as tx:
            await tx.execute(statement)


@pytest.mark.req(137)
async def test_the_platform_reads_and_writes_everything(database: Database):
    for owner in (ALICE, BOB):
        await _add_video(database, owner)
    async with database.transaction() as tx:
        assert await tx.fetchval("WITH gone AS (DELETE FROM videos RETURNING 1) SELECT count(*) FROM gone") == 2


async def test_a_caller_cannot_step_out_of_the_role_with_claims_that_hold_quotes(database: Database):
    hostile = {"sub": str(ALICE), "email": "x'); RESET ROLE; SELECT set_config('a', '\\', true) --"}
    async with database.as_caller(hostile) as tx:
        assert await tx.fetchval("SELECT current_user") == "sightline_user"
        stored = await tx.fetchval("SELECT current_setting('request.jwt.claims')::jsonb ->> 'email'")
    assert stored == hostile["email"]


async def test_claims_with_a_nul_are_refused_before_they_reach_the_server(database: Database):
    with pytest.raises(InvalidInput, match="NUL"):
        async with database.as_caller({"sub": str(ALICE), "email": "a\0b"}):
            pass


async def test_an_error_rolls_back_and_the_connection_serves_on(database: Database):
    with pytest.raises(RuntimeError, match="half-way"):
        async with database.transaction() as tx:
            await tx.execute("INSERT INTO videos (owner_id, name) VALUES ($1, 'lost')", ALICE)
            raise RuntimeError("half-way")
    async with database.transaction() as tx:
        assert await tx.fetchval("SELECT count(*) FROM videos") == 0


async def test_a_connection_that_dies_within_a_transaction_does_not_spoil_the_next(
    database: Database, fresh_database: DatabaseAddresses
):
    admin = await asyncpg.connect(fresh_database.admin_url)
    with pytest.raises(BackendUnavailable, match="went away"):
        async with database.transaction() as tx:
            await tx.execute("INSERT INTO videos (owner_id, name) VALUES ($1, 'lost')", ALICE)
            await admin.execute("SELECT pg_terminate_backend($1)", await tx.fetchval("SELECT pg_backend_pid()"))
            await tx.execute("SELECT 1")
    await admin.close()
    async with database.transaction() as tx:
        assert await tx.fetchval("SELECT count(*) FROM videos") == 0


@pytest.mark.parametrize("error", [asyncpg.InternalClientError, asyncpg.InterfaceError, ConnectionResetError])
async def test_a_new_connection_that_dies_at_once_is_the_database_going_away(
    fresh_database: DatabaseAddresses, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
):
    """Which word the driver has for it depends on the moment."""
    opened = 0
    register = pool._register_codecs

    async def dies_the_second_time(connection: asyncpg.Connection) -> None:
        nonlocal opened
        opened += 1
        if opened == 2:
            raise error("cannot switch to state 15; another operation (2) is in progress")
        await register(connection)

    monkeypatch.setattr(pool, "_register_codecs", dies_the_second_time)
    database = await open_database(patient_settings(pool_min=1, pool_max=2), fresh_database.url)
    async with database.transaction():
        with pytest.raises(BackendUnavailable, match="does not answer"):
            async with database.transaction():
                pass
        async with database.transaction() as tx:
            assert await tx.fetchval("SELECT 1") == 1
    database.terminate()


async def test_a_server_that_is_not_there_is_named(fresh_database: DatabaseAddresses):
    with pytest.raises(BackendUnavailable, match="no PostgreSQL answers"):
        await open_database(DatabaseSettings(), "postgresql://nobody@127.0.0.1:1/none")


async def test_a_wrong_database_name_is_a_matter_of_configuration(fresh_database: DatabaseAddresses):
    with pytest.raises(ConfigurationError, match="SIGHTLINE_DATABASE_URL"):
        await open_database(DatabaseSettings(), fresh_database.url.replace(fresh_database.name, "there_is_none"))


async def test_json_goes_in_and_comes_out_as_values(database: Database):
    async with database.transaction() as tx:
        assert await tx.fetchval("SELECT $1::jsonb", {"größe": [1, None]}) == {"größe": [1, None]}


async def _planner_settings(tx: Transaction) -> tuple[str, ...]:
    row = await tx.fetchrow(
        "SELECT current_setting('enable_seqscan'), current_setting('enable_hashjoin'),"
        " coalesce(current_setting('sightline.writer', true), '')"
    )
    assert row is not None
    return tuple(row)


@pytest.mark.req(647)
@pytest.mark.parametrize("pooler", ["none", "transaction"])
async def test_a_single_statement_is_committed_and_planned_by_index_and_changes_no_other(
    fresh_database: DatabaseAddresses, pooler: Literal["none", "transaction"]
):
    database = await open_database(patient_settings(pooler=pooler), fresh_database.url)
    async with database.statement() as tx:
        await tx.execute("INSERT INTO videos (owner_id, name) VALUES ($1, 'v')", ALICE)
    async with database.statement() as tx:
        assert await _planner_settings(tx) == ("off", "off", "platform")
    async with database.transaction() as tx:
        assert await tx.fetchval("SELECT count(*) FROM videos") == 1
        assert await _planner_settings(tx) == ("on", "on", "platform")
    await database.close()


@pytest.mark.req(647)
async def test_a_single_statement_needs_no_commit_after_it(database: Database):
    async with database.statement() as tx:
        await tx.execute("INSERT INTO videos (owner_id, name) VALUES ($1, 'v')", ALICE)
        async with database.transaction() as other:
            assert await other.fetchval("SELECT count(*) FROM videos") == 1


@pytest.mark.req(647)
async def test_a_single_statement_whose_server_connection_is_lost_is_tried_again_later(
    database: Database, fresh_database: DatabaseAddresses
):
    admin = await asyncpg.connect(fresh_database.admin_url)
    with pytest.raises(BackendUnavailable, match="went away"):
        async with database.statement() as tx:
            await admin.execute("SELECT pg_terminate_backend($1)", tx.get_server_pid())
            await tx.fetchval("SELECT pg_sleep(60)")
    await admin.close()
    async with database.statement() as tx:
        assert await _planner_settings(tx) == ("off", "off", "platform")


@pytest.mark.req(1033)
async def test_a_transaction_that_says_nothing_gives_its_locks_back(fresh_database: DatabaseAddresses):
    quiet = await open_database(patient_settings(idle_transaction_s=0.1), fresh_database.url)
    other = await open_database(patient_settings(), fresh_database.url)
    lock = "SELECT pg_advisory_xact_lock(7)"
    with pytest.raises(BackendUnavailable):
        async with quiet.transaction() as tx:
            await tx.execute(lock)
            async with other.transaction() as waiting:
                await waiting.execute(lock)  # returns when the server has ended the first one
            await tx.execute("SELECT 1")
    async with quiet.transaction() as tx:  # on a new connection
        assert await tx.fetchval("SELECT 1") == 1
    for database in (quiet, other):
        database.terminate()


@pytest.mark.req(1038)
async def test_of_two_transactions_that_wait_for_each_other_one_is_to_be_tried_again(database: Database):
    holds = [asyncio.Event(), asyncio.Event()]

    async def lock_both(first: int, second: int) -> None:
        async with database.transaction() as tx:
            await tx.execute("SELECT pg_advisory_xact_lock($1)", first)
            holds[first].set()
            await holds[second].wait()
            await tx.execute("SELECT pg_advisory_xact_lock($1)", second)

    found = await asyncio.gather(lock_both(0, 1), lock_both(1, 0), return_exceptions=True)
    (refused,) = [one for one in found if one is not None]
    assert isinstance(refused, BackendUnavailable)
    assert "try again" in str(refused)
