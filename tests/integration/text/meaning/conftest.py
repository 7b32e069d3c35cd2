"""A platform whose worker embeds, and videos with text that can be asked for."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
import pytest

from sightline.api import create_app
from sightline.contracts.identity import LOCAL_OWNER_ID
from sightline.contracts.jobs import Embed
from sightline.text import Box, TextReading
from sightline.text.meaning import MeaningMode
from sightline.text.search import SearchRequest, SearchResults
from support import installed
from support.pipeline_rig import PipelineRig, open_pipeline_rig
from support.postgres import DatabaseAddresses
from support.screen_text import insert_video, read_and_index, reading

TexturedVideo = Callable[..., Awaitable[UUID]]


@pytest.fixture(scope="session")
def meaning_model() -> None:
    """Waits until the model is installed."""
    installed.wait_for(installed.MEANING)


@pytest.fixture
async def use(fresh_database: DatabaseAddresses, tmp_path: Path, meaning_model: None) -> AsyncIterator[PipelineRig]:
    async with open_pipeline_rig(fresh_database, tmp_path / "state") as rig:
        rig.platform.settings.meaning.query_timeout_s = 60  # of a busy machine
        yield rig


@pytest.fixture
async def client(use: PipelineRig) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(create_app(use.platform))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost:8400") as made:
        yield made


def apart(*texts: str) -> list[TextReading]:
    """Each text for two seconds, alone on screen."""
    return [reading(text, at * 3000, at * 3000 + 2000, box=Box(10, 20, 400, 30)) for at, text in enumerate(texts)]


@pytest.fixture
def shown(use: PipelineRig) -> TexturedVideo:
    """Makes a COMPLETED video that shows these texts one after the other, or what these readings say; without vectors."""

    async def make(*texts: str, readings: list[TextReading] | None = None, **others: Any) -> UUID:
        video_id = await insert_video(use.platform.database, **({"owner": LOCAL_OWNER_ID} | others))
        await read_and_index(use.platform.database, use.platform.videos, video_id, readings or apart(*texts))
        return video_id

    return make


@pytest.fixture
def embedded(use: PipelineRig, shown: TexturedVideo) -> TexturedVideo:
    """The same with vectors."""

    async def make(*texts: str, **others: Any) -> UUID:
        video_id = await shown(*texts, **others)
        done = await use.run(Embed(video_id=video_id))
        assert done.status == "done", done.error
        return video_id

    return make


@pytest.fixture
def look_for(use: PipelineRig) -> Callable[..., Awaitable[SearchResults]]:
    """Searches as the local owner, or as the caller that is named."""

    async def look(
        q: str = "",
        *,
        caller: UUID = LOCAL_OWNER_ID,
        teams: tuple[UUID, ...] = (),
        mode: MeaningMode = "auto",
        **others: Any,
    ) -> SearchResults:
        claims = {"sub": str(caller), "team_ids": [str(team) for team in teams]}
        async with use.platform.database.as_caller(claims) as tx:
            return await use.platform.meaning.search(tx, SearchRequest(q, **others), mode=mode)

    return look


@pytest.fixture
def vectors_of(use: PipelineRig) -> Callable[[UUID], Awaitable[dict[str, str]]]:
    """The stored vectors of a video by the ids of their passages."""

    async def read(video_id: UUID) -> dict[str, str]:
        rows = await use.sql(
            "SELECT id::text, to_jsonb(p) ->> 'embedding' AS embedding FROM passage_vectors AS p WHERE video_id = $1",
            video_id,
        )
        return {row["id"]: json.dumps(row["embedding"]) for row in rows}

    return read
