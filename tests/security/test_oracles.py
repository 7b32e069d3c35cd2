"""What an answer tells about other tenants and about the network inside: nothing."""

import time

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from sightline.config import AuthSettings


def _token(kid: str | None) -> dict[str, str]:
    claims = {"sub": "ann", "exp": int(time.time()) + 3600, "aud": "sightline"}
    key = ec.generate_private_key(ec.SECP256R1())
    return {"authorization": "Bearer " + jwt.encode(claims, key, "ES256", headers={"kid": kid} if kid else None)}


@pytest.mark.req(366)
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


@pytest.mark.req(366)
async def test_a_503_names_the_part_and_neither_its_address_nor_its_error(client_with, local_http):
    local_http.stop()
    client = await client_with(auth=AuthSettings(jwks_url=f"{local_http.url}/inside", audience="sightline"))
    refused = await client.get("/videos", headers=_token("any"))
    assert (refused.status_code, refused.json()["error"]["details"]) == (503, {"part": "identity"})
    assert not any(word in refused.text for word in ("127.0.0.1", "inside", "rrno", "ttempts"))


@pytest.mark.req(366)
async def test_a_database_that_is_away_does_not_tell_its_address(client_with, database_wire):
    client = await client_with(url=database_wire.url)
    await database_wire.cut()
    refused = await client.get("/videos")
    assert (refused.status_code, refused.json()["error"]["message"]) == (
        503,
        "database does not respond. Try again later.",
    )
