"""Migrations: once each, in order, whoever starts them."""

import asyncio
from pathlib import Path

import asyncpg
import pytest

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


async def test_a_database_newer_than_this_version_is_refused(empty_database: DatabaseAddresses):
    first, second = Migration(1, "0001_a", "SELECT 1"), Migration(2, "0002_b", "SELECT 1")
    await migrate(empty_database.admin_url, [first, second])
    with pytest.raises(ConfigurationError, match="at migration 2"):
        await migrate(empty_database.admin_url, [first])


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
