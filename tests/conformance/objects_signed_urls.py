"""The object store suite: signed URLs, used with a plain HTTP client."""

import base64
import hashlib
from datetime import timedelta
from urllib.parse import parse_qsl, urlencode, urlsplit

import httpx
import pytest

from conformance.objects import Suite, md5, read, some_bytes
from sightline.errors import InvalidInput
from sightline.objects import ObjectStore, PartTag
from sightline.timing import utc_now
from support.waiting import until


async def put(url: str, content: bytes, **headers: str) -> httpx.Response:
    async with httpx.AsyncClient(timeout=None, verify=False) as client:
        return await client.put(url, content=content, headers={k.replace("_", "-"): v for k, v in headers.items()})


def changed(url: str, **values: str) -> str:
    """The URL with other values in its query."""
    parts = urlsplit(url)
    query = dict(parse_qsl(parts.query)) | values
    return parts._replace(query=urlencode(query)).geturl()


class SignedUrlSuite(Suite):
    is_served = True

    async def test_a_signed_url_reads_the_whole_object_and_ranges(self, objects: ObjectStore, prefix: str):
        await objects.put(f"{prefix}/a b+c%.mp4", b"0123456789")
        url = await objects.sign_get(f"{prefix}/a b+c%.mp4", expires_s=3600)
        whole = await read(url)
        assert (whole.status_code, whole.content) == (200, b"0123456789")
        assert whole.headers["content-type"] == "video/mp4"
        assert whole.headers["etag"] == f'"{md5(b"0123456789")}"'
        assert whole.headers["accept-ranges"] == "bytes"
        assert "last-modified" in whole.headers
        for requested, expected in (
            ("bytes=2-4", b"234"),
            ("bytes=7-", b"789"),
            ("bytes=-2", b"89"),
            ("bytes=8-99", b"89"),
        ):
            response = await read(url, range=requested)
            assert (response.status_code, response.content) == (206, expected)
            assert response.headers["content-length"] == str(len(expected))
            start = b"0123456789".index(expected)
            assert response.headers["content-range"] == f"bytes {start}-{start + len(expected) - 1}/10"
        assert (await read(url, range="bytes=10-")).status_code == 416

    async def test_the_response_can_have_another_type_and_file_name(self, objects: ObjectStore, prefix: str):
        await objects.put(f"{prefix}/a.bin", b"x")
        url = await objects.sign_get(
            f"{prefix}/a.bin", expires_s=3600, download_as='Vídeo "1".mp4', content_type="video/mp4"
        )
        response = await read(url)
        assert response.headers["content-type"] == "video/mp4"
        assert response.headers["content-disposition"].startswith("attachment;")
        assert "filename*=UTF-8''V%C3%ADdeo%20%221%22.mp4" in response.headers["content-disposition"]

    async def test_a_url_that_was_tampered_with_is_refused(self, objects: ObjectStore, prefix: str):
        await objects.put(f"{prefix}/a", b"x")
        await objects.put(f"{prefix}/b", b"secret")
        url = await objects.sign_get(f"{prefix}/a", expires_s=3600)
        upload_id = await objects.create_upload(f"{prefix}/c")
        part = await objects.sign_part(f"{prefix}/c", upload_id, 1, expires_s=3600)
        assert (await read(url)).status_code == 200
        for tampered in (
            url.replace(f"{prefix}/a", f"{prefix}/b"),
            changed(url, **{"X-Amz-Expires": "6000"}),
            changed(url, **{"X-Amz-Signature": "0" * 64}),
            changed(url, **{"response-content-type": "text/html"}),
            url.partition("?")[0],
        ):
            response = await read(tampered)
            assert response.status_code in (400, 403), response.text
            assert b"secret" not in response.content
        for tampered in (changed(part, partNumber="2"), url, part.partition("&X-Amz-Signature")[0]):
            assert (await put(tampered, b"x")).status_code in (400, 403)
        assert await objects.list_parts(f"{prefix}/c", upload_id) == []

    async def test_a_signed_url_expires(self, objects: ObjectStore, prefix: str):
        await objects.put(f"{prefix}/a", b"x")
        url = await objects.sign_get(f"{prefix}/a", expires_s=1)
        signed = utc_now()
        await until(lambda: utc_now() - signed > timedelta(seconds=1))

        async def is_over() -> bool:
            return (await read(url)).status_code == 403

        await until(is_over)
        text = (await read(url)).text
        assert "<Code>AccessDenied</Code>" in text
        assert "Request has expired" in text

    async def test_a_part_is_sent_to_its_signed_url(self, objects: ObjectStore, prefix: str):
        key, contents = f"{prefix}/a.mp4", [some_bytes(self.part), b"the end"]
        upload_id = await objects.create_upload(key)
        tags = []
        for number, content in enumerate(contents, 1):
            url = await objects.sign_part(key, upload_id, number, expires_s=3600)
            response = await put(url, content)
            assert (response.status_code, response.content) == (200, b"")
            assert response.headers["etag"] == f'"{md5(content)}"'
            tags.append(PartTag(number, response.headers["etag"]))
        stored = await objects.complete_upload(key, upload_id, tags)
        assert stored.size == self.part + 7
        assert await objects.get(key) == b"".join(contents)

    async def test_bytes_that_changed_in_transit_are_refused(self, objects: ObjectStore, prefix: str):
        key = f"{prefix}/a"
        upload_id = await objects.create_upload(key)
        url = await objects.sign_part(key, upload_id, 1, expires_s=3600)
        wrong, right = (base64.b64encode(hashlib.md5(text).digest()).decode() for text in (b"other", b"bytes"))
        response = await put(url, b"bytes", content_md5=wrong)
        assert (response.status_code, "<Code>BadDigest</Code>" in response.text) == (400, True)
        assert await objects.list_parts(key, upload_id) == []
        assert (await put(url, b"bytes", content_md5=right)).status_code == 200

    async def test_a_url_signed_for_a_length_accepts_no_other_length(self, objects: ObjectStore, prefix: str):
        key = f"{prefix}/a"
        upload_id = await objects.create_upload(key)
        url = await objects.sign_part(key, upload_id, 1, expires_s=3600, length=5)
        for content in (b"four", b"sixsix", b""):
            assert (await put(url, content)).status_code == 403
        assert await objects.list_parts(key, upload_id) == []
        assert (await put(url, b"bytes")).status_code == 200

    async def test_a_part_of_an_ended_upload_is_refused(self, objects: ObjectStore, prefix: str):
        upload_id = await objects.create_upload(f"{prefix}/a")
        url = await objects.sign_part(f"{prefix}/a", upload_id, 1, expires_s=3600)
        await objects.abort_upload(f"{prefix}/a", upload_id)
        response = await put(url, b"x")
        assert (response.status_code, "<Code>NoSuchUpload</Code>" in response.text) == (404, True)

    async def test_signed_urls_are_valid_for_at_most_seven_days(self, objects: ObjectStore):
        for expires_s in (0, -5, 7 * 24 * 3600 + 1):
            with pytest.raises(InvalidInput):
                await objects.sign_get("a", expires_s=expires_s)
