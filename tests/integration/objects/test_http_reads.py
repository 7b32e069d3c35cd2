"""Reading objects over HTTP: ranges, conditions, content types, and CORS."""

import asyncio
import os
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from support.objects_server import Served
from support.s3_signing import address, code_of
from support.waiting import until

BODY = b"0123456789"


@pytest.fixture
async def etag(served: Served) -> str:
    return f'"{(await served.objects.put("a.mp4", BODY)).etag}"'


async def get(served: Served, client: httpx.AsyncClient, key: str = "a.mp4", **headers: str) -> httpx.Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return await client.get(address(served.url, "GET", key), headers=named)


async def test_head_returns_the_headers_of_get(served: Served, client: httpx.AsyncClient, etag: str):
    response = await client.head(address(served.url, "HEAD", "a.mp4"))
    assert (response.status_code, response.content) == (200, b"")
    assert response.headers["content-length"] == "10"
    assert (response.headers["etag"], response.headers["content-type"]) == (etag, "video/mp4")
    ranged = await client.head(address(served.url, "HEAD", "a.mp4"), headers={"range": "bytes=2-3"})
    assert (ranged.status_code, ranged.headers["content-length"]) == (206, "2")
    assert (await client.head(address(served.url, "HEAD", "nothing"))).status_code == 404


async def test_a_missing_object_is_not_found(served: Served, client: httpx.AsyncClient):
    response = await get(served, client, "nothing")
    assert (response.status_code, code_of(response)) == (404, "NoSuchKey")


@pytest.mark.usefixtures("etag")
@pytest.mark.parametrize("requested", ["bytes=10-", "bytes=10-12", "bytes=-0"])
async def test_a_range_beyond_the_end_is_refused(served: Served, client: httpx.AsyncClient, requested: str):
    response = await get(served, client, range=requested)
    assert (response.status_code, code_of(response)) == (416, "InvalidRange")
    assert response.headers["content-range"] == "bytes */10"


@pytest.mark.usefixtures("etag")
@pytest.mark.parametrize(
    "requested", ["bytes=0-1,4-5", "bytes=5-2", "bytes=-", "lines=1-2", "bytes=a-b", "bytes=", "nonsense"]
)
async def test_an_unsupported_range_returns_the_whole_object(served: Served, client: httpx.AsyncClient, requested: str):
    response = await get(served, client, range=requested)
    assert (response.status_code, response.content) == (200, BODY)


async def test_a_client_that_has_the_current_version_gets_304(served: Served, client: httpx.AsyncClient, etag: str):
    for known in (etag, "*", f'"other", {etag}', f"W/{etag}"):
        response = await get(served, client, if_none_match=known)
        assert (response.status_code, response.content, response.headers["etag"]) == (304, b"", etag)
    assert (await get(served, client, if_none_match='"other"')).status_code == 200
    changed = (await get(served, client)).headers["last-modified"]
    assert (await get(served, client, if_modified_since=changed)).status_code == 304
    assert (await get(served, client, if_modified_since="Thu, 01 Jan 1970 00:00:00 GMT")).status_code == 200
    assert (await get(served, client, if_modified_since="nonsense")).status_code == 200


async def test_a_client_that_requires_one_version_gets_no_other(served: Served, client: httpx.AsyncClient, etag: str):
    assert (await get(served, client, if_match=etag)).status_code == 200
    response = await get(served, client, if_match='"other"')
    assert (response.status_code, code_of(response)) == (412, "PreconditionFailed")
    assert (await get(served, client, if_unmodified_since="Thu, 01 Jan 1970 00:00:00 GMT")).status_code == 412


async def test_a_range_of_an_older_version_returns_the_whole_new_one(
    served: Served, client: httpx.AsyncClient, etag: str
):
    part = await get(served, client, range="bytes=2-3", if_range=etag)
    assert (part.status_code, part.content) == (206, b"23")
    for condition in ('"other"', "Thu, 01 Jan 1970 00:00:00 GMT"):
        whole = await get(served, client, range="bytes=2-3", if_range=condition)
        assert (whole.status_code, whole.content) == (200, BODY)
    changed = whole.headers["last-modified"]
    assert (await get(served, client, range="bytes=2-3", if_range=changed)).status_code == 206


