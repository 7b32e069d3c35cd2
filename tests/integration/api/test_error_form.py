"""Every failed request answers `{"error": {"code", "message", "details"}}`, however it was made to fail."""

import asyncio
import json
from typing import Any

import pytest
from fastapi import Request
from fastapi.responses import StreamingResponse
from pydantic import BaseModel

from sightline.api import create_app
from sightline.config import ApiSettings
from sightline.errors import BackendUnavailable, Conflict, PermanentFailure, TransientFailure
from waiting import until

NOBODYS = "00000000-0000-0000-0000-0000000000ff"


class Thing(BaseModel):
    name: str
    size: int = 0


@pytest.fixture
def wider_app(app):
    """The API with routes that fail in the ways that its own do not, or not yet."""

    async def crash() -> None:
        raise RuntimeError("the password is hunter2")

    async def fail(kind: str) -> None:
        raise {
            "conflict": Conflict("it is done already", details={"status": "COMPLETED"}),
            "permanent": PermanentFailure("the password is hunter2", details={"inside": 1}),
            "transient": TransientFailure("later"),
            "unavailable": BackendUnavailable("bus", "not listening"),
        }[kind]

    async def take(thing: Thing) -> Thing:
        return thing

    async def take_stream(request: Request) -> int:
        return sum([len(part) async for part in request.stream()])

    async def echo(scope, receive, send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        while (message := await receive())["type"] == "http.request":
            await send({"type": "http.response.body", "body": message["body"], "more_body": message["more_body"]})

    async def half() -> StreamingResponse:
        async def parts():
            yield b"half"
            raise RuntimeError("the password is hunter2")

        return StreamingResponse(parts())

    app.add_api_route("/crash", crash)
    app.add_api_route("/fail/{kind}", fail)
    app.add_api_route("/things", take, methods=["POST"])
    app.add_api_route("/api/things", take, methods=["POST"])
    app.add_api_route("/streams", take_stream, methods=["POST"])
    app.mount("/echo", echo)
    app.add_api_route("/half", half)
    return app


@pytest.fixture
def wider(wider_app, client_for):
    return client_for(wider_app)


def _is_error(answer, status: int, code: str) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/json"
    body: dict[str, Any] = answer.json()
    assert set(body) == {"error"}
    assert set(body["error"]) == {"code", "message", "details"}
    assert body["error"]["code"] == code
    assert body["error"]["message"]
    found: dict[str, Any] = body["error"]
    return found


async def _ask(app, method="GET", path="/videos", headers=(), body=(b"",), host=b"localhost") -> list[dict[str, Any]]:
    """Asks below HTTP, for what no decent client would send; a body of None is a client that hung up."""
    left = list(body)
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        if not left or left[0] is None:
            return {"type": "http.disconnect"}
        return {"type": "http.request", "body": left.pop(0), "more_body": bool(left)}

    async def send(message) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(errors="surrogateescape"),
        "query_string": b"",
        "root_path": "",
        "headers": [(b"host", host), *headers],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 8400),
    }
    await app(scope, receive, send)
    return sent


def _status(sent: list[dict[str, Any]]) -> int:
    (start,) = [message for message in sent if message["type"] == "http.response.start"]
    return int(start["status"])


@pytest.mark.req(184)
async def test_a_bad_request_below_api_is_400(client):
    error = _is_error(await client.get("/api/health?deep=maybe"), 400, "VALIDATION_ERROR")
    assert error["details"]["errors"][0]["field"] == "deep"


@pytest.mark.req(184)
@pytest.mark.parametrize("limit", ["0", "101", "x", "", "1e3", "9" * 5000, "%00"])
async def test_a_bad_request_elsewhere_is_422(client, limit):
    error = _is_error(await client.get(f"/videos?limit={limit}"), 422, "VALIDATION_ERROR")
    assert [(problem["in"], problem["field"]) for problem in error["details"]["errors"]] == [("query", "limit")]


