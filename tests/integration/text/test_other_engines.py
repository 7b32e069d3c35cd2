"""The job `ocr` with other engines than Tesseract."""

import cv2
import numpy as np
import pytest

from sightline import job_types
from sightline.contracts.jobs import Ocr
from sightline.text import need_engine
from sightline.videos import VideoStatus
from support.parrot_engine import install_parrot

SAID = "Harbour closed 1984"
WRITTEN, _ = cv2.getTextSize(SAID, cv2.FONT_HERSHEY_SIMPLEX, 1.2, 2)


def frame_that_says(text):
    picture = np.full((120, 480), 245, np.uint8)
    cv2.putText(picture, text, (24, 72), cv2.FONT_HERSHEY_SIMPLEX, 1.2, 20, 2, cv2.LINE_AA)
    return cv2.imencode(".jpg", picture)[1].tobytes()


async def read_with(use, engine, text):
    """The rows that the job leaves of a frame that says this."""
    use.platform.settings.text.engine = engine
    video_id = await use.add(None, status=VideoStatus.PRINTING)
    await use.sql("UPDATE videos SET duration_ms = 1000 WHERE id = $1", video_id)
    key = f"frames/{video_id}/0.jpg"
    await use.platform.objects.put(key, frame_that_says(text))
    job = await use.run(Ocr(video_id=video_id, frame_paths=(key,)), job_types.ocr(use.platform))
    assert job.status == "done", job.error
    return await use.sql("SELECT text, language, confidence, bounding_box FROM segments WHERE video_id = $1", video_id)


@pytest.fixture
def parrot(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(install_parrot(tmp_path / "site")))


async def test_the_engine_that_a_package_registered_reads_if_the_setting_names_it(use, parrot):
    assert [row["text"] for row in await read_with(use, "parrot", "Harbour")] == ["Polly"]
    assert [row["text"] for row in await read_with(use, "tesseract", "Harbour")] == ["Harbour"]


async def test_rapidocr_reads_words_with_their_boxes(use):
    (row,) = await read_with(use, "rapidocr", SAID)
    assert (row["text"], row["language"]) == (SAID, "eng")
    assert row["confidence"] > 0.8
    box = row["bounding_box"]
    assert box["x"] == pytest.approx(24, abs=10)
    assert box["x"] + box["width"] == pytest.approx(24 + WRITTEN[0], abs=15)
    assert box["y"] == pytest.approx(72 - WRITTEN[1], abs=8)


def test_rapidocr_names_the_languages_that_it_does_not_read():
    kind = need_engine("rapidocr").load()
    assert [file.suffix for file in kind.needed_files(("eng", "jpn"))] == [".onnx", ".onnx"]
    with pytest.raises(Exception, match="rapidocr does not read rus"):
        kind.needed_files(("rus",))
