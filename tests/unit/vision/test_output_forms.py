"""Outputs of detectors of many kinds: recognised by names and shapes, and decoded to the same boxes."""

import numpy as np
import pytest

from sightline.vision.inference.output_forms import Port, recognise
from sightline.vision.models.errors import BadModel

SIZE = (64, 128)
"""Height and width of the input."""
CLASSES = 3
BOX = (0.25, 0.25, 0.5, 0.5)
"""x, y, width, height: 32, 16, 64, 32 in pixels, with its centre at 64, 32."""


def decoded(outputs, *, class_count=CLASSES, given=CLASSES):
    arrays = {name: np.asarray(values) for name, values in outputs.items()}
    ports = [Port(name, "float32", array.shape) for name, array in arrays.items()]
    form = recognise(arrays, ports, SIZE, given)
    return form, form.decode(arrays, SIZE, class_count)


def assert_one(candidates, *, class_number=1, score=0.9):
    best = int(candidates.scores.max(axis=1).argmax())
    assert candidates.boxes[best].tolist() == pytest.approx(BOX, abs=1e-5)
    assert int(candidates.scores[best].argmax()) == class_number
    assert float(candidates.scores[best].max()) == pytest.approx(score, abs=1e-5)


def rows(count, row):
    found = np.zeros((1, count, len(row)), np.float32)
    found[0, 7] = row
    return found


@pytest.mark.req(527)
def test_yolov5_has_rows_with_a_certainty_that_there_is_an_object():
    output = rows(504, [64, 32, 64, 32, 0.9, 0.1, 1.0, 0.0])
    output[0, :, 0] += 30  # centres in pixels of the picture
    output[0, 7, 0] = 64
    form, found = decoded({"output0": output})
    assert form.name == "YOLOv5"
    assert_one(found)


@pytest.mark.req(527)
def test_yolov8_has_columns():
    output = rows(168, [64, 32, 64, 32, 0.1, 0.9, 0.0]).transpose(0, 2, 1)
    form, found = decoded({"output0": output})
    assert form.name == "YOLOv8"
    assert_one(found)


@pytest.mark.req(527)
def test_yolox_counts_from_its_cells():
    cells = sum((64 // stride) * (128 // stride) for stride in (8, 16, 32))
    output = np.zeros((1, cells, 5 + CLASSES), np.float32)
    # Row 4, column 8 of the first grid, whose cells are 8 pixels wide.
    output[0, 4 * 16 + 8] = [0, 0, np.log(8), np.log(4), 0.9, 0.0, 1.0, 0.0]
    form, found = decoded({"output": output})
    assert (form.name, form.form) == ("YOLOX", "bgr255")
    assert_one(found)


@pytest.mark.req(527)
def test_yolov10_has_corners_a_score_and_a_class():
    form, found = decoded({"output0": rows(300, [32, 16, 96, 48, 0.9, 1])})
    assert form.name == "YOLOv10, suppressed in the model"
    assert_one(found)


@pytest.mark.req(527)
def test_yolov7_rows_begin_with_the_number_of_the_picture():
    _, found = decoded({"output": np.array([[0, 32, 16, 96, 48, 1, 0.9]], np.float32)})
    assert_one(found)


@pytest.mark.req(527)
def test_rt_detr_of_ultralytics_has_boxes_in_parts_of_the_picture():
    form, found = decoded({"output0": rows(300, [0.5, 0.5, 0.5, 0.5, 0.1, 0.9, 0.0])})
    assert (form.name, form.keeps_shape) == ("RT-DETR", False)
    assert_one(found)


@pytest.mark.req(527)
def test_rt_detr_and_d_fine_have_three_outputs_in_pixels():
    form, found = decoded(
        {
            "labels": np.array([[0, 1]], np.int64),
            "boxes": np.array([[[0, 0, 1, 1], [32, 16, 96, 48]]], np.float32),
            "scores": np.array([[0.1, 0.9]], np.float32),
        }
    )
    assert form.name == "RT-DETR or D-FINE"
    assert_one(found)


@pytest.mark.req(527)
def test_rf_detr_has_logits_for_each_class():
    form, found = decoded(
        {
            "dets": np.array([[[0.5, 0.5, 0.5, 0.5]] * 4], np.float32),
            "labels": np.array([[[-5, np.log(9), -5]] + [[-9, -9, -9]] * 3], np.float32),
        }
    )
    assert form.form == "imagenet"
    assert_one(found)


@pytest.mark.req(527)
def test_detr_has_a_class_for_no_object():
    logits = np.log(np.array([[[0.04, 0.9, 0.03, 0.03], [0.01, 0.01, 0.01, 0.97]]], np.float32))
    _, found = decoded({"logits": logits, "pred_boxes": np.array([[[0.5, 0.5, 0.5, 0.5]] * 2], np.float32)})
    assert_one(found)
    assert float(found.scores[1].max()) < 0.05


@pytest.mark.req(527)
def test_ssd_says_top_before_left():
    form, found = decoded(
        {
            "detection_boxes": np.array([[[0.25, 0.25, 0.75, 0.75], [0, 0, 0, 0]]], np.float32),
            "detection_classes": np.array([[1, 0]], np.float32),
            "detection_scores": np.array([[0.9, 0.0]], np.float32),
            "num_detections": np.array([1], np.float32),
        }
    )
    assert form.name == "SSD"
    assert_one(found)


@pytest.mark.req(527)
def test_torchvision_has_lists_in_pixels():
    _, found = decoded(
        {
            "boxes": np.array([[32, 16, 96, 48]], np.float32),
            "labels": np.array([1], np.int64),
            "scores": np.array([0.9], np.float32),
        }
    )
    assert_one(found)


@pytest.mark.req(527)
def test_movenet_has_keypoints_with_y_first():
    row = np.zeros(56, np.float32)
    row[:3] = (0.3, 0.4, 0.8)
    row[51:] = (0.25, 0.25, 0.75, 0.75, 0.9)
    form, found = decoded({"Identity": row[None, None]}, class_count=1, given=1)
    assert form.name == "MoveNet"
    assert found.keypoints is not None
    assert found.keypoints[0, 0].tolist() == pytest.approx([0.4, 0.3, 0.8])
    assert_one(found, class_number=0)


@pytest.mark.req(532)
@pytest.mark.parametrize("shape", [(1, 1000), (2, 100, 85), (1, 3, 64, 64), (1, 84, 3)])
def test_outputs_of_no_known_form_are_described(shape):
    with pytest.raises(BadModel, match="of no known form: scores float32.*gave"):
        decoded({"scores": np.zeros(shape, np.float32)})


def test_a_class_beyond_the_labels_is_no_object():
    _, found = decoded({"output0": rows(300, [32, 16, 96, 48, 0.9, 77])})
    assert float(found.scores.max()) == 0
