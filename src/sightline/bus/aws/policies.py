"""Access policies of queues and topics, and whether what AWS has is what we want. Pure."""

import json
from typing import Any


def statement_for(sid: str, service: str, action: str, resource: str, sources: set[str]) -> dict[str, Any]:
    """Lets a service of AWS do one thing to one resource, on behalf of these sources only."""
    return {
        "Sid": sid,
        "Effect": "Allow",
        "Principal": {"Service": service},
        "Action": action,
        "Resource": resource,
        "Condition": {"ArnEquals": {"aws:SourceArn": sorted(sources)}},
    }


def with_statements(policy: str | None, statements: list[dict[str, Any]]) -> str:
    """The policy with our statements in the place of those of the same name."""
    content: dict[str, Any] = json.loads(policy) if policy else {"Version": "2012-10-17", "Statement": []}
    present = content.get("Statement", [])
    others = present if isinstance(present, list) else [present]
    ours = {statement["Sid"] for statement in statements}
    return json.dumps({**content, "Statement": [one for one in others if one.get("Sid") not in ours] + statements})


def same_json(wanted: str, present: str) -> bool:
    """AWS gives JSON back in another order and spacing."""
    if wanted == present or not wanted.startswith("{"):
        return wanted == present
    try:
        return json.dumps(json.loads(wanted), sort_keys=True) == json.dumps(json.loads(present), sort_keys=True)
    except ValueError:
        return False


def same_policy(wanted: str, present: str | None) -> bool:
    """As `same_json`, for access and redrive policies, which come back with numbers as text and a list of one as its member."""
    if present is None or wanted == present or not wanted.startswith("{"):
        return wanted == present
    try:
        return bool(_comparable(json.loads(wanted)) == _comparable(json.loads(present)))
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
