"""Writing objects over HTTP: stored completely and checked, or refused with an S3 error and nothing left behind."""

import asyncio
import base64
import hashlib
import zlib
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from sightline.objects import PartTag, etag_of_parts
from sightline.objects.protocol import Digests
from sightline.objects.store import MIN_PART_BYTES
from sightline.sigv4 import presigned_url
from sightline.timing import utc_now
from support.objects_server import BUCKET, KEY, Served
from support.s3_signing import address, code_of, send
from support.waiting import until

BODY = b"some bytes of a video"


def leftovers(directory: Path) -> list[Path]:
    hidden = directory / ".sightline"
    return [path for path in hidden.rglob("*") if path.is_file() and path.parent.name in ("temporary", "announcements")]


async def begin(served: Served, key: str = "a.mp4") -> tuple[str, str]:
    upload_id = await served.objects.create_upload(key)
    return upload_id, await served.objects.sign_part(key, upload_id, 1, expires_s=3600)


async def test_an_object_is_stored_with_its_type_and_announced(served: Served, client: httpx.AsyncClient):
    response = await client.put(
        address(served.url, "PUT", "a b.mp4"), content=BODY, headers={"content-type": "video/special"}
    )
    assert (response.status_code, response.content) == (200, b"")
    assert response.headers["etag"] == f'"{hashlib.md5(BODY).hexdigest()}"'
    stored = await served.objects.head("a b.mp4")
    assert stored is not None
    assert (stored.size, stored.content_type) == (len(BODY), "video/special")
    assert [one.to_detail() for one in served.announced] == [
        {
            "bucket": {"name": BUCKET},
            "object": {"key": "a b.mp4", "size": len(BODY), "etag": stored.etag},
            "reason": "PutObject",
            "version": "0",
        }
    ]


async def test_a_very_long_content_type_is_refused(served: Served, client: httpx.AsyncClient):
    response = await client.put(
        address(served.url, "PUT", "a"), content=BODY, headers={"content-type": "a/" + "b" * 300}
    )
    assert (response.status_code, code_of(response)) == (400, "InvalidArgument")


async def test_what_the_platform_stores_itself_is_not_announced(served: Served, tmp_path: Path):
    (tmp_path / "source").write_bytes(BODY)
    await served.objects.put("a", BODY)
    await served.objects.put_file("b", tmp_path / "source")
    assert served.announced == []


async def test_an_expired_url_is_refused_with_the_message_that_clients_look_for(
    served: Served, client: httpx.AsyncClient
):
    an_hour_ago = utc_now() - timedelta(hours=1)
    url = f"{served.url}/{BUCKET}/a"
    where = presigned_url(KEY, "PUT", url, {}, at=an_hour_ago, expires_s=3599, region="us-east-1")
    response = await client.put(where, content=b"x" * 3_000_000)
    assert (response.status_code, code_of(response)) == (403, "AccessDenied")
    assert "<Message>Request has expired</Message>" in response.text
    assert "<RequestId>" in response.text


async def test_a_request_without_a_signature_is_refused(served: Served, client: httpx.AsyncClient):
    for method in ("GET", "PUT", "POST", "DELETE"):
        response = await client.request(method, f"{served.url}/{BUCKET}/a")
        assert (response.status_code, code_of(response)) == (403, "AccessDenied")
    assert (await client.head(f"{served.url}/{BUCKET}/a")).status_code == 403


async def test_a_body_without_a_length_is_refused(served: Served, client: httpx.AsyncClient):
    async def pieces():
        yield BODY

    response = await client.put(address(served.url, "PUT", "a"), content=pieces())
    assert (response.status_code, code_of(response)) == (411, "MissingContentLength")


async def test_a_body_larger_than_a_part_is_refused_before_it_is_sent(served: Served):
    where = urlsplit(address(served.url, "PUT", "a"))
    reader, writer = await asyncio.open_connection(where.hostname, where.port)
    head = (
        f"PUT {where.path}?{where.query} HTTP/1.1\r\nHost: {where.netloc}\r\nContent-Length: {5 * 1024**3 + 1}\r\n\r\n"
    )
    writer.write(head.encode())
    response = await reader.readuntil(b"</Error>")
    assert response.startswith(b"HTTP/1.1 400")
    assert b"EntityTooLarge" in response
    writer.close()


