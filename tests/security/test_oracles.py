"""What an answer tells about other tenants and about the network inside: nothing."""

import time
from typing import Any
from uuid import UUID

import httpx
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from sightline.config import AuthSettings


def _token(kid: str | None) -> dict[str, str]:
    claims = {"sub": "ann", "exp": int(time.time()) + 3600, "aud": "sightline"}
    key = ec.generate_private_key(ec.SECP256R1())
    return {"authorization": "Bearer " + jwt.encode(claims, key, "ES256", headers={"kid": kid} if kid else None)}


@pytest.mark.req(349)
@pytest.mark.parametrize("kid", ["unknown", "known", None])
async def test_a_401_does_not_say_where_the_keys_are(client_with, local_http, kid):
    public = jwt.get_algorithm_by_name("ES256").to_jwk(
        ec.generate_private_key(ec.SECP256R1()).public_key(), as_dict=True
    )
    other = public | {"kid": "other"}
    local_http.answer = {"keys": [public | {"kid": "known"}, other]}
    client = await client_with(auth=AuthSettings(jwks_url=f"{local_http.url}/inside", audience="sightline"))
    refused = await client.get("/videos", headers=_token(kid))
    assert refused.status_code == 401
    assert "127.0.0.1" not in refused.text
    assert "inside" not in refused.text


@pytest.mark.req(349)
async def test_a_503_names_the_part_and_neither_its_address_nor_its_error(client_with, local_http):
    local_http.stop()
    client = await client_with(auth=AuthSettings(jwks_url=f"{local_http.url}/inside", audience="sightline"))
    refused = await client.get("/videos", headers=_token("any"))
    assert (refused.status_code, refused.json()["error"]["details"]) == (503, {"part": "identity"})
    assert not any(word in refused.text for word in ("127.0.0.1", "inside", "rrno", "ttempts"))


@pytest.mark.req(349)
async def test_a_database_that_is_away_does_not_tell_its_address(client_with, database_wire):
    client = await client_with(url=database_wire.url)
    await database_wire.cut()
    refused = await client.get("/videos")
    assert (refused.status_code, refused.json()["error"]["message"]) == (
        503,
        "database does not respond. Try again later.",
    )


ANN, BOB, TEAM = UUID(int=21), UUID(int=22), UUID(int=77)


@pytest.fixture
async def tenants(client_with, auth_on, signed_in) -> "Tenants":
    return Tenants(await client_with(auth=auth_on), signed_in)


class Tenants:
    """Two people who must not notice each other."""

    def __init__(self, client: httpx.AsyncClient, signed_in: Any) -> None:
        self._client = client
        self._signed_in = signed_in

    async def ask(self, person: UUID, method: str, path: str, body: Any = None, **claims: Any) -> httpx.Response:
        return await self._client.request(method, path, json=body, headers=self._signed_in(person, **claims))

    async def camera(self, person: UUID, name: str = "Front Door", team: UUID | None = None) -> httpx.Response:
        claims = {"team_ids": [str(team)]} if team else {}
        return await self.ask(person, "POST", "/api/cameras", {"name": name, "team_id": team and str(team)}, **claims)


def _alike(first: httpx.Response, second: httpx.Response) -> bool:
    return (first.status_code, first.text) == (second.status_code, second.text)


@pytest.mark.req(353)
async def test_two_tenants_have_a_camera_of_the_same_id_without_noticing_each_other(tenants):
    unknown = await tenants.ask(ANN, "GET", "/api/cameras/front_door")
    assert (await tenants.camera(BOB)).status_code == 201
    assert _alike(await tenants.ask(ANN, "GET", "/api/cameras/front_door"), unknown)
    made = await tenants.camera(ANN)
    assert (made.status_code, made.json()["camera_id"]) == (201, "front_door")
    again = await tenants.camera(ANN)
    assert again.status_code == 409
    zone = {"name": "Porch", "kind": "entry", "polygon": [[0, 0], [1, 0], [1, 1]]}
    for person in (ANN, BOB):
        assert (await tenants.ask(person, "POST", "/api/cameras/front_door/zones", zone)).status_code == 201
    for person in (ANN, BOB):
        whole = (await tenants.ask(person, "GET", "/api/cameras/front_door")).json()
        assert [one["name"] for one in whole["zones"]] == ["Porch"]
        listed = (await tenants.ask(person, "GET", "/api/cameras")).json()["cameras"]
        assert [one["camera_id"] for one in listed] == ["front_door"]


