"""Explanations of why a policy matched a message or not: the deciding key and the reason."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sightline.bus.policy.clauses import Branch, Branches, Clause
from sightline.bus.policy.flatten import Attribute, Fields, flatten_attributes, flatten_event, flatten_text
from sightline.bus.policy.leaves import describe, message_numbers
from sightline.bus.policy.match import branch_matches, first_failure
from sightline.bus.policy.policy import EventPattern, FilterPolicy

__all__ = ["Explanation", "explain", "explain_event"]

MAX_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Explanation:
    """`key` is empty where no key decided: an empty policy, a message without fields."""

    matched: bool
    key: str
    reason: str

    def __str__(self) -> str:
        verdict = "match" if self.matched else "no match"
        return f"{verdict}: {self.key}: {self.reason}" if self.key else f"{verdict}: {self.reason}"


def explain(policy: FilterPolicy, attributes: Mapping[str, Attribute], body: str) -> Explanation:
    if policy.branches is None:
        return Explanation(True, "", "the policy is empty and accepts every message")
    if policy.scope == "MessageAttributes":
        if not attributes:
            return Explanation(False, "", "the message has no attributes")
        return _explain(policy.branches, flatten_attributes(attributes))
    fields = flatten_text(body, message_numbers)
    if fields is None:
        return Explanation(False, "", "the body is not a JSON object")
    return _explain(policy.branches, fields)


def explain_event(pattern: EventPattern, event: Mapping[str, Any]) -> Explanation:
    return _explain(pattern.branches, flatten_event(event))


def _explain(branches: Branches, fields: Fields) -> Explanation:
    for branch in branches:
        if branch_matches(branch, fields):
            return _success(branch, fields)
    # Explains the alternative that came closest to matching.
    failures = [(branch, failure) for branch in branches if (failure := first_failure(branch, fields))]
    branch, clause = max(failures, key=lambda failure: _held(failure[0], fields) - len(failure[0]))
    return Explanation(False, clause.key, _failure(clause, fields))


def _held(branch: Branch, fields: Fields) -> int:
    return sum(branch_matches((clause,), fields) for clause in branch)


def _success(branch: Branch, fields: Fields) -> Explanation:
    """Every key of the branch was needed; a key with a value is named before an absent one."""
    deciding = max(branch, key=lambda clause: (clause.key in fields.leaves, not clause.allows_absence))
    others = [clause for clause in branch if clause is not deciding]
    reasons = [_held_words(deciding, fields)]
    reasons += [f"{clause.key} {_held_words(clause, fields)}" for clause in others]
    return Explanation(True, deciding.key, "; ".join(reasons))


def _held_words(clause: Clause, fields: Fields) -> str:
    for leaf in fields.leaves.get(clause.key, ()):
        for condition in clause.conditions:
            if condition.accepts(leaf):
                return f"is {describe(leaf)} and had to {condition}"
    return "is absent, as exists:false allows"


def _failure(clause: Clause, fields: Fields) -> str:
    requirement = " or ".join(map(str, clause.conditions))
    present = fields.leaves.get(clause.key)
    if present is None:
        return f"is absent, but must {requirement}"
    if any(map(clause.accepts, present)):
        return f"has a value that could {requirement}, but not in the same array element as the keys before it"
    shown = ", ".join(map(describe, present[:MAX_SHOWN])) + (", …" if len(present) > MAX_SHOWN else "")
    return f"is {shown}, but must {requirement}"
