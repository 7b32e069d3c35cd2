"""The audit log: who did and saw what, append-only, chained by hashes."""

import asyncio
import json
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg
import httpx
import pytest

from sightline.access import AuditEvent, AuditLog, find_entries
from sightline.api.auth.audited_routes import AUDITED, NOT_AUDITED
from sightline.observability import create_registry
from sightline.timing import utc_now
from support.api_routes import all_routes
from support.asking import is_error
from support.platform_process import ask, up
from support.postgres import DatabaseAddresses

ANN, EVE = UUID(int=11), UUID(int=12)
VIDEO = {"totalSize": 1000, "filename": "a.mp4"}


@pytest.fixture
async def platform(platform_with, auth_on):
    return await platform_with(auth=auth_on)


@pytest.fixture
def audit(database) -> AuditLog:
    return AuditLog(database, create_registry())


async def entries(platform: Any, **criteria: Any) -> list[dict[str, Any]]:
    """Newest first."""
    async with platform.database.transaction() as tx:
        return [entry.to_json() for entry in await find_entries(tx, limit=1000, **criteria)]


async def tamper(fresh: DatabaseAddresses, *statements: str) -> None:
    """As a superuser who knows what is in the way."""
    connection = await asyncpg.connect(fresh.admin_url)
    try:
        await connection.execute("ALTER TABLE audit_log DISABLE TRIGGER USER")
        for statement in statements:
            await connection.execute(statement)
    finally:
        await connection.close()


@pytest.mark.req(368)
async def test_what_people_do_is_recorded_with_who_how_and_to_what(client, platform, signed_in):
    ann = signed_in(ANN, email="ann@example.com")
    video = (await client.post("/videos", headers=ann, json=VIDEO)).json()["videoId"]
    assert (await client.delete(f"/videos/{video}", headers=ann)).is_success
    deleted, started = await entries(platform)
    assert (started["action"], started["target"], started["outcome"]) == (
        "video.upload_started",
        f"video {video}",
        "done",
    )
    assert (deleted["action"], deleted["target"], deleted["via"]) == ("video.deleted", f"video {video}", "token")
    assert (deleted["actor_id"], deleted["actor"]) == (str(ANN), "ann@example.com")
    assert deleted["correlation_id"]


@pytest.mark.req(368)
async def test_what_is_looked_at_is_recorded_once_a_minute_and_refusals_each_time(client, platform, signed_in):
    video = (await client.post("/videos", headers=signed_in(ANN), json=VIDEO)).json()["videoId"]
    for _ in range(3):
        assert (await client.get(f"/videos/{video}/clips", headers=signed_in(ANN))).status_code == 200
        assert (await client.get(f"/videos/{video}/clips", headers=signed_in(EVE))).status_code == 404
    seen = await entries(platform, action="clips.viewed", target=f"video {video}")
    assert [(one["actor_id"], one["outcome"]) for one in seen].count((str(ANN), "done")) == 1
    assert [(one["actor_id"], one["outcome"]) for one in seen].count((str(EVE), "failed")) == 3


@pytest.mark.req(368)
async def test_sign_ins_and_keys_are_recorded_without_secrets(client, platform, signed_in):
    token = signed_in(ANN)["authorization"].removeprefix("Bearer ")
    assert (await client.post("/api/session", json={"token": token})).status_code == 201
    csrf = {"x-csrf-token": client.cookies["sightline_csrf"]}
    assert (await client.delete("/api/session", headers=csrf)).status_code == 204
    assert (await client.post("/api/session", json={"token": "nonsense"})).status_code == 401
    body = {"name": "door", "scopes": ["videos:write"]}
    key = (await client.post("/api/keys", headers=signed_in(ANN), json=body)).json()
    assert (await client.post("/videos", headers={"x-api-key": key["key"]}, json=VIDEO)).status_code == 201
    assert (await client.delete(f"/api/keys/{key['key_id']}", headers=signed_in(ANN))).status_code == 200
    assert (await client.get("/videos", headers={"x-api-key": key["key"]})).status_code == 401
    found = [(one["action"], one["outcome"], one["via"]) for one in reversed(await entries(platform))]
    assert found == [
        ("session.started", "done", "token"),
        ("session.ended", "done", "session"),
        ("sign_in.refused", "refused", "token"),
        ("api_key.created", "done", "token"),
        ("video.upload_started", "done", f"key {key['key_id']}"),
        ("api_key.revoked", "done", "token"),
        ("sign_in.refused", "refused", "key"),
    ]
    everything = str(await entries(platform))
    assert [secret for secret in (key["key"][21:], token, "nonsense") if secret in everything] == []


