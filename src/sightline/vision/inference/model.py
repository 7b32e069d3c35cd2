"""A model file, opened by onnxruntime: the only place that touches it, inside the confined process."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime

from sightline.vision.boxes import clip
from sightline.vision.detector import Picture
from sightline.vision.inference.candidates import Candidates
from sightline.vision.inference.labels_of_model import labels_of
from sightline.vision.inference.model_input import InputSpec, prepare
from sightline.vision.inference.output_forms import OutputForm, Port, recognise
from sightline.vision.model_spec import ModelSpec
from sightline.vision.models.errors import BadModel

PROBE_SIDE = 320
_ELEMENT_TYPES = {"tensor(float)": "float32", "tensor(float16)": "float16", "tensor(uint8)": "uint8"}
_SIZE_INPUTS = ("orig_target_sizes", "orig_size", "im_shape")


class OnnxModel:
    """Raises `BadModel` for a file that is no detector."""

    def __init__(self, spec: ModelSpec, *, threads: int) -> None:
        self.spec = spec
        self._session = open_onnx_session(spec.file, threads)
        ports = [_port(one) for one in self._session.get_inputs()]
        pictures = [port for port in ports if len(port.shape) == 4]
        if len(pictures) != 1 or any(port.name not in _SIZE_INPUTS for port in ports if port not in pictures):
            raise BadModel(
                f"{spec.file} is no detector of pictures: its inputs are {'; '.join(map(str, ports))}, "
                "and one picture (4 dimensions) was expected"
            )
        self._input = _input_spec(pictures[0], spec)
        self._size_inputs = [port.name for port in ports if port not in pictures]
        self._outputs = [_port(one) for one in self._session.get_outputs()]
        self._form = self._probe()
        # What the form expects, unless a setting says otherwise.
        form = self._form.form if spec.form == "auto" else spec.form
        self._input = replace(self._input, form=form, keeps_shape=self._form.keeps_shape)
        metadata = self._session.get_modelmeta().custom_metadata_map
        self.labels = labels_of(spec.labels, metadata, self._form, spec.file)

    @property
    def side(self) -> int:
        """In pixels, of the longer side of what the model sees."""
        return max(self._input.height or self._input.side, self._input.width or self._input.side)

    def look(self, picture: Picture, *, side: int | None = None) -> Candidates:
        """Candidates in parts of the picture. A model that takes any size sees it with a longer side of so many pixels."""
        prepared = prepare(picture, self._input if side is None else replace(self._input, side=side))
        outputs = self._run(prepared.array, (prepared.height, prepared.width))
        found = self._form.decode(outputs, (prepared.height, prepared.width), len(self.labels))
        boxes = clip(prepared.to_picture(found.boxes))
        is_real = np.isfinite(boxes).all(axis=1) & np.isfinite(found.scores).all(axis=1)
        is_real &= (boxes[:, 2] > 0) & (boxes[:, 3] > 0)
        keypoints = found.keypoints
        if keypoints is not None:
            keypoints = (keypoints / np.array([*prepared.used, 1], np.float32)).astype(np.float32)
        return Candidates(boxes, np.clip(found.scores, 0, 1), keypoints).only(is_real)

    def _probe(self) -> OutputForm:
        spec = self._input
        shape = (spec.height or PROBE_SIDE, spec.width or PROBE_SIDE, 3)
        prepared = prepare(np.full(shape, 114, np.uint8), spec)
        size = prepared.height, prepared.width
        labels = labels_of(self.spec.labels, self._session.get_modelmeta().custom_metadata_map, None, self.spec.file)
        return recognise(self._run(prepared.array, size), self._outputs, size, len(labels) or None)

    def _run(self, array: Any, size: tuple[int, int]) -> dict[str, Any]:
        given = {self._input.name: array} | {
            name: np.array([[size[1], size[0]]], np.int64) for name in self._size_inputs
        }
        names = [port.name for port in self._outputs]
        try:
            return dict(zip(names, self._session.run(names, given), strict=True))
        except Exception as error:  # onnxruntime's errors have no common base
            raise BadModel(f"{self.spec.file} cannot be run: {_first_line(error)}") from error


def open_onnx_session(file: str, threads: int) -> Any:
    """Raises `BadModel` for a file that cannot be loaded."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # threads that spin cost a core
    if not Path(file).is_file():
        raise BadModel(f"there is no model file {file}")
    try:
        return onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's errors have no common base
        raise BadModel(f"{file} is not an ONNX model that can be loaded: {_first_line(error)}") from error


def _input_spec(port: Port, spec: ModelSpec) -> InputSpec:
    is_channels_first = port.shape[1] == 3
    if not is_channels_first and port.shape[3] != 3:
        raise BadModel(f"{spec.file} takes no pictures of three colours: its input is {port}")
    if port.element_type not in ("float32", "float16", "uint8"):
        raise BadModel(f"{spec.file} takes numbers of another kind than a picture has: its input is {port}")
    height, width = port.shape[2:] if is_channels_first else port.shape[1:3]
    return InputSpec(
        name=port.name,
        element_type=port.element_type,
        is_channels_first=is_channels_first,
        height=height,
        width=width,
        form="rgb" if spec.form == "auto" else spec.form,
        keeps_shape=True,
        side=spec.side,
    )


def _port(found: Any) -> Port:
    shape = tuple(size if isinstance(size, int) and size > 0 else None for size in found.shape)
    return Port(found.name, _ELEMENT_TYPES.get(found.type, found.type), shape)


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0][:300]
