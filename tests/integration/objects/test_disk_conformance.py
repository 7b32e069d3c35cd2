"""The disk keeper keeps the promises of stored bytes, its addresses served by the application itself."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from conformance.objects import WholeObjectSuite
from conformance.objects_addresses import AddressSuite
from conformance.objects_multipart import MultipartSuite
from sightline.objects import Objects
from sightline.objects.disk.metadata import AttributeNotes, FileNotes, Notes
from support.objects_server import open_disk, serving_disk


class DiskKeeper:
    def __init__(self, directory: Path, kind_of_notes: str) -> None:
        self._directory = directory
        self._kind_of_notes = kind_of_notes

    @asynccontextmanager
    async def open(self, *, is_served: bool) -> AsyncIterator[Objects]:
        notes: Notes = AttributeNotes()
        if self._kind_of_notes == "files":
            (self._directory / ".sightline").mkdir(parents=True)
            notes = FileNotes(self._directory / ".sightline" / "notes")
        opening = serving_disk if is_served else open_disk
        async with opening(self._directory, notes=notes) as opened:
            yield opened.objects


@pytest.fixture(params=["attributes", "files"])
def keeper(request: pytest.FixtureRequest, tmp_path: Path) -> DiskKeeper:
    return DiskKeeper(tmp_path / "objects", request.param)


@pytest.fixture
def lies() -> Mapping[str, str]:
    return {}


class TestWholeObjects(WholeObjectSuite):
    pass


class TestMultipart(MultipartSuite):
    pass


@pytest.mark.parametrize("keeper", ["attributes"], indirect=True)
class TestAddresses(AddressSuite):
    pass
