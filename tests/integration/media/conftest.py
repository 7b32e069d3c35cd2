"""A platform with videos and workers that run media jobs."""

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from sightline.api import create_app
from support.pipeline_rig import PipelineRig, open_pipeline_rig
from support.postgres import DatabaseAddresses


@pytest.fixture
async def use(fresh_database: DatabaseAddresses, tmp_path: Path) -> AsyncIterator[PipelineRig]:
    async with open_pipeline_rig(fresh_database, tmp_path / "state") as rig:
        yield rig


@pytest.fixture
async def client(use: PipelineRig) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(create_app(use.platform))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost:8400") as made:
        yield made
