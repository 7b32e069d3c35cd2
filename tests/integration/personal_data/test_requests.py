"""Export and erasure as people and operators request them over HTTP, carried out by jobs."""

import asyncio
import io
import json
import os
import signal
import sys
import zipfile
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import asyncpg
import httpx
import pytest

from sightline.api import create_app
from sightline.job_types import JOBS
from sightline.jobs import JobsSettings, Worker
from sightline.objects import original_key, person_export_key
from sightline.personal_data import PeopleSettings
from sightline.timing import utc_now
from support.asking import is_error
from support.waiting import until

ANN, BEN, OPERATOR = UUID(int=11), UUID(int=12), UUID(int=13)
EMAIL = "ann@example.com"
TESTS = Path(__file__).resolve().parents[2]
AT_ONCE = PeopleSettings(erasure_grace_days=0)


@pytest.fixture
async def app(platform_with, auth_on):
    return create_app(await platform_with(auth=auth_on))


@asynccontextmanager
async def working(platform, kind):
    jobs = JobsSettings(lease_s=1, heartbeat_s=0.3, poll_s=0.1)
    worker = Worker(JOBS[kind](platform), database=platform.database, listener=platform.listener, settings=jobs)
    stop = asyncio.Event()
    running = asyncio.create_task(worker.run(stop, lambda: None))
    try:
        yield
    finally:
        stop.set()
        await running


async def rows(platform, statement, *values):
    async with platform.database.transaction() as tx:
        return await tx.fetchval(statement, *values)


async def state_of(client, headers, kind, path="/api/me/data"):
    requests = (await client.get(path, headers=headers)).json()["requests"]
    return next(one["state"] for one in requests if one["kind"] == kind)


@pytest.mark.req(1146)
async def test_a_person_gets_their_export_by_an_address_that_ends(app, client, signed_in, video_of):
    platform = app.state.platform
    video_id, mine = await video_of(ANN), signed_in(ANN, email=EMAIL)
    await video_of(BEN)
    started = await client.post("/api/me/exports", json={}, headers=mine)
    assert (started.status_code, started.json()["state"]) == (202, "waiting")
    is_error(await client.post("/api/me/exports", json={}, headers=mine), 409, "CONFLICT")
    address = f"/api/me/exports/{started.json()['request_id']}/address"
    is_error(await client.get(address, headers=mine), 404, "NOT_FOUND")
    async with working(platform, "person_export"):

        async def is_done():
            return await state_of(client, mine, "export") == "done"

        await until(is_done)
    found = (await client.get(address, headers=mine)).json()
    assert found["expires_at"] > utc_now().isoformat()
    file = await client.get(httpx.URL(found["url"]).raw_path.decode())
    archive = zipfile.ZipFile(io.BytesIO(file.content))
    assert [one["id"] for one in json.loads(archive.read("videos.json"))] == [str(video_id)]
    for other in (signed_in(BEN), signed_in(OPERATOR)):
        is_error(await client.get(address, headers=other), 404, "NOT_FOUND")
        assert (await client.get("/api/me/data", headers=other)).json()["requests"] == []
    await rows(platform, "UPDATE person_requests SET expires_at = now()")
    await platform.person_requests.expire()
    assert await platform.objects.head(person_export_key(UUID(started.json()["request_id"]))) is None
    assert await state_of(client, mine, "export") == "expired"
    is_error(await client.get(address, headers=mine), 404, "NOT_FOUND")


@pytest.mark.req(1146)
async def test_a_new_export_replaces_the_file_before_and_files_of_no_request_are_swept(app, client, signed_in):
    platform, mine = app.state.platform, signed_in(ANN, email=EMAIL)
    first = UUID((await client.post("/api/me/exports", json={}, headers=mine)).json()["request_id"])
    lost, waiting = person_export_key(UUID(int=5)), person_export_key(first)
    for key in (waiting, lost):
        await platform.objects.put(key, b"zip")
    await rows(platform, "UPDATE person_requests SET state = 'running'")
    await platform.person_requests.sweep()
    assert [await platform.objects.head(key) is None for key in (waiting, lost)] == [False, True]
    await rows(platform, "UPDATE person_requests SET state = 'done', expires_at = now() + interval '1 day'")
    assert (await client.post("/api/me/exports", json={}, headers=mine)).status_code == 202
    assert await platform.objects.head(waiting) is None
    assert await rows(platform, "SELECT state FROM person_requests WHERE request_id = $1", first) == "expired"


