"""Access policies of queues and topics, and their comparison with what AWS has. Pure."""

import json
from typing import Any


def statement_for(sid: str, service: str, action: str, resource: str, sources: set[str]) -> dict[str, Any]:
    """Allows an AWS service one action on one resource, for these sources only."""
    return {
        "Sid": sid,
        "Effect": "Allow",
        "Principal": {"Service": service},
        "Action": action,
        "Resource": resource,
        "Condition": {"ArnEquals": {"aws:SourceArn": sorted(sources)}},
    }


def with_statements(policy: str | None, statements: list[dict[str, Any]]) -> str:
    """The policy with our statements, which replace those with the same Sid."""
    content: dict[str, Any] = json.loads(policy) if policy else {"Version": "2012-10-17", "Statement": []}
    present = content.get("Statement", [])
    others = present if isinstance(present, list) else [present]
    ours = {statement["Sid"] for statement in statements}
    return json.dumps({**content, "Statement": [one for one in others if one.get("Sid") not in ours] + statements})


def same_json(expected: str, present: str) -> bool:
    """Compares JSON texts, because AWS returns another order and spacing."""
    if expected == present or not expected.startswith("{"):
        return expected == present
    try:
        return json.dumps(json.loads(expected), sort_keys=True) == json.dumps(json.loads(present), sort_keys=True)
    except ValueError:
        return False


def same_policy(expected: str, present: str | None) -> bool:
    """Compares access and redrive policies, in which AWS turns numbers into text and a list of one into its member."""
    if present is None or expected == present or not expected.startswith("{"):
        return expected == present
    try:
        return bool(_comparable(json.loads(expected)) == _comparable(json.loads(present)))
    except ValueError:
        return False


def _comparable(value: Any) -> Any:
    match value:
        case dict():
            return {name: _comparable(one) for name, one in value.items()}
        case [one]:
            return _comparable(one)
        case list():
            return [_comparable(one) for one in value]
        case bool() | None:
            return value
        case _:
            return str(value)
