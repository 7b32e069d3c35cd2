"""Scopes: what an API key may do. Which routes a scope opens is written in `api/auth/route_scopes.py`."""

from collections.abc import Iterable, Mapping

from sightline.errors import InvalidInput

OPERATOR = "operator"

SCOPES: Mapping[str, str] = {
    "videos:read": "List, search, watch and download videos, frames and clips.",
    "videos:write": "Upload and delete videos, annotate them, make clips.",
    "detections:write": "Send detections.",
    "events:read": "Read detections, security events, cameras, alert rules and alerts.",
    "events:write": "Acknowledge and resolve events; change cameras, zones and alert rules.",
    "live:read": "Follow the live feed.",
    "messages:read": "Read messages, mails, schedules and notification preferences.",
    "messages:write": "Send and retry messages; change schedules and notification preferences.",
    "jobs:read": "Read jobs, queues and dead letters.",
    "jobs:write": "Start jobs; with `operator` also retry and cancel them and move dead letters.",
    "bus:use": "Call the AWS endpoint: queues, topics, event rules and schedules.",
    "audit:read": "With `operator`: read the audit log.",
    OPERATOR: "Do as an operator what the other scopes allow. Only operators can create such a key.",
}


def check_scopes(names: Iterable[str]) -> frozenset[str]:
    """The scopes by name; refuses an unknown one and an empty list."""
    chosen = frozenset(names)
    known = ", ".join(SCOPES)
    if unknown := sorted(chosen - SCOPES.keys()):
        raise InvalidInput(f"unknown scope {', '.join(map(repr, unknown))}; use one or more of {known}")
    if not chosen or chosen == {OPERATOR}:
        raise InvalidInput(f"a key needs a scope that says what it may do; use one or more of {known}")
    return chosen