async def test_a_client_that_expects_100_continue_gets_it(served: Served):
    """As curl does for larger files."""
    where = urlsplit(address(served.url, "PUT", "a"))
    reader, writer = await asyncio.open_connection(where.hostname, where.port)
    head = f"PUT {where.path}?{where.query} HTTP/1.1\r\nHost: {where.netloc}\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n"
    writer.write(head.encode())
    assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 100")
    writer.write(b"hello")
    assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200")
    writer.close()
    assert await served.objects.get("a") == b"hello"


@pytest.mark.parametrize("what", ["part", "object"])
async def test_a_client_that_disconnects_halfway_leaves_nothing(served: Served, directory: Path, what: str):
    upload_id, part = await begin(served)
    where = urlsplit(part if what == "part" else address(served.url, "PUT", "a.mp4"))
    _, writer = await asyncio.open_connection(where.hostname, where.port)
    head = f"PUT {where.path}?{where.query} HTTP/1.1\r\nHost: {where.netloc}\r\nContent-Length: 9000000\r\n\r\n"
    writer.write(head.encode() + b"x" * 4_000_000)
    await writer.drain()
    uploads = directory / ".sightline" / "uploads" / upload_id

    def is_under_way() -> bool:
        began = [*uploads.glob("data-*"), *(directory / ".sightline" / "temporary").iterdir()]
        return any(path.stat().st_size > 1_000_000 for path in began)

    await until(is_under_way)
    writer.transport.abort()
    await until(lambda: leftovers(directory) == [] and list((uploads / "claims").iterdir()) == [])
    assert await served.objects.list_parts("a.mp4", upload_id) == []
    assert await served.objects.head("a.mp4") is None
    assert served.announced == []


async def test_a_part_cut_off_halfway_does_not_harm_the_one_before(served: Served, client: httpx.AsyncClient):
    upload_id, part = await begin(served)
    etag = (await client.put(part, content=BODY)).headers["etag"]
    where = urlsplit(part)
    _, writer = await asyncio.open_connection(where.hostname, where.port)
    head = f"PUT {where.path}?{where.query} HTTP/1.1\r\nHost: {where.netloc}\r\nContent-Length: 9000000\r\n\r\n"
    writer.write(head.encode() + b"x" * 2_000_000)
    await writer.drain()
    writer.transport.abort()
    stored = await served.objects.complete_upload("a.mp4", upload_id, [PartTag(1, etag)])
    assert stored.size == len(BODY)
    assert await served.objects.get("a.mp4") == BODY


def _base64(digest: bytes) -> str:
    return base64.b64encode(digest).decode()


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({"content-md5": _base64(hashlib.md5(b"other").digest())}, "BadDigest"),
        ({"content-md5": "not base64!"}, "InvalidDigest"),
        ({"content-md5": _base64(b"short")}, "InvalidDigest"),
        ({"x-amz-checksum-crc32": _base64(b"1234")}, "BadDigest"),
        ({"x-amz-checksum-crc64nvme": _base64(b"12345678")}, "BadDigest"),
        ({"x-amz-checksum-sha256": _base64(hashlib.sha256(b"other").digest())}, "BadDigest"),
        ({"x-amz-checksum-xxhash3": _base64(b"12345678")}, "InvalidRequest"),
        ({"x-amz-server-side-encryption": "AES256"}, "NotImplemented"),
        ({"if-none-match": "*"}, "NotImplemented"),
    ],
)
async def test_bytes_that_differ_from_their_checksum_are_refused(
    served: Served, client: httpx.AsyncClient, directory: Path, headers: dict[str, str], code: str
):
    response = await send(client, "PUT", f"{served.url}/{BUCKET}/a", BODY, headers=headers)
    assert (response.status_code, code_of(response)) == (501 if code == "NotImplemented" else 400, code)
    assert await served.objects.head("a") is None
    assert leftovers(directory) == []


