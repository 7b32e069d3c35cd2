"""Who a bearer token speaks of, and which tokens speak of nobody."""

import base64
import hashlib
import hmac
import json
import time
import uuid
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr

from sightline.api.auth.callers import build_callers, caller_from_claims
from sightline.api.auth.identity import SERVICE_ROLE_ID, Authenticator, BearerTokens, LocalOwner, build_authenticator
from sightline.config import AuthSettings
from sightline.contracts import LOCAL_OWNER, Caller
from sightline.db import Database
from sightline.errors import NotAuthenticated

SECRET = "a secret that is long enough for HS256, as it must be"
ANN = "6d0c8a4e-8f0b-4b5e-9d43-0d3f2a1b7c11"


def _tokens(**settings: Any) -> BearerTokens:
    return BearerTokens(AuthSettings(**({"jwt_secret": SecretStr(SECRET)} | settings)))


TOKENS = _tokens()
SETTINGS = AuthSettings()


def _claims(**changes: Any) -> dict[str, Any]:
    claims = {"sub": ANN, "exp": int(time.time()) + 3600} | changes
    return {name: value for name, value in claims.items() if value is not None}


def _signed(secret: str = SECRET, algorithm: str = "HS256", **changes: Any) -> str:
    return "Bearer " + jwt.encode(_claims(**changes), secret, algorithm)


def _base64url(text: bytes) -> str:
    return base64.urlsafe_b64encode(text).rstrip(b"=").decode()


def _hand_made(header: bytes, claims: dict[str, Any], key: bytes | None) -> str:
    """For tokens that a decent library refuses to make."""
    signed = f"{_base64url(header)}.{_base64url(json.dumps(claims).encode())}"
    signature = b"" if key is None else hmac.new(key, signed.encode(), hashlib.sha256).digest()
    return f"Bearer {signed}.{_base64url(signature)}"


async def _refused(tokens: BearerTokens, authorization: str | None) -> None:
    with pytest.raises(NotAuthenticated):
        await tokens.caller(authorization)


async def test_a_good_token_names_its_caller():
    authorization = _signed(email="ann@example.org", team_ids=[str(uuid.UUID(int=7))])
    assert await _tokens().caller(authorization) == Caller(
        uuid.UUID(ANN), email="ann@example.org", team_ids=(uuid.UUID(int=7),)
    )


@pytest.mark.parametrize("scheme", ["bearer", "BEARER", "Bearer"])
async def test_the_word_bearer_may_be_written_in_any_case(scheme: str):
    authorization = _signed().replace("Bearer", scheme)
    assert (await _tokens().caller(authorization)).user_id == uuid.UUID(ANN)


@pytest.mark.parametrize(
    "authorization",
    [
        None,
        "",
        "Bearer",
        "Bearer ",
        "Basic YW5uOnNlY3JldA==",
        "Bearer nonsense",
        "Bearer a.b.c",
        "Bearer ..",
        "Bearer \x00.\x00.\x00",
        "Bearer é.ü.ö",
        "Bearer " + "x" * 60_000,
        "Bearer " + _base64url(b"[]") + ".e30.x",
        "Bearer " + _base64url(b'"HS256"') + ".e30.x",
        "Bearer " + _base64url(b"\xff\xfe") + ".e30.x",
        "Bearer " + _base64url(b'{"alg":["HS256"]}') + ".e30.x",
        "Bearer " + _base64url(b'{"alg":{}}') + ".e30.x",
        "Bearer " + _base64url(b'{"alg":"HS256","kid":7}') + ".e30.x",
        "Bearer " + _base64url(b'{"alg":"HS256","x":' + b"[" * 20_000 + b"]" * 20_000 + b"}") + ".e30.x",
    ],
)
async def test_what_is_no_bearer_token_is_refused(authorization: str | None):
    await _refused(_tokens(), authorization)


@given(st.text(st.characters(codec="latin-1")))
async def test_no_header_at_all_makes_it_fail_in_another_way(text: str):
    await _refused(TOKENS, f"Bearer {text}")


async def test_an_expired_token_is_refused():
    await _refused(_tokens(), _signed(exp=int(time.time()) - 31))


async def test_a_clock_that_is_a_little_off_does_not_lock_out():
    await _tokens().caller(_signed(exp=int(time.time()) - 1))


async def test_a_token_that_is_not_valid_yet_is_refused():
    await _refused(_tokens(), _signed(nbf=int(time.time()) + 3600))


@pytest.mark.parametrize("audience", ["others", None, ["others", "more"]])
async def test_a_token_for_another_audience_is_refused(audience: object):
    await _refused(_tokens(audience="sightline"), _signed(aud=audience))


async def test_a_token_for_several_audiences_is_taken_if_we_are_one():
    await _tokens(audience="sightline").caller(_signed(aud=["others", "sightline"]))


async def test_an_audience_does_not_matter_if_none_is_set():
    await _tokens().caller(_signed(aud="others"))


