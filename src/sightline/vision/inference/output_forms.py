"""Forms of outputs: recognised by names and shapes, each with its decoder. Pure.

Detectors agree on nothing: rows or columns, centres or corners, pixels or parts, with or without a certainty that there is an
object at all. What is not recognised is refused with a description of what was found.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sightline.vision.inference.candidates import Candidates, from_centres, from_corners, one_class_each
from sightline.vision.models.errors import BadModel

Outputs = Mapping[str, NDArray[Any]]
Size = tuple[int, int]
"""Height and width of the input, in pixels."""
Decoder = Callable[[Outputs, Size, int], Candidates]
"""Takes the outputs by name, the size of the input and the number of classes."""

_STRIDES = (8, 16, 32)
_BOX_NAMES = ("boxes", "bboxes", "dets", "pred_boxes", "detection_boxes")
_SCORE_NAMES = ("scores", "detection_scores")
_CLASS_NAMES = ("labels", "classes", "class_ids", "detection_classes")
_LOGIT_NAMES = ("logits", "pred_logits", "labels")


@dataclass(frozen=True, slots=True)
class OutputForm:
    name: str
    decode: Decoder
    form: str = "rgb"
    """Numbers that such a model expects, unless a setting says otherwise."""
    keeps_shape: bool = True
    class_count: int | None = None
    """As its shapes say; None where they do not."""
    counts_as_coco: bool = False
    """Whether its classes have COCO's own numbers, with gaps, unless labels say otherwise."""


@dataclass(frozen=True, slots=True)
class Port:
    """An input or output as the file declares it; a size is None where it may differ."""

    name: str
    element_type: str
    shape: tuple[int | None, ...]

    def __str__(self) -> str:
        return f"{self.name} {self.element_type}[{', '.join('?' if one is None else str(one) for one in self.shape)}]"


def recognise(outputs: Outputs, ports: Sequence[Port], size: Size, class_count: int | None) -> OutputForm:
    """By the outputs for an empty picture. `class_count` is the number of labels, if they are known."""
    found = _recognise_one(outputs, size, class_count) if len(outputs) == 1 else _recognise_several(outputs)
    if found is None:
        described = "; ".join(f"{port} gave {list(outputs[port.name].shape)}" for port in ports)
        raise BadModel(
            f"the outputs of the model are of no known form: {described}. Known are those of YOLO (v3 to v12), YOLOX, RT-DETR, "
            "D-FINE, RF-DETR, DETR, SSD and torchvision, exported with a batch of one"
        )
    return found


def _recognise_one(outputs: Outputs, size: Size, class_count: int | None) -> OutputForm | None:
    name, array = next(iter(outputs.items()))
    shape = array.shape
    if len(shape) == 2 and shape[1] == 7:
        return OutputForm("YOLOv7, suppressed in the model", partial(_decode_numbered_rows, name))
    if len(shape) != 3 or shape[0] != 1:
        return None
    rows, columns = shape[1:]
    if columns == 56 and rows <= 20:
        return OutputForm("MoveNet", partial(_decode_movenet, name), form="rgb255", class_count=1)
    if columns == 6 and rows <= 1000:
        return OutputForm("YOLOv10, suppressed in the model", partial(_decode_rows, name))
    if rows > 4 and columns > 20 and (rows < columns or columns == _cells(size)):
        return OutputForm("YOLOv8", partial(_decode_columns, name), class_count=rows - 4)
    if columns <= 5:
        return None
    is_transformer = columns - 4 == class_count if class_count is not None else rows in (100, 300)
    if is_transformer and rows <= 1000:
        decode = partial(_decode_transformer_rows, name)
        return OutputForm("RT-DETR", decode, keeps_shape=False, class_count=columns - 4)
    if rows == _cells(size) and _is_raw_grid(array[0]):
        return OutputForm("YOLOX", partial(_decode_yolox, name), form="bgr255", class_count=columns - 5)
    return OutputForm("YOLOv5", partial(_decode_yolov5, name), class_count=columns - 5)


def _recognise_several(outputs: Outputs) -> OutputForm | None:
    boxes = _named(outputs, _BOX_NAMES, lambda one: one.shape[-1] == 4)
    scores = _named(outputs, _SCORE_NAMES, lambda one: one.ndim <= 2)
    classes = _named(outputs, _CLASS_NAMES, lambda one: one.ndim <= 2)
    if boxes and scores and classes:
        is_ssd = boxes == "detection_boxes"
        decode = partial(_decode_parts, boxes, scores, classes, is_ssd)
        needs_size = len(outputs) == 3 and outputs[boxes].ndim == 3
        name = "SSD" if is_ssd else "RT-DETR or D-FINE" if needs_size else "torchvision"
        return OutputForm(name, decode, keeps_shape=False, counts_as_coco=not needs_size or is_ssd)
    logits = _named(outputs, _LOGIT_NAMES, lambda one: one.ndim == 3)
    if boxes and logits:
        count = outputs[logits].shape[-1]
        decode = partial(_decode_logits, boxes, logits)
        form = "imagenet" if boxes in ("dets", "pred_boxes") else "rgb"
        return OutputForm("RF-DETR or DETR", decode, form=form, keeps_shape=False, class_count=count)
    return None


