"""Refused PUTs of parts, as clients see them that send the whole body before they read the response."""

import asyncio
import http.client
import re
import socket
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Callable, Iterator
from urllib.parse import urlsplit

import httpx
import pytest
import pytest_asyncio
import urllib3

from support.platform_process import up
from support.waiting import soon

pytestmark = pytest.mark.asyncio(loop_scope="module")

MIB = 1024 * 1024
PART = 8 * MIB
# More than the buffers of both sockets together, so that a server that does not read stops the client.
BODY = bytes(32 * MIB)

Put = Callable[[str], int]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def api(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[httpx.AsyncClient]:
    state = tmp_path_factory.mktemp("refused") / "state"
    async with up(state) as platform, httpx.AsyncClient(base_url=platform.address, timeout=None) as client:
        yield client


async def part_url(api: httpx.AsyncClient) -> str:
    """Of a new upload with parts of 32 MiB."""
    body = {"totalSize": 3 * len(BODY), "filename": "match.mp4", "partSize": len(BODY)}
    video = (await api.post("/videos", json=body)).json()
    issued = (await api.get(f"/videos/{video['videoId']}/upload-urls")).json()
    return str(issued["urls"][0]["url"])


async def forged(api: httpx.AsyncClient) -> str:
    """As of another day, which the signature is not of."""
    return re.sub(r"X-Amz-Date=\d{8}", "X-Amz-Date=20200101", await part_url(api))


async def discarded(api: httpx.AsyncClient) -> str:
    """The signature is valid, the upload is gone."""
    url = await part_url(api)
    video_id = urlsplit(url).path.split("/")[-2]
    assert (await api.delete(f"/videos/{video_id}/upload")).status_code == 204
    return url


def by_http_client(url: str) -> int:
    address = urlsplit(url)
    connection = http.client.HTTPConnection(address.netloc)
    connection.request("PUT", f"{address.path}?{address.query}", body=BODY)
    status = connection.getresponse().status
    connection.close()
    return status


def by_urllib(url: str) -> int:
    """Sends `Connection: close`."""
    try:
        with urllib.request.urlopen(urllib.request.Request(url, BODY, method="PUT")) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        with error:
            return error.code


def by_urllib3(url: str) -> int:
    with urllib3.PoolManager(retries=False) as pool:
        return pool.request("PUT", url, body=BODY).status


def _by_socket(url: str, *headers: str, body: bytes = BODY) -> int:
    address = urlsplit(url)
    lines = [f"PUT {address.path}?{address.query} HTTP/1.1", f"Host: {address.netloc}", *headers, "", ""]
    with socket.create_connection((address.hostname, address.port)) as connection:
        connection.sendall("\r\n".join(lines).encode() + body)
        with connection.makefile("rb") as answer:
            return int(answer.readline().split()[1])


def by_closing_socket(url: str) -> int:
    return _by_socket(url, f"Content-Length: {len(BODY)}", "Connection: close")


def without_length(url: str) -> int:
    return _by_socket(url, body=BODY[: 4 * MIB])


def in_chunks(url: str) -> int:
    def chunks() -> Iterator[bytes]:
        for start in range(0, len(BODY), MIB):
            yield BODY[start : start + MIB]

    address = urlsplit(url)
    connection = http.client.HTTPConnection(address.netloc)
    connection.request("PUT", f"{address.path}?{address.query}", body=chunks(), encode_chunked=True)
    status = connection.getresponse().status
    connection.close()
    return status


@pytest.mark.req(422)
@pytest.mark.parametrize("put", [by_http_client, by_urllib, by_urllib3, by_closing_socket])
async def test_a_client_that_sends_everything_first_sees_why_its_part_was_refused(api: httpx.AsyncClient, put: Put):
    assert await soon(asyncio.to_thread(put, await forged(api))) == 403
    assert await soon(asyncio.to_thread(put, await discarded(api))) == 404
    assert await soon(asyncio.to_thread(put, await part_url(api))) == 200


@pytest.mark.req(422)
@pytest.mark.parametrize("put", [in_chunks, without_length])
async def test_a_part_without_a_length_is_refused_by_name(api: httpx.AsyncClient, put: Put):
    # The length is part of the signature where the size is known, so the signature of this one has none.
    url = await part_url(api)
    assert await soon(asyncio.to_thread(put, url)) in (403, 411)
    body = {"filename": "match.mp4", "type": "video/mp4", "metadata": {}}
    upload = (await api.post("/s3/multipart", json=body)).json()
    signed = (await api.get(f"/s3/multipart/{upload['uploadId']}/1", params={"key": upload["key"]})).json()
    assert await soon(asyncio.to_thread(put, signed["url"])) == 411


@pytest.mark.req(422)
async def test_the_connection_serves_the_next_request_after_a_refused_body(api: httpx.AsyncClient):
    url, good = await forged(api), await part_url(api)

    def both() -> tuple[int, int]:
        connection = http.client.HTTPConnection(urlsplit(url).netloc)
        found = []
        for address in (urlsplit(url), urlsplit(good)):
            connection.request("PUT", f"{address.path}?{address.query}", body=BODY)
            answer = connection.getresponse()
            answer.read()
            found.append(answer.status)
        connection.close()
        return found[0], found[1]

    assert await soon(asyncio.to_thread(both)) == (403, 200)


@pytest.mark.req(422)
async def test_a_client_that_waits_for_100_is_refused_before_it_sends_and_can_go_on(api: httpx.AsyncClient):
    address = urlsplit(await forged(api))

    def head_only() -> tuple[bytes, bytes]:
        head = (
            f"PUT {address.path}?{address.query} HTTP/1.1\r\nHost: {address.netloc}\r\nContent-Length: {len(BODY)}\r\n"
        )
        with socket.create_connection((address.hostname, address.port)) as connection:
            connection.sendall(f"{head}Expect: 100-continue\r\n\r\n".encode())
            with connection.makefile("rb") as answer:
                whole = (
                    answer.read()
                )  # to the end: the server ends the connection, so that nothing is taken for the body
        return whole.partition(b"\r\n")[0], whole

    status, whole = await soon(asyncio.to_thread(head_only))
    assert status == b"HTTP/1.1 403 Forbidden"
    assert b"connection: close" in whole
    assert b"<Code>" in whole


@pytest.mark.req(422)
async def test_a_body_larger_than_the_api_takes_is_413_for_such_a_client(api: httpx.AsyncClient):
    def post() -> int:
        request = urllib.request.Request(f"{api.base_url}/videos", BODY, {"content-type": "application/json"})
        try:
            with urllib.request.urlopen(request) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            with error:
                return error.code

    assert await soon(asyncio.to_thread(post)) == 413
