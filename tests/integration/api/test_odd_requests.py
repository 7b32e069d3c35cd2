"""Bodies too large, clients that hang up, hostile lengths, hosts and request lines."""

import asyncio
import json

import pytest

from sightline.api import create_app
from support.asking import ask, is_error, status_of
from support.waiting import soon, until

NOBODYS = "00000000-0000-0000-0000-0000000000ff"


@pytest.mark.req(184)
async def test_a_body_that_is_told_to_be_too_large_is_413(wider):
    answer = await wider.post("/things", content=b"x" * (1024 * 1024 + 1))
    is_error(answer, 413, "PAYLOAD_TOO_LARGE")


@pytest.mark.req(184)
async def test_a_body_of_just_the_allowed_size_is_taken(wider):
    assert (await wider.post("/streams", content=b"x" * 1024 * 1024)).json() == 1024 * 1024


@pytest.mark.req(184)
@pytest.mark.parametrize("path", ["/things", "/streams"])
async def test_a_body_of_untold_length_is_413_once_it_is_too_large(wider_app, path):
    sent = await ask(wider_app, "POST", path, body=[b"x" * 65536] * 40)
    assert status_of(sent) == 413
    assert json.loads(sent[1]["body"])["error"]["code"] == "PAYLOAD_TOO_LARGE"


async def test_a_body_that_grows_too_large_under_its_answer_cuts_the_answer_off(wider_app):
    sent = await ask(wider_app, "POST", "/echo/", body=[b"x" * 65536] * 40)
    assert status_of(sent) == 200
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


async def test_a_hostile_length_does_no_harm(wider_app):
    async def status_with(length):
        return status_of(await ask(wider_app, "POST", "/streams", [(b"content-length", length)]))

    for length in (b"9" * 5000, b"9" * 19):
        assert await status_with(length) == 413, length
    for length in (b"\xb2", b"-1", b"+5", b"1_0", b" 7", b"", b"\xff", b"0x10"):
        assert await status_with(length) == 200, length


async def test_a_length_that_lies_does_not_let_more_in(wider_app):
    sent = await ask(wider_app, "POST", "/streams", [(b"content-length", b"1")], body=[b"x" * 65536] * 17)
    assert status_of(sent) == 413


async def test_half_an_answer_is_cut_off_rather_than_completed(wider_app, serving, log_lines):
    async with serving(wider_app) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET /half HTTP/1.1\r\nhost: localhost\r\n\r\n")
        answer = await soon(reader.read())
        writer.close()
    assert b"half" in answer
    assert not answer.endswith(b"0\r\n\r\n")
    assert b"hunter2" not in answer
    assert [line["path"] for line in log_lines() if line["event"] == "request.crashed"] == ["/half"]


async def test_a_client_that_hangs_up_in_its_body_is_no_crash(wider_app, log_lines):
    assert await ask(wider_app, "POST", "/streams", body=[b"x", None]) == []
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


async def test_a_hostile_host_does_not_change_the_answer(platform_with, auth_on):
    app = create_app(await platform_with(auth=auth_on))
    for host in (b"[", b"a]b", b"x/api/", b"x?y=", b"\xff\xfe", b"", b"a:b:c", b"x#", b"@", b"x:99999"):
        for path, status in (("/nope", 404), ("/videos/x", 401), ("/api/status", 401)):
            assert status_of(await ask(app, path=path, host=host)) == status, (host, path)


@pytest.mark.req(184)
async def test_a_host_cannot_move_a_path_below_api(platform_with, auth_on, signed_in):
    app = create_app(await platform_with(auth=auth_on))
    headers = [(name.encode(), value.encode()) for name, value in signed_in("ann").items()]
    assert status_of(await ask(app, path="/videos/x", headers=headers, host=b"x/api/")) == 422


ODD_REQUEST_LINES = (
    b"GET /\xff\xfe HTTP/1.1",
    b"GET /%ff%fe%00 HTTP/1.1",
    b"GET http://evil.example/ HTTP/1.1",
    b"GET * HTTP/1.1",
)


async def test_an_odd_request_line_never_makes_it_our_fault(app, serving):
    async with serving(app) as port:
        for request_line in ODD_REQUEST_LINES:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(request_line + b"\r\nhost: localhost\r\nconnection: close\r\n\r\n")
            answer = await soon(reader.read())
            writer.close()
            # The host is ours; a path alone leads to the page.
            assert answer.split()[1] in (b"200", b"400", b"404"), request_line


async def test_an_answer_to_head_has_no_body(app, serving):
    async with serving(app) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"HEAD /nope HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
        answer = await soon(reader.read())
        writer.close()
    assert answer.startswith(b"HTTP/1.1 404")
    assert answer.endswith(b"\r\n\r\n")
