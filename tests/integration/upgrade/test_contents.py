"""The comparison of an upgrade notices whatever is lost or changed."""

import asyncpg
import pytest

from sightline.upgrade.contents import Contents, database_contents, differences, role_contents, session
from support.postgres import DatabaseAddresses

CHANGES = (
    ("UPDATE compared SET note = 'other' WHERE id = 2", "table public.compared is different"),
    ("DELETE FROM compared WHERE id = 3", "table public.compared is different"),
    ("INSERT INTO compared (id, note) VALUES (1, 'one')", "table public.compared is different"),
    ("UPDATE compared SET note = NULL WHERE id = 1", "table public.compared is different"),
    ("SELECT nextval('numbers')", "sequence public.numbers is different"),
    ("DROP TABLE empty_one", "table public.empty_one is missing"),
    ("DROP INDEX compared_note", "relation public.compared_note of kind i is missing"),
    ("ALTER TABLE compared DROP CONSTRAINT positive", "constraint positive of public.compared is missing"),
    ("DROP POLICY own ON compared", "policy own of public.compared is missing"),
    ("DROP TRIGGER touched ON compared", "trigger touched of public.compared is missing"),
    ("DROP FUNCTION added(int)", "function public.added(integer) is missing"),
    ("SELECT lo_unlink(4711)", "large object 4711 is missing"),
    ("CREATE TABLE more ()", "table public.more was not there before"),
)
TABLES = """
CREATE TABLE compared (id int, note text, CONSTRAINT positive CHECK (id > 0));
INSERT INTO compared VALUES (1, 'one'), (2, 'two'), (3, 'three');
CREATE INDEX compared_note ON compared (note);
CREATE POLICY own ON compared USING (true);
CREATE TRIGGER touched BEFORE UPDATE ON compared FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger();
CREATE TABLE empty_one (n int);
CREATE SEQUENCE numbers;
CREATE FUNCTION added(int) RETURNS int LANGUAGE sql AS 'SELECT $1 + 1';
SELECT lo_from_bytea(4711, 'large');
"""


async def contents(connection: asyncpg.Connection) -> Contents:
    return await database_contents(connection, lambda _: None)


@pytest.mark.req(392)
async def test_every_change_is_found_and_named(empty_database: DatabaseAddresses):
    async with session(empty_database.admin_url) as connection:
        await connection.execute(f"SET search_path = public; {TABLES}")
        before = await contents(connection)
        assert (before.table_count, before.row_count) == (2, 3)
        for statement, expected in CHANGES:
            changing = connection.transaction()
            await changing.start()
            await connection.execute(statement)
            await connection.execute("SET search_path = ''")
            found = list(differences(before, await contents(connection)))
            await changing.rollback()
            assert expected in found, (statement, found)
            if "nextval" in statement:  # which no rollback takes back
                before = await _again(connection)
        await connection.execute("SET search_path = ''")


async def _again(connection: asyncpg.Connection) -> Contents:
    await connection.execute("SET search_path = ''")
    found = await contents(connection)
    await connection.execute("SET search_path = public")
    return found


@pytest.mark.req(392)
async def test_a_changed_password_is_found_and_not_shown(empty_database: DatabaseAddresses):
    async with session(empty_database.admin_url) as connection:
        changing = connection.transaction()
        await changing.start()
        await connection.execute("CREATE ROLE compared_login LOGIN PASSWORD 'first-word'")
        before = await role_contents(connection)
        await connection.execute("ALTER ROLE compared_login PASSWORD 'second-word'")
        found = list(differences(before, await role_contents(connection)))
        await changing.rollback()
    assert found == ["role compared_login is different"]
