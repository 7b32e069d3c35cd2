"""A compiled policy: branches of which one must hold, each made of clauses that must all hold."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from sightline.bus.policy.conditions import Absent, AnyOf, Condition
from sightline.bus.policy.leaves import Leaf

__all__ = ["Branch", "Branches", "Clause", "make_branch"]


@dataclass(frozen=True, slots=True)
class Clause:
    """One key and what its value may be; the exact values are kept in one set, the rest is asked in turn."""

    key: str
    conditions: tuple[Condition, ...]
    equal: frozenset[Leaf] = field(compare=False)
    others: tuple[Condition, ...] = field(compare=False)
    allows_absence: bool = field(compare=False)

    def accepts(self, leaf: Leaf) -> bool:
        if leaf in self.equal:
            return True
        for condition in self.others:
            if condition.accepts(leaf):
                return True
        return False


Branch = tuple[Clause, ...]
Branches = tuple[Branch, ...]


def make_clause(key: str, conditions: Iterable[Condition]) -> Clause:
    equal: set[Leaf] = set()
    others: list[Condition] = []
    absence = False
    for condition in conditions:
        if isinstance(condition, AnyOf):
            equal |= condition.leaves
        elif isinstance(condition, Absent):
            absence = True
        else:
            others.append(condition)
    merged: list[Condition] = [AnyOf(frozenset(equal))] if equal else []
    merged += others
    if absence:
        merged.append(Absent())
    return Clause(key, tuple(merged), frozenset(equal), tuple(others), absence)


def make_branch(fields: dict[str, list[Condition]]) -> Branch:
    """Clauses go in the order of their keys: that is how the engine walks, and absence depends on it."""
    return tuple(make_clause(key, fields[key]) for key in sorted(fields))