@pytest.mark.parametrize("issuer", ["https://elsewhere.example", None, "https://id.example/"])
async def test_a_token_of_another_issuer_is_refused(issuer: str | None):
    await _refused(_tokens(issuer="https://id.example"), _signed(iss=issuer))


async def test_a_token_of_the_right_issuer_is_taken():
    await _tokens(issuer="https://id.example").caller(_signed(iss="https://id.example"))


@pytest.mark.parametrize("missing", ["exp", "sub"])
async def test_a_token_without_a_needed_claim_is_refused(missing: str):
    await _refused(_tokens(), _signed(exp=None) if missing == "exp" else _signed(sub=None))


@pytest.mark.parametrize("sub", ["", 7, [], {"a": 1}, "\ud800"])
async def test_a_subject_that_names_nobody_is_refused(sub: object):
    await _refused(_tokens(), _hand_made(b'{"alg":"HS256"}', _claims(sub=sub), SECRET.encode()))


@pytest.mark.parametrize("exp", ["soon", float("inf"), float("nan"), [], True, -1])
async def test_an_expiry_that_is_no_moment_to_come_is_refused(exp: object):
    await _refused(_tokens(), _hand_made(b'{"alg":"HS256"}', _claims(exp=exp), SECRET.encode()))


@pytest.mark.parametrize("none", ["none", "None", "NONE", ""])
async def test_an_unsigned_token_is_refused(none: str):
    await _refused(_tokens(), _hand_made(json.dumps({"alg": none}).encode(), _claims(), None))


async def test_a_token_with_another_secret_is_refused():
    await _refused(_tokens(), _signed("another secret that is long enough for HS256 too"))


async def test_a_changed_token_is_refused():
    header, _, signature = _signed().split(".")
    forged = _base64url(json.dumps(_claims(sub=str(uuid.uuid4()))).encode())
    await _refused(_tokens(), f"{header}.{forged}.{signature}")


async def test_no_other_algorithm_of_the_secret_is_taken():
    secret = SECRET * 2
    await _refused(_tokens(jwt_secret=SecretStr(secret)), _signed(secret, "HS512"))


@pytest.fixture(scope="module")
def public_pem() -> bytes:
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048).public_key()
    return key.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)


async def test_a_public_key_is_never_taken_for_a_secret(public_pem: bytes):
    tokens = BearerTokens(AuthSettings(jwks_url="http://127.0.0.1:1/keys", audience="sightline"))
    forged = _hand_made(b'{"alg":"HS256","typ":"JWT"}', _claims(aud="sightline"), public_pem)
    with pytest.raises(NotAuthenticated, match="'HS256' are not accepted"):
        await tokens.caller(forged)


async def test_a_public_key_does_not_pass_beside_a_secret_either(public_pem: bytes):
    tokens = _tokens(jwks_url="http://127.0.0.1:1/keys", audience="sightline")
    await _refused(tokens, _hand_made(b'{"alg":"HS256"}', _claims(aud="sightline"), public_pem))


async def test_a_secret_that_was_set_to_nothing_opens_no_door():
    tokens = _tokens(jwt_secret=SecretStr(""), jwks_url="http://127.0.0.1:1/keys", audience="sightline")
    forged = _hand_made(b'{"alg":"HS256"}', _claims(aud="sightline"), b"")
    with pytest.raises(NotAuthenticated, match="'HS256' are not accepted"):
        await tokens.caller(forged)


async def test_without_a_key_address_asymmetric_tokens_are_refused():
    with pytest.raises(NotAuthenticated, match="'RS256' are not accepted"):
        await _tokens().caller(_hand_made(b'{"alg":"RS256"}', _claims(), SECRET.encode()))


async def test_a_token_cannot_bring_its_own_key(public_pem: bytes):
    header = json.dumps({"alg": "HS256", "jwk": {"kty": "oct", "k": _base64url(b"mine")}, "jku": "http://127.0.0.1:1"})
    await _refused(_tokens(), _hand_made(header.encode(), _claims(), b"mine"))


def test_a_uuid_as_subject_is_the_user_id():
    assert caller_from_claims({"sub": ANN}, AuthSettings()).user_id == uuid.UUID(ANN)


def test_another_subject_always_becomes_the_same_uuid():
    claims = {"sub": "auth0|5f7c8ec7", "iss": "https://id.example"}
    # Stored rows belong to this id: another rule would take everybody's videos away.
    assert caller_from_claims(claims, AuthSettings()).user_id == uuid.UUID("182d0954-146d-5192-827e-0a0427c46aa0")


def test_the_same_subject_of_two_issuers_is_two_people():
    ids = {
        caller_from_claims({"sub": "1", "iss": issuer}, AuthSettings()).user_id for issuer in ("https://a", "https://b")
    }
    assert len(ids) == 2


@given(st.text(min_size=1).filter(lambda text: text.isprintable()))
def test_any_subject_becomes_a_uuid(sub: str):
    assert isinstance(caller_from_claims({"sub": sub}, SETTINGS).user_id, uuid.UUID)


