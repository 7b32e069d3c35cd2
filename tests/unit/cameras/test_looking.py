"""The looks of a camera process: pictures only when something moves, one at a time, and what was learned every few minutes."""

from typing import Any

import av
import numpy as np
import pytest

from sightline.cameras.motion import MotionGate, restore_gate
from sightline.cameras.sources.looking import SAVE_EVERY_S, DecodedFrame, DecodedStill, Looker, scaled_size
from sightline.jobs import ProcessMessage
from support.camera_clips import scene


class Channel:
    def __init__(self) -> None:
        self.sent: list[tuple[str, dict[str, Any], bytes]] = []
        self.waiting: list[ProcessMessage] = []

    def send(self, kind: str, fields: dict[str, Any] | None = None, content: Any = b"") -> None:
        self.sent.append((kind, fields or {}, bytes(memoryview(content).cast("B"))))

    def receive(self, timeout_s: float | None = None) -> ProcessMessage | None:
        return self.waiting.pop(0) if self.waiting else None

    def kinds(self) -> list[str]:
        return [kind for kind, _, _ in self.sent]


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def looking():
    channel, clock = Channel(), Clock()
    looker = Looker(channel, {"picture_width": 160, "jpeg_quality": 80, "gate": {}}, clock=clock)  # type: ignore[arg-type]

    def see(at: int, *, walks: bool) -> None:
        clock.now += 0.2
        looker.obey()
        looker.see(DecodedStill(scene(320, 240, at, walks=walks)), is_look=True)

    def picture(at: int) -> None:
        """Between two looks."""
        looker.obey()
        looker.see(DecodedStill(scene(320, 240, at)), is_look=False)

    see.picture = picture  # type: ignore[attr-defined]
    return channel, clock, see


@pytest.mark.req(578)
def test_a_still_scene_sends_no_picture_and_a_moving_one_sends_one_at_a_time(looking):
    channel, _, see = looking
    for number in range(10):
        see(number, walks=False)
    assert "look" not in channel.kinds()
    for number in range(10, 20):
        see(number, walks=True)
    assert channel.kinds().count("look") == 1  # until the parent is ready for the next
    _, fields, content = next(one for one in channel.sent if one[0] == "look")
    assert (fields["width"], fields["height"], len(content)) == (160, 120, 160 * 120 * 3)
    channel.waiting.append(ProcessMessage("next", {}))
    see(20, walks=True)
    assert channel.kinds().count("look") == 2


@pytest.mark.req(578)
def test_a_followed_object_is_looked_at_though_it_stands(looking):
    channel, _, see = looking
    see(0, walks=False)
    channel.waiting.append(ProcessMessage("follow", {"on": True}))
    for number in range(3):
        see(number, walks=False)
    assert channel.kinds().count("look") == 1


@pytest.mark.req(667)
def test_during_a_rest_only_what_is_not_known_is_looked_at(looking):
    channel, clock, see = looking
    for number in range(10):
        see(number, walks=False)
    for number in range(10, 13):
        see(number, walks=True)
    assert channel.kinds().count("look") == 1
    everywhere = {"rest_s": 1.0, "places": [[0.0, 0.0, 1.0, 1.0]]}
    channel.waiting.append(ProcessMessage("next", everywhere))
    see(13, walks=True)
    see(14, walks=True)
    assert channel.kinds().count("look") == 1
    clock.now += 1.0
    see(15, walks=True)
    assert channel.kinds().count("look") == 2  # the rest is over
    channel.waiting.append(ProcessMessage("next", {"rest_s": 1.0, "places": [[0.9, 0.0, 0.1, 0.1]]}))
    see(16, walks=True)
    assert channel.kinds().count("look") == 3  # it moves elsewhere


@pytest.mark.req(793)
def test_after_a_slow_detector_the_very_next_picture_is_looked_at(looking):
    channel, clock, see = looking
    for number in range(10):
        see(number, walks=False)
    for number in range(10, 13):
        see(number, walks=True)
    assert channel.kinds().count("look") == 1
    channel.waiting.append(ProcessMessage("next", {}))
    clock.now += 0.04
    see.picture(13)  # which is none of the five a second
    assert channel.kinds().count("look") == 2
    channel.waiting.append(ProcessMessage("next", {}))
    clock.now += 0.04
    see.picture(13)
    assert channel.kinds().count("look") == 2  # nothing has moved since


@pytest.mark.req(577)
def test_what_was_learned_is_sent_every_few_minutes_and_can_be_restored(looking):
    channel, clock, see = looking
    see(0, walks=False)
    clock.now += SAVE_EVERY_S
    see(1, walks=False)
    (state,) = [content for kind, _, content in channel.sent if kind == "gate"]
    assert restore_gate(MotionGate(), state)


def test_sizes_are_even_and_never_larger():
    assert scaled_size(1920, 1080, 320) == (320, 180)
    assert scaled_size(101, 51, 1280) == (100, 50)
    assert np.ndim(scene(8, 8, 0)) == 3


@pytest.mark.req(686)
def test_motion_outside_of_the_zones_sends_nothing_where_only_zones_count():
    channel, clock = Channel(), Clock()
    only_in = [[(0.0, 0.0), (1.0, 0.0), (1.0, 0.05), (0.0, 0.05)]]  # a strip at the top, where nobody walks
    argument = {"picture_width": 160, "jpeg_quality": 80, "gate": {"only_in": only_in}}
    looker = Looker(channel, argument, clock=clock)  # type: ignore[arg-type]
    for number in range(20):
        clock.now += 0.2
        looker.see(DecodedStill(scene(320, 240, number, walks=number > 9)), is_look=True)
    assert "look" not in channel.kinds()


@pytest.mark.req(791)
@pytest.mark.parametrize("width", [626, 854, 1918])
def test_a_width_that_libav_pads_is_looked_at_like_any_other(width):
    channel, clock = Channel(), Clock()
    looker = Looker(channel, {"picture_width": 1280, "jpeg_quality": 80, "gate": {}}, clock=clock)  # type: ignore[arg-type]
    for number in range(20):
        clock.now += 0.2
        picture = scene(width, 360, number, walks=number > 9)
        looker.see(DecodedFrame(av.VideoFrame.from_ndarray(picture, format="rgb24")), is_look=True)
    look = next(one for one in channel.sent if one[0] == "look")
    assert len(look[2]) == look[1]["width"] * look[1]["height"] * 3
