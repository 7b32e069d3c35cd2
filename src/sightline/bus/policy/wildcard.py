"""Wildcard patterns: `*` stands for any run of characters, a backslash takes `*` and itself literally."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from sightline.bus.policy.json_complaints import Complaint

__all__ = ["WildcardPattern", "parse_wildcard"]

MAX_STATES = 4000


@dataclass(frozen=True)
class WildcardPattern:
    """The literal pieces between the stars; one piece means there is no star at all."""

    pieces: tuple[str, ...]

    @property
    def stars(self) -> int:
        return len(self.pieces) - 1

    @cached_property
    def shortest(self) -> int:
        return sum(map(len, self.pieces))

    def fits(self, text: str) -> bool:
        pieces = self.pieces
        first, last = pieces[0], pieces[-1]
        if len(pieces) == 1:
            return text == first
        if len(text) < self.shortest or not text.startswith(first) or not text.endswith(last):
            return False
        # Matching each middle piece at its first occurrence leaves the most room for the next, so no backtracking is needed.
        at, end = len(first), len(text) - len(last)
        for piece in pieces[1:-1]:
            at = text.find(piece, at, end)
            if at < 0:
                return False
            at += len(piece)
        return True

    def widest(self, limit: int) -> int:
        """In how many places of the pattern a reader could be at once, counted no further than the limit."""
        literals = [*self._literals()]
        alphabet = {char for char in literals if char is not None} | {"\0"}
        start = frozenset(_closure({0}, literals))
        seen, waiting, widest = {start}, [start], len(start)
        while waiting and widest < limit and len(seen) < MAX_STATES:
            state = waiting.pop()
            for char in alphabet:
                moved = {at for at in state if at < len(literals) and literals[at] is None}
                moved |= {at + 1 for at in state if at < len(literals) and literals[at] == char}
                following = frozenset(_closure(moved, literals))
                if following and following not in seen:
                    seen.add(following)
                    waiting.append(following)
                    widest = max(widest, len(following))
        return limit if len(seen) >= MAX_STATES else min(widest, limit)

    def _literals(self) -> Iterator[str | None]:
        for place, piece in enumerate(self.pieces):
            if place:
                yield None
            yield from piece


def _closure(states: set[int], literals: list[str | None]) -> set[int]:
    """A star may match nothing, so a state before it is also a state after it."""
    return states | {at + 1 for at in states if at < len(literals) and literals[at] is None}


def parse_wildcard(text: str) -> WildcardPattern:
    pieces, piece, at = [], "", 0
    while at < len(text):
        char = text[at]
        if char == "*":
            if text[at + 1 : at + 2] == "*":
                raise Complaint(f"Consecutive wildcard characters at pos {_position(text, at)}")
            pieces.append(piece)
            piece = ""
        elif char == "\\":
            at += 1
            if text[at : at + 1] not in ("*", "\\"):
                raise Complaint(f"Invalid escape character at pos {_position(text, at - 1)}")
            piece += text[at]
        else:
            piece += char
        at += 1
    return WildcardPattern((*pieces, piece))


def _position(text: str, at: int) -> int:
    """The engine counts bytes, and the quote it keeps before a string is the first of them."""
    return 1 + len(text[:at].encode("utf-8", "surrogatepass"))
