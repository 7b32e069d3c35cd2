"""Conversion of a Darknet model (`.cfg` and `.weights`) to ONNX, for the layers that YOLOv4-tiny is made of.

The result has one output of the form that YOLOv5 made common: a row for each candidate with the box (centre, width and height in
pixels of the input), the certainty that there is an object, and that of each class.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from sightline.vision.models.errors import BadModel
from sightline.vision.models.onnx_file import GraphPort, OnnxGraph

OUTPUT = "candidates"
INPUT = "images"
_HEADER_BYTES = 20
"""Version in three numbers, and how many pictures were seen in training."""
_BATCH_NORM_EPSILON = 1e-5
_LEAKY_SLOPE = 0.1

Section = tuple[str, Mapping[str, str]]


def parse_config(text: str) -> list[Section]:
    """The sections of a `.cfg` file in their order. Pure."""
    sections: list[tuple[str, dict[str, str]]] = []
    for line in (raw.partition("#")[0].strip() for raw in text.splitlines()):
        if line.startswith("["):
            sections.append((line.strip("[]"), {}))
        elif line and sections:
            key, _, value = line.partition("=")
            sections[-1][1][key.strip()] = value.strip()
    return list(sections)


def convert_darknet(config: str, weights: bytes, name: str) -> OnnxGraph:
    """Raises `BadModel` for a layer that it does not know, and for weights that do not fit."""
    return _DarknetConversion(parse_config(config), weights, name).run()


class _DarknetConversion:
    def __init__(self, sections: Sequence[Section], weights: bytes, name: str) -> None:
        self._network, *self._layers = sections
        self._weights: NDArray[np.float32] = np.frombuffer(weights[_HEADER_BYTES:], dtype="<f4")
        self._at = 0
        self._graph = OnnxGraph(name, inputs=[GraphPort(INPUT, "float32", (1, 3, "height", "width"))])
        self._outputs: list[tuple[str, int, int]] = []
        """Name, channels and stride of each layer."""
        self._candidates: list[str] = []

    def run(self) -> OnnxGraph:
        current = (INPUT, 3, 1)
        classes = 0
        for kind, values in self._layers:
            match kind:
                case "convolutional":
                    current = self._convolutional(current, values)
                case "maxpool":
                    current = self._max_pool(current, values)
                case "upsample":
                    current = self._upsample(current, values)
                case "route":
                    current = self._route(values)
                case "yolo":
                    classes = int(values["classes"])
                    self._candidates.append(self._yolo(current, values))
                case _:
                    raise BadModel(f"the layer [{kind}] of Darknet cannot be converted")
            self._outputs.append(current)
        if self._at != len(self._weights):
            raise BadModel(f"the weights hold {len(self._weights)} numbers; the configuration uses {self._at}")
        self._graph.add("Concat", self._candidates, {"axis": 1}, outputs=[OUTPUT])
        self._graph.outputs.append(GraphPort(OUTPUT, "float32", (1, "count", classes + 5)))
        return self._graph

    def _take(self, count: int) -> NDArray[np.float32]:
        taken = self._weights[self._at : self._at + count]
        if len(taken) < count:
            raise BadModel("the weights end early; they belong to another configuration")
        self._at += count
        return taken

    def _convolutional(self, given: tuple[str, int, int], values: Mapping[str, str]) -> tuple[str, int, int]:
        name, channels, stride = given
        filters, size, step = int(values["filters"]), int(values["size"]), int(values["stride"])
        bias = self._take(filters)
        scale: NDArray[np.float32] = np.ones(filters, np.float32)
        if int(values.get("batch_normalize", 0)):
            gamma, mean, variance = (self._take(filters) for _ in range(3))
            scale = gamma / np.sqrt(variance + np.float32(_BATCH_NORM_EPSILON))
            bias = bias - mean * scale
        kernel = self._take(filters * channels * size * size).reshape(filters, channels, size, size)
        padding = size // 2 if int(values.get("pad", 0)) else 0
        graph = self._graph
        inputs = [
            name,
            graph.constant(kernel * scale[:, None, None, None], "float32"),
            graph.constant(bias, "float32"),
        ]
        attributes = {"kernel_shape": [size, size], "pads": [padding] * 4, "strides": [step, step]}
        found = graph.add("Conv", inputs, attributes)
        match values["activation"]:
            case "leaky":
                found = graph.add("LeakyRelu", [found], {"alpha": _LEAKY_SLOPE})
            case "linear":
                pass
            case other:
                raise BadModel(f"the activation {other} of Darknet cannot be converted")
        return found, filters, stride * step

    def _max_pool(self, given: tuple[str, int, int], values: Mapping[str, str]) -> tuple[str, int, int]:
        name, channels, stride = given
        size, step = int(values["size"]), int(values["stride"])
        attributes = {"kernel_shape": [size, size], "strides": [step, step], "auto_pad": "SAME_UPPER"}
        return self._graph.add("MaxPool", [name], attributes), channels, stride * step

    def _upsample(self, given: tuple[str, int, int], values: Mapping[str, str]) -> tuple[str, int, int]:
        name, channels, stride = given
        factor = int(values["stride"])
        scales = self._graph.constant([1.0, 1.0, factor, factor], "float32")
        attributes = {"mode": "nearest", "coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
        return self._graph.add("Resize", [name, "", scales], attributes), channels, stride // factor

    def _route(self, values: Mapping[str, str]) -> tuple[str, int, int]:
        here = len(self._outputs)
        layers = [self._outputs[at if at >= 0 else here + at] for at in _numbers(values["layers"])]
        channels = sum(one[1] for one in layers)
        stride = layers[0][2]
        if len(layers) > 1:
            return self._graph.add("Concat", [one[0] for one in layers], {"axis": 1}), channels, stride
        groups, group = int(values.get("groups", 1)), int(values.get("group_id", 0))
        if groups == 1:
            return layers[0]
        part = channels // groups
        bounds = ([part * group], [part * (group + 1)], [1])
        return self._graph.add("Slice", [layers[0][0], *map(self._graph.constant, bounds)]), part, stride

    def _yolo(self, given: tuple[str, int, int], values: Mapping[str, str]) -> str:
        """Candidates of one layer, `(1, anchors · height · width, 5 + classes)`."""
        name, _, stride = given
        graph = self._graph
        pairs = list(_pairs(values["anchors"]))
        anchors = np.array([pairs[at] for at in _numbers(values["mask"])], np.float32)
        fields = int(values["classes"]) + 5
        shape = graph.add("Shape", [name])
        height, width = (graph.add("Gather", [shape, graph.constant(at)]) for at in (2, 3))
        unsqueezed = [graph.add("Unsqueeze", [one, graph.constant([0])]) for one in (height, width)]
        split = graph.add("Concat", [graph.constant([1, len(anchors), fields]), *unsqueezed], {"axis": 0})
        rows = graph.add("Reshape", [name, split])
        rows = graph.add("Transpose", [rows], {"perm": (0, 1, 3, 4, 2)})
        offsets, sizes, certainties = (
            graph.add("Slice", [rows, *map(graph.constant, ([begin], [end], [4]))])
            for begin, end in ((0, 2), (2, 4), (4, fields))
        )
        scale = float(values.get("scale_x_y", 1))
        centres = self._scaled(graph.add("Sigmoid", [offsets]), scale, (1 - scale) / 2)
        centres = graph.add("Add", [centres, self._grid(height, width, unsqueezed)])
        centres = graph.add("Mul", [centres, graph.constant(stride, "float32")])
        sides = graph.constant(anchors.reshape(1, len(anchors), 1, 1, 2), "float32")
        sizes = graph.add("Mul", [graph.add("Exp", [sizes]), sides])
        found = graph.add("Concat", [centres, sizes, graph.add("Sigmoid", [certainties])], {"axis": 4})
        return graph.add("Reshape", [found, graph.constant([1, -1, fields])])

    def _scaled(self, name: str, factor: float, addition: float) -> str:
        product = self._graph.add("Mul", [name, self._graph.constant(factor, "float32")])
        return self._graph.add("Add", [product, self._graph.constant(addition, "float32")])

    def _grid(self, height: str, width: str, sizes: Sequence[str]) -> str:
        """Column and row of each cell, `(height, width, 2)`."""
        graph = self._graph
        full = graph.add("Concat", list(sizes), {"axis": 0})
        parts = []
        for count, axis in ((width, 0), (height, 1)):
            numbers = graph.add("Range", [graph.constant(0), count, graph.constant(1)])
            numbers = graph.add("Cast", [numbers], {"to": 1})
            line = graph.add("Unsqueeze", [numbers, graph.constant([axis])])
            plane = graph.add("Expand", [line, full])
            parts.append(graph.add("Unsqueeze", [plane, graph.constant([2])]))
        return graph.add("Concat", parts, {"axis": 2})


def _numbers(text: str) -> list[int]:
    return [int(part) for part in text.split(",")]


def _pairs(text: str) -> Iterator[tuple[int, int]]:
    found = _numbers(text)
    return zip(found[::2], found[1::2], strict=True)
