"""Tokens whose keys an issuer publishes, with a real issuer on this machine."""

import asyncio
import time
import uuid
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

from sightline.api.auth.identity import BearerTokens
from sightline.api.auth.jwks import KEY_REFRESH_EVERY_S, KEY_RETRY_EVERY_S, KEYS_KEPT_S, JwksKeys
from sightline.config import AuthSettings
from sightline.errors import BackendUnavailable, NotAuthenticated
from support.hand_clock import HandClock
from support.waiting import soon, until

ANN = uuid.UUID(int=11)
AUDIENCE = "sightline"


@pytest.fixture(scope="module")
def keys() -> dict[str, Any]:
    return {
        "RS256": rsa.generate_private_key(public_exponent=65537, key_size=2048),
        "ES256": ec.generate_private_key(ec.SECP256R1()),
        "EdDSA": ed25519.Ed25519PrivateKey.generate(),
    }


def _published(algorithm: str, key: Any, kid: str | None) -> dict[str, Any]:
    public: dict[str, Any] = jwt.get_algorithm_by_name(algorithm).to_jwk(key.public_key(), as_dict=True)
    return public | {"alg": algorithm, "use": "sig"} | ({"kid": kid} if kid else {})


def _token(algorithm: str, key: Any, kid: str | None, **claims: Any) -> str:
    whole = {"sub": str(ANN), "exp": int(time.time()) + 3600, "aud": AUDIENCE} | claims
    return "Bearer " + jwt.encode(whole, key, algorithm, headers={"kid": kid} if kid else None)


@pytest.fixture
def issuer(local_http, keys):
    """Publishes one key of each kind, named after its algorithm."""
    local_http.answer = {"keys": [_published(name, key, name) for name, key in keys.items()]}
    return local_http


@pytest.fixture
def auth(issuer) -> AuthSettings:
    return AuthSettings(jwks_url=f"{issuer.url}/jwks.json", audience=AUDIENCE)


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def known(issuer, clock) -> JwksKeys:
    return JwksKeys(f"{issuer.url}/jwks.json", clock=clock)


async def test_a_token_signed_with_a_published_key_is_taken(client_with, auth, keys):
    client = await client_with(auth=auth)
    for algorithm in ("RS256", "ES256", "EdDSA"):
        answer = await client.get("/videos", headers={"authorization": _token(algorithm, keys[algorithm], algorithm)})
        assert answer.status_code == 200, algorithm


async def test_many_tokens_need_the_keys_once(auth, keys, issuer):
    tokens = BearerTokens(auth)
    authorization = _token("RS256", keys["RS256"], "RS256")
    callers = await asyncio.gather(*(tokens.caller(authorization) for _ in range(50)))
    assert {caller.user_id for caller in callers} == {ANN}
    assert issuer.asked == [("GET", "/jwks.json")]


async def test_a_token_of_a_key_that_was_never_published_is_401(client_with, auth):
    client = await client_with(auth=auth)
    stranger = ec.generate_private_key(ec.SECP256R1())
    for kid in ("ES256", "unknown", None):
        answer = await client.get("/videos", headers={"authorization": _token("ES256", stranger, kid)})
        assert (answer.status_code, answer.json()["error"]["code"]) == (401, "UNAUTHORIZED")


async def test_a_token_that_names_a_key_of_another_kind_is_401(client_with, auth, keys):
    client = await client_with(auth=auth)
    for algorithm, kid in (("ES256", "RS256"), ("RS256", "ES256"), ("EdDSA", "RS256"), ("ES256", "EdDSA")):
        answer = await client.get("/videos", headers={"authorization": _token(algorithm, keys[algorithm], kid)})
        assert (answer.status_code, answer.json()["error"]["code"]) == (401, "UNAUTHORIZED"), (algorithm, kid)


async def test_a_token_with_wrong_claims_is_401_although_its_key_is_right(client_with, auth, keys):
    client = await client_with(auth=auth)
    wrong: tuple[dict[str, Any], ...] = ({"aud": "others"}, {"exp": 1}, {"sub": ""}, {"nbf": 2**40})
    for claims in wrong:
        token = _token("RS256", keys["RS256"], "RS256", **claims)
        assert (await client.get("/videos", headers={"authorization": token})).status_code == 401, claims


async def test_a_token_without_a_key_id_is_taken_if_there_is_one_key(issuer, auth, keys):
    issuer.answer = {"keys": [_published("ES256", keys["ES256"], None)]}
    assert (await BearerTokens(auth).caller(_token("ES256", keys["ES256"], None))).user_id == ANN


async def test_a_token_without_a_key_id_is_refused_if_there_are_several(auth, keys):
    with pytest.raises(NotAuthenticated):
        await BearerTokens(auth).caller(_token("ES256", keys["ES256"], None))


async def test_a_supabase_projects_keys_are_found_where_it_publishes_them(issuer, keys):
    tokens = BearerTokens(AuthSettings(supabase_url=issuer.url))
    claims = {"aud": "authenticated", "iss": f"{issuer.url}/auth/v1"}
    assert (await tokens.caller(_token("ES256", keys["ES256"], "ES256", **claims))).user_id == ANN
    assert issuer.asked == [("GET", "/auth/v1/.well-known/jwks.json")]


async def test_a_new_key_is_found_when_a_token_names_it(issuer, keys, known, clock):
    await known.get("RS256")
    issuer.answer = {"keys": [_published("ES256", keys["ES256"], "new")]}
    clock.now += KEY_REFRESH_EVERY_S + 1
    assert await known.get("new") is not None


