"""Model files of others in the confined process: recognised, refused with what was found, and survived."""

import asyncio
import os
import signal
from pathlib import Path

import numpy as np
import pytest

from sightline.errors import ConfigurationError, InvalidInput, PermanentFailure, TransientFailure
from sightline.vision import VisionSettings
from sightline.vision.models.onnx_file import GraphPort, OnnxGraph
from support.model_processes import model_processes
from support.tiny_models import constant_model
from support.vision_models import need_runtime, opened

PICTURE = np.full((60, 120, 3), 90, np.uint8)


@pytest.fixture(autouse=True)
def runtime():
    need_runtime()


@pytest.fixture
def write(tmp_path):
    def write_file(content: bytes, name: str = "own.onnx") -> Path:
        file = tmp_path / name
        file.write_bytes(content)
        return file

    return write_file


def yolov8(score=0.9, classes=80):
    output = np.zeros((1, 4 + classes, 84), np.float32)
    output[0, :4, 3] = (32, 16, 32, 16)
    output[0, 4 + 2, 3] = score  # COCO: car
    return {"output0": output}


@pytest.mark.req(527)
async def test_a_model_of_another_kind_works_by_its_path(write):
    settings = VisionSettings(model=write(constant_model(yolov8())))
    async with opened(settings) as detector:
        (found,) = await detector.detect(PICTURE)
        (card,) = detector.models
    assert (found.label, found.score) == ("car", pytest.approx(0.9, abs=1e-3))
    # The picture is twice as wide as high, so it fills the upper half of the square input.
    assert found.box == pytest.approx((0.25, 0.25, 0.5, 0.5), abs=0.02)
    assert (card.name, len(card.sha256)) == ("own.onnx", 64)


@pytest.mark.req(527)
async def test_labels_come_from_a_file_or_from_the_model_itself(write, tmp_path):
    labels = tmp_path / "labels.txt"
    labels.write_text("forklift\npallet\nPedestrian\n")
    outputs = yolov8(classes=3)
    settings = VisionSettings(model=write(constant_model(outputs)), labels=labels, objects="all")
    async with opened(settings) as detector:
        assert [one.label for one in await detector.detect(PICTURE)] == ["person"]
    named = constant_model(outputs, metadata={"names": "{0: 'a', 1: 'b', 2: 'crane'}"})
    async with opened(VisionSettings(model=write(named), objects="all")) as detector:
        assert [one.label for one in await detector.detect(PICTURE)] == ["crane"]


@pytest.mark.req(527)
async def test_a_model_that_asks_for_the_size_of_the_picture_gets_it(write):
    outputs = {
        "labels": np.array([[2]], np.int64),
        "boxes": np.array([[[16, 16, 48, 48]]], np.float32),
        "scores": np.array([[0.8]], np.float32),
    }
    model = constant_model(outputs, sizes_input="orig_target_sizes")
    async with opened(VisionSettings(model=write(model))) as detector:
        (found,) = await detector.detect(PICTURE)
    assert (found.label, found.box) == ("car", pytest.approx((0.25, 0.25, 0.5, 0.5)))


def _hoarding_model() -> bytes:
    graph = OnnxGraph("hoard", inputs=[GraphPort("images", "float32", (1, 3, 64, 64))])
    mean = graph.add("ReduceMean", ["images"], {"axes": [0, 1, 2, 3], "keepdims": 0})
    graph.add("Expand", [mean, graph.constant([1, 100_000, 100_000])], outputs=["output"])
    graph.outputs.append(GraphPort("output", "float32", (1, 100_000, 100_000)))
    return graph.to_bytes()


@pytest.mark.req(532)
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not an ONNX model"),
        (b"this is no model" * 100, "not an ONNX model"),
        (b"\x08\x08\x12\x09sightline" + os.urandom(3000), "not an ONNX model"),
        (constant_model(yolov8())[:-4000], "not an ONNX model"),
        (constant_model({"out": np.zeros((1, 10), np.float32)}), "of no known form: out float32"),
        (constant_model(yolov8(classes=7)), "knows 7 classes and does not name them"),
    ],
)
async def test_a_file_that_is_no_detector_is_refused_with_what_was_found(write, content, message):
    async with opened(VisionSettings(model=write(content))) as detector:
        with pytest.raises(PermanentFailure, match=message):
            await detector.detect(PICTURE)
        assert message.partition(":")[0] in detector.problem


@pytest.mark.req(532)
async def test_a_model_that_wants_all_memory_is_an_error(write):
    async with opened(VisionSettings(model=write(_hoarding_model()))) as detector:
        with pytest.raises((PermanentFailure, TransientFailure)):
            await detector.detect(PICTURE)


@pytest.mark.req(527)
async def test_another_number_of_labels_than_classes_is_refused(write, tmp_path):
    labels = tmp_path / "labels.txt"
    labels.write_text("one\ntwo\n")
    async with opened(VisionSettings(model=write(constant_model(yolov8())), labels=labels)) as detector:
        with pytest.raises(PermanentFailure, match="knows 80 classes, but 2 labels are given"):
            await detector.detect(PICTURE)


@pytest.mark.req(532)
async def test_a_path_without_a_file_stops_the_start(tmp_path):
    with pytest.raises(ConfigurationError, match="gone.onnx, and there is no such file"):
        async with opened(VisionSettings(model=tmp_path / "gone.onnx")):
            pass


@pytest.mark.req(532)
@pytest.mark.parametrize(
    "picture", [np.zeros((10, 10), np.uint8), np.zeros((10, 10, 3), np.float32), np.zeros((0, 10, 3), np.uint8)]
)
async def test_an_array_that_is_no_picture_is_refused(write, picture):
    async with opened(VisionSettings(model=write(constant_model(yolov8())))) as detector:
        with pytest.raises(InvalidInput, match="a picture is"):
            await detector.detect(picture)


@pytest.mark.req(533)
async def test_the_process_of_the_models_is_killed_and_the_next_picture_is_looked_at(write):
    async with opened(VisionSettings(model=write(constant_model(yolov8())))) as detector:
        before = model_processes()
        assert len(await detector.detect(PICTURE)) == 1
        started = model_processes() - before
        for process in started:
            process.send_signal(signal.SIGKILL)
        assert started
        try:
            found = await detector.detect(PICTURE)
        except TransientFailure:  # it was still dying when it was handed the picture
            found = await detector.detect(PICTURE)
        assert len(found) == 1


@pytest.mark.req(534)
async def test_pictures_of_several_cameras_are_looked_at_together(write):
    async with opened(VisionSettings(model=write(constant_model(yolov8())))) as detector:
        found = await asyncio.gather(*(detector.detect(PICTURE, source=f"camera {n}") for n in range(8)))
    assert [len(one) for one in found] == [1] * 8
