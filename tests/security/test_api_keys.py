"""API keys: what a detector or a script signs in with, limited to its scopes."""

import asyncio
import json
import time
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg
import httpx
import pytest

from sightline.access import SCOPES, ApiKeys
from sightline.access.api_key import KeyText, new_key, read_key
from sightline.api import create_app
from sightline.api.auth.route_scopes import scope_of
from sightline.api.dependencies import get_caller
from sightline.contracts import LOCAL_OWNER, LOCAL_OWNER_ID, Caller
from sightline.timing import utc_now
from support.api_routes import all_routes
from support.asking import is_error
from support.platform_process import ask, up

ANN, EVE, TEAM = UUID(int=11), UUID(int=12), UUID(int=77)
VIDEO = {"totalSize": 1000, "filename": "a.mp4"}
DETECTION = {"camera_id": "front_door", "object_type": "person", "confidence": 0.9}


@pytest.fixture
async def platform(platform_with, auth_on):
    return await platform_with(auth=auth_on)


@pytest.fixture
def client(platform, client_for) -> httpx.AsyncClient:
    made: httpx.AsyncClient = client_for(create_app(platform))
    return made


async def create(client: httpx.AsyncClient, headers: dict[str, str], *scopes: str, **more: Any) -> dict[str, Any]:
    answer = await client.post("/api/keys", headers=headers, json={"name": "a", "scopes": list(scopes)} | more)
    assert answer.status_code == 201, answer.text
    created: dict[str, Any] = answer.json()
    return created


def bearer(key: dict[str, Any]) -> dict[str, str]:
    return {"authorization": f"Bearer {key['key']}"}


@pytest.mark.req(358)
async def test_a_key_acts_as_its_owner_and_sees_nothing_of_others(client, signed_in):
    key = await create(client, signed_in(ANN, email="ann@example.com"), "videos:read", "videos:write")
    mine = (await client.post("/videos", headers=bearer(key), json=VIDEO)).json()["videoId"]
    others = (await client.post("/videos", headers=signed_in(EVE), json=VIDEO)).json()["videoId"]
    seen = (await client.get("/videos", headers=bearer(key))).json()["videos"]
    assert [one["videoId"] for one in seen] == [mine]
    assert (await client.get(f"/videos/{others}", headers=bearer(key))).status_code == 404
    me = (await client.get("/api/me", headers={"x-api-key": key["key"]})).json()
    assert (me["user_id"], me["email"], me["is_operator"]) == (str(ANN), "ann@example.com", False)


@pytest.mark.req(359)
async def test_a_key_may_do_only_what_its_scopes_say(client, signed_in):
    key = await create(client, signed_in(ANN), "videos:read")
    assert (await client.get("/videos", headers=bearer(key))).status_code == 200
    for method, path, body in (
        ("POST", "/videos", VIDEO),
        ("POST", "/api/detections", DETECTION),
        ("GET", "/api/events", None),
        ("GET", "/api/messages", None),
        ("GET", "/api/live?wait=0", None),
    ):
        error = is_error(await client.request(method, path, headers=bearer(key), json=body), 403, "FORBIDDEN")
        assert "lacks the scope" in error["message"], path


@pytest.mark.req(359)
async def test_a_detectors_key_sends_detections_and_follows_nothing(client, signed_in):
    await client.post("/api/cameras", headers=signed_in(ANN), json={"name": "front_door"})
    key = await create(client, signed_in(ANN), "detections:write")
    assert (await client.post("/api/detections", headers=bearer(key), json=DETECTION)).status_code == 201
    is_error(await client.get("/api/detections", headers=bearer(key)), 403, "FORBIDDEN")
    follower = await create(client, signed_in(ANN), "live:read")
    assert (await client.get("/api/live/events", headers=bearer(follower))).status_code == 200


