"""Differences between an account and the plan. Pure."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Difference:
    resource: str
    """Kind and name, such as `queue video-split-queue`."""
    what: str
    expected: str
    found: str

    def __str__(self) -> str:
        return f"{self.resource}: {self.what} is {self.found}, expected {self.expected}"


def missing(resource: str) -> Difference:
    return Difference(resource, "it", "present", "missing")


def compare(resource: str, expected: Mapping[str, Any], found: Mapping[str, Any]) -> Iterator[Difference]:
    """By the names that are expected; what else the account has is its own business."""
    for name, value in expected.items():
        if _plain(value) != _plain(found.get(name)):
            yield Difference(resource, name, _text(value), _text(found.get(name)))


def lacks_permission(resource: str, expected: list[dict[str, Any]], policy: str | None) -> Iterator[Difference]:
    """A difference for each source that a statement of ours names and the policy does not let in."""
    present = _statements(policy)
    for statement in expected:
        service, action = statement["Principal"]["Service"], statement["Action"]
        for source in statement["Condition"]["ArnEquals"]["aws:SourceArn"]:
            if not any(_lets_in(one, service, action, source) for one in present):
                yield Difference(resource, f"permission {action} of {source}", "allowed", "missing")


def _statements(policy: str | None) -> list[dict[str, Any]]:
    found = json.loads(policy).get("Statement", []) if policy else []
    return [found] if isinstance(found, dict) else found


def _lets_in(statement: dict[str, Any], service: str, action: str, source: str) -> bool:
    principal = statement.get("Principal")
    services = _listed(principal.get("Service")) if isinstance(principal, dict) else _listed(principal)
    if statement.get("Effect") != "Allow" or not {service, "*"} & set(services):
        return False
    kind = action.partition(":")[0]
    if not {action.lower(), f"{kind}:*", "*"} & {one.lower() for one in _listed(statement.get("Action"))}:
        return False
    sources = _sources(statement)
    return not sources or source in sources


def _sources(statement: dict[str, Any]) -> list[str]:
    """The ARNs that its conditions name, by whichever operator."""
    return [
        arn
        for operator in (statement.get("Condition") or {}).values()
        for key, value in operator.items()
        if key.lower() == "aws:sourcearn"
        for arn in _listed(value)
    ]


def _listed(value: Any) -> list[str]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _plain(value: Any) -> Any:
    """AWS returns numbers and booleans as text, and JSON in another order."""
    match value:
        case str() if value.startswith(("{", "[")):
            return _plain(json.loads(value))
        case dict():
            return {name: _plain(one) for name, one in sorted(value.items())}
        case list() | tuple():
            return [_plain(one) for one in value]
        case bool():
            return str(value).lower()
        case None:
            return None
        case _:
            return str(value)


def _text(value: Any) -> str:
    if value is None:
        return "missing"
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True, default=str)
