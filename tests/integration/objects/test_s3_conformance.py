"""The S3 backend passes the object store suite, over HTTP to services that speak S3.

There are three: MiniStack, OpenStack Swift, which checks signatures and expiry itself, and the disk backend. Where one is
known to differ from S3, the test is skipped for it by name.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path

import pytest
from pydantic import SecretStr

from conformance.objects import WholeObjectSuite
from conformance.objects_multipart import MultipartSuite
from conformance.objects_signed_urls import SignedUrlSuite
from sightline.objects import ObjectsSettings, ObjectStore
from sightline.objects.s3.clients import open_clients
from sightline.objects.s3.store import S3ObjectStore
from support.emulators import shared
from support.objects_server import BUCKET, KEY, serving_disk

LIES: Mapping[str, Mapping[str, str]] = {
    "sightline": {},
    "ministack": {
        "test_a_part_that_is_too_small_is_refused_unless_it_is_the_last": "MiniStack takes parts of any size",
        "test_a_completion_can_be_repeated": "MiniStack answers a repeated completion with success whatever parts it names",
        "test_a_url_that_was_tampered_with_is_refused": "MiniStack checks no signatures",
    },
    "swift": {},
}
PART = 100_000
"""The minimum part size of Swift and the disk backend here; the tests of the disk backend cover that of S3."""
CREDENTIALS = {
    "ministack": ("test", "test"),
    "swift": ("test:tester", "testing"),
    "sightline": (KEY.key_id, KEY.secret),
}

pytestmark = pytest.mark.parametrize("peer", LIES)


@pytest.fixture
def exceptions(peer: str) -> Mapping[str, str]:
    return LIES[peer]


class S3Backend:
    def __init__(self, peer: str, directory: Path) -> None:
        self._peer = peer
        self._directory = directory

    @asynccontextmanager
    async def open(self, *, is_served: bool) -> AsyncIterator[ObjectStore]:
        async with AsyncExitStack() as stack:
            if self._peer == "sightline":
                served = await stack.enter_async_context(serving_disk(self._directory, min_part_bytes=PART))
                endpoint = served.url
            else:
                endpoint = shared(self._peer).endpoint
            key_id, secret = CREDENTIALS[self._peer]
            settings = ObjectsSettings(
                backend="s3",
                bucket=BUCKET,
                s3_endpoint=endpoint,
                s3_access_key_id=key_id,
                s3_secret_access_key=SecretStr(secret),
            )
            clients = await stack.enter_async_context(open_clients(settings))
            if self._peer != "sightline":
                with suppress(clients.calls.exceptions.BucketAlreadyOwnedByYou):
                    await clients.calls.create_bucket(Bucket=BUCKET)
            yield S3ObjectStore(clients, BUCKET)


@pytest.fixture
def backend(peer: str, tmp_path: Path) -> S3Backend:
    return S3Backend(peer, tmp_path / "objects")


class TestWholeObjects(WholeObjectSuite):
    pass


class TestMultipart(MultipartSuite):
    part = PART


class TestSignedUrls(SignedUrlSuite):
    part = PART
