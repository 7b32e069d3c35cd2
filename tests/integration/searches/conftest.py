"""Videos whose text was read, indexed, and searched with the search box."""

from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID, uuid4

import pytest

from sightline.db import Database
from sightline.searches import BoxRequest, BoxResults, search_box
from sightline.text import SearchRequest, SpeechSegment, TextReading, index_segments, replace_speech
from sightline.videos import VideoMoves, lock_video, set_details
from support.postgres import DatabaseAddresses
from support.screen_text import OWNER, insert_video, moves_on, one_after_another, read_and_index


@pytest.fixture
async def moves(database: Database, fresh_database: DatabaseAddresses) -> VideoMoves:
    return await moves_on(database, fresh_database.url)


@pytest.fixture
def video_with(database: Database, moves: VideoMoves) -> Callable[..., Awaitable[UUID]]:
    """Makes a COMPLETED video that shows and says these texts."""

    async def make(
        *shown: str,
        said: tuple[str, ...] = (),
        tags: tuple[str, ...] = (),
        description: str | None = None,
        day: str | None = None,
        readings: list[TextReading] | None = None,
        **others: Any,
    ) -> UUID:
        video_id = await insert_video(database, **others)
        async with database.transaction() as tx:
            await set_details(tx, video_id, tags=tags, description=description)
            if day is not None:
                await tx.execute("UPDATE videos SET created_at = $2::text::timestamptz WHERE id = $1", video_id, day)
        await read_and_index(database, moves, video_id, readings or one_after_another(*shown))
        if said:
            spoken = [SpeechSegment(text, at * 1000, at * 1000 + 900, 0.9, "eng", ()) for at, text in enumerate(said)]
            async with database.transaction() as tx:
                await lock_video(tx, video_id)
                await replace_speech(tx, video_id, spoken, from_ms=0, until_ms=60_000)
                await index_segments(tx, video_id)
        return video_id

    return make


@pytest.fixture
def box(database: Database) -> Callable[..., Awaitable[BoxResults]]:
    """Searches as the owner, or as whoever is named."""

    async def search(
        q: str = "",
        *,
        caller: UUID = OWNER,
        teams: tuple[UUID, ...] = (),
        asked: dict[str, Any] | None = None,
        **others: Any,
    ) -> BoxResults:
        claims = {"sub": str(caller), "team_ids": [str(team) for team in teams]}
        async with database.as_caller(claims) as tx:
            return await search_box(tx, BoxRequest(SearchRequest(q, **(asked or {})), **others))

    return search


@pytest.fixture
def texts(box: Callable[..., Awaitable[BoxResults]]) -> Callable[..., Awaitable[list[str]]]:
    async def found(q: str, **others: Any) -> list[str]:
        return sorted(hit.text for hit in (await box(q, **others)).hits)

    return found


@pytest.fixture
def new_id() -> Callable[[], UUID]:
    return uuid4