@pytest.mark.req(1087)
@pytest.mark.parametrize("algorithm", ["crc32c", "crc64nvme"])
async def test_a_part_with_a_checksum_of_the_processor_has_that_as_its_etag(
    served: Served, client: httpx.AsyncClient, algorithm: str
):
    first, last = b"a" * MIN_PART_BYTES, b"the end"
    upload_id = await served.objects.create_upload("a.mp4")
    url = f"{served.url}/{BUCKET}/a.mp4?uploadId={upload_id}&partNumber="
    header = f"x-amz-checksum-{algorithm}"
    digests = Digests([algorithm], with_md5=False)
    digests.update(first)
    given = _base64(digests.digest(algorithm))
    response = await send(client, "PUT", f"{url}1", first, headers={header: given})
    etag = response.headers["etag"]
    assert (etag, response.headers[header]) == (f'"{digests.digest(algorithm).hex()}-{algorithm}"', given)
    refused = await send(client, "PUT", f"{url}1", last, headers={header: given})
    assert (refused.status_code, code_of(refused)) == (400, "BadDigest")
    # A part without one has its md5, beside the other.
    plain = await send(client, "PUT", f"{url}2", last)
    assert plain.headers["etag"] == f'"{hashlib.md5(last).hexdigest()}"'
    assert [part.etag for part in await served.objects.list_parts("a.mp4", upload_id)] == [
        etag.strip('"'),
        hashlib.md5(last).hexdigest(),
    ]
    parts = [PartTag(1, etag), PartTag(2, plain.headers["etag"])]
    stored = await served.objects.complete_upload("a.mp4", upload_id, parts)
    assert stored.etag == etag_of_parts(part.etag for part in parts)
    assert (stored.etag[-2:], stored.size) == ("-2", len(first) + len(last))
    assert await served.objects.get("a.mp4") == first + last


@pytest.mark.req(1087)
async def test_a_part_whose_md5_was_sent_keeps_it_as_its_etag(served: Served, client: httpx.AsyncClient):
    digests = Digests(["crc64nvme"])
    digests.update(BODY)
    upload_id = await served.objects.create_upload("a.mp4")
    headers = {
        "content-md5": _base64(hashlib.md5(BODY).digest()),
        "x-amz-checksum-crc64nvme": _base64(digests.digest("crc64nvme")),
    }
    url = f"{served.url}/{BUCKET}/a.mp4?uploadId={upload_id}&partNumber=1"
    response = await send(client, "PUT", url, BODY, headers=headers)
    assert response.headers["etag"] == f'"{hashlib.md5(BODY).hexdigest()}"'


async def test_a_signed_hash_of_the_body_is_checked(served: Served, client: httpx.AsyncClient):
    response = await send(client, "PUT", f"{served.url}/{BUCKET}/a", BODY, payload=hashlib.sha256(b"other").hexdigest())
    assert (response.status_code, code_of(response)) == (400, "XAmzContentSHA256Mismatch")
    assert (await send(client, "PUT", f"{served.url}/{BUCKET}/a", BODY, payload="UNSIGNED-PAYLOAD")).status_code == 200
    response = await send(
        client, "PUT", f"{served.url}/{BUCKET}/a", BODY, payload="STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD"
    )
    assert (response.status_code, code_of(response)) == (400, "InvalidArgument")


def _trailing(content: bytes, crc: int) -> bytes:
    return b"%x\r\n%s\r\n0\r\nx-amz-checksum-crc32:%s\r\n\r\n" % (
        len(content),
        content,
        _base64(crc.to_bytes(4, "big")).encode(),
    )


@pytest.mark.parametrize(
    ("body", "decoded_length", "status", "code"),
    [
        (_trailing(BODY, zlib.crc32(BODY)), len(BODY), 200, ""),
        (_trailing(BODY, 7), len(BODY), 400, "BadDigest"),
        (_trailing(BODY, zlib.crc32(BODY)), len(BODY) + 1, 400, "IncompleteBody"),
        (_trailing(BODY, zlib.crc32(BODY))[:-30], len(BODY), 400, "IncompleteBody"),
        (b"%x\r\n%s\r\n0\r\n\r\n" % (len(BODY), BODY), len(BODY), 400, "MalformedTrailerError"),
    ],
)
async def test_a_checksum_in_the_trailer_is_checked(
    served: Served, client: httpx.AsyncClient, body: bytes, decoded_length: int, status: int, code: str
):
    headers = {
        "content-encoding": "aws-chunked",
        "x-amz-decoded-content-length": str(decoded_length),
        "x-amz-trailer": "x-amz-checksum-crc32",
    }
    response = await send(
        client, "PUT", f"{served.url}/{BUCKET}/a", body, payload="STREAMING-UNSIGNED-PAYLOAD-TRAILER", headers=headers
    )
    assert response.status_code == status, response.text
    if code:
        assert code_of(response) == code
        assert await served.objects.head("a") is None
    else:
        assert await served.objects.get("a") == BODY
        assert response.headers["x-amz-checksum-crc32"] == _base64(zlib.crc32(BODY).to_bytes(4, "big"))


