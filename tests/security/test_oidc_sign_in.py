"""Sign-in at an OpenID Connect issuer: the way of an honest person, and what others try."""

import base64
import hmac
import json
import time
from collections.abc import AsyncIterator, Callable
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlsplit
from uuid import UUID

import httpx
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from pydantic import SecretStr

from sightline.api import create_app
from sightline.api.auth.jwks import KEY_REFRESH_EVERY_S
from sightline.config import ApiSettings, AuthSettings, Settings, check_together
from sightline.errors import ConfigurationError
from support.asking import is_error
from support.oidc_issuer import CLIENT_ID, CLIENT_SECRET, OidcIssuerServer, rsa_key, serving_issuer

HOME = "http://localhost:8400"
CALLBACK = f"{HOME}/api/session/oidc/callback"
TEAM = UUID(int=77)
ANN = {"email": "ann@example.com", "email_verified": True, "team_ids": [str(TEAM)], "sightline_role": "operator"}
ORIGIN = {"origin": HOME}


@pytest.fixture
async def issuer() -> AsyncIterator[OidcIssuerServer]:
    async with serving_issuer(people={"ann": ANN}, redirect_uris=[CALLBACK]) as server:
        yield server


def auth_at(issuer: OidcIssuerServer, **more: Any) -> AuthSettings:
    usual: dict[str, Any] = {
        "oidc_issuer": issuer.url,
        "oidc_client_id": CLIENT_ID,
        "oidc_client_secret": SecretStr(CLIENT_SECRET),
        "oidc_allow_private": True,
        "oidc_name": "Example",
    }
    return AuthSettings(**(usual | more))


@pytest.fixture
async def app(platform_with, issuer):
    return create_app(await platform_with(auth=auth_at(issuer), api=ApiSettings(public_url=HOME)))


@pytest.fixture
def client(app, client_for):
    return client_for(app)


async def begin(client: httpx.AsyncClient, return_to: str = "/ui/videos?tag=a") -> str:
    """The issuer's address that the browser is sent to."""
    answer = await client.get("/api/session/oidc/start", params={"return_to": return_to})
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


async def sign_in(client: httpx.AsyncClient, issuer: OidcIssuerServer, subject: str = "ann") -> httpx.Response:
    return await client.get(issuer.approve(await begin(client), subject))


def problem_of(answer: httpx.Response) -> str:
    """What the page is told; no session has begun."""
    assert answer.status_code == 303, answer.text
    assert not any("sightline_session" in line for line in answer.headers.get_list("set-cookie"))
    return parse_qs(urlsplit(answer.headers["location"]).query)["sign_in_error"][0]


@pytest.mark.req(1045)
async def test_a_person_signs_in_at_the_issuer_and_is_back_where_they_came_from(client, issuer):
    answer = await sign_in(client, issuer)
    assert (answer.status_code, answer.headers["location"]) == (303, "/ui/videos?tag=a")
    me = (await client.get("/api/me")).json()
    assert (me["email"], me["is_operator"]) == ("ann@example.com", True)
    session = next(line for line in answer.headers.get_list("set-cookie") if line.startswith("sightline_session="))
    assert "HttpOnly" in session
    assert "SameSite=strict" in session


@pytest.mark.req(1045)
async def test_the_request_has_pkce_state_nonce_and_the_exact_address_of_this_platform(client):
    address = await begin(client)
    sent = dict(parse_qsl(urlsplit(address).query))
    assert (sent["response_type"], sent["code_challenge_method"]) == ("code", "S256")
    assert sent["redirect_uri"] == CALLBACK
    assert sent["scope"] == "openid email profile"
    again = dict(parse_qsl(urlsplit(await begin(client)).query))
    assert all(sent[name] != again[name] for name in ("state", "nonce", "code_challenge"))
    kept = " ".join(str(one.value) for one in client.cookies.jar)
    assert sent["nonce"] not in kept, "what waits in the browser is sealed"


@pytest.mark.req(1045)
async def test_people_have_the_same_id_as_with_a_token_of_the_issuer(platform_with, issuer, client_for):
    keys = f"{issuer.url}/jwks"
    auth = auth_at(issuer, jwks_url=keys, audience="api")
    app = create_app(await platform_with(auth=auth, api=ApiSettings(public_url=HOME)))
    client = client_for(app)
    await sign_in(client, issuer)
    claims = {"iss": issuer.url, "sub": "ann", "aud": "api", "exp": int(time.time()) + 60}
    token = jwt.encode(claims, issuer.keys["one"], "RS256", headers={"kid": "one"})
    by_token = await client_for(app).get("/api/me", headers={"authorization": f"Bearer {token}"})
    assert by_token.json()["user_id"] == (await client.get("/api/me")).json()["user_id"]


