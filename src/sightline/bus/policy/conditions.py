"""Conditions of a policy: each tests a leaf and describes itself in words."""

from dataclasses import dataclass, field
from typing import Protocol

from sightline.bus.policy.addresses import Address, Block, parse_address
from sightline.bus.policy.leaves import NULL, UNREADABLE, Leaf, describe
from sightline.bus.policy.letter_case import ignoring_case, lengths
from sightline.bus.policy.wildcard import WildcardPattern

__all__ = [
    "Absent",
    "AnyOf",
    "AnythingBut",
    "AnythingUnlike",
    "Between",
    "Condition",
    "EqualsIgnoreCase",
    "Exists",
    "InBlock",
    "Prefix",
    "PrefixIgnoreCase",
    "SameAddress",
    "Suffix",
    "SuffixIgnoreCase",
    "Wildcard",
]


class Condition(Protocol):
    def accepts(self, leaf: Leaf) -> bool: ...

    def __str__(self) -> str:
        """Completes "the value must …"."""


@dataclass(frozen=True, slots=True)
class AnyOf:
    leaves: frozenset[Leaf]

    def accepts(self, leaf: Leaf) -> bool:
        return leaf in self.leaves

    def __str__(self) -> str:
        return "equal " + " or ".join(sorted({describe(leaf) for leaf in self.leaves}))


@dataclass(frozen=True, slots=True)
class SameAddress:
    """Compares parsed addresses, so that all spellings of an address are equal."""

    text: str
    address: Address

    def accepts(self, leaf: Leaf) -> bool:
        return leaf[0] == "s" and parse_address(str(leaf[1])) == self.address

    def __str__(self) -> str:
        return f"equal the address {self.text}"


@dataclass(frozen=True, slots=True)
class InBlock:
    text: str
    block: Block

    def accepts(self, leaf: Leaf) -> bool:
        if leaf[0] != "s":
            return False
        address = parse_address(str(leaf[1]))
        return address is not None and self.block.holds(address)

    def __str__(self) -> str:
        return f"lie in {self.text}"


@dataclass(frozen=True, slots=True)
class Prefix:
    text: str

    def accepts(self, leaf: Leaf) -> bool:
        return leaf[0] == "s" and str(leaf[1]).startswith(self.text)

    def __str__(self) -> str:
        return f'start with "{self.text}"'


@dataclass(frozen=True, slots=True)
class Suffix:
    text: str

    def accepts(self, leaf: Leaf) -> bool:
        return leaf[0] == "s" and str(leaf[1]).endswith(self.text)

    def __str__(self) -> str:
        return f'end with "{self.text}"'


@dataclass(frozen=True, slots=True)
class EqualsIgnoreCase:
    text: str

    def accepts(self, leaf: Leaf) -> bool:
        return leaf[0] == "s" and ignoring_case(self.text).fullmatch(str(leaf[1])) is not None

    def __str__(self) -> str:
        return f'equal "{self.text}" in any case'


@dataclass(frozen=True, slots=True)
class PrefixIgnoreCase:
    text: str

    def accepts(self, leaf: Leaf) -> bool:
        return leaf[0] == "s" and ignoring_case(self.text).match(str(leaf[1])) is not None

    def __str__(self) -> str:
        return f'start with "{self.text}" in any case'


@dataclass(frozen=True, slots=True)
class SuffixIgnoreCase:
    text: str

    def accepts(self, leaf: Leaf) -> bool:
        if leaf[0] != "s":
            return False
        value = str(leaf[1])
        pattern = ignoring_case(self.text)
        shortest, longest = lengths(self.text)
        starts = range(max(0, len(value) - longest), len(value) - shortest + 1)
        return any(pattern.fullmatch(value, at) for at in starts)

    def __str__(self) -> str:
        return f'end with "{self.text}" in any case'


@dataclass(frozen=True, slots=True)
class Wildcard:
    text: str
    pattern: WildcardPattern = field(compare=False)

    def accepts(self, leaf: Leaf) -> bool:
        return leaf[0] == "s" and self.pattern.fits(str(leaf[1]))

    def __str__(self) -> str:
        return f'fit "{self.text}"'


@dataclass(frozen=True, slots=True)
class Between:
    """A numeric range; None is an open end."""

    low: int | float | None
    high: int | float | None
    with_low: bool
    with_high: bool
    words: str = field(compare=False)

    def accepts(self, leaf: Leaf) -> bool:
        kind, key = leaf
        # A text here is a number beyond the range in which AWS compares.
        if kind != "n" or isinstance(key, str) or key is None:
            return False
        if self.low is not None and not (key > self.low or (self.with_low and key == self.low)):
            return False
        return self.high is None or key < self.high or (self.with_high and key == self.high)

    def __str__(self) -> str:
        return f"be {self.words}"


@dataclass(frozen=True, slots=True)
class Exists:
    null_counts: bool

    def accepts(self, leaf: Leaf) -> bool:
        return leaf != UNREADABLE and (self.null_counts or leaf != NULL)

    def __str__(self) -> str:
        return "exist"


@dataclass(frozen=True, slots=True)
class Absent:
    """Accepts no value; the matcher checks whether the key is missing."""

    def accepts(self, leaf: Leaf) -> bool:
        return False

    def __str__(self) -> str:
        return "be absent"


@dataclass(frozen=True, slots=True)
class AnythingBut:
    leaves: frozenset[Leaf]

    def accepts(self, leaf: Leaf) -> bool:
        return leaf not in self.leaves and leaf != UNREADABLE

    def __str__(self) -> str:
        return "be anything but " + " or ".join(sorted(describe(leaf) for leaf in self.leaves))


@dataclass(frozen=True, slots=True)
class AnythingUnlike:
    """Anything but the values that meet one of the conditions; a value of another type meets none of them."""

    conditions: tuple[Condition, ...]

    def accepts(self, leaf: Leaf) -> bool:
        if leaf == UNREADABLE:
            return False
        return not any(condition.accepts(leaf) for condition in self.conditions)

    def __str__(self) -> str:
        return "not " + " or ".join(map(str, self.conditions))
