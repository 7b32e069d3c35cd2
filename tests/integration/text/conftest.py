"""Videos whose text was read, indexed, and searched by somebody."""

from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from sightline.db import Database
from sightline.text import SearchRequest, SearchResults, TextReading, search_segments
from sightline.videos import VideoMoves
from support.pipeline_rig import PipelineRig, open_pipeline_rig
from support.postgres import DatabaseAddresses
from support.screen_text import OWNER, insert_video, moves_on, one_after_another, read_and_index


@pytest.fixture
async def moves(database: Database, fresh_database: DatabaseAddresses) -> VideoMoves:
    return await moves_on(database, fresh_database.url)


@pytest.fixture
def new_video(database: Database) -> Callable[..., Awaitable[UUID]]:
    """Makes a video whose text is being read."""
    return partial(insert_video, database)


@pytest.fixture
def video_with(database: Database, moves: VideoMoves) -> Callable[..., Awaitable[UUID]]:
    """Makes a COMPLETED video that shows these texts, or what these readings say."""

    async def make(*texts: str, readings: list[TextReading] | None = None, **others: Any) -> UUID:
        video_id = await insert_video(database, **others)
        await read_and_index(database, moves, video_id, readings or one_after_another(*texts))
        return video_id

    return make


@pytest.fixture
def look_for(database: Database) -> Callable[..., Awaitable[SearchResults]]:
    """Searches as the owner, or as whoever is named."""

    async def look(q: str = "", *, caller: UUID = OWNER, teams: tuple[UUID, ...] = (), **others: Any) -> SearchResults:
        claims = {"sub": str(caller), "team_ids": [str(team) for team in teams]}
        async with database.as_caller(claims) as tx:
            return await search_segments(tx, SearchRequest(q, **others))

    return look


@pytest.fixture
def texts_for(look_for: Callable[..., Awaitable[SearchResults]]) -> Callable[..., Awaitable[list[str]]]:
    async def texts(q: str = "", **others: Any) -> list[str]:
        return [hit.text for hit in (await look_for(q, **others)).hits]

    return texts


@pytest.fixture
async def use(fresh_database: DatabaseAddresses, tmp_path: Path) -> AsyncIterator[PipelineRig]:
    async with open_pipeline_rig(fresh_database, tmp_path / "state") as rig:
        yield rig