@pytest.mark.req(1146)
async def test_an_export_that_is_done_at_once_keeps_its_file(app, client, signed_in, fresh_database):
    """Only the one before is replaced, however quick the job is."""
    platform, mine = app.state.platform, signed_in(ANN, email=EMAIL)
    admin = await asyncpg.connect(fresh_database.admin_url)
    try:
        await admin.execute(
            """CREATE FUNCTION finish_at_once() RETURNS trigger LANGUAGE plpgsql AS $$
               BEGIN
                   UPDATE person_requests SET state = 'done', expires_at = now() + interval '1 day'
                   WHERE request_id = NEW.request_id;
                   RETURN NULL;
               END $$;
               CREATE CONSTRAINT TRIGGER finish_at_once AFTER INSERT ON person_requests DEFERRABLE INITIALLY DEFERRED
               FOR EACH ROW EXECUTE FUNCTION finish_at_once()"""
        )
        found = []
        for _ in range(2):
            found.append(UUID((await client.post("/api/me/exports", json={}, headers=mine)).json()["request_id"]))
            await platform.objects.put(person_export_key(found[-1]), b"zip")
    finally:
        await admin.close()
    assert [await platform.objects.head(person_export_key(one)) is None for one in found] == [True, False]
    await platform.person_requests.expire()
    states = [await rows(platform, "SELECT state FROM person_requests WHERE request_id = $1", one) for one in found]
    assert states == ["expired", "done"]


@pytest.mark.req(1147)
async def test_an_erasure_needs_the_name_waits_and_can_be_cancelled(app, client, signed_in, video_of):
    platform, mine = app.state.platform, signed_in(ANN, email=EMAIL)
    await video_of(ANN)
    shown = (await client.get("/api/me/data", headers=mine)).json()
    assert (shown["confirm_with"], shown["grace_days"]) == (EMAIL, 14)
    wrong = await client.post("/api/me/erasure", json={"confirm": "ben@example.com"}, headers=mine)
    assert EMAIL in is_error(wrong, 400, "VALIDATION_ERROR")["message"]
    asked = (await client.post("/api/me/erasure", json={"confirm": " Ann@Example.com "}, headers=mine)).json()
    assert asked["due_at"] > (utc_now() + timedelta(days=13)).isoformat()
    is_error(await client.post("/api/me/erasure", json={"confirm": EMAIL}, headers=mine), 409, "CONFLICT")
    assert (await client.delete("/api/me/erasure", headers=mine)).json()["state"] == "cancelled"
    assert await rows(platform, "SELECT count(*) FROM jobs") == 0
    is_error(await client.delete("/api/me/erasure", headers=mine), 404, "NOT_FOUND")
    assert (await client.post("/api/me/erasure", json={"confirm": EMAIL}, headers=mine)).status_code == 202
    assert await rows(platform, "SELECT count(*) FROM videos") == 1


@pytest.mark.req(1147)
async def test_a_job_that_comes_early_or_after_the_cancellation_erases_nothing(app, client, signed_in, video_of):
    platform, mine = app.state.platform, signed_in(ANN, email=EMAIL)
    await video_of(ANN)
    await client.post("/api/me/erasure", json={"confirm": EMAIL}, headers=mine)
    await rows(platform, "UPDATE jobs SET run_after = NULL")

    async def is_done():
        return await rows(platform, "SELECT status = 'done' FROM jobs")

    async with working(platform, "person_erasure"):
        await until(is_done)
    assert await state_of(client, mine, "erasure") == "waiting"
    assert await rows(platform, "SELECT count(*) FROM videos") == 1


@pytest.mark.req(1147, 1148)
async def test_after_the_erasure_nothing_is_left_the_session_has_ended_and_the_log_has_a_pseudonym(
    platform_with, auth_on, client_for, signed_in, video_of
):
    platform = await platform_with(auth=auth_on, people=AT_ONCE)
    app = create_app(platform)
    client, browser = client_for(app), client_for(app)
    mine, operator = signed_in(ANN, email=EMAIL), signed_in(OPERATOR, sightline_role="operator")
    video_id = await video_of(ANN)
    await platform.objects.put(original_key(video_id), b"x")
    await client.get("/api/me", headers=mine)
    export = (await client.post("/api/me/exports", json={}, headers=mine)).json()
    key = person_export_key(UUID(export["request_id"]))
    await platform.objects.put(key, b"zip")
    signed = await browser.post("/api/session", json={"token": mine["authorization"].split()[1]})
    assert signed.status_code < 300, signed.text
    assert (await browser.get("/api/me")).json()["user_id"] == str(ANN)
    assert (await client.post("/api/me/erasure", json={"confirm": EMAIL}, headers=mine)).status_code == 202

    async def is_done():
        return await rows(platform, "SELECT status = 'done' FROM jobs WHERE job_type = 'person_erasure'")

    async with working(platform, "person_erasure"):
        await until(is_done)
    assert (await browser.get("/api/me")).status_code == 401
    assert [await platform.objects.head(one) for one in (key, original_key(video_id))] == [None, None]
    for table, column in (("videos", "owner_id"), ("person_requests", "person_id"), ("page_sessions", "user_id")):
        assert await rows(platform, f"SELECT count(*) FROM {table} WHERE {column} = $1", ANN) == 0
    log = (await client.get("/api/audit", params={"limit": 100}, headers=operator)).text
    assert EMAIL not in log
    assert str(ANN) not in log
    actions = [one["action"] for one in json.loads(log)["entries"]]
    assert {"person.erasure_requested", "person.erasure_began", "person.erased"} <= set(actions)
    assert (await platform.audit.verify()).problem is None