@pytest.mark.req(368)
async def test_a_flood_of_wrong_tokens_does_not_fill_the_log(still_limits, client, platform):
    for _ in range(70):
        assert (await client.get("/videos", headers={"authorization": "Bearer x"})).status_code == 401
    recorded = len(await entries(platform, action="sign_in.refused"))
    assert recorded == 60  # a tenth of the limit per minute at once
    still_limits.now += 60
    await client.get("/videos", headers={"authorization": "Bearer x"})
    assert (await entries(platform, action="sign_in.refused"))[0]["details"]["more_before"] == 10


@pytest.mark.req(369)
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE audit_log SET actor = 'nobody'",
        "DELETE FROM audit_log",
        "TRUNCATE audit_log",
        "SELECT sightline.expire_audit_log(9000)",
    ],
)
@pytest.mark.parametrize("login", ["service", "owner"])
async def test_nothing_is_changed_or_removed_not_even_by_the_platform(
    audit, database, fresh_database, statement, login
):
    await audit.record(AuditEvent("a", via="local"))
    connection = await asyncpg.connect(fresh_database.url if login == "service" else fresh_database.admin_url)
    try:
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await connection.execute(statement)
    finally:
        await connection.close()
    assert (await audit.verify()).count == 1


@pytest.mark.req(370)
async def test_entries_of_many_processes_form_one_chain(database):
    logs = [AuditLog(database, create_registry()) for _ in range(4)]
    await asyncio.gather(*(log.record(AuditEvent("a", via="local", target=f"{n}")) for n in range(50) for log in logs))
    check = await logs[0].verify()
    assert (check.problem, check.count) == (None, 200)
    assert check.last is not None
    assert check.last.number == 200


@pytest.mark.req(1154)
async def test_the_chain_has_no_gap_wherever_another_process_adds_to_it(audit, database):
    other = AuditLog(database, create_registry())
    for log in (audit, audit, audit, audit, other, audit, other, other, other, audit, audit, audit, audit, other):
        await log.record(AuditEvent("a", via="local"))
    check = await audit.verify()
    assert (check.problem, check.count) == (None, 14)


@pytest.mark.req(1154)
async def test_one_process_alone_adds_entries_without_looking_at_the_newest(audit, monkeypatch):
    for _ in range(3):
        await audit.record(AuditEvent("a", via="local"))
    monkeypatch.setattr("sightline.access.audit.log.lock_chain", None)
    for _ in range(3):
        await audit.record(AuditEvent("a", via="local"))
    assert ((check := await audit.verify()).problem, check.count) == (None, 6)


@pytest.mark.req(371)
@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        ("UPDATE audit_log SET actor = 'nobody' WHERE number = 7", "entry 7 was changed"),
        ("UPDATE audit_log SET details = '{}' WHERE number = 7", "entry 7 was changed"),
        ("UPDATE audit_log SET at = at + interval '1 s' WHERE number = 7", "entry 7 was changed"),
        ("UPDATE audit_log SET hash = sha256('x') WHERE number = 7", "entry 7 was changed"),
        ("DELETE FROM audit_log WHERE number = 7", "entry 7 is missing"),
        ("DELETE FROM audit_log WHERE number <= 7", "entries before number 8 are missing"),
    ],
)
async def test_a_superusers_change_is_named(audit, fresh_database, statement, problem):
    for n in range(12):
        await audit.record(AuditEvent("a", via="local", actor="ann", target=f"video {n}", details={"status": 200}))
    assert (await audit.verify()).problem is None
    await tamper(fresh_database, statement)
    assert problem in str((await audit.verify()).problem)


@pytest.mark.req(371)
async def test_a_replaced_end_is_noticed_by_whoever_noted_the_head(audit, database, fresh_database):
    for n in range(5):
        await audit.record(AuditEvent("a", via="local", target=f"{n}"))
    last = (await audit.verify()).last
    assert last is not None
    head = (last.number, last.hash.hex())
    await tamper(fresh_database, "DELETE FROM audit_log WHERE number > 3")
    assert (await audit.verify()).problem is None
    assert "entries after number 3 are missing" in str((await audit.verify(head=head)).problem)
    for n in range(3):
        await audit.record(AuditEvent("b", via="local", target=f"{n}"))
    assert "entry 5 was replaced" in str((await audit.verify(head=head)).problem)


