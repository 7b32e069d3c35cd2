"""Reader of TensorFlow.js graph models: the nodes of a JSON file and the arrays of the binary file beside it."""

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sightline.vision.models.errors import BadModel

_SIZES = {"float32": 4, "int32": 4, "bool": 1, "float16": 2}


@dataclass(frozen=True, slots=True)
class TfNode:
    name: str
    kind: str
    inputs: tuple[str, ...]
    _attributes: Mapping[str, Any]

    def number(self, name: str, default: int = 0) -> int:
        return int(self._attributes.get(name, {}).get("i", default))

    def fraction(self, name: str) -> float:
        return float(self._attributes[name]["f"])

    def is_set(self, name: str) -> bool:
        return bool(self._attributes.get(name, {}).get("b", False))

    def text(self, name: str) -> str:
        return base64.b64decode(self._attributes[name]["s"]).decode()

    def texts(self, name: str) -> list[str]:
        return [base64.b64decode(one).decode() for one in self._attributes[name]["list"].get("s", ())]

    def numbers(self, name: str) -> list[int]:
        return [int(one) for one in self._attributes[name]["list"].get("i", ())]

    def type_name(self, name: str) -> str:
        return str(self._attributes[name]["type"])


@dataclass(frozen=True, slots=True)
class TfGraph:
    nodes: Sequence[TfNode]
    """Each after those that it needs."""
    arrays: Mapping[str, NDArray[Any]]
    """Whole numbers are 64 bits wide, as ONNX has them in shapes and indices."""
    outputs: Mapping[str, tuple[str, ...]]
    """Shapes as the signature names them, by the name of the node."""


def read_graph(topology: bytes, weights: bytes) -> TfGraph:
    """Raises `BadModel` when the files do not fit together."""
    try:
        content = json.loads(topology)
        nodes = [
            TfNode(one["name"], one["op"], tuple(map(_plain, one.get("input", ()))), one.get("attr", {}))
            for one in content["modelTopology"]["node"]
        ]
        manifest = [weight for group in content["weightsManifest"] for weight in group["weights"]]
        outputs = {
            _plain(one["name"]).partition(":")[0]: tuple(size["size"] for size in one["tensorShape"]["dim"])
            for one in content["signature"]["outputs"].values()
        }
        return TfGraph(_in_order(nodes), _read_arrays(manifest, weights), outputs)
    except (KeyError, TypeError, ValueError) as error:
        raise BadModel(f"not a TensorFlow.js graph model: {type(error).__name__} {error}") from error


def _plain(name: str) -> str:
    return name.removesuffix(":0")


def _read_arrays(manifest: Sequence[Mapping[str, Any]], weights: bytes) -> dict[str, NDArray[Any]]:
    arrays: dict[str, NDArray[Any]] = {}
    at = 0
    for weight in manifest:
        stored = weight.get("quantization", {}).get("dtype", weight["dtype"])
        size = _SIZES[stored] * prod(weight["shape"])
        values = np.frombuffer(weights[at : at + size], dtype=np.dtype(stored).newbyteorder("<"))
        target = {"float32": "float32", "int32": "int64", "bool": "bool"}[weight["dtype"]]
        arrays[weight["name"]] = values.reshape(weight["shape"]).astype(target)
        at += size
    if at != len(weights):
        raise ValueError(f"the weights have {len(weights)} bytes; the manifest describes {at}")
    return arrays


def _in_order(nodes: Sequence[TfNode]) -> list[TfNode]:
    """Topological order that keeps the order of the file where it can, so that a conversion is the same each time."""
    by_name = {node.name: node for node in nodes}
    ordered: dict[str, TfNode] = {}
    for first in nodes:
        waiting = [first]
        while waiting:
            node = waiting[-1]
            needed = [by_name[name.partition(":")[0]] for name in node.inputs]
            missing = [one for one in needed if one.name not in ordered]
            if node.name in ordered or not missing:
                ordered[waiting.pop().name] = node
            elif len(waiting) > len(nodes):
                raise ValueError(f"the node {node.name} depends on itself")
            else:
                waiting += reversed(missing)
    return list(ordered.values())
