"""Fixtures: a disk backend for each test, served over HTTP."""

import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
import pytest

from sightline.objects.disk.metadata import AttributeMetadata, open_metadata_store
from support.objects_server import Served, serving_disk


@pytest.fixture
def tmp_path(tmp_path: Path) -> Iterator[Path]:
    """File systems in memory have extended attributes only since Linux 6.6; until then it is a directory on disk."""
    if isinstance(open_metadata_store(tmp_path), AttributeMetadata):
        yield tmp_path
    else:
        with tempfile.TemporaryDirectory(prefix="sightline-", dir="/var/tmp") as made:
            yield Path(made)


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return tmp_path / "objects"


@pytest.fixture
async def served(directory: Path) -> AsyncIterator[Served]:
    async with serving_disk(directory) as opened:
        yield opened


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(timeout=None, verify=False) as opened:
        yield opened
