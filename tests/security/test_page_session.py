"""The page's session: a cookie that no script can read instead of a token in the browser's storage."""

import asyncio
import time
from datetime import timedelta
from http.cookies import SimpleCookie
from typing import Any
from uuid import UUID

import httpx
import jwt
import pytest
import websockets
from pydantic import SecretStr
from websockets.typing import Origin

from sightline.access import PageSessions
from sightline.api import create_app
from sightline.config import ApiSettings, AuthSettings
from sightline.contracts import Caller
from sightline.timing import utc_now
from support.api_fixtures import SECRET
from support.asking import is_error

ANN, EVE = UUID(int=11), UUID(int=12)
VIDEO = {"totalSize": 1000, "filename": "a.mp4"}
ORIGIN = {"origin": "http://localhost:8400"}


def token(sub: UUID = ANN, *, lasts_s: int = 3600, **claims: Any) -> str:
    return jwt.encode({"sub": str(sub), "exp": int(time.time()) + lasts_s} | claims, SECRET, "HS256")


@pytest.fixture
async def platform(platform_with, auth_on):
    return await platform_with(auth=auth_on)


async def sign_in(client: httpx.AsyncClient, sub: UUID = ANN, **more: Any) -> dict[str, str]:
    """Signs the client in, which keeps cookies as a browser does; returns the header that changes need."""
    answer = await client.post("/api/session", json={"token": token(sub, **more)}, headers=ORIGIN)
    assert answer.status_code == 201, answer.text
    return {"x-csrf-token": client.cookies["sightline_csrf"]} | ORIGIN


@pytest.mark.req(364)
async def test_a_token_is_exchanged_for_a_cookie_that_no_script_reads(client):
    answer = await client.post("/api/session", json={"token": token()}, headers=ORIGIN)
    cookies = SimpleCookie()
    for line in answer.headers.get_list("set-cookie"):
        cookies.load(line)
    session, csrf = cookies["sightline_session"], cookies["sightline_csrf"]
    assert session["httponly"]
    assert not csrf["httponly"]
    assert {session["samesite"], csrf["samesite"]} == {"strict"}
    assert {session["path"], csrf["path"]} == {"/"}
    assert session.value not in answer.text
    assert csrf.value != session.value
    assert answer.json()["user_id"] == str(ANN)
    assert (await client.get("/api/me")).json()["user_id"] == str(ANN)


@pytest.mark.req(364)
async def test_behind_https_the_cookie_goes_nowhere_else(platform_with, auth_on, client_for):
    platform = await platform_with(auth=auth_on, api=ApiSettings(public_url="https://video.example"))
    client = client_for(create_app(platform))
    answer = await client.post("/api/session", json={"token": token()}, headers={"origin": "https://video.example"})
    lines = answer.headers.get_list("set-cookie")
    assert all(line.startswith("__Host-sightline_") and "; Secure" in line for line in lines), lines
    assert len(lines) == 2


@pytest.mark.req(365)
async def test_a_change_by_cookie_needs_the_csrf_token(client):
    header = await sign_in(client)
    assert (await client.get("/videos")).status_code == 200
    for wrong in ({}, {"x-csrf-token": "0" * 64}, {"x-csrf-token": ""}):
        error = is_error(await client.post("/videos", json=VIDEO, headers=ORIGIN | wrong), 403, "FORBIDDEN")
        assert "CSRF" in error["message"]
    assert (await client.post("/videos", json=VIDEO, headers=header)).status_code == 201


@pytest.mark.req(365)
async def test_the_csrf_token_of_another_session_does_not_help(app, client, client_for):
    await sign_in(client)
    other = client_for(app)
    header = await sign_in(other, EVE)
    is_error(await client.post("/videos", json=VIDEO, headers=header), 403, "FORBIDDEN")


@pytest.mark.req(365)
@pytest.mark.parametrize("origin", ["http://localhost:9999", "https://evil.example", "null"])
async def test_a_page_of_another_origin_cannot_use_the_cookie_or_sign_in(client, origin):
    header = await sign_in(client)
    foreign = header | {"origin": origin}
    is_error(await client.post("/videos", json=VIDEO, headers=foreign), 403, "FORBIDDEN")
    is_error(await client.get("/videos", headers={"origin": origin}), 403, "FORBIDDEN")
    is_error(
        await client.post("/api/session", json={"token": token(EVE)}, headers={"origin": origin}), 403, "FORBIDDEN"
    )