async def test_a_key_that_is_no_longer_published_is_forgotten(issuer, keys, known, clock):
    await known.get("RS256")
    issuer.answer = {"keys": [_published("ES256", keys["ES256"], "new")]}
    clock.now += KEYS_KEPT_S + 1
    with pytest.raises(NotAuthenticated, match="no key 'RS256'"):
        await known.get("RS256")


async def test_keys_are_renewed_after_a_while(issuer, known, clock):
    for _ in range(3):
        await known.get("RS256")
        clock.now += KEYS_KEPT_S + 1
    assert len(issuer.asked) == 3


async def test_tokens_that_name_keys_nobody_has_do_not_hammer_the_issuer(issuer, known, clock):
    for number in range(100):
        with pytest.raises(NotAuthenticated):
            await known.get(f"unknown {number}")
    assert len(issuer.asked) == 1
    clock.now += KEY_REFRESH_EVERY_S + 1
    for number in range(100):
        with pytest.raises(NotAuthenticated):
            await known.get(f"unknown {number}")
    assert len(issuer.asked) == 2


async def test_an_issuer_that_is_down_locks_nobody_out_whose_key_is_known(issuer, known, clock):
    await known.get("RS256")
    issuer.stop()
    clock.now += KEYS_KEPT_S + 1
    assert await known.get("RS256") is not None


@pytest.mark.parametrize(
    ("status", "answer"),
    [
        (500, {}),
        (404, {}),
        (302, {}),
        (200, b"<html>"),
        (200, []),
        (200, None),
        (200, {}),
        (200, {"keys": []}),
        (200, b""),
        (200, {"keys": [7]}),
        (200, {"keys": [{"kty": "what"}]}),
        (200, {"keys": "x"}),
        (200, b"\xff"),
    ],
)
async def test_an_issuer_that_answers_nonsense_leaves_the_known_keys(issuer, known, clock, status, answer):
    await known.get("RS256")
    issuer.status, issuer.answer = status, answer
    clock.now += KEYS_KEPT_S + 1
    assert await known.get("RS256") is not None
    assert len(issuer.asked) == 2


@pytest.mark.parametrize("answer", [b"<html>", [], None, {"keys": []}, {"keys": [7]}])
async def test_nonsense_from_the_start_is_no_key_set(issuer, known, answer):
    issuer.answer = answer
    with pytest.raises(BackendUnavailable, match="cannot read the keys"):
        await known.get("RS256")


async def test_without_any_keys_a_token_is_503_and_no_token_is_still_401(client_with, auth, issuer, keys):
    issuer.answer = b"<html>"
    client = await client_with(auth=auth)
    token = {"authorization": _token("RS256", keys["RS256"], "RS256")}
    found = await client.get("/videos", headers=token)
    assert (found.status_code, found.json()["error"]["code"]) == (503, "SERVICE_UNAVAILABLE")
    assert found.json()["error"]["details"] == {"part": "identity"}
    issuer.stop()
    assert (await client.get("/videos", headers=token)).status_code == 503
    assert (await client.get("/videos")).status_code == 401


async def test_an_issuer_that_is_down_from_the_start_is_a_missing_backend(issuer, known):
    issuer.stop()
    with pytest.raises(BackendUnavailable, match="cannot read the keys"):
        await known.get("RS256")


async def test_an_issuer_that_came_up_late_is_asked_again_soon(issuer, known, clock):
    issuer.status = 503
    with pytest.raises(BackendUnavailable):
        await known.get("RS256")
    issuer.status = 200
    clock.now += KEY_RETRY_EVERY_S + 0.1
    assert await known.get("RS256") is not None


async def test_an_issuer_that_fails_from_the_start_is_not_hammered(issuer, known):
    issuer.status = 500
    answers = await asyncio.gather(*(known.get("RS256") for _ in range(100)), return_exceptions=True)
    assert {type(answer) for answer in answers} == {BackendUnavailable}
    assert len(issuer.asked) == 1


async def test_an_issuer_that_fails_later_is_not_hammered_by_unknown_keys(issuer, known, clock):
    await known.get("RS256")
    issuer.status = 500
    clock.now += KEYS_KEPT_S + 1
    for number in range(100):
        with pytest.raises(NotAuthenticated):
            await known.get(f"unknown {number}")
    assert len(issuer.asked) == 2


async def test_a_slow_issuer_does_not_hold_up_those_whose_key_is_known(issuer, known, clock):
    await known.get("RS256")
    issuer.may_answer.clear()
    clock.now += KEY_REFRESH_EVERY_S + 1
    bogus = asyncio.create_task(known.get("unknown"))
    await until(lambda: len(issuer.asked) == 2)
    assert await soon(known.get("RS256")) is not None
    issuer.may_answer.set()
    with pytest.raises(NotAuthenticated):
        await bogus


async def test_whoever_gives_up_waiting_for_keys_does_not_spoil_it_for_the_next(issuer, known):
    issuer.may_answer.clear()
    first = asyncio.create_task(known.get("RS256"))
    await until(lambda: len(issuer.asked) == 1)
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    issuer.may_answer.set()
    assert await known.get("RS256") is not None


@pytest.mark.parametrize("url", ["http://[", "nonsense", "ftp://127.0.0.1/keys", "http://127.0.0.1:99999/"])
async def test_an_address_that_is_none_is_said_so(url):
    with pytest.raises(BackendUnavailable, match="cannot read the keys"):
        await JwksKeys(url).get("RS256")
