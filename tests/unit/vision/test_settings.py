"""Settings of detection that people get wrong."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from sightline.vision import VisionSettings, detector_status


def test_scores_of_classes_are_read():
    assert VisionSettings(min_scores="person=0.6, Bird=0.8").lowest_scores() == {"person": 0.6, "bird": 0.8}


@pytest.mark.parametrize("text", ["person", "person=", "person=2", "=0.5", "person=high"])
def test_a_score_that_is_none_is_refused_with_an_example(text):
    with pytest.raises(ValidationError, match="such as person=0.6"):
        VisionSettings(min_scores=text)


def test_a_model_and_a_server_exclude_each_other():
    with pytest.raises(ValidationError, match="not both"):
        VisionSettings(model="a.onnx", url="http://127.0.0.1:32168")


def test_labels_without_a_model_are_refused():
    with pytest.raises(ValidationError, match="SIGHTLINE_VISION_MODEL"):
        VisionSettings(labels="a.txt")


@pytest.mark.req(528)
def test_a_detection_server_needs_nothing_installed():
    status = detector_status(VisionSettings(url="http://127.0.0.1:32168"))
    assert status.is_installed
    assert "http://127.0.0.1:32168" in status.summary
    assert status.models[0].sha256 is None


@pytest.mark.req(532)
def test_a_model_file_that_is_not_there_is_named(tmp_path: Path):
    status = detector_status(VisionSettings(model=tmp_path / "gone.onnx"))
    assert (status.error or status.how_to_install) is not None
    assert "gone.onnx" in (status.error or "gone.onnx")
