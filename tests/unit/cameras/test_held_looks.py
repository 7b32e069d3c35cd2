"""A detector that is too slow for all that moves: people are reported later, and nobody is missing."""

import cv2
import numpy as np
import pytest

from support.bright_detector import BrightDetector
from support.slow_watch import SlowWatch, walkers

CROSSING = 30
"""Pictures, five a second: somebody is in view for six seconds."""


def draw_person(picture: np.ndarray, part: float) -> None:
    """Bright, from the left edge to the right one."""
    x = int(part * 360) - 30
    cv2.rectangle(picture, (x, 80), (x + 30, 210), (235, 235, 235), -1)


def passage(*starts: int, pictures: int = 160):
    return walkers(pictures, starts, draw=draw_person, crossing=CROSSING)


@pytest.mark.req(790)
@pytest.mark.parametrize("detection_s", [0.1, 1.0, 2.5, 4.0])
def test_a_person_who_is_gone_before_a_slow_detector_has_looked_thrice_is_reported(detection_s):
    watch = SlowWatch(BrightDetector(), detection_s=detection_s)
    watch.see(passage(20))
    assert len(watch.people) == 1


@pytest.mark.req(790)
@pytest.mark.parametrize("detection_s", [0.1, 1.0, 2.5])
def test_people_who_follow_each_other_by_a_second_are_all_reported_though_the_detector_is_slow(detection_s):
    watch = SlowWatch(BrightDetector(), detection_s=detection_s)
    watch.see(passage(20, 26, 32, pictures=220))
    assert len(watch.people) == 3