@pytest.mark.req(1149)
async def test_operators_do_both_for_anybody_and_nobody_else_does(app, client, signed_in, video_of):
    platform, operator = app.state.platform, signed_in(OPERATOR, sightline_role="operator")
    await video_of(ANN)
    await client.get("/api/me", headers=signed_in(ANN, email=EMAIL))
    paths = [("POST", "exports", {}), ("POST", "erasure", {"confirm": str(ANN)}), ("DELETE", "erasure", None)]
    for method, path, body in paths:
        answer = await client.request(method, f"/api/people/{ANN}/{path}", json=body, headers=signed_in(BEN))
        is_error(answer, 403, "FORBIDDEN")
        if method == "POST":
            nobody = f"/api/people/{UUID(int=77)}/{path}"
            is_error(await client.request(method, nobody, json=body, headers=operator), 404, "NOT_FOUND")
    assert await rows(platform, "SELECT count(*) FROM person_requests") == 0
    scopes = ["audit:read", "videos:read", "operator"]
    made = await client.post("/api/keys", json={"name": "k", "scopes": scopes}, headers=operator)
    key = {"x-api-key": made.json()["key"]}
    started = await client.post(f"/api/people/{ANN}/exports", json={"with_files": True}, headers=operator)
    address = f"/api/people/{ANN}/exports/{started.json()['request_id']}/address"
    for path, method in ((address, "GET"), ("/api/me/exports", "POST"), (f"/api/people/{ANN}/erasure", "POST")):
        is_error(await client.request(method, path, json={"confirm": "x"}, headers=key), 403, "FORBIDDEN")
    name = (await client.get(f"/api/people/{ANN}/data", headers=operator)).json()["confirm_with"]
    asked = await client.post(f"/api/people/{ANN}/erasure", json={"confirm": name}, headers=operator)
    assert asked.status_code == 202, asked.text
    # The person sees what an operator requested, and may cancel it.
    assert await state_of(client, signed_in(ANN), "erasure") == "waiting"
    assert (await client.delete("/api/me/erasure", headers=signed_in(ANN))).status_code == 200


@pytest.mark.req(1148)
async def test_an_erasure_whose_worker_is_killed_is_finished_by_another(
    platform_with, auth_on, client_for, signed_in, video_of, fresh_database
):
    platform = await platform_with(auth=auth_on, people=AT_ONCE)
    client = client_for(create_app(platform))
    videos = [await video_of(ANN) for _ in range(60)]
    theirs = await video_of(BEN)
    for video_id in (*videos, theirs):
        await platform.objects.put(original_key(video_id), b"x")
    mine = signed_in(ANN, email=EMAIL)
    assert (await client.post("/api/me/erasure", json={"confirm": EMAIL}, headers=mine)).status_code == 202
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "support.erase_job_process", fresh_database.url, str(platform.settings.state_dir)),
        cwd=TESTS,
        env=os.environ | {"PYTHONPATH": f"{TESTS}{os.pathsep}{TESTS.parent / 'src'}"},
        stdout=asyncio.subprocess.DEVNULL,
    )

    async def left():
        return await rows(platform, "SELECT count(*) FROM videos WHERE owner_id = $1", ANN)

    async def is_under_way():
        return await left() < len(videos) or process.returncode is not None

    await until(is_under_way)
    process.send_signal(signal.SIGKILL)
    await process.wait()
    assert 0 < await left() < len(videos), "killed in the middle"
    assert await rows(platform, "SELECT state FROM person_requests") == "running"

    async def is_done():
        return await rows(platform, "SELECT status = 'done' FROM jobs")

    async with working(platform, "person_erasure"):
        await until(is_done)
    assert await left() == 0
    assert await rows(platform, "SELECT count(*) FROM person_requests") == 0
    assert [one for one in videos if await platform.objects.head(original_key(one)) is not None] == []
    assert await platform.objects.head(original_key(theirs)) is not None