@pytest.mark.req(184)
@pytest.mark.parametrize("video", ["1", "%00", "%FF%FE", "..%2f..%2fetc%2fpasswd", "é", "a" * 5000, "%0d%0aa:b"])
async def test_an_id_that_is_none_is_refused(client, video):
    answer = await client.get(f"/videos/{video}")
    assert answer.status_code in (404, 422)
    _is_error(answer, answer.status_code, "VALIDATION_ERROR" if answer.status_code == 422 else "NOT_FOUND")


@pytest.mark.req(184)
@pytest.mark.parametrize(("path", "status"), [("/things", 422), ("/api/things", 400)])
@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"null", b"[]", b'"x"', b"{}", b'{"name": 1}', b"\x00", b'{"name": "a", "size": 1e999}'],
)
async def test_a_bad_body_is_refused_by_the_same_rule(wider, path, status, body):
    answer = await wider.post(path, content=body, headers={"content-type": "application/json"})
    _is_error(answer, status, "VALIDATION_ERROR")


@pytest.mark.req(184)
@pytest.mark.parametrize("body", [b"\xff\xfe", b'{"name": "\xff"}', b"[" * 100_000])
async def test_a_body_that_cannot_be_read_at_all_is_the_callers_fault(wider, body):
    answer = await wider.post("/things", content=body, headers={"content-type": "application/json"})
    assert answer.status_code in (400, 422)
    _is_error(answer, answer.status_code, "VALIDATION_ERROR")


@pytest.mark.req(184)
async def test_a_wrong_value_is_not_echoed(wider):
    answer = await wider.post("/things", json={"name": ["hunter2"], "size": "hunter2"})
    error = _is_error(answer, 422, "VALIDATION_ERROR")
    assert [problem["field"] for problem in error["details"]["errors"]] == ["name", "size"]
    assert "hunter2" not in answer.text


@pytest.mark.req(184)
async def test_nobody_known_is_401_and_told_how_to_sign_in(client_with, auth_on):
    answer = await (await client_with(auth=auth_on)).get("/videos")
    _is_error(answer, 401, "UNAUTHORIZED")
    assert answer.headers["www-authenticate"] == "Bearer"


@pytest.mark.req(184)
async def test_nobody_known_is_told_so_before_what_else_is_wrong(client_with, auth_on):
    client = await client_with(auth=auth_on)
    _is_error(await client.get("/videos/x"), 401, "UNAUTHORIZED")


@pytest.mark.req(184)
async def test_somebody_who_may_not_is_403(client_with, auth_on, signed_in):
    client = await client_with(auth=auth_on)
    _is_error(await client.get("/api/status", headers=signed_in("ann")), 403, "FORBIDDEN")


@pytest.mark.req(184)
async def test_an_unknown_video_is_404_with_its_own_code(client):
    error = _is_error(await client.get(f"/videos/{NOBODYS}"), 404, "VIDEO_NOT_FOUND")
    assert NOBODYS in error["message"]


@pytest.mark.req(184)
@pytest.mark.parametrize(
    "path", ["/", "/nope", "/videos/a/b", "//", "/%2e%2e/", "/api", "/api/%00", "/%FF", "/Videos", "/docs/assets/nope"]
)
async def test_an_unknown_path_is_404(client, path):
    _is_error(await client.get(path), 404, "NOT_FOUND")


@pytest.mark.req(184)
@pytest.mark.parametrize(
    "path",
    [
        "/docs/assets/../__init__.py",
        "/docs/assets/..%2f__init__.py",
        "/docs/assets/%2e%2e/%2e%2e/fastapi/__init__.py",
        "/docs/assets//etc/passwd",
        "/docs/assets/%00",
        "/docs/assets/" + "a" * 3000,
        "/docs/assets/",
    ],
)
async def test_no_path_leads_out_of_the_assets(client, path):
    _is_error(await client.get(path), 404, "NOT_FOUND")


@pytest.mark.req(184)
@pytest.mark.parametrize("method", ["DELETE", "PUT", "PATCH", "POST", "OPTIONS", "TRACE", "BREW"])
async def test_a_wrong_method_is_405_and_told_the_right_one(client, method):
    answer = await client.request(method, "/videos")
    _is_error(answer, 405, "METHOD_NOT_ALLOWED")
    assert answer.headers["allow"] == "GET"


