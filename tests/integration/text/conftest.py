"""Videos whose text is being read, without the reading."""

from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID, uuid4

import pytest

from sightline.db import Database
from sightline.text.segment import Box, Reading

OWNER = UUID("00000000-0000-0000-0000-0000000000aa")


def reading(text: str, t_start: int, t_end: int, **others: Any) -> Reading:
    values: dict[str, Any] = {"confidence": 0.9, "box": Box(10, 20, 200, 30)} | others
    return Reading(text=text, t_start=t_start, t_end=t_end, **values)


@pytest.fixture
def new_video(database: Database) -> Callable[..., Awaitable[UUID]]:
    """Makes a video that stands in the given status, PRINTING if none is given."""

    async def make(
        *, owner: UUID = OWNER, team: UUID | None = None, status: str = "PRINTING", name: str = "lecture.mp4"
    ) -> UUID:
        video_id = uuid4()
        async with database.transaction() as tx:
            await tx.execute(
                "INSERT INTO videos (id, owner_id, team_id, name, status, duration_ms) VALUES ($1, $2, $3, $4, $5, 60000)",
                video_id,
                owner,
                team,
                name,
                status,
            )
        return video_id

    return make
