"""Traffic in simulated time: looked at more cheaply, every vehicle is reported, and a person among them as soon as alone."""

import itertools
from collections.abc import Iterator, Sequence

import cv2
import numpy as np
import pytest

from sightline.geometry import Box
from sightline.vision import DetectedObject
from sightline.vision.detector import WHOLE
from support.bright_detector import BrightDetector
from support.slow_watch import SlowWatch, walkers

CAR_EVERY, CAR_CROSSING = 8, 15
"""In pictures, five a second: a car each 1.6 s, in view for three."""
PERSON_AT = 200


class LowOrTall(BrightDetector):
    """What is low is a car. People are seen by the other models alone, which is worse than what models of all classes do."""

    def __init__(self) -> None:
        super().__init__()
        self.cost = 0.0
        """Pictures times models."""

    async def detect(
        self,
        picture: np.ndarray,
        *,
        part: Box = WHOLE,
        is_brief: bool = False,
        regions: Sequence[object] = (),
        **rest: object,
    ) -> list[DetectedObject]:
        self.cost += part[2] * part[3] * (1 if is_brief else 2)
        found = await super().detect(picture, part=part)
        named = [DetectedObject("car" if one.box[3] < 0.2 else "person", 0.8, one.box) for one in found]
        return [one for one in named if one.label == "car" or not is_brief]


def draw_car(picture: np.ndarray, part: float) -> None:
    x = int(part * 380) - 60
    cv2.rectangle(picture, (x, 180), (x + 60, 210), (235, 235, 235), -1)


def draw_person(picture: np.ndarray, part: float) -> None:
    x = int(part * 350) - 30
    cv2.rectangle(picture, (x, 60), (x + 30, 140), (235, 235, 235), -1)


def street(*, cars: bool, person: bool) -> Iterator[np.ndarray]:
    starts = range(30, PERSON_AT + 60, CAR_EVERY) if cars else ()
    traffic = walkers(PERSON_AT + 80, starts, draw=draw_car, crossing=CAR_CROSSING)
    people = walkers(PERSON_AT + 80, [PERSON_AT] if person else [], draw=draw_person, crossing=40)
    return (np.maximum(one, other) for one, other in zip(traffic, people, strict=True))


def watched(pictures: Iterator[np.ndarray]) -> tuple[SlowWatch, LowOrTall]:
    detector = LowOrTall()
    watch = SlowWatch(detector, detection_s=0.1, labels=("person", "car"))
    watch.see(pictures)
    return watch, detector


def person_reported_after_s(watch: SlowWatch) -> float:
    first = min(one.at.timestamp() for one in watch.sightings if one.label == "person")
    return first - (1000.0 + (PERSON_AT + 1) / 5)


@pytest.mark.req(1125, 1126)
def test_every_car_of_a_street_is_reported_once_at_a_fraction_of_the_cost():
    watch, detector = watched(street(cars=True, person=False))
    starts = list(range(30, PERSON_AT + 60, CAR_EVERY))
    assert len(watch.people) == len(starts)
    moving_pictures = starts[-1] + CAR_CROSSING - starts[0]
    assert detector.cost < 0.4 * 2 * moving_pictures
    gaps = [later.at - earlier.at for earlier, later in itertools.pairwise(watch.looks[60:])]
    assert max(gaps) < 0.25


@pytest.mark.req(1127)
def test_a_person_who_comes_into_traffic_is_reported_within_a_second_of_when_they_would_be_alone():
    alone, _ = watched(street(cars=False, person=True))
    among_cars, _ = watched(street(cars=True, person=True))
    assert person_reported_after_s(among_cars) <= person_reported_after_s(alone) + 1.0
    assert person_reported_after_s(among_cars) < 3.0
