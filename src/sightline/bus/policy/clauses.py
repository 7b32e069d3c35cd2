"""Compiled policies: a policy matches if one of its branches does, a branch if all of its clauses do."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from sightline.bus.policy.conditions import Absent, AnyOf, Condition
from sightline.bus.policy.leaves import Leaf

__all__ = ["Branch", "Branches", "Clause", "make_branch"]


@dataclass(frozen=True, slots=True)
class Clause:
    """One key and its allowed values; exact values are in one set, other conditions are checked in turn."""

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
    """Clauses are sorted by key, as in the engine of AWS; absence depends on this order."""
    return tuple(make_clause(key, fields[key]) for key in sorted(fields))