def test_teams_that_are_no_uuids_become_stable_ones():
    claims = {"sub": ANN, "team_ids": ["red", str(uuid.UUID(int=7)), "red"]}
    red, seven, again = caller_from_claims(claims, AuthSettings()).team_ids
    assert (red == again, seven) == (True, uuid.UUID(int=7))


def test_a_team_and_a_person_of_one_name_do_not_make_a_caller_of_the_team():
    caller = caller_from_claims({"sub": "red"}, AuthSettings())
    assert caller.team_ids == ()


@pytest.mark.parametrize("teams", [None, [], "", [None], [""]])
def test_no_team_is_no_team(teams: object):
    assert caller_from_claims({"sub": ANN, "team_ids": teams}, AuthSettings()).team_ids == ()


def test_one_team_may_stand_without_a_list():
    claims = {"sub": ANN, "team_ids": str(uuid.UUID(int=7))}
    assert caller_from_claims(claims, AuthSettings()).team_ids == (uuid.UUID(int=7),)


def test_teams_are_found_along_a_dotted_path():
    claims = {"sub": ANN, "app_metadata": {"teams": [str(uuid.UUID(int=7))]}}
    caller = caller_from_claims(claims, AuthSettings(team_claim="app_metadata.teams"))
    assert caller.team_ids == (uuid.UUID(int=7),)


@pytest.mark.parametrize(
    ("claims", "is_operator"),
    [
        ({"app_metadata": {"role": "operator"}}, True),
        ({"app_metadata": {"role": ["viewer", "operator"]}}, True),
        ({"app_metadata": {"role": "viewer"}}, False),
        ({"app_metadata": {"role": "operators"}}, False),
        ({"app_metadata": {"role": {"operator": True}}}, False),
        ({"app_metadata": "role"}, False),
        ({"app_metadata": None}, False),
        ({"role": "operator"}, False),
        ({"app_metadata.role": "operator"}, False),
        ({}, False),
    ],
)
def test_the_role_is_found_along_a_dotted_path(claims: dict[str, Any], is_operator: bool):
    caller = caller_from_claims(claims | {"sub": ANN}, AuthSettings(role_claim="app_metadata.role"))
    assert caller.is_operator is is_operator


def test_the_name_of_the_operators_role_is_a_setting():
    settings = AuthSettings(operator_role="admin")
    assert caller_from_claims({"sub": ANN, "sightline_role": "admin"}, settings).is_operator
    assert not caller_from_claims({"sub": ANN, "sightline_role": "operator"}, settings).is_operator


@pytest.mark.parametrize("email", [7, None, ["a@b"], "ann\x00@example.org", "\ud800@example.org"])
def test_an_email_that_is_no_text_is_left_out(email: object):
    assert caller_from_claims({"sub": ANN, "email": email}, AuthSettings()).email is None


async def test_the_service_role_key_is_an_operator():
    tokens = _tokens(supabase_service_role_key=SecretStr("service-role-key"))
    caller = await tokens.caller("Bearer service-role-key")
    assert (caller.user_id, caller.is_operator) == (SERVICE_ROLE_ID, True)


@pytest.mark.parametrize("offered", ["service-role-ke", "service-role-key ", "SERVICE-ROLE-KEY", "é"])
async def test_nearly_the_service_role_key_is_nobody(offered: str):
    await _refused(_tokens(supabase_service_role_key=SecretStr("service-role-key")), f"Bearer {offered}")


async def test_an_empty_service_role_key_is_nobodys():
    await _refused(_tokens(supabase_service_role_key=SecretStr("")), "Bearer ")


async def test_a_supabase_project_sets_issuer_and_audience():
    tokens = _tokens(supabase_url="https://abc.supabase.co/")
    await tokens.caller(_signed(iss="https://abc.supabase.co/auth/v1", aud="authenticated"))
    await _refused(tokens, _signed(iss="https://abc.supabase.co/auth/v1", aud="anon"))
    await _refused(tokens, _signed(iss="https://xyz.supabase.co/auth/v1", aud="authenticated"))


@pytest.mark.parametrize("authorization", [None, "Bearer anything", "Basic x"])
async def test_without_authentication_everybody_is_the_owner(authorization: str | None):
    assert await LocalOwner().caller(authorization) is LOCAL_OWNER


def test_tokens_are_needed_as_soon_as_anything_is_set_up(database: Database):
    def built(settings: AuthSettings) -> Authenticator:
        return build_authenticator(settings, build_callers(settings, database))

    assert isinstance(built(AuthSettings()), LocalOwner)
    for settings in (
        AuthSettings(jwt_secret=SecretStr(SECRET)),
        AuthSettings(supabase_url="https://abc.supabase.co"),
        AuthSettings(oidc_issuer="https://login.example.com", oidc_client_id="sightline"),
    ):
        assert isinstance(built(settings), BearerTokens)
