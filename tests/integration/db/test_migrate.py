"""Migrations: once each, in order, whoever starts them."""

import asyncio
from pathlib import Path

import asyncpg
import pytest

from sightline.db import wait_until_migrated
from sightline.db.migrate import Migration, migrate, pending, read_migrations
from sightline.errors import ConfigurationError
from support.postgres import DatabaseAddresses


async def test_ten_processes_that_start_at_once_apply_each_migration_once(empty_database: DatabaseAddresses):
    applied = await asyncio.gather(*(migrate(empty_database.admin_url) for _ in range(10)))
    assert sorted(m.number for one in applied for m in one) == [m.number for m in read_migrations()]


async def test_a_second_run_applies_nothing(fresh_database: DatabaseAddresses):
    assert await migrate(fresh_database.admin_url) == []
    assert await pending(fresh_database.admin_url) == []


async def test_a_migration_that_fails_leaves_nothing_behind(empty_database: DatabaseAddresses):
    broken = [
        Migration(1, "0001_fine", "CREATE TABLE a ()"),
        Migration(2, "0002_broken", "CREATE TABLE b (); SELECT 1/0"),
    ]
    with pytest.raises(asyncpg.DivisionByZeroError):
        await migrate(empty_database.admin_url, broken)
    connection = await asyncpg.connect(empty_database.admin_url)
    assert await connection.fetchval("SELECT to_regclass('a') IS NOT NULL AND to_regclass('b') IS NULL")
    assert await connection.fetchval("SELECT array_agg(number) FROM schema_migrations") == [1]
    await connection.close()


async def test_a_changed_migration_is_refused(empty_database: DatabaseAddresses):
    await migrate(empty_database.admin_url, [Migration(1, "0001_first", "CREATE TABLE a ()")])
    with pytest.raises(ConfigurationError, match="0001_first was changed"):
        await migrate(empty_database.admin_url, [Migration(1, "0001_first", "CREATE TABLE a (b int)")])


@pytest.mark.req(1032)
async def test_a_version_works_on_a_schema_that_a_newer_one_added_to(empty_database: DatabaseAddresses):
    first, second = Migration(1, "0001_a", "SELECT 1"), Migration(2, "0002_b", "CREATE TABLE added ()")
    await migrate(empty_database.admin_url, [first, second])
    assert await migrate(empty_database.admin_url, [first]) == []


@pytest.mark.req(1032)
async def test_a_version_refuses_a_schema_that_lacks_what_it_uses(empty_database: DatabaseAddresses):
    first = Migration(1, "0001_a", "CREATE TABLE a ()")
    second = Migration(2, "0002_b", "-- removes: the table a\nDROP TABLE a")
    await migrate(empty_database.admin_url, [first, second])
    with pytest.raises(ConfigurationError, match=r"at migration 2 \(0002_b\), which removed.*: the table a"):
        await migrate(empty_database.admin_url, [first])


async def test_versions_that_grew_apart_are_refused(empty_database: DatabaseAddresses):
    first, second, third = (Migration(n, f"000{n}_a", "SELECT 1") for n in (1, 2, 3))
    await migrate(empty_database.admin_url, [first, third])
    with pytest.raises(ConfigurationError, match="at migration 3.*0002_a is missing there"):
        await migrate(empty_database.admin_url, [first, second])


async def test_a_ledger_of_an_older_version_gets_what_it_lacks(empty_database: DatabaseAddresses):
    first, second = Migration(1, "0001_a", "SELECT 1"), Migration(2, "0002_b", "-- removes: much\nSELECT 1")
    await migrate(empty_database.admin_url, [first])
    connection = await asyncpg.connect(empty_database.admin_url)
    await connection.execute("ALTER TABLE schema_migrations DROP COLUMN removes")
    assert await migrate(empty_database.admin_url, [first, second]) == [second]
    assert await connection.fetchval("SELECT array_agg(removes ORDER BY number) FROM schema_migrations") == [
        None,
        "much",
    ]
    await connection.close()


@pytest.mark.req(1032)
async def test_a_role_refuses_to_start_where_something_it_uses_was_removed(fresh_database: DatabaseAddresses):
    connection = await asyncpg.connect(fresh_database.admin_url)
    insert = "INSERT INTO schema_migrations (number, name, checksum, removes) VALUES ($1, $2, '-', $3)"
    await connection.execute(insert, 9001, "9001_adds", None)
    assert await wait_until_migrated(fresh_database.url, asyncio.Event())
    await connection.execute(insert, 9002, "9002_removes", "the table videos")
    await connection.close()
    with pytest.raises(ConfigurationError, match="9002_removes.*the table videos; use the newer version"):
        await wait_until_migrated(fresh_database.url, asyncio.Event())


async def test_a_number_that_was_left_out_is_applied_when_its_branch_lands(empty_database: DatabaseAddresses):
    first, second, third = (Migration(n, f"000{n}_a", f"CREATE TABLE t{n} ()") for n in (1, 2, 3))
    await migrate(empty_database.admin_url, [first, third])
    assert await migrate(empty_database.admin_url, [first, second, third]) == [second]


async def test_pending_tells_what_is_missing_and_changes_nothing(empty_database: DatabaseAddresses):
    assert [m.number for m in await pending(empty_database.admin_url)] == [m.number for m in read_migrations()]
    connection = await asyncpg.connect(empty_database.admin_url)
    assert await connection.fetchval("SELECT to_regclass('schema_migrations')") is None
    await connection.close()


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (("0001_a.sql", "0001_b.sql"), "doubled"),
        (("first.sql",), "not named"),
    ],
)
def test_file_names_that_could_hide_a_migration_are_refused(tmp_path: Path, names: tuple[str, ...], message: str):
    for name in names:
        (tmp_path / name).write_text("SELECT 1")
    with pytest.raises(ConfigurationError, match=message):
        read_migrations(tmp_path)


@pytest.mark.req(305)
async def test_every_stored_time_has_a_zone(fresh_database: DatabaseAddresses):
    connection = await asyncpg.connect(fresh_database.admin_url)
    naive = await connection.fetch(
        "SELECT table_name, column_name FROM information_schema.columns"
        " WHERE table_schema = 'public' AND data_type = 'timestamp without time zone'"
    )
    await connection.close()
    assert naive == []