@pytest.mark.req(365)
async def test_a_picture_on_a_neighbouring_site_is_not_served_by_cookie(client):
    await sign_in(client)
    headers = {"sec-fetch-site": "same-site", "sec-fetch-mode": "no-cors"}
    is_error(await client.get("/api/me", headers=headers), 403, "FORBIDDEN")
    headers = {"sec-fetch-site": "same-origin", "sec-fetch-mode": "no-cors"}
    assert (await client.get("/api/me", headers=headers)).status_code == 200


@pytest.mark.req(366)
async def test_signing_out_ends_the_session_wherever_the_cookie_is(client, platform):
    header = await sign_in(client)
    kept = client.cookies["sightline_session"]
    is_error(await client.delete("/api/session", headers=ORIGIN), 403, "FORBIDDEN")  # not for other sites to do
    answer = await client.delete("/api/session", headers=header)
    assert answer.status_code == 204
    assert "sightline_session" not in client.cookies
    client.cookies.set("sightline_session", kept, domain="localhost.local")
    is_error(await client.get("/api/me", headers={"cookie": f"sightline_session={kept}"}), 401, "UNAUTHORIZED")
    async with platform.database.transaction() as tx:
        assert await tx.fetchval("SELECT count(*) FROM page_sessions") == 0


@pytest.mark.req(366)
async def test_a_session_ends_with_its_token_and_after_the_longest_time(platform_with, client_for):
    auth = AuthSettings(jwt_secret=SecretStr(SECRET), session_max_h=2)
    client = client_for(create_app(await platform_with(auth=auth)))
    for lasts_s, ends_s in ((600, 600), (86_400, 7200)):
        answer = await client.post("/api/session", json={"token": token(lasts_s=lasts_s)}, headers=ORIGIN)
        expires_at = answer.json()["expires_at"]
        left = (utc_now().fromisoformat(expires_at) - utc_now()).total_seconds()
        assert ends_s - 300 < left <= ends_s + 60


@pytest.mark.req(366)
async def test_an_expired_session_is_refused_and_swept(database):
    now = [utc_now()]
    sessions = PageSessions(database, clock=lambda: now[0])
    _, secret = await sessions.start(Caller(ANN), now[0] + timedelta(hours=1))
    assert (await sessions.check(secret)).caller.user_id == ANN
    now[0] += timedelta(hours=1)
    with pytest.raises(Exception, match="Sign in again"):
        await sessions.check(secret)
    await sessions.remove_expired()
    async with database.transaction() as tx:
        assert await tx.fetchval("SELECT count(*) FROM page_sessions") == 0


@pytest.mark.req(364)
async def test_only_a_hash_of_the_cookie_is_stored(client, platform):
    await sign_in(client)
    async with platform.database.transaction() as tx:
        stored = str(await tx.fetch("SELECT row_to_json(s)::text FROM page_sessions AS s"))
    assert client.cookies["sightline_session"] not in stored
    assert client.cookies["sightline_csrf"] not in stored


@pytest.mark.req(367)
async def test_bearer_tokens_work_as_before_and_win_over_the_cookie(client, signed_in):
    await sign_in(client)
    assert (await client.get("/api/me", headers=signed_in(EVE))).json()["user_id"] == str(EVE)
    assert (await client.post("/videos", json=VIDEO, headers=signed_in(EVE))).status_code == 201


async def test_neither_a_bad_token_nor_an_api_key_starts_a_session(client, signed_in):
    is_error(await client.post("/api/session", json={"token": "nonsense"}), 401, "UNAUTHORIZED")
    key = (await client.post("/api/keys", headers=signed_in(ANN), json={"name": "a", "scopes": ["videos:read"]})).json()
    is_error(await client.post("/api/session", json={"token": key["key"]}), 400, "VALIDATION_ERROR")
    assert "sightline_session" not in client.cookies


async def test_without_authentication_there_is_nothing_to_sign_in_to(client_with):
    client = await client_with()
    is_error(await client.post("/api/session", json={"token": "x"}), 409, "CONFLICT")
    answer = await client.get("/api/me", headers={"cookie": "sightline_session=whatever"})
    assert answer.status_code == 200