async def test_a_name_in_any_script_reaches_the_client(served: Served, client: httpx.AsyncClient, etag: str):
    shown = "attachment; filename=日本.mp4"
    where = address(served.url, "GET", "a.mp4", response_content_disposition=shown, response_content_type="text/plain")
    response = await client.get(where)
    assert response.headers["content-type"] == "text/plain"
    raw = dict(response.headers.raw)
    assert raw[b"content-disposition"].decode() == shown
    assert (await client.get(where, headers={"if-none-match": etag})).status_code == 304


@pytest.mark.usefixtures("etag")
async def test_no_header_can_be_smuggled_in(served: Served, client: httpx.AsyncClient):
    where = address(served.url, "GET", "a.mp4", response_content_type="text/html\r\nset-cookie: a=b")
    response = await client.get(where)
    assert (response.status_code, code_of(response)) == (400, "InvalidArgument")


async def test_a_stored_html_file_cannot_run_as_a_page_of_the_platform(served: Served, client: httpx.AsyncClient):
    await served.objects.put("a.html", b"<script>steal()</script>", content_type="text/html")
    response = await get(served, client, "a.html")
    assert response.headers["content-security-policy"] == "sandbox"
    assert response.headers["x-content-type-options"] == "nosniff"


async def test_a_reader_sees_one_version_while_the_object_is_replaced(served: Served):
    old, new = b"o" * 3_000_000, b"n" * 3_000_000
    await served.objects.put("a", old)
    pieces: list[bytes] = []
    async for piece in served.objects.stream("a"):
        if not pieces:
            await served.objects.put("a", new)
        pieces.append(piece)
    assert b"".join(pieces) == old
    assert await served.objects.get("a") == new


async def test_a_large_object_is_sent_completely(served: Served, client: httpx.AsyncClient):
    content = bytes(range(256)) * 20_000
    await served.objects.put("a", content)
    assert (await get(served, client, "a")).content == content


async def test_reading_stops_when_the_client_disconnects(served: Served):
    await served.objects.put("a", b"x" * 20_000_000)
    where = urlsplit(address(served.url, "GET", "a"))
    reader, writer = await asyncio.open_connection(where.hostname, where.port)
    writer.write(f"GET {where.path}?{where.query} HTTP/1.1\r\nHost: {where.netloc}\r\n\r\n".encode())
    await reader.readexactly(100_000)
    assert _open_files("a") == 1
    writer.transport.abort()
    await until(lambda: _open_files("a") == 0)


def _open_files(name: str) -> int:
    """The number of open handles of this process to an object of that name."""
    found = 0
    for handle in Path("/proc/self/fd").iterdir():
        with suppress(OSError):
            found += os.readlink(handle).endswith(f"/objects/{name}")
    return found


ORIGIN = {"origin": "https://page.example"}


async def test_any_page_may_use_a_signed_url(served: Served, client: httpx.AsyncClient, etag: str):
    response = await client.get(address(served.url, "GET", "a.mp4"), headers=ORIGIN)
    assert response.headers["access-control-allow-origin"] == "*"
    exposed = response.headers["access-control-expose-headers"].lower()
    assert "etag" in exposed
    assert "content-range" in exposed
    denied = await client.get(f"{served.url}/b/a", headers=ORIGIN)
    assert (denied.status_code, denied.headers["access-control-allow-origin"]) == (403, "*")


async def test_a_page_may_send_parts(served: Served, client: httpx.AsyncClient):
    upload_id = await served.objects.create_upload("a.mp4")
    where = await served.objects.sign_part("a.mp4", upload_id, 1, expires_s=60)
    asks = {"access-control-request-method": "PUT", "access-control-request-headers": "content-md5,content-type"}
    allowed = await client.options(where, headers=ORIGIN | asks)
    assert (allowed.status_code, allowed.headers["access-control-allow-origin"]) == (204, "*")
    assert "PUT" in allowed.headers["access-control-allow-methods"]
    assert allowed.headers["access-control-allow-headers"] == "content-md5,content-type"
    sent = await client.put(where, content=b"x", headers=ORIGIN)
    assert (sent.status_code, sent.headers["access-control-allow-origin"]) == (200, "*")
