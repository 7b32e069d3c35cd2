"""Matching of branches against fields. Conditions on one array must match within one element of it."""

from collections.abc import Iterable, Iterator

from sightline.bus.policy.clauses import Branch, Branches, Clause
from sightline.bus.policy.flatten import ArrayPath, Fields

__all__ = ["branch_matches", "first_failure", "matches"]


def matches(branches: Branches, fields: Fields) -> bool:
    return any(branch_matches(branch, fields) for branch in branches)


def branch_matches(branch: Branch, fields: Fields) -> bool:
    if fields.paths:
        return first_failure(branch, fields) is None
    leaves = fields.leaves
    for clause in branch:
        present = leaves.get(clause.key)
        if present is None:
            if not clause.allows_absence:
                return False
            continue
        for leaf in present:
            if clause.accepts(leaf):
                break
        else:
            return False
    return True


def first_failure(branch: Branch, fields: Fields) -> Clause | None:
    """The clause at which no way through the arrays of the message is left; None if the branch holds."""
    ways: set[ArrayPath] = {()}
    arrays_ahead = _arrays_ahead(branch, fields)
    for clause, ahead in zip(branch, arrays_ahead, strict=True):
        everywhere = fields.paths.get(clause.key) or [()] * len(fields.leaves.get(clause.key, ()))
        accepted = {
            path
            for leaf, path in zip(fields.leaves.get(clause.key, ()), everywhere, strict=True)
            if clause.accepts(leaf)
        }
        reached = set(_join(ways, accepted))
        if clause.allows_absence:
            around = _ByOutermost(set(everywhere))
            reached.update(way for way in ways if not any(True for _ in around.consistent(way)))
        # Dropping arrays that no later clause uses keeps independent arrays from multiplying.
        ways = {tuple(step for step in way if step[0] in ahead) for way in reached}
        if not ways:
            return clause
    return None


def _arrays_ahead(branch: Branch, fields: Fields) -> list[set[int]]:
    ahead: list[set[int]] = []
    arrays: set[int] = set()
    for clause in reversed(branch):
        ahead.append(arrays)
        arrays = arrays | {array for path in fields.paths.get(clause.key, ()) for array, _ in path}
    return ahead[::-1]


def _join(ways: set[ArrayPath], paths: set[ArrayPath]) -> Iterable[ArrayPath]:
    if ways == {()}:
        return paths
    known = _ByOutermost(ways)
    return (_merged(way, path) for path in paths for way in known.consistent(path))


def _merged(way: ArrayPath, path: ArrayPath) -> ArrayPath:
    return tuple(sorted({**dict(way), **dict(path)}.items()))


class _ByOutermost:
    """Places grouped by their outermost array element, so that few of many need to be compared."""

    def __init__(self, paths: set[ArrayPath]) -> None:
        self._loose = () in paths
        self._groups: dict[int, dict[int, list[ArrayPath]]] = {}
        for path in paths:
            if path:
                array, index = path[0]
                self._groups.setdefault(array, {}).setdefault(index, []).append(path)

    def consistent(self, path: ArrayPath) -> Iterator[ArrayPath]:
        """Those that name no array at another index than the path does."""
        if self._loose:
            yield ()
        known = dict(path)
        for array, by_index in self._groups.items():
            groups = by_index.values() if array not in known else [by_index.get(known[array], [])]
            for group in groups:
                for other in group:
                    if all(known.get(number, index) == index for number, index in other):
                        yield other
