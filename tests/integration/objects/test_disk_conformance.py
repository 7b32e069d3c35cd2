"""The disk backend passes the object store suite, with its signed URLs served by the application."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from conformance.objects import WholeObjectSuite
from conformance.objects_multipart import MultipartSuite
from conformance.objects_signed_urls import SignedUrlSuite
from sightline.objects import ObjectStore
from sightline.objects.disk.metadata import AttributeMetadata, FileMetadata, MetadataStore
from support.objects_server import open_disk, serving_disk


class DiskBackend:
    def __init__(self, directory: Path, metadata_kind: str) -> None:
        self._directory = directory
        self._metadata_kind = metadata_kind

    @asynccontextmanager
    async def open(self, *, is_served: bool) -> AsyncIterator[ObjectStore]:
        metadata: MetadataStore = AttributeMetadata()
        if self._metadata_kind == "files":
            (self._directory / ".sightline").mkdir(parents=True)
            metadata = FileMetadata(self._directory / ".sightline" / "notes")
        opening = serving_disk if is_served else open_disk
        async with opening(self._directory, metadata=metadata) as opened:
            yield opened.objects


@pytest.fixture(params=["attributes", "files"])
def backend(request: pytest.FixtureRequest, tmp_path: Path) -> DiskBackend:
    return DiskBackend(tmp_path / "objects", request.param)


@pytest.fixture
def exceptions() -> Mapping[str, str]:
    return {}


class TestWholeObjects(WholeObjectSuite):
    pass


class TestMultipart(MultipartSuite):
    pass


@pytest.mark.parametrize("backend", ["attributes"], indirect=True)
class TestSignedUrls(SignedUrlSuite):
    pass
