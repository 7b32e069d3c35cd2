"""Indexes of policies: find the ones that a message matches without testing each."""

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from typing import Any, Final, Generic, TypeVar

from sightline.bus.policy.clauses import Branch, Branches
from sightline.bus.policy.flatten import Attribute, Fields, flatten_attributes, flatten_event, flatten_text
from sightline.bus.policy.gates import ABSENT, PRESENT, Gate, Slot, slots_of
from sightline.bus.policy.leaves import message_numbers
from sightline.bus.policy.match import branch_matches
from sightline.bus.policy.policy import EventPattern, FilterPolicy

__all__ = ["PatternIndex", "PolicyIndex"]

K = TypeVar("K", bound=Hashable)

# a clause that any value may meet, or none, is worth a gate when the alternative is more crowded than this
HANDICAP: Final = 8


class PolicyIndex(Generic[K]):
    """The filter policies of one topic; returns the same as testing each policy alone."""

    def __init__(self) -> None:
        self._policies: dict[K, FilterPolicy] = {}
        self._open: set[K] = set()
        self._by_attributes: _BranchIndex[K] = _BranchIndex()
        self._by_body: _BranchIndex[K] = _BranchIndex()

    def __len__(self) -> int:
        return len(self._policies)

    def add(self, key: K, policy: FilterPolicy) -> None:
        """A key already there gets the new policy."""
        self.discard(key)
        self._policies[key] = policy
        if policy.branches is None:
            self._open.add(key)
        else:
            self._index_of(policy).add(key, policy.branches)

    def discard(self, key: K) -> None:
        policy = self._policies.pop(key, None)
        if policy is None:
            return
        if policy.branches is None:
            self._open.discard(key)
        else:
            self._index_of(policy).discard(key, policy.branches)

    def matching(self, attributes: Mapping[str, Attribute], body: str) -> set[K]:
        found = set(self._open)
        if self._by_attributes and attributes:
            self._by_attributes.collect(flatten_attributes(attributes), found)
        if self._by_body:
            fields = flatten_text(body, message_numbers)
            if fields is not None:
                self._by_body.collect(fields, found)
        return found

    def _index_of(self, policy: FilterPolicy) -> "_BranchIndex[K]":
        return self._by_body if policy.scope == "MessageBody" else self._by_attributes


class PatternIndex(Generic[K]):
    """The event patterns of one bus; returns the same as testing each pattern alone."""

    def __init__(self) -> None:
        self._patterns: dict[K, EventPattern] = {}
        self._index: _BranchIndex[K] = _BranchIndex()

    def __len__(self) -> int:
        return len(self._patterns)

    def add(self, key: K, pattern: EventPattern) -> None:
        """A key already there gets the new pattern."""
        self.discard(key)
        self._patterns[key] = pattern
        self._index.add(key, pattern.branches)

    def discard(self, key: K) -> None:
        pattern = self._patterns.pop(key, None)
        if pattern is not None:
            self._index.discard(key, pattern.branches)

    def matching(self, event: Mapping[str, Any]) -> set[K]:
        found: set[K] = set()
        self._index.collect(flatten_event(event), found)
        return found


class _Group(Generic[K]):
    """The keys with equal policies, and the index entries of their branches."""

    __slots__ = ("entries", "keys")

    def __init__(self) -> None:
        self.keys: set[K] = set()
        self.entries: list[_Entry[K]] = []


class _Entry(Generic[K]):
    __slots__ = ("branch", "gate_key", "group", "slots")

    def __init__(self, group: _Group[K], branch: Branch, gate_key: str, slots: set[Slot]) -> None:
        self.group = group
        self.branch = branch
        self.gate_key = gate_key
        self.slots = slots


class _BranchIndex(Generic[K]):
    """Each branch is indexed by one of its clauses, its gate; only branches whose gate matches are tested."""

    def __init__(self) -> None:
        self._groups: dict[Branches, _Group[K]] = {}
        self._gates: dict[str, Gate[_Entry[K]]] = {}
        # how many branches wait at each key for a message without it
        self._awaiting_absence: Counter[str] = Counter()

    def __bool__(self) -> bool:
        return bool(self._groups)

    def add(self, key: K, branches: Branches) -> None:
        group = self._groups.get(branches)
        if group is None:
            group = self._groups[branches] = _Group()
            group.entries = [self._enter(group, branch) for branch in branches]
        group.keys.add(key)

    def discard(self, key: K, branches: Branches) -> None:
        group = self._groups[branches]
        group.keys.discard(key)
        if group.keys:
            return
        del self._groups[branches]
        for entry in group.entries:
            self._leave(entry)

    def collect(self, fields: Fields, found: set[K]) -> None:
        matched: set[_Group[K]] = set()
        tried: set[_Entry[K]] = set()
        for holders in self._candidates(fields):
            for entry in holders:
                if entry in tried or entry.group in matched:
                    continue
                tried.add(entry)
                if branch_matches(entry.branch, fields):
                    matched.add(entry.group)
                    found.update(entry.group.keys)

    def _candidates(self, fields: Fields) -> Iterator[set[_Entry[K]]]:
        gates, leaves = self._gates, fields.leaves
        for key in self._awaiting_absence:
            # beside arrays of objects a key may be there and yet missing from the element in question
            if key not in leaves or fields.paths:
                yield gates[key].holders(ABSENT)
        for key in leaves if len(leaves) < len(gates) else gates:
            gate = gates.get(key)
            if gate is not None:
                for leaf in dict.fromkeys(leaves.get(key, ())):
                    yield from gate.find(leaf)

    def _enter(self, group: _Group[K], branch: Branch) -> _Entry[K]:
        entry = _Entry(group, branch, *self._least_crowded(branch))
        gate = self._gates.setdefault(entry.gate_key, Gate())
        for slot in entry.slots:
            gate.put(slot, entry)
        if ABSENT in entry.slots:
            self._awaiting_absence[entry.gate_key] += 1
        return entry

    def _least_crowded(self, branch: Branch) -> tuple[str, set[Slot]]:
        best: tuple[int, str, set[Slot]] | None = None
        for clause in branch:
            slots = slots_of(clause)
            gate = self._gates.get(clause.key)
            crowd = 0 if gate is None else max(gate.load(slot) for slot in slots if slot != ABSENT or len(slots) == 1)
            crowd += HANDICAP * len(slots & {PRESENT, ABSENT})
            if best is None or crowd < best[0]:
                best = (crowd, clause.key, slots)
        assert best is not None, "the grammar lets no empty branch through"
        return best[1:]

    def _leave(self, entry: _Entry[K]) -> None:
        gate = self._gates[entry.gate_key]
        for slot in entry.slots:
            gate.take(slot, entry)
        if ABSENT in entry.slots:
            self._awaiting_absence[entry.gate_key] -= 1
            if not self._awaiting_absence[entry.gate_key]:
                del self._awaiting_absence[entry.gate_key]
        if not gate:
            del self._gates[entry.gate_key]