def _named(outputs: Outputs, names: Sequence[str], fits: Callable[[NDArray[Any]], bool]) -> str | None:
    return next((name for name in names if name in outputs and fits(outputs[name])), None)


def _cells(size: Size) -> int:
    return sum((size[0] // stride) * (size[1] // stride) for stride in _STRIDES)


def _is_raw_grid(rows: NDArray[np.float32]) -> bool:
    """Whether the centres count from their cell. Counted from the picture they average to its middle, tens of pixels at least."""
    return bool(np.abs(rows[:, :2]).mean() < 8)


def _decode_yolov5(name: str, outputs: Outputs, size: Size, class_count: int) -> Candidates:
    rows = outputs[name][0].astype(np.float32, copy=False)
    return Candidates(_in_parts(from_centres(rows[:, :4]), size), rows[:, 4:5] * rows[:, 5:])


def _decode_columns(name: str, outputs: Outputs, size: Size, class_count: int) -> Candidates:
    rows = outputs[name][0].astype(np.float32, copy=False).T
    return Candidates(_in_parts(from_centres(rows[:, :4]), size), np.ascontiguousarray(rows[:, 4:]))


def _decode_yolox(name: str, outputs: Outputs, size: Size, class_count: int) -> Candidates:
    rows = outputs[name][0].astype(np.float32, copy=False)
    cells, strides = [], []
    for stride in _STRIDES:
        height, width = size[0] // stride, size[1] // stride
        row, column = np.divmod(np.arange(height * width), width)
        cells.append(np.stack([column, row], axis=1))
        strides.append(np.full((height * width, 1), stride))
    stride_of_row = np.concatenate(strides).astype(np.float32)
    centres = (rows[:, :2] + np.concatenate(cells)) * stride_of_row
    sides = np.exp(np.minimum(rows[:, 2:4], 20)) * stride_of_row
    boxes = from_centres(np.concatenate([centres, sides], axis=1).astype(np.float32))
    return Candidates(_in_parts(boxes, size), rows[:, 4:5] * rows[:, 5:])


def _decode_rows(name: str, outputs: Outputs, size: Size, class_count: int) -> Candidates:
    rows = outputs[name][0].astype(np.float32, copy=False)
    scores = one_class_each(rows[:, 5].astype(np.int64), rows[:, 4], class_count)
    return Candidates(_in_parts(from_corners(rows[:, :4]), size), scores)


def _decode_numbered_rows(name: str, outputs: Outputs, size: Size, class_count: int) -> Candidates:
    rows = outputs[name].astype(np.float32, copy=False)
    scores = one_class_each(rows[:, 5].astype(np.int64), rows[:, 6], class_count)
    return Candidates(_in_parts(from_corners(rows[:, 1:5]), size), scores)


def _decode_transformer_rows(name: str, outputs: Outputs, size: Size, class_count: int) -> Candidates:
    rows = outputs[name][0].astype(np.float32, copy=False)
    return Candidates(from_centres(rows[:, :4]), np.ascontiguousarray(rows[:, 4:]))


def _decode_parts(
    boxes: str, scores: str, classes: str, is_ssd: bool, outputs: Outputs, size: Size, class_count: int
) -> Candidates:
    corners = outputs[boxes].reshape(-1, 4).astype(np.float32)
    if is_ssd:
        corners = corners[:, [1, 0, 3, 2]]  # TensorFlow says top before left
    found = from_corners(corners)
    if corners.size and corners.max() > 2:  # pixels; parts may reach a little beyond the edge
        found = _in_parts(found, size)
    numbers = outputs[classes].reshape(-1).astype(np.int64)
    certainties = outputs[scores].reshape(-1).astype(np.float32)
    return Candidates(found, one_class_each(numbers, certainties, class_count))


def _decode_logits(boxes: str, logits: str, outputs: Outputs, size: Size, class_count: int) -> Candidates:
    values = outputs[logits][0].astype(np.float32)
    if values.shape[1] == class_count + 1 and boxes == "pred_boxes":  # DETR: the last class is "no object"
        exponents = np.exp(values - values.max(axis=1, keepdims=True))
        scores = (exponents / exponents.sum(axis=1, keepdims=True))[:, :-1]
    else:
        scores = 1 / (1 + np.exp(-np.clip(values, -50, 50)))
    return Candidates(from_centres(outputs[boxes][0].astype(np.float32)), scores.astype(np.float32))


def _decode_movenet(name: str, outputs: Outputs, size: Size, class_count: int) -> Candidates:
    rows = outputs[name][0].astype(np.float32, copy=False)
    points = rows[:, :51].reshape(-1, 17, 3)[:, :, [1, 0, 2]]  # y comes first
    return Candidates(from_corners(rows[:, [52, 51, 54, 53]]), rows[:, 55:56], points)


def _in_parts(boxes: NDArray[np.float32], size: Size) -> NDArray[np.float32]:
    return (boxes / np.array([size[1], size[0], size[1], size[0]], np.float32)).astype(np.float32)