@pytest.mark.parametrize(
    "cookie", ["sightline_session=", "sightline_session=a", "sightline_session=" + "a" * 4000, ";=;"]
)
async def test_a_cookie_that_is_no_session_is_a_401(client, cookie):
    is_error(await client.get("/api/me", headers={"cookie": cookie}), 401, "UNAUTHORIZED")


@pytest.mark.req(367)
async def test_a_websocket_by_cookie_needs_the_pages_own_origin(app, platform, client, serving):
    await sign_in(client)
    cookie = {"cookie": f"sightline_session={client.cookies['sightline_session']}"}
    stop, ready = asyncio.Event(), asyncio.Event()
    hub = asyncio.create_task(platform.live_hub.run(stop, ready.set))
    await ready.wait()
    try:
        async with serving(app) as port:
            address = f"ws://127.0.0.1:{port}/ws/events"
            own = f"http://127.0.0.1:{port}"
            async with websockets.connect(address, additional_headers=cookie, origin=Origin(own)) as socket:
                assert '"hello"' in str(await socket.recv())
            for origin in ("https://evil.example", "http://127.0.0.1:1", None):
                async with websockets.connect(
                    address, additional_headers=cookie, origin=None if origin is None else Origin(origin)
                ) as socket:
                    with pytest.raises(websockets.ConnectionClosed) as closed:
                        await socket.recv()
                    assert closed.value.rcvd is not None
                    assert closed.value.rcvd.code == 1008
            async with httpx.AsyncClient(base_url=own, headers=cookie, timeout=None) as browser:
                asked = {"accept": "text/event-stream", "sec-fetch-site": "same-origin"}
                async with browser.stream("GET", "/api/live", headers=asked) as stream:
                    assert stream.status_code == 200
                    data = (line async for line in stream.aiter_lines() if line.startswith("data:"))
                    assert '"hello"' in await anext(data)
                foreign = await browser.get("/api/live", headers=asked | {"origin": "https://evil.example"})
                assert foreign.status_code == 403
    finally:
        stop.set()
        await hub


@pytest.mark.req(377)
@pytest.mark.parametrize("credential", ["session", "key"])
async def test_a_live_connection_ends_with_its_session_or_key(app, platform, client, serving, signed_in, credential):
    csrf = await sign_in(client)
    body = {"name": "a", "scopes": ["live:read"]}
    key = (await client.post("/api/keys", headers=signed_in(ANN), json=body)).json()
    used = (
        {"cookie": f"sightline_session={client.cookies['sightline_session']}"}
        if credential == "session"
        else {"authorization": f"Bearer {key['key']}"}
    )
    stop, ready = asyncio.Event(), asyncio.Event()
    hub = asyncio.create_task(platform.live_hub.run(stop, ready.set))
    await ready.wait()
    try:
        async with serving(app) as port:
            address, own = f"ws://127.0.0.1:{port}/ws/events", f"http://127.0.0.1:{port}"
            async with websockets.connect(address, additional_headers=used, origin=Origin(own)) as socket:
                assert '"hello"' in str(await socket.recv())
                assert await platform.open_connections.close_ended() == 0
                if credential == "session":
                    await client.delete("/api/session", headers=csrf)
                else:
                    await client.delete(f"/api/keys/{key['key_id']}", headers=signed_in(ANN))
                assert await platform.open_connections.close_ended() == 1
                with pytest.raises(websockets.ConnectionClosed) as closed:
                    while True:
                        await socket.recv()
                assert closed.value.rcvd is not None
                assert (closed.value.rcvd.code, "has ended" in closed.value.rcvd.reason) == (1008, True)
            assert await platform.open_connections.close_ended() == 0
    finally:
        stop.set()
        await hub


@pytest.mark.req(364)
async def test_a_session_keeps_what_its_token_said_of_the_caller(database):
    caller = Caller(
        ANN,
        email="ann@example.com",
        team_ids=(EVE,),
        roles=frozenset({"user", "operator"}),
        is_email_verified=True,
    )
    sessions = PageSessions(database)
    _, secret = await sessions.start(caller, utc_now() + timedelta(hours=1))
    assert (await sessions.check(secret)).caller == caller
