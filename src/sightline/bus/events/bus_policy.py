"""Resource policies of event buses: which other accounts may put events on them. Pure."""

import json
from collections.abc import Mapping
from typing import Any

from sightline.bus.limits import BusRefusal

MAX_POLICY_BYTES = 10_240


def with_statement(policy: str | None, statement: Mapping[str, Any]) -> str:
    """The policy with one more statement; one of the same id is replaced."""
    kept = [one for one in statements(policy) if one.get("Sid") != statement["Sid"]]
    return _text([*kept, dict(statement)])


def without_statement(policy: str | None, sid: str) -> str | None:
    """The policy without a statement; None if no statement is left."""
    present = statements(policy)
    kept = [one for one in present if one.get("Sid") != sid]
    if len(kept) == len(present):
        raise BusRefusal("Statement with the provided id does not exist.", "ResourceNotFoundException")
    return _text(kept) if kept else None


def checked_policy(text: str) -> str:
    """A whole policy that a client sets."""
    try:
        found = json.loads(text)
        statements(text)
    except (ValueError, RecursionError, TypeError, AttributeError):
        found = None
    if not isinstance(found, dict) or "Statement" not in found or len(text.encode()) > MAX_POLICY_BYTES:
        raise BusRefusal("Parameter Policy is not valid.", "ValidationException")
    return text


def statements(policy: str | None) -> list[dict[str, Any]]:
    if policy is None:
        return []
    found = json.loads(policy)["Statement"]
    return [dict(one) for one in (found if isinstance(found, list) else [found])]


def permits(policy: str | None, account_id: str) -> bool:
    """Whether an account may put events. A statement with a condition permits nothing: there are no organizations here."""
    return any(
        one.get("Effect") == "Allow"
        and not one.get("Condition")
        and bool({"events:PutEvents", "events:*", "*"} & _texts(one.get("Action")))
        and _names(one.get("Principal"), account_id)
        for one in statements(policy)
    )


def _names(principal: Any, account_id: str) -> bool:
    if isinstance(principal, Mapping):
        principal = principal.get("AWS")
    return bool({"*", account_id, f"arn:aws:iam::{account_id}:root"} & _texts(principal))


def _texts(value: Any) -> set[str]:
    return {str(one) for one in value} if isinstance(value, list) else {str(value)}


def _text(statements: list[dict[str, Any]]) -> str:
    return json.dumps({"Version": "2012-10-17", "Statement": statements}, separators=(",", ":"))
