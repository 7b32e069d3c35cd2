"""The S3 backend when S3 is slow, gone, or cuts responses: it resumes where it can, and reports the error where it cannot."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from pydantic import SecretStr

from conformance.objects import found, some_bytes
from sightline.errors import BackendUnavailable, ConfigurationError, Conflict, PermanentFailure
from sightline.objects import ObjectsSettings, PartTag, open_object_store
from sightline.objects.s3.clients import open_clients
from sightline.objects.s3.store import S3ObjectStore
from sightline.timing import Backoff
from support.cutting_proxy import CuttingProxy, cutting_proxy
from support.emulators import free_port
from support.objects_server import BUCKET, KEY, Served


def settings(endpoint: str, **more: str) -> ObjectsSettings:
    return ObjectsSettings.model_validate(
        {
            "backend": "s3",
            "bucket": BUCKET,
            "s3_endpoint": endpoint,
            "s3_access_key_id": KEY.key_id,
            "s3_secret_access_key": SecretStr(KEY.secret),
        }
        | more
    )


@asynccontextmanager
async def open_backend(endpoint: str, **more: str) -> AsyncIterator[S3ObjectStore]:
    async with open_clients(settings(endpoint, **more)) as clients:
        yield S3ObjectStore(clients, more.get("bucket", BUCKET), backoff=Backoff(first_s=0.01, max_s=0.01))


@pytest.fixture
async def proxy(served: Served) -> AsyncIterator[CuttingProxy]:
    async with cutting_proxy(urlsplit(served.url).port or 0) as opened:
        yield opened


@pytest.fixture
async def objects(proxy: CuttingProxy) -> AsyncIterator[S3ObjectStore]:
    async with open_backend(f"http://127.0.0.1:{proxy.port}/objects") as opened:
        yield opened


async def test_reading_resumes_where_the_connection_broke(served: Served, objects: S3ObjectStore, proxy: CuttingProxy):
    content = some_bytes(9_000_000)
    await served.objects.put("a", content)
    proxy.cut_after = [3_000_000, 2_000_000]
    assert await objects.get("a", start=100, end=8_999_000) == content[100:8_999_000]
    assert proxy.connections >= 3
    proxy.cut_after = [5_000_000]
    async with objects.local("a") as path:
        assert path.read_bytes() == content


async def test_reading_never_resumes_with_another_version(served: Served, objects: S3ObjectStore, proxy: CuttingProxy):
    await served.objects.put("a", b"old" * 1_000_000)
    proxy.cut_after = [1_500_000]
    with pytest.raises(Conflict):
        async for _ in objects.stream("a"):
            await served.objects.put("a", b"new" * 1_000_000)


async def test_a_connection_that_keeps_breaking_is_reported(
    served: Served, objects: S3ObjectStore, proxy: CuttingProxy
):
    await served.objects.put("a", some_bytes(3_000_000))
    proxy.cut_after = [200] * 40
    with pytest.raises(BackendUnavailable, match="S3 does not respond"):
        await objects.get("a")


async def test_a_completion_whose_response_was_lost_is_still_a_success(objects: S3ObjectStore, proxy: CuttingProxy):
    upload_id = await objects.create_upload("a")
    part = await objects.put_part("a", upload_id, 1, b"x")
    await objects._s3.close()  # its open connection would be used on
    async with open_backend(f"http://127.0.0.1:{proxy.port}/objects") as fresh:
        proxy.cut_after = [10]
        stored = await fresh.complete_upload("a", upload_id, [PartTag(1, part.etag)])
    assert stored.size == 1


async def test_a_file_that_cannot_be_sent_leaves_no_upload_behind(
    served: Served, objects: S3ObjectStore, tmp_path: Path
):
    source = tmp_path / "source"
    source.write_bytes(b"x" * 40_000_000)
    await served.objects.put("a/in-the-way", b"x")
    with pytest.raises(Conflict):
        await objects.put_file("a", source)
    assert [one async for one in served.objects.find_uploads("")] == []
    assert [one.key for one in await found(objects, "")] == ["a/in-the-way"]


async def test_an_unreachable_service_is_reported():
    async with open_backend(f"http://127.0.0.1:{free_port()}") as objects:
        calls = (objects.check(), objects.head("a"), objects.put("a", b"x"), objects.create_upload("a"))
        for error in await asyncio.gather(*calls, return_exceptions=True):
            assert isinstance(error, BackendUnavailable)
            assert error.part == "objects"


async def test_a_missing_bucket_and_a_wrong_key_give_different_errors(served: Served):
    async with open_backend(served.url, bucket="another") as objects:
        with pytest.raises(BackendUnavailable, match="no bucket another"):
            await objects.check()
        with pytest.raises(BackendUnavailable, match="NoSuchBucket"):
            await objects.get("a")
    async with open_backend(served.url, s3_access_key_id="other") as objects:
        with pytest.raises(PermanentFailure, match="InvalidAccessKeyId"):
            await objects.get("a")


async def test_clients_may_reach_the_service_under_another_host_name(served: Served):
    public = "https://store.example/s3"
    async with open_backend(served.url, s3_public_endpoint=public) as objects:
        await objects.put("a", b"x")
        for address in (
            await objects.sign_get("a", expires_s=60),
            await objects.sign_part("a", "u", 1, expires_s=60),
            await objects.readable("a"),
        ):
            assert address.startswith(f"{public}/{BUCKET}/a?")


async def test_the_s3_backend_has_nothing_to_serve_and_no_services(served: Served, tmp_path: Path):
    async def announce(_: object) -> None: ...

    async with open_object_store(
        settings(served.url), state_directory=tmp_path, public_url="http://x", announce=announce
    ) as opened:
        assert (opened.disk, opened.services) == (None, ())
        await opened.store.check()
    assert [name for name in os.listdir(tmp_path) if name.endswith(".json")] == []  # no key of our own is needed


async def test_a_missing_aws_client_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "aiobotocore.config", None)
    with pytest.raises(ConfigurationError, match=r"pip install 'sightline\[aws\]'"):
        async with open_clients(settings("http://x")):
            pass
