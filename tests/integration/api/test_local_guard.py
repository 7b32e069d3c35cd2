"""Without authentication, only this machine's own pages and programs are served."""

import asyncio

from sightline.config import ApiSettings
from support.live_rig import http_client


async def _status(client, **headers):
    return (await client.get("/videos", headers=headers)).status_code


async def test_this_machine_is_served_under_all_its_names(client):
    for host in (
        "localhost",
        "localhost:8400",
        "LocalHost:8400",
        "127.0.0.1",
        "127.0.0.1:1",
        "127.0.0.5:8400",
        "[::1]",
        "[::1]:8400",
    ):
        assert await _status(client, host=host) == 200, host


async def test_a_name_that_is_not_this_machines_is_refused(client):
    for host in (
        "evil.example",
        "evil.example:8400",
        "localhost.evil.example",
        "evil.example:localhost",
        "127.0.0.1.evil.example",
        "127.0.0.1.nip.io:8400",
        "192.168.0.7:8400",
        "0.0.0.0:8400",
        "[::]:8400",
        "[fe80::1]:8400",
        "[::1",
        "::1",
        "[localhost",
        "localhost:8400:8400",
        "evil.example@localhost",
        "localhost/",
        "127.1",
        "2130706433",
        "",
        " ",
    ):
        answer = await client.get("/videos", headers={"host": host})
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "FORBIDDEN"), host
    no_text = await client.get("/videos", headers=[(b"host", b"\xff\xfe")])
    assert no_text.status_code == 403


async def test_a_page_of_this_platform_may_call_it_and_one_of_elsewhere_may_not(client):
    assert await _status(client, host="localhost:8400", origin="http://localhost:8400") == 200
    for origin in (
        "https://evil.example",
        "http://localhost:3000",
        "http://localhost",
        "http://127.0.0.1:8400",
        "http://localhost:8400.evil.example",
        "http://evil.example/http://localhost:8400",
        "null",
        "",
        "localhost:8400",
    ):
        assert await _status(client, host="localhost:8400", origin=origin) == 403, origin


async def test_nothing_at_all_is_served_to_elsewhere(client):
    for path in ("/api/health", "/metrics", "/docs", "/openapi.json", "/docs/assets/swagger-ui.css", "/x"):
        assert (await client.get(path, headers={"host": "evil.example"})).status_code == 403, path


async def test_no_method_passes_by(client):
    for method in ("POST", "OPTIONS", "HEAD", "DELETE"):
        answer = await client.request(method, "/videos", headers={"origin": "https://evil.example"})
        assert answer.status_code == 403, method


async def test_an_origin_that_was_allowed_is_served_and_does_not_allow_another_host(client_with):
    client = await client_with(api=ApiSettings(cors_origins=("http://localhost:3000",)))
    assert await _status(client, host="localhost:8400", origin="http://localhost:3000") == 200
    assert await _status(client, host="evil.example", origin="http://localhost:3000") == 403


async def test_with_authentication_any_name_is_served(client_with, auth_on, signed_in):
    client = await client_with(auth=auth_on)
    assert await _status(client, host="sightline.example", **signed_in("ann")) == 200


async def test_over_a_real_socket_no_host_and_a_name_bound_to_this_machine_are_refused(app, serving):
    async with serving(app) as port, http_client(port) as client:
        answer = await client.get("/videos", headers={"host": f"evil.example:{port}"})
        assert answer.status_code == 403
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET /videos HTTP/1.0\r\n\r\n")
        assert (await reader.readline()).split()[1] == b"403"
        writer.close()


async def _websocket(app, headers):
    sent = []

    async def receive():
        return {"type": "websocket.connect"}

    async def send(message):
        sent.append(message)

    scope = {
        "type": "websocket",
        "asgi": {"version": "3.0"},
        "scheme": "ws",
        "path": "/",
        "raw_path": b"/",
        "query_string": b"",
        "root_path": "",
        "headers": headers,
        "subprotocols": [],
    }
    await app(scope, receive, send)
    return sent


async def test_a_page_of_elsewhere_may_not_open_a_websocket(app):
    headers = [(b"host", b"localhost:8400"), (b"origin", b"https://evil.example")]
    assert await _websocket(app, headers) == [{"type": "websocket.close", "code": 1008}]


async def test_a_websocket_that_nobody_serves_is_closed(app):
    sent = await _websocket(app, [(b"host", b"localhost:8400")])
    assert [message["type"] for message in sent] == ["websocket.close"]