@pytest.mark.req(359)
async def test_a_key_never_makes_or_ends_keys(client, signed_in):
    every = [scope for scope in SCOPES if scope != "operator"]
    key = await create(client, signed_in(ANN), *every)
    for method, path, body in (
        ("GET", "/api/keys", None),
        ("POST", "/api/keys", {"name": "b", "scopes": ["videos:read"]}),
        ("DELETE", f"/api/keys/{key['key_id']}", None),
    ):
        is_error(await client.request(method, path, headers=bearer(key), json=body), 403, "FORBIDDEN")


@pytest.mark.req(359)
async def test_operators_rights_are_a_scope_that_only_operators_can_give(client, signed_in):
    body = {"name": "a", "scopes": ["jobs:read", "operator"]}
    is_error(await client.post("/api/keys", headers=signed_in(ANN), json=body), 403, "FORBIDDEN")
    operator = signed_in(ANN, sightline_role="operator")
    plain = await create(client, operator, "jobs:read")
    is_error(await client.get("/jobs/counts", headers=bearer(plain)), 403, "FORBIDDEN")
    full = await create(client, operator, "jobs:read", "operator")
    assert (await client.get("/jobs/counts", headers=bearer(full))).status_code == 200


@pytest.mark.req(358)
async def test_a_key_sees_its_owners_team_only_if_its_owner_chose_so(client, signed_in):
    ben = signed_in(EVE, team_ids=[str(TEAM)])
    camera = await client.post("/api/cameras", headers=ben, json={"name": "yard", "team_id": str(TEAM)})
    assert camera.status_code == 201, camera.text
    ann = signed_in(ANN, team_ids=[str(TEAM)], iat=int(time.time()) - 60)
    alone = await create(client, ann, "events:read")
    with_team = await create(client, ann, "events:read", with_teams=True)
    assert (await client.get("/api/cameras", headers=bearer(alone))).json()["cameras"] == []
    assert len((await client.get("/api/cameras", headers=bearer(with_team))).json()["cameras"]) == 1
    # Her next token says that she left the team; her key leaves it with her.
    await client.get("/api/me", headers=signed_in(ANN, iat=int(time.time())))
    assert (await client.get("/api/cameras", headers=bearer(with_team))).json()["cameras"] == []


@pytest.mark.req(360)
async def test_a_revoked_key_is_refused_at_once_by_every_process(client, platform, signed_in):
    key = await create(client, signed_in(ANN), "videos:read")
    another_process = ApiKeys(platform.database)
    assert (await another_process.check(key["key"])).key_id == key["key_id"]
    is_error(await client.delete(f"/api/keys/{key['key_id']}", headers=signed_in(EVE)), 404, "NOT_FOUND")
    revoked = await client.delete(f"/api/keys/{key['key_id']}", headers=signed_in(ANN))
    assert revoked.json()["is_active"] is False
    is_error(await client.get("/videos", headers=bearer(key)), 401, "UNAUTHORIZED")
    with pytest.raises(Exception, match="revoked"):
        await another_process.check(key["key"])
    assert (await client.get("/api/keys", headers=signed_in(ANN))).json()["keys"] == []
    listed = (await client.get("/api/keys?with_revoked=true", headers=signed_in(ANN))).json()["keys"]
    assert [one["key_id"] for one in listed] == [key["key_id"]]


@pytest.mark.req(360)
async def test_an_operator_sees_and_revokes_the_keys_of_others(client, signed_in):
    key = await create(client, signed_in(ANN), "videos:read")
    is_error(await client.get("/api/keys?of_everyone=true", headers=signed_in(EVE)), 403, "FORBIDDEN")
    operator = signed_in(EVE, sightline_role="operator")
    listed = (await client.get("/api/keys?of_everyone=true", headers=operator)).json()["keys"]
    assert [(one["key_id"], one["owner_id"]) for one in listed] == [(key["key_id"], str(ANN))]
    assert (await client.delete(f"/api/keys/{key['key_id']}", headers=operator)).status_code == 200


@pytest.mark.req(360)
async def test_an_expired_key_is_refused(database):
    clock = [utc_now()]
    keys = ApiKeys(database, clock=lambda: clock[0])
    async with database.transaction() as tx:
        _, text = await keys.create(tx, Caller(ANN), name="a", scopes=["videos:read"], lifetime=timedelta(days=1))
    await keys.check(text)
    clock[0] += timedelta(days=1)
    with pytest.raises(Exception, match="expired"):
        await keys.check(text)


