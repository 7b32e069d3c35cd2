"""Writer of ONNX files: a graph of nodes and arrays in, the bytes of a file out.

The format is a handful of protobuf messages, written here by hand: the same graph always gives the same bytes, so that the hash of
a converted model can be pinned, whatever versions of other libraries are installed.
"""

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

IR_VERSION = 8
OPSET = 13
PRODUCER = "sightline"

_ELEMENT_TYPES = {"float32": 1, "uint8": 2, "int32": 6, "int64": 7, "bool": 9, "float16": 10}
_FLOAT, _INT, _STRING, _TENSOR, _FLOATS, _INTS = 1, 2, 3, 4, 6, 7

Attribute = Any
"""A number, a text, numbers, or an array."""


@dataclass(frozen=True, slots=True)
class GraphPort:
    """An input or output of the graph. A name instead of a number is a size that may differ from call to call."""

    name: str
    element_type: str
    shape: tuple[int | str, ...]


@dataclass(slots=True)
class OnnxGraph:
    """Nodes in the order in which they run."""

    name: str
    inputs: list[GraphPort] = field(default_factory=list)
    outputs: list[GraphPort] = field(default_factory=list)
    arrays: dict[str, NDArray[Any]] = field(default_factory=dict)
    metadata: dict[str, str] = field(default_factory=dict)
    _nodes: list[bytes] = field(default_factory=list)
    _count: int = 0

    def add(
        self,
        kind: str,
        inputs: Sequence[str],
        attributes: Mapping[str, Attribute] | None = None,
        *,
        outputs: Sequence[str] | None = None,
    ) -> str:
        """Adds a node and returns the name of its first output."""
        names = [self._new_name(kind)] if outputs is None else list(outputs)
        self._nodes.append(
            b"".join(
                (
                    *(_text(1, name) for name in inputs),
                    *(_text(2, name) for name in names),
                    _text(3, names[0]),
                    _text(4, kind),
                    *(_block(5, _attribute(*one)) for one in sorted((attributes or {}).items())),
                )
            )
        )
        return names[0]

    def constant(self, values: Any, element_type: str = "int64") -> str:
        """Adds an array and returns its name."""
        name = self._new_name("constant")
        self.arrays[name] = np.asarray(values, dtype=element_type)
        return name

    def to_bytes(self) -> bytes:
        graph = b"".join(
            (
                *(_block(1, node) for node in self._nodes),
                _text(2, self.name),
                *(_block(5, _tensor(name, array)) for name, array in self.arrays.items()),
                *(_block(11, _port(port)) for port in self.inputs),
                *(_block(12, _port(port)) for port in self.outputs),
            )
        )
        metadata = (_block(14, _text(1, key) + _text(2, value)) for key, value in sorted(self.metadata.items()))
        return b"".join(
            (_number(1, IR_VERSION), _text(2, PRODUCER), _block(7, graph), _block(8, _number(2, OPSET)), *metadata)
        )

    def _new_name(self, kind: str) -> str:
        self._count += 1
        return f"{kind.lower()}_{self._count}"


def _attribute(name: str, value: Attribute) -> bytes:
    head = _text(1, name)
    match value:
        case int():
            return head + _number(3, int(value)) + _number(20, _INT)
        case float():
            return head + _float(2, value) + _number(20, _FLOAT)
        case str():
            return head + _text(4, value) + _number(20, _STRING)
        case np.ndarray():
            return head + _block(5, _tensor("", value)) + _number(20, _TENSOR)
    if all(isinstance(one, int) for one in value):
        return head + b"".join(_number(8, int(one)) for one in value) + _number(20, _INTS)
    return head + b"".join(_float(7, float(one)) for one in value) + _number(20, _FLOATS)


def _tensor(name: str, array: NDArray[Any]) -> bytes:
    little_endian = np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<"), copy=False)
    return b"".join(
        (
            *(_number(1, size) for size in array.shape),
            _number(2, _ELEMENT_TYPES[array.dtype.name]),
            *([_text(8, name)] if name else []),
            _block(9, little_endian.tobytes()),
        )
    )


def _port(port: GraphPort) -> bytes:
    sizes = (_text(2, size) if isinstance(size, str) else _number(1, size) for size in port.shape)
    shape = b"".join(_block(1, size) for size in sizes)
    tensor = _number(1, _ELEMENT_TYPES[port.element_type]) + _block(2, shape)
    return _text(1, port.name) + _block(2, _block(1, tensor))


# The wire format of protobuf: each field is its number and kind, then its content.


def _number(field_number: int, value: int) -> bytes:
    return _varint(field_number << 3) + _varint(value & (1 << 64) - 1)


def _float(field_number: int, value: float) -> bytes:
    return _varint(field_number << 3 | 5) + struct.pack("<f", value)


def _text(field_number: int, value: str) -> bytes:
    return _block(field_number, value.encode())


def _block(field_number: int, content: bytes) -> bytes:
    return _varint(field_number << 3 | 2) + _varint(len(content)) + content


def _varint(value: int) -> bytes:
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    found.append(value)
    return bytes(found)
