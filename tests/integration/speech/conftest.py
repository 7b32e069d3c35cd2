"""A platform whose worker transcribes."""

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from sightline.api import create_app
from support import installed
from support.pipeline_rig import PipelineRig, open_pipeline_rig
from support.postgres import DatabaseAddresses


@pytest.fixture(scope="session")
def speech_model() -> None:
    """Waits until speech recognition is installed."""
    installed.wait_for(installed.SPEECH)


@pytest.fixture
async def use(fresh_database: DatabaseAddresses, tmp_path: Path, speech_model: None) -> AsyncIterator[PipelineRig]:
    async with open_pipeline_rig(fresh_database, tmp_path / "state") as rig:
        yield rig


@pytest.fixture
async def client(use: PipelineRig) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(create_app(use.platform))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost:8400") as made:
        yield made