@pytest.mark.req(1045)
@pytest.mark.parametrize("algorithm", ["RS256", "ES256"])
async def test_a_public_client_without_a_secret_signs_in_with_either_kind_of_key(
    platform_with, issuer, client_for, algorithm
):
    issuer.secret, issuer.algorithm = None, algorithm
    issuer.signs_with = {"RS256": "one", "ES256": "two"}[algorithm]
    auth = auth_at(issuer, oidc_client_secret=None)
    client = client_for(create_app(await platform_with(auth=auth, api=ApiSettings(public_url=HOME))))
    assert (await sign_in(client, issuer)).headers["location"] == "/ui/videos?tag=a"
    assert (await client.get("/api/me")).status_code == 200


@pytest.mark.req(1045)
async def test_a_secret_goes_into_the_form_where_the_issuer_takes_it_nowhere_else(client, issuer):
    issuer.metadata["token_endpoint_auth_methods_supported"] = ["client_secret_post"]
    await sign_in(client, issuer)
    assert (await client.get("/api/me")).status_code == 200
    exchange = next(one for one in issuer.asked if one.path == "/token")
    assert "authorization" not in exchange.headers


@pytest.mark.req(1045)
async def test_what_the_token_does_not_say_is_read_from_the_userinfo_endpoint(client, issuer):
    issuer.puts_claims_into_token = False
    await sign_in(client, issuer)
    assert (await client.get("/api/me")).json()["email"] == "ann@example.com"


@pytest.mark.req(1046)
async def test_userinfo_of_another_person_signs_nobody_in(client, issuer):
    issuer.puts_claims_into_token = False
    issuer.userinfo_of = "eve"
    assert problem_of(await sign_in(client, issuer)) == "refused"


def _set(name: str, value: object) -> Callable[[dict[str, Any]], None]:
    return lambda claims: claims.update({name: value})


WRONG_CLAIMS: dict[str, Callable[[dict[str, Any]], None]] = {
    "nonce of another sign-in": _set("nonce", "another"),
    "no nonce": lambda claims: claims.pop("nonce"),
    "another audience": _set("aud", "others"),
    "another issuer": _set("iss", "https://evil.example"),
    "several audiences without a party": _set("aud", [CLIENT_ID, "others"]),
    "another party": lambda claims: claims.update(aud=[CLIENT_ID, "others"], azp="others"),
    "expired": lambda claims: claims.update(exp=int(time.time()) - 60),
    "from the future": lambda claims: claims.update(
        iat=int(time.time()) + 600
    ),  # when it is used, not when it is imported
    "no end": lambda claims: claims.pop("exp"),
    "no subject": lambda claims: claims.pop("sub"),
    "an empty subject": _set("sub", ""),
    "another access token": _set("at_hash", "AAAAAAAAAAAAAAAAAAAAAA"),
}


@pytest.mark.req(1046)
async def test_a_token_with_one_wrong_claim_signs_nobody_in(client, issuer):
    for case, change in WRONG_CLAIMS.items():
        issuer.claims_to_change = change
        assert problem_of(await sign_in(client, issuer)) == "refused", case
        assert (await client.get("/api/me")).status_code == 401, case
    issuer.claims_to_change = lambda claims: None
    assert (await sign_in(client, issuer)).headers["location"] == "/ui/videos?tag=a"


@pytest.mark.req(1046)
async def test_clocks_may_differ_by_half_a_minute(client, issuer):
    issuer.claims_to_change = _set("exp", int(time.time()) - 5)
    assert (await sign_in(client, issuer)).headers["location"] == "/ui/videos?tag=a"


def _unsigned(token: str) -> str:
    head = base64.urlsafe_b64encode(json.dumps({"alg": "none", "typ": "JWT"}).encode()).rstrip(b"=").decode()
    return f"{head}.{token.split('.')[1]}."


def _by_hand(token: str, secret: bytes) -> str:
    """As HS256; the library refuses to sign with what is obviously a public key."""
    head = base64.urlsafe_b64encode(json.dumps({"alg": "HS256", "kid": "one"}).encode()).rstrip(b"=").decode()
    signed = f"{head}.{token.split('.')[1]}"
    signature = base64.urlsafe_b64encode(hmac.new(secret, signed.encode(), "sha256").digest()).rstrip(b"=").decode()
    return f"{signed}.{signature}"


def _resigned(token: str, key: Any, algorithm: str, kid: str) -> str:
    claims = jwt.decode(token, options={"verify_signature": False})
    return jwt.encode(claims, key, algorithm, headers={"kid": kid})