@pytest.mark.req(353)
async def test_detections_go_to_the_reporters_own_camera(tenants):
    for person in (ANN, BOB):
        await tenants.camera(person)
    told = {"camera_id": "front_door", "object_type": "dog", "confidence": 0.5, "source_id": "frame-1"}
    assert (await tenants.ask(ANN, "POST", "/api/detections", told)).json()["taken_in"] == 1
    assert (await tenants.ask(BOB, "GET", "/api/detections")).json()["detections"] == []
    # The same name for a detection is new for Bob, although Ann has used it.
    assert (await tenants.ask(BOB, "POST", "/api/detections", told)).json()["taken_in"] == 1
    for person in (ANN, BOB):
        assert len((await tenants.ask(person, "GET", "/api/detections")).json()["detections"]) == 1


@pytest.mark.req(353)
async def test_an_id_means_the_callers_own_camera_before_the_teams(tenants):
    member = {"team_ids": [str(TEAM)]}
    await tenants.camera(BOB, team=TEAM)
    shared = (await tenants.ask(ANN, "GET", "/api/cameras/front_door", **member)).json()
    own = (await tenants.camera(ANN)).json()
    assert (await tenants.ask(ANN, "GET", "/api/cameras/front_door", **member)).json()["created_at"] == own[
        "created_at"
    ]
    listed = (await tenants.ask(ANN, "GET", "/api/cameras", **member)).json()["cameras"]
    assert {one["created_at"] for one in listed} == {own["created_at"], shared["created_at"]}
    first = (await tenants.ask(ANN, "GET", "/api/cameras?limit=1", **member)).json()
    path = f"/api/cameras?limit=1&cursor={first['next_cursor']}"
    second = (await tenants.ask(ANN, "GET", path, **member)).json()
    assert [first["cameras"][0]["created_at"], second["cameras"][0]["created_at"]] == [
        one["created_at"] for one in listed
    ]
    # Within a team an id names one camera; its members see each other's anyway.
    assert (await tenants.camera(ANN, team=TEAM)).status_code == 409


@pytest.mark.req(354)
async def test_two_tenants_have_a_schedule_of_the_same_name_without_noticing_each_other(tenants):
    body = {"name": "daily", "expression": "rate(1 day)", "message_type": "manual_notification", "channel": "log"}
    made = [await tenants.ask(person, "POST", "/api/schedules", body) for person in (BOB, ANN)]
    assert [one.status_code for one in made] == [201, 201]
    assert (await tenants.ask(ANN, "POST", "/api/schedules", body)).status_code == 409
    listed = (await tenants.ask(ANN, "GET", "/api/schedules")).json()["schedules"]
    assert [one["name"] for one in listed] == ["daily"]
    path = f"/api/schedules/{made[0].json()['schedule_id']}"
    unknown = await tenants.ask(ANN, "DELETE", f"/api/schedules/{UUID(int=99)}")
    assert unknown.status_code == (await tenants.ask(ANN, "DELETE", path)).status_code == 404


@pytest.mark.req(355)
async def test_ids_that_the_platform_draws_do_not_count_what_others_do(tenants):
    """Neither of two tenants' ids lies near the other's, as those of a common counter would."""
    for person in (ANN, BOB):
        await tenants.camera(person)
    ids: list[int] = []
    for person in (ANN, BOB, ANN):
        told = {"camera_id": "front_door", "object_type": "dog", "confidence": 0.5}
        ids.append((await tenants.ask(person, "POST", "/api/detections", told)).json()["detections"][0]["id"])
        rule = await tenants.ask(person, "POST", "/api/alert-rules", {"name": f"Rule {len(ids)}"})
        ids.append(rule.json()["rule_id"])
    distances = [abs(one - other) for n, one in enumerate(ids) for other in ids[n + 1 :]]
    assert min(distances) > 1_000_000
    assert max(ids) < 2**53