async def test_a_key_that_could_lead_elsewhere_is_refused(served: Served, client: httpx.AsyncClient, tmp_path: Path):
    for path in ("..%2F..%2Fescaped", "a/%2E%2E/%2E%2E/escaped", ".sightline/uploads/x", "a//b", "a/", "%FF"):
        url = f"{served.url}/{BUCKET}/{path}"
        response = await send(client, "PUT", url, BODY)
        assert response.status_code in (400, 403), (path, response.text)
    names = await asyncio.to_thread(lambda: {path.name for path in tmp_path.rglob("*")})
    assert not any("escaped" in name for name in names)


async def test_another_bucket_is_unknown(served: Served, client: httpx.AsyncClient):
    response = await send(client, "GET", f"{served.url}/another/a")
    assert (response.status_code, code_of(response)) == (404, "NoSuchBucket")


async def test_unsupported_operations_are_refused_by_name(served: Served, client: httpx.AsyncClient):
    for method, rest in (
        ("PUT", "a?acl"),
        ("PUT", "a?tagging"),
        ("PUT", "?versioning"),
        ("GET", "?versions"),
        ("POST", "a"),
    ):
        response = await send(client, method, f"{served.url}/{BUCKET}/{rest}")
        assert (response.status_code, code_of(response)) == (501, "NotImplemented")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"no xml",
        b"<CompleteMultipartUpload>",
        b"<Other/>",
        b"<CompleteMultipartUpload/>",
        b"<CompleteMultipartUpload><Part><ETag>x</ETag></Part></CompleteMultipartUpload>",
        b"<CompleteMultipartUpload><Part><PartNumber>one</PartNumber><ETag>x</ETag></Part></CompleteMultipartUpload>",
        b'<!DOCTYPE a [<!ENTITY b "c">]><CompleteMultipartUpload/>',
    ],
)
async def test_an_unreadable_completion_document_is_refused(served: Served, client: httpx.AsyncClient, body: bytes):
    upload_id, _ = await begin(served)
    response = await send(client, "POST", f"{served.url}/{BUCKET}/a.mp4?uploadId={upload_id}", body)
    assert (response.status_code, code_of(response)) == (400, "MalformedXML")


async def test_a_document_that_is_too_long_is_refused(served: Served, client: httpx.AsyncClient):
    upload_id, _ = await begin(served)
    response = await send(client, "POST", f"{served.url}/{BUCKET}/a.mp4?uploadId={upload_id}", b" " * 5_000_000)
    assert (response.status_code, code_of(response)) == (400, "MaxMessageLengthExceeded")


async def test_a_complete_upload_by_a_browser_that_speaks_s3(served: Served, client: httpx.AsyncClient):
    """As Uppy 6 does it: every step has its own signed URL, and responses are XML."""
    key = "videos/original/v/master.mp4"
    begun = await client.post(address(served.url, "POST", key, uploads=""), headers={"content-type": "video/mp4"})
    assert begun.headers["content-type"] == "application/xml"
    upload_id = begun.text.partition("<UploadId>")[2].partition("<")[0]
    part = await client.put(address(served.url, "PUT", key, uploadId=upload_id, partNumber="1"), content=BODY)
    listed = await client.get(address(served.url, "GET", key, uploadId=upload_id))
    assert f"<ETag>{part.headers['etag']}</ETag>".replace('"', "&quot;") in listed.text.replace('"', "&quot;")
    named = f"<Part><PartNumber>1</PartNumber><ETag>{part.headers['etag']}</ETag></Part>"
    body = f"<CompleteMultipartUpload>{named}</CompleteMultipartUpload>"
    for _ in range(2):
        done = await client.post(address(served.url, "POST", key, uploadId=upload_id), content=body)
        assert done.status_code == 200, done.text
        assert f"<Location>{served.url}/{BUCKET}/{key}</Location>" in done.text
        assert f"<Key>{key}</Key>" in done.text
    assert [one.reason for one in served.announced] == ["CompleteMultipartUpload"]
    gone = await client.delete(address(served.url, "DELETE", key, uploadId=upload_id))
    assert (gone.status_code, code_of(gone)) == (404, "NoSuchUpload")