@pytest.mark.req(1046)
async def test_no_algorithm_and_no_key_but_the_published_one_counts(client, issuer):
    public = issuer.keys["one"].public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    tricks: dict[str, Callable[[str], str]] = {
        "no signature": _unsigned,
        "the public key as a secret": lambda token: _by_hand(token, public),
        "the client's secret": lambda token: _by_hand(token, CLIENT_SECRET.encode()),
        "a stranger's key under a known id": lambda token: _resigned(token, rsa_key(), "RS256", "one"),
        "a known key under another's id": lambda token: _resigned(token, issuer.keys["two"], "ES256", "one"),
        "a key nobody published": lambda token: _resigned(
            token, ec.generate_private_key(ec.SECP256R1()), "ES256", "three"
        ),
        "no token at all": lambda token: "nonsense",
    }
    for case, trick in tricks.items():
        issuer.token_to_change = trick
        assert problem_of(await sign_in(client, issuer)) == "refused", case


@pytest.mark.req(1047)
async def test_an_answer_counts_once(client, issuer, app, client_for):
    back = issuer.approve(await begin(client), "ann")
    kept = {one.name: str(one.value) for one in client.cookies.jar}
    assert (await client.get(back)).headers["location"] == "/ui/videos?tag=a"
    assert problem_of(await client.get(back)) == "expired"
    thief = client_for(app)  # with a copy of the cookie, too
    assert (
        problem_of(await thief.get(back, headers={"cookie": "; ".join(f"{k}={v}" for k, v in kept.items())}))
        == "expired"
    )


@pytest.mark.req(1047)
async def test_an_answer_in_another_browser_signs_nobody_in(client, issuer, app, client_for):
    back = issuer.approve(await begin(client), "ann")
    victim = client_for(app)
    assert problem_of(await victim.get(back)) == "expired"
    await begin(victim)  # one of its own does not help either
    assert problem_of(await victim.get(back)) == "expired"


@pytest.mark.req(1047)
async def test_two_windows_of_one_browser_sign_in_side_by_side(client, issuer):
    first, second = await begin(client, "/ui/jobs"), await begin(client, "/ui/events")
    assert (await client.get(issuer.approve(first, "ann"))).headers["location"] == "/ui/jobs"
    assert (await client.get(issuer.approve(second, "ann"))).headers["location"] == "/ui/events"


@pytest.mark.req(1047)
async def test_a_state_that_was_changed_or_is_missing_is_refused(client, issuer):
    back = issuer.approve(await begin(client), "ann")
    state = parse_qs(urlsplit(back).query)["state"][0]
    for wrong in (state[:-1] + ("A" if state[-1] != "A" else "B"), "", "x", state + "\N{BULLET}"):
        query = {"state": wrong, "code": "c", "iss": issuer.url}
        assert problem_of(await client.get("/api/session/oidc/callback", params=query)) == "expired", wrong


@pytest.mark.req(1047)
async def test_a_code_of_another_sign_in_is_refused_by_pkce(client, issuer, app, client_for):
    """A code that was stolen and put into the answer of one's own sign-in."""
    stolen = parse_qs(urlsplit(issuer.approve(await begin(client_for(app)), "ann")).query)["code"][0]
    back = issuer.approve(await begin(client), "eve")
    own = parse_qs(urlsplit(back).query)["code"][0]
    assert problem_of(await client.get(back.replace(own, stolen))) == "refused"


@pytest.mark.req(1047)
async def test_an_answer_of_another_issuer_is_refused(client, issuer):
    back = issuer.approve(await begin(client), "ann")
    assert problem_of(await client.get(back.replace("iss=", "iss=https%3A%2F%2Fevil.example&x="))) == "refused"


ELSEWHERE = (
    "https://evil.example/",
    "//evil.example/",
    "/\\evil.example/",
    "\\\\evil.example",
    "javascript:alert(1)",
    "/x\r\nset-cookie: a=b",
    "ui/videos",
    "/api/session/oidc/start",
    "",
)


@pytest.mark.req(1047)
async def test_nobody_is_sent_to_another_site_afterwards(client, issuer):
    for return_to in ELSEWHERE:
        answer = await client.get(issuer.approve(await begin(client, return_to), "ann"))
        assert answer.headers["location"] == "/", return_to


@pytest.mark.req(1048)
async def test_whoever_stops_at_the_issuer_is_told_so_on_the_page(client, issuer):
    answer = await sign_in(client, issuer, "nobody")
    assert problem_of(answer) == "cancelled"
    assert answer.headers["location"] == "/ui/videos?tag=a&sign_in_error=cancelled"