@pytest.mark.req(361)
async def test_a_key_is_shown_once_and_stored_as_a_hash(client, platform, signed_in, fresh_database):
    key = await create(client, signed_in(ANN), "videos:read")
    listed = (await client.get("/api/keys", headers=signed_in(ANN))).text
    secret = key["key"].removeprefix(f"slk_{key['key_id']}_")
    assert key["key_id"] in listed
    assert secret not in listed
    connection = await asyncpg.connect(fresh_database.admin_url)
    try:
        stored = str(await connection.fetch("SELECT row_to_json(k)::text FROM api_keys AS k"))
    finally:
        await connection.close()
    assert secret not in stored
    # Row level security shows people their own keys, and the hash to nobody.
    async with platform.database.as_caller(Caller(ANN).claims()) as tx:
        assert await tx.fetchval("SELECT count(*) FROM api_keys") == 1
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await tx.fetch("SELECT secret_hash FROM api_keys")


@pytest.mark.req(361)
@pytest.mark.parametrize("change", ["secret", "id", "form", "empty"])
async def test_a_key_that_is_wrong_anywhere_is_refused_with_the_same_words(client, signed_in, change):
    key = await create(client, signed_in(ANN), "videos:read")
    right = read_key(key["key"])
    assert right is not None
    wrong = {
        "secret": KeyText(right.key_id, new_key().secret).text(),
        "id": KeyText(new_key().key_id, right.secret).text(),
        "form": key["key"] + "x",
        "empty": "slk_",
    }[change]
    error = is_error(await client.get("/videos", headers={"x-api-key": wrong}), 401, "UNAUTHORIZED")
    assert error["message"] == "Invalid, expired or revoked API key"


@pytest.mark.req(362)
async def test_last_use_is_written_in_groups_and_not_with_each_request(client, platform, signed_in):
    key = await create(client, signed_in(ANN), "videos:read")

    async def last_used() -> str | None:
        found = (await client.get("/api/keys", headers=signed_in(ANN))).json()["keys"]
        moment: str | None = found[0]["last_used_at"]
        return moment

    await asyncio.gather(*(client.get("/videos", headers=bearer(key)) for _ in range(20)))
    assert await last_used() is None
    await platform.api_keys.note_uses()
    assert await last_used() is not None


@pytest.mark.req(362)
async def test_uses_that_could_not_be_written_are_written_later(database_wire, platform_with):
    platform = await platform_with(url=database_wire.url)
    async with platform.database.transaction() as tx:
        key, text = await platform.api_keys.create(tx, LOCAL_OWNER, name="a", scopes=["videos:read"])
    await platform.api_keys.check(text)
    await database_wire.cut()
    with pytest.raises(Exception, match="database"):
        await platform.api_keys.note_uses()
    await database_wire.mend()
    await platform.api_keys.note_uses()
    async with platform.database.transaction() as tx:
        assert await tx.fetchval("SELECT last_used_at FROM api_keys WHERE key_id = $1", key.key_id) is not None


@pytest.mark.parametrize("scopes", [[], ["videos:everything"], ["operator"]])
async def test_a_key_without_a_known_scope_is_not_made(client, signed_in, scopes):
    body = {"name": "a", "scopes": scopes}
    operator = signed_in(ANN, sightline_role="operator")
    is_error(await client.post("/api/keys", headers=operator, json=body), 400, "VALIDATION_ERROR")


async def test_an_owner_has_a_hundred_active_keys_at_most(database):
    keys = ApiKeys(database)

    async def make() -> None:
        async with database.transaction() as tx:
            await keys.create(tx, Caller(ANN), name="a", scopes=["videos:read"])

    results = await asyncio.gather(*(make() for _ in range(105)), return_exceptions=True)
    assert sum(result is None for result in results) == 100
    assert all("revoke one" in str(result) for result in results if result is not None)


