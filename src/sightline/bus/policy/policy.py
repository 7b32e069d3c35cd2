"""Compiled filter policies of SNS and event patterns of EventBridge."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sightline.bus.policy.clauses import Branches
from sightline.bus.policy.event_rules import read_event_pattern
from sightline.bus.policy.flatten import Attribute, flatten_attributes, flatten_event, flatten_text
from sightline.bus.policy.leaves import event_numbers, message_numbers
from sightline.bus.policy.match import matches
from sightline.bus.policy.sns_rules import Scope, read_filter_policy

__all__ = ["EventPattern", "FilterPolicy", "compile_event_pattern", "compile_filter_policy"]


@dataclass(frozen=True, slots=True)
class FilterPolicy:
    """Policies with the same branches are equal; without branches a policy accepts every message."""

    scope: Scope
    branches: Branches | None

    def matches(self, attributes: Mapping[str, Attribute], body: str) -> bool:
        """The body is read for the scope MessageBody alone."""
        if self.branches is None:
            return True
        if self.scope == "MessageBody":
            fields = flatten_text(body, message_numbers)
            return fields is not None and matches(self.branches, fields)
        # By the documentation even exists:false requires a message with at least one attribute.
        return bool(attributes) and matches(self.branches, flatten_attributes(attributes))


@dataclass(frozen=True, slots=True)
class EventPattern:
    branches: Branches

    def matches(self, event: Mapping[str, Any]) -> bool:
        return matches(self.branches, flatten_event(event))

    def matches_text(self, event: str) -> bool:
        """Same as `matches` for JSON text; no pattern matches a text that is not a JSON object."""
        fields = flatten_text(event, event_numbers)
        return fields is not None and matches(self.branches, fields)


def compile_filter_policy(
    policy: str | Mapping[str, Any], *, scope: Scope = "MessageAttributes", on_subscribe: bool = False
) -> FilterPolicy:
    """Raise PolicyInvalid with the error message of SNS; that of Subscribe differs from the rest."""
    return FilterPolicy(scope, read_filter_policy(policy, scope, on_subscribe=on_subscribe))


def compile_event_pattern(pattern: str | Mapping[str, Any]) -> EventPattern:
    """Raise PolicyInvalid with the error message of EventBridge."""
    return EventPattern(read_event_pattern(pattern))
