"""Lookup slots of conditions: each value checks only the few slots that may hold matching policies."""

import math
from collections import Counter
from collections.abc import Iterator
from typing import Final, Generic, TypeVar

from sightline.bus.policy.addresses import parse_address
from sightline.bus.policy.clauses import Clause
from sightline.bus.policy.conditions import (
    Absent,
    AnyOf,
    Between,
    Condition,
    EqualsIgnoreCase,
    InBlock,
    Prefix,
    SameAddress,
    Suffix,
    Wildcard,
)
from sightline.bus.policy.leaves import COMPARABLE, MICRO, Leaf
from sightline.bus.policy.letter_case import folded

__all__ = ["ABSENT", "PRESENT", "Gate", "Slot", "slots_of"]

T = TypeVar("T")
Slot = tuple[object, ...]

# The slot of conditions that no lookup can narrow: any value of the key may match.
PRESENT: Final[Slot] = ("present",)
# The slot of conditions that a missing key matches.
ABSENT: Final[Slot] = ("absent",)


def slots_of(clause: Clause) -> set[Slot]:
    """A value the clause accepts, or the lack of one, finds at least one of these."""
    slots = {slot for condition in clause.conditions for slot in _slots(condition)}
    return slots & {PRESENT, ABSENT} if PRESENT in slots else slots


def _slots(condition: Condition) -> list[Slot]:
    match condition:
        case AnyOf(leaves):
            return [("equal", leaf) for leaf in leaves]
        case SameAddress(_, address):
            return [("block", (address.bits, address.bits), address.value)]
        case InBlock(_, block):
            return [("block", (block.bits, block.length), block.prefix)]
        case Prefix(text) if text:
            return [("prefix", len(text), text)]
        case Suffix(text) if text:
            return [("suffix", len(text), text)]
        case EqualsIgnoreCase(text):
            key = folded(text)
            return [PRESENT] if key is None else [("folded", key)]
        case Wildcard(_, pattern):
            return _slots(Prefix(pattern.pieces[0])) if pattern.pieces[0] else _slots(Suffix(pattern.pieces[-1]))
        case Between():
            return _cells(condition)
        case Absent():
            return [ABSENT]
    return [PRESENT]


def _cells(between: Between) -> list[Slot]:
    """The numbers are cut into cells as wide as the range, so that it touches two of them at most."""
    low, high = _micro(between.low, -COMPARABLE), _micro(between.high, COMPARABLE)
    width = max(0, high - low).bit_length()
    return [("cell", width, cell) for cell in range(low >> width, (high >> width) + 1)]


def _micro(bound: int | float | None, default: float) -> int:
    if bound is None:
        bound = default
    return bound if isinstance(bound, int) else math.floor(bound * MICRO)


class Gate(Generic[T]):
    """All slots of one key."""

    def __init__(self) -> None:
        self._slots: dict[Slot, set[T]] = {}
        # Number of slots per kind and width; a value is cut to these widths.
        self._widths: dict[object, Counter[object]] = {}

    def __bool__(self) -> bool:
        return bool(self._slots)

    def put(self, slot: Slot, entry: T) -> None:
        holders = self._slots.setdefault(slot, set())
        if not holders and len(slot) == 3:
            self._widths.setdefault(slot[0], Counter())[slot[1]] += 1
        holders.add(entry)

    def take(self, slot: Slot, entry: T) -> None:
        holders = self._slots[slot]
        holders.discard(entry)
        if holders:
            return
        del self._slots[slot]
        if len(slot) == 3:
            widths = self._widths[slot[0]]
            widths[slot[1]] -= 1
            if not widths[slot[1]]:
                del widths[slot[1]]

    def load(self, slot: Slot) -> int:
        return len(self._slots.get(slot, ()))

    def holders(self, slot: Slot) -> set[T]:
        return self._slots.get(slot) or set()

    def find(self, leaf: Leaf) -> Iterator[set[T]]:
        slots = self._slots
        for slot in self._slots_for(leaf):
            holders = slots.get(slot)
            if holders is not None:
                yield holders

    def _slots_for(self, leaf: Leaf) -> Iterator[Slot]:
        yield PRESENT
        yield ("equal", leaf)
        kind, value = leaf
        if kind == "s" and isinstance(value, str):
            yield ("folded", value.casefold())
            for width in self._widths.get("prefix", ()):
                yield ("prefix", width, value[: _int(width)])
            for width in self._widths.get("suffix", ()):
                yield ("suffix", width, value[-_int(width) :])
            if "block" in self._widths and (address := parse_address(value)) is not None:
                for bits in range(address.bits + 1):
                    if (address.bits, bits) in self._widths["block"]:
                        yield ("block", (address.bits, bits), address.value >> (address.bits - bits))
        elif kind == "n" and isinstance(value, int | float):
            number = value if isinstance(value, int) else math.floor(value * MICRO)
            for width in self._widths.get("cell", ()):
                yield ("cell", width, number >> _int(width))


def _int(width: object) -> int:
    assert isinstance(width, int)
    return width
