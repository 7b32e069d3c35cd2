"""The bus over HTTP: its queues, topics and rules, and trying a filter policy or event pattern."""

import asyncio
import json
from typing import Any, Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field

from sightline.api.answers.bus import BusTopologyAnswer, PolicyTrialAnswer
from sightline.api.aws import base_url
from sightline.api.bus.topology import read_topology
from sightline.api.dependencies import CurrentCaller, CurrentPlatform
from sightline.bus import PolicyInvalid, try_event_pattern, try_filter_policy
from sightline.errors import InvalidInput

router = APIRouter(prefix="/api/bus", tags=["queues"])

TrialScope = Literal["MessageAttributes", "MessageBody", "Event"]


class PolicyTrial(BaseModel):
    model_config = ConfigDict(extra="forbid")

    scope: TrialScope = Field(
        "MessageAttributes",
        examples=["MessageAttributes"],
        description="What is matched: a filter policy on attributes or on the body, or an event pattern on an event.",
    )
    policy: str | dict[str, Any] = Field(
        examples=['{"price": [{"numeric": [">=", 100]}]}'],
        description="Filter policy or event pattern: JSON, or its text.",
    )
    message: str | dict[str, Any] = Field(
        examples=['{"price": 99}'],
        description="The message's attributes, its body or the event: JSON, or its text. "
        'Attributes are `{"name": value}`, or as SNS spells them.',
    )


@router.get("/topology")
async def bus_topology(platform: CurrentPlatform, caller: CurrentCaller, request: Request) -> BusTopologyAnswer:
    """Queues, topics with subscriptions, and event buses with rules: all of them for operators, otherwise the caller's."""
    address = base_url(request.scope["scheme"], request.headers.get("host", ""), platform.public_url)
    return await read_topology(platform, caller, address=address)


@router.post("/try-policy")
async def try_policy(_: CurrentCaller, body: PolicyTrial) -> PolicyTrialAnswer:
    """Try a filter policy or event pattern on a message. A policy that AWS would refuse is refused with its error text."""
    # In a thread: a large policy on a large message would hold up other requests.
    return await asyncio.to_thread(_try, body.scope, _text(body.policy), _text(body.message))


def _try(scope: TrialScope, policy: str, message: str) -> PolicyTrialAnswer:
    try:
        found = try_event_pattern(policy, message) if scope == "Event" else try_filter_policy(policy, message, scope)
    except PolicyInvalid as error:
        raise InvalidInput(error.message, details=error.details | _field("policy", error)) from error
    except InvalidInput as error:
        raise InvalidInput(error.message, details=error.details | _field("message", error)) from error
    return PolicyTrialAnswer(matched=found.matched, key=found.key or None, reason=found.reason)


def _field(name: str, error: InvalidInput) -> dict[str, Any]:
    """Which field of the request is wrong, in the form of every other validation error."""
    return {"errors": [{"field": name, "message": error.message, "in": "body"}]}


def _text(given: str | dict[str, Any]) -> str:
    return given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
