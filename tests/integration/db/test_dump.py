"""A dump of the database can be restored, by anybody who has pg_dump and psql."""

import asyncio
import subprocess

import asyncpg
import pytest

from sightline.db.migrate import migrate, pending
from sightline.db.server_programs import server_programs
from sightline.errors import ConfigurationError
from support.postgres import DatabaseAddresses

ROWS = "SELECT format('%I.%I', schemaname, tablename) FROM pg_tables WHERE schemaname IN ('public', 'sightline') ORDER BY 1"
# One row where triggers, generated columns, indexes on expressions and foreign keys have work to do.
SAMPLE = """
INSERT INTO videos (id, owner_id, name) VALUES ('00000000-0000-4000-8000-000000000001', gen_random_uuid(), 'talk.mp4');
UPDATE videos SET status = 'UPLOADED';
UPDATE videos SET status = 'PROCESSING';
INSERT INTO jobs (job_type, payload) VALUES ('ocr', '{"video_id": "00000000-0000-4000-8000-000000000001"}');
UPDATE jobs SET status = 'processing', locked_by = 'w', locked_until = now() + interval '1 hour';
UPDATE jobs SET status = 'done';
INSERT INTO cameras (camera_id, name, owner_id) VALUES ('front_door', 'Front Door', gen_random_uuid());
"""


def run(program: str, *arguments: str, text: str | None = None) -> str:
    done = subprocess.run(
        [server_programs() / program, *arguments], input=text, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


async def contents(url: str) -> dict[str, list[str]]:
    connection = await asyncpg.connect(url)
    try:
        return {
            table: sorted(row["text"] for row in await connection.fetch(f"SELECT t::text AS text FROM {table} AS t"))
            for table in [row["format"] for row in await connection.fetch(ROWS)]
        }
    finally:
        await connection.close()


@pytest.mark.req(385)
@pytest.mark.parametrize("form", ["plain", "custom"])
async def test_a_dump_is_restored_whole_and_every_table_is_the_same(
    fresh_database: DatabaseAddresses, empty_database: DatabaseAddresses, form: str, tmp_path
):
    connection = await asyncpg.connect(fresh_database.admin_url)
    await connection.execute(SAMPLE)
    await connection.close()
    dump = str(tmp_path / "dump")
    await asyncio.to_thread(run, "pg_dump", f"--format={form}", f"--file={dump}", fresh_database.admin_url)
    if form == "plain":
        restore: tuple[str, ...] = ("psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-f", dump, empty_database.admin_url)
    else:
        restore = ("pg_restore", "--exit-on-error", f"--dbname={empty_database.admin_url}", dump)
    await asyncio.to_thread(run, *restore)
    before, after = await contents(fresh_database.admin_url), await contents(empty_database.admin_url)
    assert after == before
    assert len(before) > 30
    assert await pending(empty_database.admin_url) == await migrate(empty_database.admin_url) == []


@pytest.mark.req(385)
async def test_every_function_works_without_a_search_path(fresh_database: DatabaseAddresses):
    """Either it pins its own, or what it does works under an empty one, as these do."""
    connection = await asyncpg.connect(fresh_database.admin_url)
    found = await connection.fetch(
        """SELECT p.proname FROM pg_proc AS p JOIN pg_language AS l ON l.oid = p.prolang
           WHERE p.pronamespace IN ('sightline'::regnamespace, 'public'::regnamespace) AND p.prosqlbody IS NULL
             AND NOT EXISTS (SELECT FROM unnest(p.proconfig) AS setting WHERE setting LIKE 'search_path=%')
           ORDER BY 1"""
    )
    by_row = {"guard_job_moves", "passage_keys", "random_id", "search_keys", "start_job_history"}
    qualified = by_row | {"caller_may_see", "caller_teams", "iso_utc"}
    assert {row["proname"] for row in found} <= qualified
    await connection.execute(SAMPLE)
    await connection.execute("SET search_path = ''")
    await connection.execute(
        """INSERT INTO public.jobs (job_type, payload) VALUES ('retention', '{}');
           UPDATE public.jobs SET depends_on = NULL, status = 'processing' WHERE status = 'queued';
           UPDATE public.jobs SET status = 'failed' WHERE status = 'processing';
           SELECT sightline.caller_may_see(NULL, NULL), sightline.iso_utc(now()), sightline.renew_live_epochs(),
                  sightline.random_id(),
                  sightline.search_keys('a b', '', '{}', 'eng', gen_random_uuid(), NULL, gen_random_uuid()),
                  sightline.passage_keys('a b', '{}', gen_random_uuid(), NULL, gen_random_uuid());"""
    )
    with pytest.raises(asyncpg.CheckViolationError, match="is done and cannot be changed"):
        await connection.execute("UPDATE public.jobs SET priority = 1 WHERE status = 'done'")
    await connection.close()


@pytest.mark.req(386)
async def test_a_database_that_is_not_whole_is_refused_by_name(fresh_database: DatabaseAddresses):
    connection = await asyncpg.connect(fresh_database.admin_url)
    await connection.execute(
        "DROP VIEW search_materialized; DROP TRIGGER guard_moves ON videos; DROP TABLE clips CASCADE"
    )
    await connection.close()
    for work in (migrate, pending):
        with pytest.raises(ConfigurationError, match="not whole: table public.clips, .* missing.*restore it again"):
            await work(fresh_database.admin_url)