@pytest.mark.req(372)
async def test_old_entries_expire_and_the_rest_stays_verifiable(database, fresh_database):
    now = [utc_now() - timedelta(days=400)]
    audit = AuditLog(database, create_registry(), clock=lambda: now[0])
    for n in range(10):
        await audit.record(AuditEvent("a", via="local", target=f"{n}"))
    now[0] = utc_now() - timedelta(days=200)
    for n in range(10):
        await audit.record(AuditEvent("b", via="local", target=f"{n}"))
    now[0] = utc_now()
    assert await audit.expire(timedelta(days=365)) == 10
    check = await audit.verify()
    assert (check.problem, check.count, check.first and check.first.number) == (None, 11, 11)
    assert await audit.expire(timedelta(days=365)) == 0
    assert await audit.expire(timedelta(days=100)) == 10
    check = await audit.verify()
    assert (check.problem, check.count) == (None, 2)
    # What says that they expired is part of the chain: without it, the beginning is missing.
    await tamper(fresh_database, "DELETE FROM audit_log WHERE number <= 21")
    assert "entries before number 22 are missing" in str((await audit.verify()).problem)


@pytest.mark.req(372)
async def test_no_setting_removes_entries_of_the_last_thirty_days(database):
    now = [utc_now() - timedelta(days=20)]
    audit = AuditLog(database, create_registry(), clock=lambda: now[0])
    await audit.record(AuditEvent("a", via="local"))
    now[0] = utc_now()
    await audit.record(AuditEvent("b", via="local"))
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await audit.expire(timedelta(days=10))
    assert (await audit.verify()).count == 2


@pytest.mark.req(373)
async def test_operators_read_the_log_page_by_page(client, platform, signed_in):
    for _ in range(3):
        await client.post("/videos", headers=signed_in(ANN), json=VIDEO)
    is_error(await client.get("/api/audit", headers=signed_in(ANN)), 403, "FORBIDDEN")
    operator = signed_in(EVE, sightline_role="operator")
    query = {"actor_id": str(ANN), "action": "video.upload_started", "limit": "2"}
    first = (await client.get("/api/audit", params=query, headers=operator)).json()
    second = (await client.get("/api/audit", params=query | {"cursor": first["next_cursor"]}, headers=operator)).json()
    assert [len(first["entries"]), len(second["entries"]), second["next_cursor"]] == [2, 1, None]
    numbers = [one["number"] for one in (*first["entries"], *second["entries"])]
    assert numbers == sorted(numbers, reverse=True)
    refused, *_ = await entries(platform, action="audit.read", actor_id=ANN)
    assert refused["outcome"] == "refused"


@pytest.mark.req(368)
async def test_a_response_waits_for_its_entry_and_fails_without_it(client, platform, signed_in, monkeypatch):
    async def cannot(event: AuditEvent) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(platform.audit, "record", cannot)
    answer = await client.get("/api/audit", headers=signed_in(ANN, sightline_role="operator"))
    is_error(answer, 500, "INTERNAL_SERVER_ERROR")
    assert (await client.get("/api/me", headers=signed_in(ANN))).status_code == 200


@pytest.mark.req(368)
async def test_every_route_that_changes_something_is_audited_or_left_out_on_purpose(app):
    routes = {(method, route.path) for route in all_routes(app) for method in route.methods or ()}
    # The object endpoint takes parts of uploads, each with a signature of its own.
    changing = {one for one in routes if one[0] not in ("GET", "HEAD", "OPTIONS") and not one[1].startswith("/objects")}
    assert {one for one in changing if one not in AUDITED and one not in NOT_AUDITED} == set()
    assert {one for one in (*AUDITED, *NOT_AUDITED) if one not in routes} == set()


@pytest.mark.req(373)
async def test_the_log_is_exported_and_verified_from_the_command_line(clean_environment, tmp_path: Path):
    state, file = tmp_path / "state", tmp_path / "audit.jsonl"
    where = ("--state-dir", str(state))
    async with up(state) as platform, httpx.AsyncClient(base_url=platform.address, timeout=None) as client:
        for _ in range(3):
            assert (await client.post("/videos", json=VIDEO)).status_code == 201
        await ask("keys", "create", "door", "--scope", "detections:write", *where)
        code, out, err = await ask("audit", "verify", "--json", *where)
        report = json.loads(out)
        assert (code, report["is_intact"], report["entries"]) == (0, True, 4), err
        code, _, err = await ask("audit", "export", "--output", str(file), *where)
        assert code == 0, err
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert [one["action"] for one in lines] == ["video.upload_started"] * 3 + ["api_key.created"]
    assert (lines[0]["via"], lines[3]["via"]) == ("local", "command line")
    assert (await ask("audit", "verify", str(file), "--head", report["head"]))[0] == 0
    lines[1]["target"] = "video of somebody else"
    file.write_text("".join(json.dumps(one) + "\n" for one in lines))
    code, _, err = await ask("audit", "verify", str(file))
    assert (code, "entry 2 was changed" in err) == (1, True)
