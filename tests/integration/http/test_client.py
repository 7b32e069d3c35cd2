"""The client of outgoing calls: pooled connections, chunks, certificates, limits, and what it refuses."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from sightline.errors import BackendUnavailable
from sightline.http import HttpClient, ResponseTooLarge
from support.integration_certificate import make_certificate
from support.ntfy_server import HttpDouble
from support.waiting import until

Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def _answering(answer: bytes, tls: ssl.SSLContext | None = None) -> AsyncIterator[tuple[int, list[bytes]]]:
    """A server that says the same to each request, and the connections it saw."""
    seen: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                seen.append(await reader.readuntil(b"\r\n\r\n"))
                writer.write(answer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async with _serving(serve, tls) as port:
        yield port, seen


@asynccontextmanager
async def _serving(serve: Serve, tls: ssl.SSLContext | None = None) -> AsyncIterator[int]:
    before = asyncio.all_tasks()
    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=tls)
    yield server.sockets[0].getsockname()[1]
    server.close()
    # What a client broke off is let go of by the loop a few turns later.
    await asyncio.gather(*(asyncio.all_tasks() - before), return_exceptions=True)
    for _ in range(20):
        await asyncio.sleep(0.001)


async def test_an_answer_in_chunks_is_put_together():
    chunks = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-A: b\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
    async with _answering(chunks) as (port, _):
        client = HttpClient()
        answer = await client.request("GET", f"http://127.0.0.1:{port}/x?y=1", headers={})
        client.close()
    assert (answer.status, answer.text, answer.headers["x-a"]) == (200, "abcde", "b")


@pytest.mark.req(1150)
async def test_a_connection_is_kept_and_one_that_was_closed_is_replaced():
    double = HttpDouble()
    await double.start()
    client = HttpClient()
    for _ in range(3):
        await client.request("POST", double.url, headers={}, content=b"x")
    assert double.connected == 1
    await double.stop()
    await double.start()
    await until(lambda: not any(kept.is_open for idle in client._idle.values() for kept in idle))
    assert (await client.request("POST", double.url, headers={}, content=b"x")).status == 200
    client.close()
    await double.stop()


@pytest.mark.parametrize("answer", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab", b"not http at all\r\n\r\n"])
async def test_half_an_answer_is_none(answer):
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    with pytest.raises(BackendUnavailable):
        await HttpClient().request("GET", f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/", headers={})
    server.close()


async def test_a_certificate_has_to_be_the_names_although_an_address_is_called(tmp_path: Path):
    both = make_certificate(tmp_path, "hooks.example.com")
    serving = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    serving.load_cert_chain(both)
    trusting = ssl.create_default_context(cafile=str(both))
    async with _answering(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", serving) as (port, seen):
        client = HttpClient(tls=trusting)
        url = f"https://hooks.example.com:{port}/"
        assert (await client.request("POST", url, headers={}, connect_to="127.0.0.1")).status == 200
        client.close()
        assert b"Host: hooks.example.com" in seen[0]
        with pytest.raises(BackendUnavailable, match="certificate"):
            other = f"https://other.example.com:{port}/"
            await HttpClient(tls=trusting).request("POST", other, headers={}, connect_to="127.0.0.1")
        with pytest.raises(BackendUnavailable, match="certificate"):
            await HttpClient().request("POST", url, headers={}, connect_to="127.0.0.1")


async def test_a_header_with_a_line_break_is_never_sent():
    with pytest.raises(ValueError, match="line break"):
        await HttpClient().request("GET", "http://127.0.0.1:9/", headers={"X-A": "b\r\nX-C: d"})


_ENDLESS_HEADER = b"HTTP/1.1 200 OK\r\nX-A: " + b"a" * 200_000
_MANY_HEADERS = b"HTTP/1.1 200 OK\r\n" + b"".join(b"X-%d: a\r\n" % n for n in range(20_000)) + b"\r\n"
_ENDLESS_TRAILER = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX-A: " + b"a" * 200_000
_ENDLESS_CHUNK_LINE = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;" + b"a" * 200_000


@pytest.mark.parametrize("answer", [_ENDLESS_HEADER, _MANY_HEADERS, _ENDLESS_TRAILER, _ENDLESS_CHUNK_LINE])
async def test_headers_beyond_their_limit_are_refused(answer):
    async with _answering(answer) as (port, _):
        with pytest.raises(ResponseTooLarge, match="headers of the response are larger than 65536 bytes"):
            await HttpClient("ntfy").request("GET", f"http://127.0.0.1:{port}/", headers={})


@pytest.mark.parametrize("head", [b"Content-Length: 5000\r\n\r\n", b"Connection: close\r\n\r\n"])
async def test_a_body_beyond_its_limit_is_refused(head):
    async with _answering(b"HTTP/1.1 200 OK\r\n" + head + b"a" * 5000) as (port, _):
        with pytest.raises(ResponseTooLarge, match="body of the response is larger than 4999 bytes"):
            await HttpClient(max_body_bytes=4999).request("GET", f"http://127.0.0.1:{port}/", headers={})


async def test_a_body_of_one_byte_chunks_is_within_the_limits():
    chunks = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + b"1\r\na\r\n" * 50_000 + b"0\r\n\r\n"
    async with _answering(chunks) as (port, _):
        client = HttpClient()
        response = await client.request("GET", f"http://127.0.0.1:{port}/", headers={})
        client.close()
    assert response.text == "a" * 50_000


async def test_a_body_without_a_length_ends_with_the_connection():
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.0 200 OK\r\n\r\nwhole")
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    client = HttpClient()
    response = await client.request("GET", f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/", headers={})
    assert (response.status, response.text, response.is_keep_alive) == (200, "whole", False)
    server.close()


async def test_a_server_that_does_not_respond_in_time_is_unavailable():
    async with _answering(b"HTTP/1.1 200 OK\r\n") as (port, _):
        with pytest.raises(BackendUnavailable, match=r"did not respond within 0\.05 s"):
            await HttpClient("model", timeout_s=0.05).request("GET", f"http://127.0.0.1:{port}/", headers={})


@asynccontextmanager
async def _sockets(*answers: list[bytes]) -> AsyncIterator[tuple[str, list[int]]]:
    """A server whose first connection gives the first answers, one for each request, and is closed then; and so on. Lists the
    number of the connection of each request."""
    asked: list[int] = []
    left = iter(enumerate(answers))

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        number, given = next(left)
        for answer in given:
            await reader.readuntil(b"\r\n\r\n")
            asked.append(number)
            writer.write(answer)
        writer.close()

    async with _serving(serve) as port:
        yield f"http://127.0.0.1:{port}/", asked


_FINE = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


@pytest.mark.req(1150)
@pytest.mark.parametrize(
    "last",
    [
        _FINE.replace(b"200 OK\r\n", b"200 OK\r\nConnection: close\r\n"),
        _FINE.replace(b"HTTP/1.1", b"HTTP/1.0"),
        _FINE + _FINE.replace(b"200", b"404"),
    ],
    ids=["close", "HTTP/1.0", "more than was asked for"],
)
async def test_a_connection_is_not_used_again_after(last: bytes):
    async with _sockets([_FINE, last, _FINE], [_FINE]) as (url, asked):
        client = HttpClient()
        responses = [await client.request("GET", url, headers={}) for _ in range(3)]
        client.close()
    assert [(one.status, one.text) for one in responses] == [(200, "ok")] * 3
    assert asked == [0, 0, 1]


@pytest.mark.req(1150)
async def test_a_kept_connection_that_ends_without_a_response_is_replaced_at_once():
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connections.append(writer)
        with suppress(asyncio.IncompleteReadError):
            await reader.readuntil(b"\r\n\r\n")
            writer.write(_FINE)
            await reader.readuntil(b"\r\n\r\n")
        writer.close()  # as a server does that has just ended idle connections

    connections: list[asyncio.StreamWriter] = []
    async with _serving(serve) as port:
        client = HttpClient()
        statuses = [(await client.request("POST", f"http://127.0.0.1:{port}/", headers={})).status for _ in range(3)]
        client.close()
    assert (statuses, len(connections)) == ([200] * 3, 3)


@pytest.mark.req(1150)
async def test_what_a_server_says_unasked_is_no_response():
    goes_on = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(asyncio.IncompleteReadError):
            await reader.readuntil(b"\r\n\r\n")
            writer.write(_FINE)
            await goes_on.wait()
            writer.write(b"HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n")
            await reader.read()
        writer.close()

    async with _serving(serve) as port:
        client = HttpClient()
        url = f"http://127.0.0.1:{port}/"
        await client.request("POST", url, headers={})
        (idle,) = client._idle.values()
        goes_on.set()
        await until(lambda: not idle[0].is_open)
        assert (await client.request("POST", url, headers={})).status == 200
        client.close()


async def test_idle_connections_are_closed_after_a_while(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("sightline.http.client.IDLE_S", 0.05)
    async with _sockets([_FINE]) as (url, _):
        client = HttpClient()
        await client.request("GET", url, headers={})
        assert client._idle
        await until(lambda: not client._idle)
        assert client._idle_check is None
