"""Messages flattened into fields: each leaf under its dotted key, with the array elements around it."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NoReturn

from sightline.bus.policy.leaves import (
    NULL,
    NULL_IN_ARRAY,
    UNREADABLE,
    Leaf,
    Numbers,
    NumberText,
    event_numbers,
    leaf_of,
    message_numbers,
)

__all__ = ["ArrayPath", "Attribute", "Fields", "flatten_attributes", "flatten_event", "flatten_text"]

# float() would also take underscores, the digits of other scripts and the names of no number
_NUMBER: Final = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")

ArrayPath = tuple[tuple[int, int], ...]
"""The array elements around a leaf, outermost first, each as (number of the array, index of the element)."""


@dataclass(frozen=True, slots=True)
class Attribute:
    """A message attribute: the SNS data type and its value, bytes for Binary alone."""

    data_type: str
    value: str | bytes


class _Pairs(tuple[tuple[str, object], ...]):
    """A JSON object as its pairs, because the engine sees both values of a repeated key."""

    __slots__ = ()


class Fields:
    """`leaves` and `paths` run in step; `paths` stays empty as long as no object lies in an array."""

    __slots__ = ("_arrays", "leaves", "paths")

    def __init__(self) -> None:
        self.leaves: dict[str, list[Leaf]] = {}
        self.paths: dict[str, list[ArrayPath]] = {}
        self._arrays = 0

    def put(self, key: str, leaf: Leaf) -> None:
        self.leaves.setdefault(key, []).append(leaf)

    def add(self, root: object, numbers: Numbers, key: str | None = None) -> None:
        """Adds a JSON value."""
        placed: list[tuple[str, Leaf, ArrayPath]] = []
        waiting: list[tuple[str | None, object, ArrayPath]] = [(key, root, ())]
        while waiting:
            prefix, value, path = waiting.pop()
            if isinstance(value, Mapping | _Pairs):
                for name, child in value.items() if isinstance(value, Mapping) else value:
                    waiting.append((name if prefix is None else f"{prefix}.{name}", child, path))
            elif isinstance(value, list | tuple):
                self._arrays += 1
                for index, element in enumerate(value):
                    if isinstance(element, Mapping | list | tuple):
                        waiting.append((prefix, element, (*path, (self._arrays, index))))
                    else:
                        # A scalar element has no array path: ["a", "b"] is one key with two values.
                        leaf = leaf_of(element, numbers)
                        placed.append((prefix or "", NULL_IN_ARRAY if leaf == NULL else leaf, path))
            else:
                placed.append((prefix or "", leaf_of(value, numbers), path))
        self._keep(placed)

    def _keep(self, placed: list[tuple[str, Leaf, ArrayPath]]) -> None:
        if not self.paths and not any(path for _, _, path in placed):
            for key, leaf, _ in placed:
                self.leaves.setdefault(key, []).append(leaf)
            return
        for key, present in self.leaves.items():
            self.paths.setdefault(key, [()] * len(present))
        for key, leaf, path in placed:
            self.leaves.setdefault(key, []).append(leaf)
            self.paths.setdefault(key, []).append(path)


def flatten_event(event: Mapping[str, Any]) -> Fields:
    fields = Fields()
    fields.add(event, event_numbers)
    return fields


def flatten_text(text: str, numbers: Numbers) -> Fields | None:
    """None for a text that is not a JSON object: nothing matches it."""
    try:
        tree = _parse(text)
    except ValueError:
        return None
    if not isinstance(tree, _Pairs):
        return None
    fields = Fields()
    fields.add(tree, numbers)
    return fields


def flatten_attributes(attributes: Mapping[str, Attribute]) -> Fields:
    fields = Fields()
    parsed: list[tuple[str, object]] = []
    for name, attribute in attributes.items():
        data_type, value = attribute.data_type, attribute.value
        if isinstance(value, bytes) or data_type.startswith("Binary"):
            continue
        if data_type == "String.Array":
            try:
                parsed.append((name, _parse(value)))
            except ValueError:
                fields.put(name, UNREADABLE)
        elif data_type.startswith("Number"):
            text = value.strip()
            fields.put(name, message_numbers(text) if _NUMBER.fullmatch(text) else ("n", text))
        else:
            fields.put(name, ("s", value))
    # after the plain ones, which know nothing of paths
    for name, tree in parsed:
        fields.add(tree, message_numbers, name)
    return fields


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


_DECODER: Final = json.JSONDecoder(
    parse_float=NumberText, parse_int=NumberText, parse_constant=_refuse, object_pairs_hook=_Pairs
)


def _parse(text: str) -> object:
    try:
        tree: object = _DECODER.decode(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    return tree