@pytest.mark.req(359)
async def test_every_route_that_wants_a_caller_says_which_scope_opens_it(platform):
    """A new route without a scope is closed to keys, which is safe; this test makes it a decision."""
    closed = {
        (method, route.path)
        for route in all_routes(create_app(platform))
        for method in route.methods or ()
        if _needs_caller(route.dependant) and scope_of(method, route.path) is None
    }
    keys = {("GET", "/api/keys"), ("POST", "/api/keys"), ("DELETE", "/api/keys/{key_id}")}
    own_data = {
        ("GET", "/api/me/export"),
        ("GET", "/api/me/data"),
        ("POST", "/api/me/exports"),
        ("GET", "/api/me/exports/{request_id}/address"),
        ("POST", "/api/me/erasure"),
        ("DELETE", "/api/me/erasure"),
    }
    team = "/api/teams/{team_id}"
    people = {
        ("POST", "/api/people/{user_id}/exports"),
        ("POST", "/api/people/{user_id}/erasure"),
        ("DELETE", "/api/people/{user_id}/erasure"),
        ("PUT", "/api/people/{user_id}/operator"),
        ("DELETE", "/api/people/{user_id}/operator"),
    }
    teams = {
        ("POST", "/api/teams"),
        ("PATCH", team),
        ("DELETE", team),
        ("PATCH", f"{team}/members/{{user_id}}"),
        ("DELETE", f"{team}/members/{{user_id}}"),
        ("POST", f"{team}/invitations"),
        ("DELETE", f"{team}/invitations/{{invitation_id}}"),
        ("POST", "/api/team-invitations/show"),
        ("POST", "/api/team-invitations/accept"),
    }
    quotas = {(method, "/api/usage/owners/{owner_id}/quotas") for method in ("PUT", "DELETE")}
    assert closed == {*keys, *own_data, *people, *teams, *quotas, ("PUT", "/api/settings")}
    assert all(scope_of("GET", path) is None for path in ("/", "/api", "/videosx", "/api/keysx", ""))


def _needs_caller(dependant: Any) -> bool:
    return dependant.call is get_caller or any(_needs_caller(one) for one in dependant.dependencies)


@pytest.mark.req(363)
async def test_keys_are_created_listed_and_revoked_from_the_command_line(clean_environment, tmp_path: Path):
    state = tmp_path / "state"
    where = ("--state-dir", str(state))
    async with up(state) as platform, httpx.AsyncClient(base_url=platform.address, timeout=None) as client:
        code, out, err = await ask("keys", "create", "door", "--scope", "detections:write", "--json", *where)
        assert code == 0, err
        created = json.loads(out)
        assert created["owner_id"] == str(LOCAL_OWNER_ID)
        # Without sign-in everyone on this machine is the owner, but a key is still limited to its scopes.
        answer = await client.get("/videos", headers=bearer(created))
        is_error(answer, 403, "FORBIDDEN")
        code, out, err = await ask("keys", "create", "script", "--scope", "videos:read", "--expires-days", "1", *where)
        assert (code, out.startswith("slk_")) == (0, True), err
        assert "cannot be shown again" in err
        assert (await client.get("/videos", headers={"x-api-key": out.strip()})).status_code == 200
        _, listed, _ = await ask("keys", "list", *where)
        assert created["key_id"] in listed
        assert "detections:write" in listed
        assert out.strip() not in listed
        code, _, err = await ask("keys", "revoke", created["key_id"], *where)
        assert code == 0, err
        is_error(await client.get("/api/me", headers=bearer(created)), 401, "UNAUTHORIZED")
        _, listed, _ = await ask("keys", "list", "--json", *where)
        assert [one["name"] for one in json.loads(listed)["keys"]] == ["script"]
        code, _, err = await ask("keys", "revoke", "AAAAAAAAAAAAAAAA", *where)
        assert (code, "no API key" in err) == (1, True)
        code, _, err = await ask("keys", "create", "x", "--scope", "nonsense", *where)
        assert (code, "unknown scope" in err) == (1, True)
