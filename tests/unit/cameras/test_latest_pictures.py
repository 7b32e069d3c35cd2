"""The newest picture of a camera, as the process that watches it and all others see it."""

from typing import Any, cast
from uuid import uuid4

import pytest

from sightline.cameras.latest_pictures import LatestPictures
from sightline.errors import TransientFailure
from support.hand_clock import HandClock

KEY = uuid4()


class Objects:
    """The part of an object store that pictures need; it can be away."""

    def __init__(self) -> None:
        self.stored: list[bytes] = []
        self.error: Exception | None = None

    async def put(self, key, content, *, content_type):
        if self.error is not None:
            raise self.error
        self.stored.append(content)


@pytest.mark.req(651)
async def test_other_processes_see_fresh_pictures_while_a_camera_is_viewed():
    clock, objects = HandClock(), Objects()
    pictures = LatestPictures(cast(Any, objects), clock=clock)
    for number in range(11):  # five a second
        await pictures.offer(KEY, bytes([number]))
        clock.now += 0.25
    assert objects.stored == [bytes([number]) for number in (0, 4, 8)]


@pytest.mark.req(652)
async def test_a_store_that_is_away_is_logged_once_and_stops_nothing(log_lines):
    clock, objects = HandClock(), Objects()
    pictures = LatestPictures(cast(Any, objects), clock=clock)
    for error in (TransientFailure("the store is away"), OSError("no space left on device"), None):
        objects.error = error
        await pictures.offer(KEY, b"picture", store_every_s=0)
        newest = await pictures.newest(KEY)
        assert newest is not None
        assert newest.content == b"picture"
    assert objects.stored == [b"picture"]
    assert [line["event"] for line in log_lines() if "camera_key" in line] == ["camera.picture_unstored"]
