"""Conversion of a TensorFlow.js graph model to ONNX: each operation becomes one of ONNX, or a few.

TensorFlow keeps channels last and ONNX convolutions want them second, so each convolution stands between two transpositions; the
optimizer of onnxruntime removes those that meet.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sightline.vision.models.errors import BadModel
from sightline.vision.models.onnx_file import GraphPort, OnnxGraph
from sightline.vision.models.tfjs_graph import TfGraph, TfNode

_TO_NCHW, _TO_NHWC = (0, 3, 1, 2), (0, 2, 3, 1)
_ELEMENT_TYPES = {"DT_FLOAT": "float32", "DT_INT32": "int64", "DT_INT64": "int64", "DT_BOOL": "bool"}
_ONNX_TYPES = {"float32": 1, "int64": 7, "bool": 9}

# Operations that ONNX has under another name, with the same inputs.
_SAME = {
    "Abs": "Abs",
    "Add": "Add",
    "AddN": "Sum",
    "AddV2": "Add",
    "Equal": "Equal",
    "Exp": "Exp",
    "FloorDiv": "Div",  # of indices, which are never negative
    "Greater": "Greater",
    "GreaterEqual": "GreaterOrEqual",
    "Identity": "Identity",
    "Less": "Less",
    "LogicalAnd": "And",
    "Maximum": "Max",
    "Minimum": "Min",
    "Mul": "Mul",
    "Range": "Range",
    "RealDiv": "Div",
    "Reciprocal": "Reciprocal",
    "Reshape": "Reshape",
    "Select": "Where",
    "Shape": "Shape",
    "Sigmoid": "Sigmoid",
    "Size": "Size",
    "Sub": "Sub",
    "Tile": "Tile",
}


def convert(graph: TfGraph, name: str, input_type: str, input_shape: tuple[int | str, ...]) -> OnnxGraph:
    """`input_type` is what the caller feeds; the first operation of such graphs makes floats of it."""
    return _TfConversion(graph, OnnxGraph(name)).run(input_type, input_shape)


class _TfConversion:
    def __init__(self, source: TfGraph, target: OnnxGraph) -> None:
        self._source = source
        self._target = target
        self._handlers: dict[str, Callable[[TfNode], None]] = {
            "ArgMax": self._arg_max,
            "Cast": self._cast,
            "ConcatV2": self._concat,
            "DepthwiseConv2dNative": self._convolution,
            "ExpandDims": self._expand_dims,
            "Fill": self._fill,
            "FusedDepthwiseConv2dNative": self._convolution,
            "GatherNd": self._gather,
            "Max": self._reduce_max,
            "MaxPool": self._max_pool,
            "Pack": self._pack,
            "ResizeBilinear": self._resize,
            "Split": self._split,
            "SquaredDifference": self._squared_difference,
            "Squeeze": self._squeeze,
            "StridedSlice": self._strided_slice,
            "Sum": self._reduce_sum,
            "TopKV2": self._top_k,
            "Unpack": self._unpack,
            "_FusedConv2D": self._convolution,
        }

    def run(self, input_type: str, input_shape: tuple[int | str, ...]) -> OnnxGraph:
        for node in self._source.nodes:
            if node.kind == "Placeholder":
                self._target.inputs.append(GraphPort(node.name, input_type, input_shape))
            elif node.kind == "Const":
                continue  # added where it is used, unless an operation takes it as an attribute
            elif node.kind in _SAME:
                self._target.add(_SAME[node.kind], self._inputs(node), outputs=[node.name])
            elif node.kind in self._handlers:
                self._handlers[node.kind](node)
            else:
                raise BadModel(f"the operation {node.kind} of {node.name} cannot be converted")
        for name, shape in self._source.outputs.items():
            self._target.outputs.append(GraphPort(name, "float32", tuple(int(size) for size in shape)))
        return self._target

    def _inputs(self, node: TfNode) -> list[str]:
        return [self._input(name) for name in node.inputs]

    def _input(self, name: str) -> str:
        if name in self._source.arrays:
            self._target.arrays.setdefault(name, self._source.arrays[name])
        return name

    def _array(self, name: str) -> NDArray[Any]:
        try:
            return self._source.arrays[name]
        except KeyError:
            raise BadModel(f"{name} is computed, and has to be a constant to be converted") from None

    def _axes(self, values: Any) -> str:
        return self._target.constant(np.atleast_1d(values))

    def _convolution(self, node: TfNode) -> None:
        given, weights_name, *bias = node.inputs
        weights = self._array(weights_name)
        if "Depthwise" in node.kind:
            height, width, channels, multiplier = weights.shape
            groups = channels
            weights = weights.reshape(height, width, 1, channels * multiplier)
        else:
            groups = 1
        target = self._target
        attributes = {
            "auto_pad": {"SAME": "SAME_UPPER", "VALID": "VALID"}[node.text("padding")],
            "dilations": node.numbers("dilations")[1:3],
            "group": groups,
            "kernel_shape": list(weights.shape[:2]),
            "strides": node.numbers("strides")[1:3],
        }
        inputs = [
            target.add("Transpose", [self._input(given)], {"perm": _TO_NCHW}),
            target.constant(weights.transpose(3, 2, 0, 1), "float32"),
            *map(self._input, bias),
        ]
        found = target.add("Conv", inputs, attributes)
        for fused in node.texts("fused_ops") if "Fused" in node.kind else ():
            match fused:
                case "BiasAdd":
                    continue
                case "Relu":
                    found = target.add("Relu", [found])
                case "Relu6":
                    limits = [target.constant(limit, "float32") for limit in (0.0, 6.0)]
                    found = target.add("Clip", [found, *limits])
                case _:
                    raise BadModel(f"the operation {fused} of {node.name} cannot be converted")
        target.add("Transpose", [found], {"perm": _TO_NHWC}, outputs=[node.name])

    def _max_pool(self, node: TfNode) -> None:
        found = self._target.add("Transpose", self._inputs(node), {"perm": _TO_NCHW})
        attributes = {
            "auto_pad": {"SAME": "SAME_UPPER", "VALID": "VALID"}[node.text("padding")],
            "kernel_shape": node.numbers("ksize")[1:3],
            "strides": node.numbers("strides")[1:3],
        }
        found = self._target.add("MaxPool", [found], attributes)
        self._target.add("Transpose", [found], {"perm": _TO_NHWC}, outputs=[node.name])

    def _resize(self, node: TfNode) -> None:
        if not node.is_set("half_pixel_centers"):
            raise BadModel(f"{node.name} scales without half-pixel centers, which is not converted")
        target = self._target
        picture = target.add("Transpose", [self._input(node.inputs[0])], {"perm": _TO_NCHW})
        channels = target.add("Slice", [target.add("Shape", [picture]), *map(target.constant, ([0], [2]))])
        sizes = target.add("Concat", [channels, self._input(node.inputs[1])], {"axis": 0})
        attributes = {"coordinate_transformation_mode": "half_pixel", "mode": "linear"}
        found = target.add("Resize", [picture, "", "", sizes], attributes)
        target.add("Transpose", [found], {"perm": _TO_NHWC}, outputs=[node.name])

    def _cast(self, node: TfNode) -> None:
        to = _ONNX_TYPES[_ELEMENT_TYPES[node.type_name("DstT")]]
        self._target.add("Cast", self._inputs(node), {"to": to}, outputs=[node.name])

    def _pack(self, node: TfNode) -> None:
        axis = self._axes(node.number("axis"))
        parts = [self._target.add("Unsqueeze", [name, axis]) for name in self._inputs(node)]
        self._target.add("Concat", parts, {"axis": node.number("axis")}, outputs=[node.name])

    def _unpack(self, node: TfNode) -> None:
        axis, given = node.number("axis"), self._input(node.inputs[0])
        for at in range(node.number("num")):
            name = f"{node.name}:{at}" if at else node.name
            index = self._target.constant(at)
            self._target.add("Gather", [given, index], {"axis": axis}, outputs=[name])

    def _split(self, node: TfNode) -> None:
        axis, count = int(self._array(node.inputs[0])), node.number("num_split")
        outputs = [f"{node.name}:{at}" if at else node.name for at in range(count)]
        self._target.add("Split", [self._input(node.inputs[1])], {"axis": axis}, outputs=outputs)

    def _concat(self, node: TfNode) -> None:
        *parts, axis = node.inputs
        self._target.add("Concat", list(map(self._input, parts)), {"axis": int(self._array(axis))}, outputs=[node.name])

    def _expand_dims(self, node: TfNode) -> None:
        axes = self._axes(self._array(node.inputs[1]))
        self._target.add("Unsqueeze", [self._input(node.inputs[0]), axes], outputs=[node.name])

    def _squeeze(self, node: TfNode) -> None:
        axes = self._axes(node.numbers("squeeze_dims"))
        self._target.add("Squeeze", [*self._inputs(node), axes], outputs=[node.name])

    def _fill(self, node: TfNode) -> None:
        self._target.add("Expand", [self._input(node.inputs[1]), self._input(node.inputs[0])], outputs=[node.name])

    def _gather(self, node: TfNode) -> None:
        self._target.add("GatherND", self._inputs(node), outputs=[node.name])

    def _squared_difference(self, node: TfNode) -> None:
        difference = self._target.add("Sub", self._inputs(node))
        self._target.add("Mul", [difference, difference], outputs=[node.name])

    def _reduce_sum(self, node: TfNode) -> None:
        axes = self._axes(self._array(node.inputs[1]))
        keeps = int(node.is_set("keep_dims"))
        self._target.add("ReduceSum", [self._input(node.inputs[0]), axes], {"keepdims": keeps}, outputs=[node.name])

    def _reduce_max(self, node: TfNode) -> None:
        axes = [int(one) for one in np.atleast_1d(self._array(node.inputs[1]))]
        attributes = {"axes": axes, "keepdims": int(node.is_set("keep_dims"))}
        self._target.add("ReduceMax", [self._input(node.inputs[0])], attributes, outputs=[node.name])

    def _arg_max(self, node: TfNode) -> None:
        attributes = {"axis": int(self._array(node.inputs[1])), "keepdims": 0}
        self._target.add("ArgMax", [self._input(node.inputs[0])], attributes, outputs=[node.name])

    def _top_k(self, node: TfNode) -> None:
        count = self._axes(self._array(node.inputs[1]))
        self._target.add("TopK", [self._input(node.inputs[0]), count], outputs=[node.name, f"{node.name}:1"])

    def _strided_slice(self, node: TfNode) -> None:
        """One slice, then the axes that it removes, then those that it adds."""
        given, *bounds = node.inputs
        begins, ends, strides = (self._array(name) for name in bounds)
        masks = {name: node.number(f"{name}_mask") for name in ("begin", "end", "new_axis", "shrink_axis", "ellipsis")}
        if masks["ellipsis"]:
            raise BadModel(f"the ellipsis of {node.name} cannot be converted")
        starts, stops, steps, axes, removed, added = [], [], [], [], [], []
        axis = result_axis = 0
        for position, (begin, end, stride) in enumerate(zip(begins, ends, strides, strict=True)):
            bit = 1 << position
            if masks["new_axis"] & bit:
                added.append(result_axis)
                result_axis += 1
                continue
            starts.append(0 if masks["begin"] & bit else int(begin))
            if masks["shrink_axis"] & bit:
                stops.append(int(begin) + 1 if begin != -1 else np.iinfo(np.int64).max)
                removed.append(axis)
            else:
                stops.append(np.iinfo(np.int64).max if masks["end"] & bit else int(end))
                result_axis += 1
            steps.append(int(stride))
            axes.append(axis)
            axis += 1
        target = self._target
        found = target.add("Slice", [self._input(given), *map(target.constant, (starts, stops, axes, steps))])
        for kind, changed in (("Squeeze", removed), ("Unsqueeze", added)):
            if changed:
                found = target.add(kind, [found, target.constant(changed)])
        target.add("Identity", [found], outputs=[node.name])