@pytest.mark.req(184)
async def test_a_state_that_does_not_allow_it_is_409(wider):
    error = _is_error(await wider.get("/fail/conflict"), 409, "CONFLICT")
    assert error["details"] == {"status": "COMPLETED"}


@pytest.mark.req(184)
async def test_a_body_that_is_told_to_be_too_large_is_413(wider):
    answer = await wider.post("/things", content=b"x" * (1024 * 1024 + 1))
    _is_error(answer, 413, "PAYLOAD_TOO_LARGE")


@pytest.mark.req(184)
async def test_a_body_of_just_the_allowed_size_is_taken(wider):
    assert (await wider.post("/streams", content=b"x" * 1024 * 1024)).json() == 1024 * 1024


@pytest.mark.req(184)
@pytest.mark.parametrize("path", ["/things", "/streams"])
async def test_a_body_of_untold_length_is_413_once_it_is_too_large(wider_app, path):
    sent = await _ask(wider_app, "POST", path, body=[b"x" * 65536] * 40)
    assert _status(sent) == 413
    assert json.loads(sent[1]["body"])["error"]["code"] == "PAYLOAD_TOO_LARGE"


async def test_a_body_that_grows_too_large_under_its_answer_cuts_the_answer_off(wider_app):
    sent = await _ask(wider_app, "POST", "/echo/", body=[b"x" * 65536] * 40)
    assert _status(sent) == 200
    assert sum(len(message.get("body", b"")) for message in sent) == 1024 * 1024
    assert sent[-1]["more_body"]


@pytest.mark.req(184)
async def test_a_chunked_body_is_413_over_a_real_socket(wider_app, serving):
    async with serving(wider_app) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"POST /streams HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n")
        for _ in range(17):
            writer.write(b"10000\r\n" + b"x" * 65536 + b"\r\n")
        assert (await reader.readline()).startswith(b"HTTP/1.1 413")
        writer.close()


@pytest.mark.parametrize(
    ("length", "status"),
    [
        (b"9" * 5000, 413),
        (b"9" * 19, 413),
        (b"\xb2", 200),
        (b"-1", 200),
        (b"+5", 200),
        (b"1_0", 200),
        (b" 7", 200),
        (b"", 200),
        (b"\xff", 200),
        (b"0x10", 200),
    ],
)
async def test_a_hostile_length_does_no_harm(wider_app, length, status):
    sent = await _ask(wider_app, "POST", "/streams", [(b"content-length", length)])
    assert _status(sent) == status


async def test_a_length_that_lies_does_not_let_more_in(wider_app):
    sent = await _ask(wider_app, "POST", "/streams", [(b"content-length", b"1")], body=[b"x" * 65536] * 17)
    assert _status(sent) == 413


@pytest.mark.req(184)
async def test_whoever_asks_too_often_is_429_and_told_when_to_come_back(client_with):
    client = await client_with(api=ApiSettings(rate_limit_per_minute=10))
    assert (await client.get("/videos")).status_code == 200
    answer = await client.get("/videos")
    _is_error(answer, 429, "RATE_LIMIT_EXCEEDED")
    assert 1 <= int(answer.headers["retry-after"]) <= 6


async def test_the_limit_of_one_caller_is_not_anothers(client_with, auth_on, signed_in):
    client = await client_with(api=ApiSettings(rate_limit_per_minute=10), auth=auth_on)
    statuses = [(await client.get("/videos", headers=signed_in(who))).status_code for who in ("ann", "ann", "ben")]
    assert statuses == [200, 429, 200]


async def test_health_is_answered_to_whoever_asks_too_often(client_with):
    client = await client_with(api=ApiSettings(rate_limit_per_minute=10))
    await client.get("/videos")
    await client.get("/videos")
    assert (await client.get("/api/health")).status_code == 200


@pytest.mark.req(184)
@pytest.mark.parametrize("path", ["/crash", "/fail/permanent"])
async def test_a_failure_on_our_side_is_500_and_tells_nothing_of_the_inside(wider, path):
    answer = await wider.get(path)
    error = _is_error(answer, 500, "INTERNAL_SERVER_ERROR")
    assert error["details"] == {}
    assert "hunter2" not in answer.text
    assert "RuntimeError" not in answer.text


