"""Sightline in a Supabase project: migrations, and what the roles of its API can see and change."""

import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID, uuid4

import asyncpg
import httpx
import jwt
import pytest
import pytest_asyncio

from support.embedded_server import running_server
from support.emulators import free_port
from support.platform_process import ask, sightline
from support.supabase import Supabase
from support.waiting import until

pytestmark = pytest.mark.asyncio(loop_scope="module")
ANN, BEN = uuid4(), uuid4()
SECRET = "the secret that Supabase signs its tokens with, long enough"
OURS = """
SELECT c.oid::regclass::text AS name, c.relkind FROM pg_class AS c
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'S') AND c.relname <> 'todos'"""
PRIVILEGES = ("SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def supabase(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Supabase]:
    async with running_server(tmp_path_factory.mktemp("supabase") / "server") as server:
        made = Supabase(server)
        await made.prepare()
        project = await asyncpg.connect(made.url("project"))
        await project.execute("CREATE TABLE todos (id integer PRIMARY KEY, task text)")  # the project's own
        code, _, err = await ask("migrate", SIGHTLINE_DATABASE_URL=made.url("project"))
        assert code == 0, err
        for owner in (ANN, BEN):
            video_id = await project.fetchval(
                "INSERT INTO videos (owner_id, name) VALUES ($1, 'a') RETURNING id", owner
            )
            await project.execute("INSERT INTO jobs (video_id, job_type, payload) VALUES ($1, 'ocr', '{}')", video_id)
        await project.close()
        yield made


@asynccontextmanager
async def as_role(
    supabase: Supabase, role: str, claims: dict[str, Any] | None = None
) -> AsyncIterator[asyncpg.Connection]:
    """A request of PostgREST: logged in as `authenticator`, the role of the token for one transaction."""
    connection = await asyncpg.connect(supabase.url("authenticator"))
    try:
        transaction = connection.transaction()
        await transaction.start()
        await connection.execute(f"SET LOCAL ROLE {role}")
        await connection.execute(
            "SELECT set_config('request.jwt.claims', $1, true)", json.dumps({"role": role, **(claims or {})})
        )
        yield connection
        await transaction.rollback()
    finally:
        await connection.close()


async def refused(connection: asyncpg.Connection, statement: str) -> bool:
    try:
        async with connection.transaction():
            await connection.execute(statement)
    except asyncpg.InsufficientPrivilegeError:
        return True
    return False


@pytest.mark.req(415)
async def test_anon_can_do_nothing_with_anything_of_ours(supabase: Supabase):
    async with as_role(supabase, "anon") as anon:
        names = await anon.fetch(OURS)
        assert len(names) > 30
        for row in names:
            checks = ("USAGE", "SELECT", "UPDATE") if row["relkind"] == b"S" else PRIVILEGES
            asked = "has_sequence_privilege" if row["relkind"] == b"S" else "has_table_privilege"
            held = [one for one in checks if await anon.fetchval(f"SELECT {asked}($1, $2)", row["name"], one)]
            assert held == [], row["name"]
        for statement in ("SELECT * FROM videos", "SELECT refresh_search_materialized()", "TRUNCATE videos CASCADE"):
            assert await refused(anon, statement)
        assert await anon.fetch("SELECT * FROM todos") == []  # what is not ours stays as it was


@pytest.mark.req(415)
async def test_authenticated_sees_its_own_rows_and_changes_nothing(supabase: Supabase):
    async with as_role(supabase, "authenticated", {"sub": str(ANN)}) as ann:
        assert [row["owner_id"] for row in await ann.fetch("SELECT owner_id FROM videos")] == [ANN]
        assert await ann.fetchval("SELECT count(*) FROM jobs") == 1
        assert await ann.fetchval("SELECT count(*) FROM job_history") == 1
        assert await ann.fetch("SELECT * FROM search_materialized") == []
        for row in await ann.fetch(OURS):
            if row["relkind"] != b"S":
                held = [
                    one
                    for one in PRIVILEGES[1:]
                    if await ann.fetchval("SELECT has_table_privilege($1, $2)", row["name"], one)
                ]
                assert held == [], row["name"]
        for statement in (
            "UPDATE videos SET status = 'ready'",
            "INSERT INTO jobs (job_type, payload) VALUES ('ocr', '{}')",
            "DELETE FROM videos",
            "TRUNCATE videos CASCADE",
            "SELECT refresh_search_materialized()",
            "SELECT secret_hash FROM api_keys",
            "SELECT * FROM schema_migrations",
            "SELECT * FROM search_rows",
            "SELECT * FROM sightline.external_jobs",
        ):
            assert await refused(ann, statement), statement
    async with as_role(supabase, "authenticated") as nobody:
        assert await nobody.fetch("SELECT * FROM videos") == []


@pytest.mark.req(415)
async def test_the_service_role_does_what_document_001_says(supabase: Supabase):
    async with as_role(supabase, "service_role") as worker:
        video_id: UUID = await worker.fetchval("SELECT id FROM videos WHERE owner_id = $1", ANN)
        job_id = await worker.fetchval(
            "INSERT INTO jobs (video_id, job_type, payload) VALUES ($1, 'transcode', $2) RETURNING id",
            *(video_id, json.dumps({"video_id": str(video_id), "s3_original_path": "x"})),
        )
        polled = await worker.fetchval(
            "SELECT id FROM jobs WHERE status = 'queued' AND job_type = 'transcode'"
            " ORDER BY created_at ASC LIMIT 1 FOR UPDATE SKIP LOCKED"
        )
        assert polled == job_id
        await worker.execute("UPDATE jobs SET status = 'processing' WHERE id = $1", job_id)
        assert await worker.fetchval("SELECT locked_by FROM jobs WHERE id = $1", job_id) == "service_role"
        await worker.execute("UPDATE videos SET s3_proxy_path = 'p', s3_thumb_path = 't' WHERE id = $1", video_id)
        await worker.execute("UPDATE jobs SET status = 'done' WHERE id = $1", job_id)
        segment = await worker.fetchval(
            "INSERT INTO segments (video_id, text, normalized_text, text_hash, t_start, t_end, confidence, bounding_box,"
            " language, owner_id) VALUES ($1, 'Hi', 'hi', 'h', 0, 1, 1, $2, 'eng', $3) RETURNING id",
            *(video_id, json.dumps({"x": 0, "y": 0, "width": 1, "height": 1}), ANN),
        )
        await worker.execute(
            "INSERT INTO entities (segment_id, entity_type, value, normalized_value) VALUES ($1, 'emoji', '🙂', '🙂')",
            segment,
        )
        await worker.execute("SELECT refresh_search_materialized()")
        await worker.execute("UPDATE videos SET status = 'ready' WHERE id = $1", video_id)
        history = await worker.fetch("SELECT status FROM job_history WHERE job_id = $1 ORDER BY step", job_id)
        assert [row["status"] for row in history] == ["queued", "processing", "done"]
        with pytest.raises(asyncpg.CheckViolationError):
            await worker.execute("UPDATE jobs SET status = 'queued' WHERE id = $1", job_id)


@pytest.mark.req(415)
async def test_tables_of_the_project_are_none_of_our_business(supabase: Supabase):
    project = await asyncpg.connect(supabase.url("project"))
    assert await project.fetchval("SELECT has_table_privilege('anon', 'todos', 'INSERT')")
    await project.execute("DROP TABLE todos")
    await project.close()
    code, out, err = await ask("migrate", SIGHTLINE_DATABASE_URL=supabase.url("project"))
    assert (code, "up to date" in out) == (0, True), err


@pytest.mark.req(415)
async def test_the_platform_itself_works_in_the_project(supabase: Supabase, tmp_path):
    port = free_port()
    settings = {
        "SIGHTLINE_DATABASE_URL": supabase.url("project"),
        "SIGHTLINE_STATE_DIR": str(tmp_path / "state"),
        "SIGHTLINE_AUTH_JWT_SECRET": SECRET,
        "SIGHTLINE_AUTH_AUDIENCE": "authenticated",
    }
    process = await sightline("api", "--port", str(port), **settings)
    try:
        token = jwt.encode({"sub": str(BEN), "aud": "authenticated", "exp": int(time.time()) + 600}, SECRET, "HS256")
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=None) as http:

            async def answers() -> bool:
                try:
                    return (await http.get("/api/health")).status_code == 200
                except httpx.HTTPError:
                    return False

            await until(answers, within_s=60)
            shown = await http.get("/videos", headers={"authorization": f"Bearer {token}"})
            assert (shown.status_code, len(shown.json()["videos"])) == (200, 1), shown.text
            found = await http.get("/search", params={"q": "x"}, headers={"authorization": f"Bearer {token}"})
            assert found.status_code == 200, found.text
    finally:
        process.kill()
        await process.wait()
        process.close()
