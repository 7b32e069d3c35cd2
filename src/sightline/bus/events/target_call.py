"""Calls of targets: those of rules and of schedules, on their way to queues, topics, event buses and other endpoints. Pure."""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from sightline.bus.endpoints.record import EndpointDelivery
from sightline.bus.limits import MAX_MESSAGE_BYTES, BusRefusal, check_text, size_of
from sightline.bus.message import Attributes, BusEvent, TopicMessage
from sightline.bus.names import Names, new_id
from sightline.bus.registry.snapshot import Snapshot
from sightline.bus.routed import Routed
from sightline.bus.system_attributes import stored_system_attributes
from sightline.bus.topology import DELIVERY_QUEUE

DEFAULT_RETRIES = 185
DEFAULT_MAX_AGE_S = 86_400
MAX_QUEUE_BYTES = 1024 * 1024
MISSING_GROUP = "The request must contain the parameter MessageGroupId."
FAILED = "failed"
"""Kind of a delivery that cannot succeed; it goes to the dead letters with the reason."""


@dataclass(frozen=True, slots=True)
class TargetCall:
    """One input for one target."""

    service: Literal["events", "scheduler"]
    source: str
    """ARN of the rule or the schedule."""
    account_id: str
    target: Mapping[str, Any]
    """Members as EventBridge names them: Arn, SqsParameters, DeadLetterConfig, RetryPolicy."""
    body: str
    trace_header: str | None = None
    details: Mapping[str, Any] = field(default_factory=dict)
    """What else dead letters tell, such as the scheduled time."""

    @property
    def arn(self) -> str:
        return str(self.target["Arn"])

    @property
    def kind(self) -> str:
        """What the target is: sqs, sns, event-bus, api-destination, or another service of AWS."""
        return target_kind(self.arn)


def target_kind(arn: str) -> str:
    elements = arn.split(":", 5)
    if len(elements) < 6:
        return ""
    return elements[5].partition("/")[0] if elements[2] == "events" else elements[2]


class TargetRouter:
    def __init__(self, snapshot: Callable[[], Snapshot], names: Names) -> None:
        self._snapshot = snapshot
        self._names = names

    def route(self, call: TargetCall) -> Iterator[Routed | TopicMessage]:
        """A copy for a queue, a message for a topic that is to be routed further, or a delivery that is retried."""
        name = self._names.local_name_of(call.arn)
        match call.kind:
            case "sqs" if (queue := self._snapshot().queues.get(name)) is not None:
                group_id = (call.target.get("SqsParameters") or {}).get("MessageGroupId")
                if (problem := _problem(call.body, MAX_QUEUE_BYTES)) is not None:
                    yield self.failed(call, "INVALID_PARAMETER", problem)
                elif queue.is_fifo and group_id is None:
                    yield self.failed(call, "INVALID_PARAMETER", MISSING_GROUP)
                else:
                    kept = _system_attributes(call, group_id if queue.is_fifo else None)
                    yield Routed(name, new_id(), call.body, _NO_ATTRIBUTES, group_id=group_id, system_attributes=kept)
            case "sns" if name in self._snapshot().topics:
                if (problem := _problem(call.body, MAX_MESSAGE_BYTES)) is not None:
                    yield self.failed(call, "INVALID_PARAMETER", problem)
                else:
                    yield TopicMessage(call.arn, call.body, trace_header=call.trace_header)
            case _:
                yield self.delivery(call, call.kind)

    def failed(self, call: TargetCall, code: str, message: str) -> Routed:
        return self.delivery(call, FAILED, {"error_code": code, "error": message})

    def delivery(self, call: TargetCall, kind: str, more: Mapping[str, Any] | None = None) -> Routed:
        """Everything but a queue that exists: delivered apart, with retries and dead letters."""
        retry: Mapping[str, Any] = call.target.get("RetryPolicy") or {}
        record = EndpointDelivery(
            kind=f"{call.service}:{kind}",
            endpoint=call.arn,
            account_id=call.account_id,
            source=call.source,
            message_id=new_id(),
            body=call.body,
            dead_letter_arn=(call.target.get("DeadLetterConfig") or {}).get("Arn"),
            max_attempts=int(retry.get("MaximumRetryAttempts", DEFAULT_RETRIES)) + 1,
            max_age_s=float(retry.get("MaximumEventAgeInSeconds", DEFAULT_MAX_AGE_S)),
            parameters={
                **{name: value for name, value in call.target.items() if name.endswith("Parameters")},
                **call.details,
                **(more or {}),
            },
        )
        return Routed(DELIVERY_QUEUE, new_id(), record.to_json(), _NO_ATTRIBUTES, lane=call.account_id)


def event_of(call: TargetCall, names: Names) -> BusEvent:
    """The event that a call puts on an event bus: of a rule the scheduled event itself, of a schedule one with its input."""
    event_bus = names.local_name_of(call.arn)
    if call.service == "scheduler":
        event_parameters = call.target.get("EventBridgeParameters") or {}
        return BusEvent(
            source=str(event_parameters.get("Source", "aws.scheduler")),
            detail_type=str(event_parameters.get("DetailType", "Scheduled Event")),
            detail=_object(call.body),
            event_bus=event_bus,
            account_id=call.account_id,
        )
    content = _object(call.body)
    return BusEvent(
        source="aws.events",
        detail_type=str(content.get("detail-type", "Scheduled Event")),
        detail=content.get("detail") or {},
        resources=tuple(content.get("resources") or ()),
        event_bus=event_bus,
        account_id=call.account_id,
    )


def _object(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _system_attributes(call: TargetCall, group_id: str | None) -> str | None:
    return stored_system_attributes(
        trace_header=call.trace_header,
        group_id=group_id,
        deduplication_id=None if group_id is None else hashlib.sha256(call.body.encode()).hexdigest(),
    )


def _problem(body: str, max_bytes: int) -> str | None:
    """Why a queue or a topic would not take the body."""
    if size_of(body) > max_bytes:
        return f"The input is longer than {max_bytes} bytes."
    try:
        check_text(body)
    except BusRefusal as error:
        return error.message
    return None


_NO_ATTRIBUTES: Attributes = {}