@pytest.mark.req(184)
@pytest.mark.parametrize("path", ["/fail/transient", "/fail/unavailable"])
async def test_what_may_work_later_is_503(wider, path):
    _is_error(await wider.get(path), 503, "SERVICE_UNAVAILABLE")


@pytest.mark.req(184)
async def test_a_database_that_is_gone_is_503_and_named(client_with, database_wire):
    client = await client_with(url=database_wire.url)
    await database_wire.cut()
    error = _is_error(await client.get("/videos"), 503, "SERVICE_UNAVAILABLE")
    assert error["details"] == {"part": "database"}


async def test_a_database_that_came_back_answers_again(client_with, database_wire):
    client = await client_with(url=database_wire.url)
    await database_wire.cut()
    assert (await client.get("/videos")).status_code == 503
    await database_wire.mend()
    assert (await client.get("/videos")).status_code == 200


async def test_half_an_answer_is_cut_off_rather_than_completed(wider_app, serving):
    async with serving(wider_app) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET /half HTTP/1.1\r\nhost: localhost\r\n\r\n")
        answer = await asyncio.wait_for(reader.read(), 10)
        writer.close()
    assert b"half" in answer
    assert not answer.endswith(b"0\r\n\r\n")
    assert b"hunter2" not in answer


async def test_a_client_that_hangs_up_in_its_body_is_no_crash(wider_app, log_lines):
    assert await _ask(wider_app, "POST", "/streams", body=[b"x", None]) == []
    events = [line["event"] for line in log_lines()]
    assert "request.abandoned" in events
    assert "request.crashed" not in events


async def test_a_client_that_hangs_up_leaves_the_server_well(wider_app, serving, log_lines):
    async with serving(wider_app) as port:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"POST /streams HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\nabc")
        await writer.drain()
        writer.close()
        await until(lambda: any(line["event"] == "request.abandoned" for line in log_lines()))
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET /api/health HTTP/1.1\r\nhost: localhost\r\n\r\n")
        assert (await reader.readline()).startswith(b"HTTP/1.1 200")
        writer.close()
    assert not [line for line in log_lines() if line["level"] == "error"]


@pytest.mark.parametrize(
    "host", [b"[", b"a]b", b"x/api/", b"x?y=", b"\xff\xfe", b"", b"a:b:c", b"x#", b"@", b"x:99999"]
)
@pytest.mark.parametrize(("path", "status"), [("/nope", 404), ("/videos/x", 401), ("/api/status", 401)])
async def test_a_hostile_host_does_not_change_the_answer(platform_with, auth_on, host, path, status):
    app = create_app(await platform_with(auth=auth_on))
    assert _status(await _ask(app, path=path, host=host)) == status


@pytest.mark.req(184)
async def test_a_host_cannot_move_a_path_below_api(platform_with, auth_on, signed_in):
    app = create_app(await platform_with(auth=auth_on))
    headers = [(name.encode(), value.encode()) for name, value in signed_in("ann").items()]
    assert _status(await _ask(app, path="/videos/x", headers=headers, host=b"x/api/")) == 422


@pytest.mark.parametrize(
    "request_line",
    [b"GET /\xff\xfe HTTP/1.1", b"GET /%ff%fe%00 HTTP/1.1", b"GET http://evil.example/ HTTP/1.1", b"GET * HTTP/1.1"],
)
async def test_an_odd_request_line_never_makes_it_our_fault(app, serving, request_line):
    async with serving(app) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(request_line + b"\r\nhost: localhost\r\nconnection: close\r\n\r\n")
        answer = await asyncio.wait_for(reader.read(), 10)
        writer.close()
    assert answer.split()[1] in (b"400", b"404")


async def test_an_answer_to_head_has_no_body(app, serving):
    async with serving(app) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"HEAD /nope HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
        answer = await asyncio.wait_for(reader.read(), 10)
        writer.close()
    assert answer.startswith(b"HTTP/1.1 404")
    assert answer.endswith(b"\r\n\r\n")
