"""The disk keeper of one test's own, behind its HTTP routes."""

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from support.objects_server import Served, serving_disk


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return tmp_path / "objects"


@pytest.fixture
async def served(directory: Path) -> AsyncIterator[Served]:
    async with serving_disk(directory) as opened:
        yield opened


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(timeout=30, verify=False) as opened:
        yield opened
