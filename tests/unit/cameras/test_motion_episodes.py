"""Episodes of motion: when they begin, when they are reported, and when they ended."""

from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import numpy as np
import pytest

from sightline.cameras.sources import CameraLook
from sightline.cameras.watch.eyes import MotionEyes
from sightline.cameras.watch.motion_episodes import ENDS_AFTER_S, MotionEpisodes

BOX = (0.1, 0.1, 0.2, 0.2)
START = 1_772_000_000.0


@pytest.mark.req(651)
def test_an_episode_ends_at_its_last_motion():
    episodes = MotionEpisodes(new_id=lambda: "track")
    found = [episodes.see([BOX], START + at) for at in (0.0, 0.2, 0.4, 3.0)]
    assert [one.at - START for one in found if one is not None] == [pytest.approx(0.4)]
    assert episodes.ended(START + 5) is None
    ended = episodes.ended(START + 3.0 + ENDS_AFTER_S)
    assert ended is not None
    assert (ended.at, ended.seconds, ended.is_end) == (START + 3.0, 3.0, True)
    assert episodes.finish() is None


@pytest.mark.req(651)
async def test_a_lost_camera_ends_its_motion_when_it_was_last_seen_and_not_in_the_future():
    camera: Any = SimpleNamespace(camera_key=uuid4(), camera_id="yard")
    eyes = MotionEyes(camera, reports=True, encode=lambda picture: b"jpeg")
    for at in (0.0, 0.2, 0.4):
        await eyes.look(CameraLook(START + at, np.zeros((2, 2, 3), np.uint8), (BOX,), 0.1))
    (ended,) = eyes.finish(START + 1)
    assert ended.attributes["ended"] is True
    assert ended.at.timestamp() == pytest.approx(START + 0.4)
    assert eyes.finish(START + 2) == []