@pytest.mark.req(1048)
async def test_an_issuer_that_is_away_is_a_problem_of_the_issuer(client, issuer):
    back = issuer.approve(await begin(client), "ann")
    issuer.is_down = True
    assert problem_of(await client.get(back)) == "unavailable"


@pytest.mark.req(1048)
async def test_an_issuer_that_was_never_reached_is_a_problem_of_the_issuer(client, issuer):
    issuer.is_down = True
    answer = await client.get("/api/session/oidc/start", params={"return_to": "/ui/jobs"})
    assert answer.headers["location"] == "/ui/jobs?sign_in_error=unavailable"


@pytest.mark.req(1048)
async def test_a_discovery_document_of_another_issuer_is_not_believed(client, issuer):
    issuer.metadata["issuer"] = "https://evil.example"
    assert problem_of(await client.get("/api/session/oidc/start")) == "unavailable"


@pytest.mark.req(1048)
async def test_an_issuer_inside_needs_a_setting_and_so_does_plain_http(platform_with, issuer, client_for):
    inside = issuer.url.replace("http://", "https://")
    auth = auth_at(issuer, oidc_issuer=inside, oidc_allow_private=False)
    client = client_for(create_app(await platform_with(auth=auth, api=ApiSettings(public_url=HOME))))
    assert problem_of(await client.get("/api/session/oidc/start")) == "unavailable"
    assert issuer.asked == []
    with pytest.raises(ConfigurationError, match="must begin with https"):
        check_together(Settings(auth=auth_at(issuer, oidc_allow_private=False)))
    with pytest.raises(ConfigurationError, match="are needed together"):
        check_together(Settings(auth=auth_at(issuer, oidc_client_id=None)))


@pytest.mark.req(1048)
async def test_a_new_key_is_read_when_a_token_names_it_but_not_for_every_such_token(client, issuer, app):
    await sign_in(client, issuer)
    issuer.keys["three"], issuer.signs_with = rsa_key(), "three"
    assert problem_of(await sign_in(client, issuer)) == "refused"  # half a minute has not passed
    assert problem_of(await sign_in(client, issuer)) == "refused"
    assert sum(one.path == "/jwks" for one in issuer.asked) == 1
    app.state.oidc._issuer._keys._asked_at -= KEY_REFRESH_EVERY_S + 1
    assert (await sign_in(client, issuer)).headers["location"] == "/ui/videos?tag=a"
    assert sum(one.path == "/jwks" for one in issuer.asked) == 2


@pytest.mark.req(1049)
async def test_signing_out_ends_the_session_here_and_leads_to_the_issuer(client, issuer):
    await sign_in(client, issuer)
    header = {"x-csrf-token": client.cookies["sightline_csrf"]} | ORIGIN
    kept = client.cookies["sightline_session"]
    answer = await client.delete("/api/session", headers=header)
    assert answer.status_code == 200
    address = urlsplit(answer.json()["sign_out_url"])
    sent = dict(parse_qsl(address.query))
    assert (sent["client_id"], sent["post_logout_redirect_uri"]) == (CLIENT_ID, f"{HOME}/")
    assert jwt.decode(sent["id_token_hint"], options={"verify_signature": False})["sub"] == "ann"
    is_error(await client.get("/api/me", headers={"cookie": f"sightline_session={kept}"}), 401, "UNAUTHORIZED")


@pytest.mark.req(1049)
async def test_an_issuer_without_a_sign_out_is_signed_out_of_here_alone(client, issuer):
    issuer.metadata["end_session_endpoint"] = None
    await sign_in(client, issuer)
    header = {"x-csrf-token": client.cookies["sightline_csrf"]} | ORIGIN
    assert (await client.delete("/api/session", headers=header)).status_code == 204


@pytest.mark.req(1045)
async def test_the_page_learns_how_to_sign_in_before_anyone_has(client, platform_with, client_for, auth_on):
    assert (await client.get("/api/session/options")).json() == {"accepts_tokens": False, "oidc": {"name": "Example"}}
    other = client_for(create_app(await platform_with(auth=auth_on)))
    assert (await other.get("/api/session/options")).json() == {"accepts_tokens": True, "oidc": None}
    assert (await other.get("/api/session/oidc/start")).status_code == 404


@pytest.mark.req(1045)
async def test_sign_ins_are_audited_done_and_refused(client, issuer):
    await sign_in(client, issuer)
    issuer.claims_to_change = _set("nonce", "another")
    await sign_in(client, issuer)
    entries = (await client.get("/api/audit")).json()["entries"]
    found = [(one["action"], one["outcome"], one["via"], one["actor"]) for one in entries]
    assert ("session.started", "done", "oidc", "ann@example.com") in found
    assert ("sign_in.refused", "refused", "oidc", None) in found
