"""Context of a message on AWS: message id, correlation id, trace and, in a dead letter, why it failed.

AWS gives a message that is sent again a new id, so the id that `publish`, `put_events` and `send` return is carried in
the message and shown as `Received.message_id`: a consumer that deduplicates by id processes a repeated message once.

Messages carry the context as JSON in one attribute, `sightline.context`. SNS forwards attributes: to raw subscriptions
as attributes of the queue message, to wrapped ones inside the envelope. Filter policies see it like any other attribute;
it can only affect a policy that tests whether a message has any attribute at all. Where it does not fit, because the
message has ten attributes or is too close to 256 KB, it is left out.

Events have no attributes; their context is in `resources`, as names that begin with `urn:sightline:`, so that `detail`
stays exactly what the contract says.
"""

import json
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sightline.bus.limits import MAX_ATTRIBUTES, MAX_MESSAGE_BYTES
from sightline.bus.message import Attributes
from sightline.bus.policy import Attribute

ATTRIBUTE = "sightline.context"
URN = "urn:sightline:"
MAX_REASON_LENGTH = 1000

_CARRIED = ("correlation_id", "traceparent", "tracestate")


@dataclass(frozen=True, slots=True)
class DeathRecord:
    """Why and where a message failed: what SQS does not keep when a message is sent to a dead-letter queue directly."""

    queue: str
    reason: str
    receive_count: int
    sent_ms: int
    first_received_ms: int


@dataclass(frozen=True, slots=True)
class MessageContext:
    message_id: str | None = None
    context: Mapping[str, str] = field(default_factory=dict)
    death: DeathRecord | None = None
    redrives: int = 0

    def as_text(self) -> str:
        found: dict[str, Any] = {**self.context}
        if self.message_id is not None:
            found["id"] = self.message_id
        if self.redrives:
            found["redrives"] = self.redrives
        if self.death is not None:
            death = self.death
            found["dead"] = [death.queue, death.reason, death.receive_count, death.sent_ms, death.first_received_ms]
        return json.dumps(found, ensure_ascii=False)


EMPTY_CONTEXT = MessageContext()


def add_to_attributes(attributes: Attributes, body: str, carried: MessageContext) -> Attributes:
    """Adds the context if it fits; a message is never rejected because of it."""
    if len(attributes) >= MAX_ATTRIBUTES:
        return attributes
    added = {**attributes, ATTRIBUTE: Attribute("String", carried.as_text())}
    return added if size_bytes(body, added) <= MAX_MESSAGE_BYTES else attributes


def add_to_resources(resources: Iterable[str], carried: MessageContext) -> list[str]:
    named = {"id": carried.message_id, **carried.context}
    return [*resources, *(f"{URN}{name}:{value}" for name, value in named.items() if value)]


def extract(body: str, attributes: Attributes) -> tuple[MessageContext, Attributes]:
    """The context and the attributes without it. Any sender may have written the message, so every field is validated."""
    attribute = attributes.get(ATTRIBUTE)
    if attribute is not None and isinstance(attribute.value, str):
        rest = {name: value for name, value in attributes.items() if name != ATTRIBUTE}
        return _read(attribute.value), rest
    return _find_in_body(body), attributes


def size_bytes(body: str, attributes: Attributes) -> int:
    """Size of a message as SNS and SQS count it."""
    return len(body.encode()) + sum(
        len(name.encode()) + len(one.data_type) + len(one.value if isinstance(one.value, bytes) else one.value.encode())
        for name, one in attributes.items()
    )


def _find_in_body(body: str) -> MessageContext:
    """Looks in the attributes of an envelope and in the resources of an event, wrapped or not."""
    if ATTRIBUTE not in body and URN not in body:
        return EMPTY_CONTEXT
    content = _object(body)
    if content.get("Type") == "Notification":
        attributes = content.get("MessageAttributes")
        attribute = attributes.get(ATTRIBUTE) if isinstance(attributes, dict) else None
        if isinstance(attribute, dict):
            return _read(str(attribute.get("Value", "")))
        content = _object(content.get("Message"))
    resources = content.get("resources")
    found = {}
    for name in resources if isinstance(resources, list) else ():
        if isinstance(name, str) and name.startswith(URN):
            key, _, value = name.removeprefix(URN).partition(":")
            found[key] = value
    return _carried(found)


def _read(text: str) -> MessageContext:
    return _carried(_object(text))


def _carried(found: Mapping[str, Any]) -> MessageContext:
    context = {name: found[name] for name in _CARRIED if isinstance(found.get(name), str)}
    redrives = found.get("redrives")
    return MessageContext(
        _message_id(found.get("id")),
        context,
        _death(found.get("dead")),
        redrives if isinstance(redrives, int) and redrives >= 0 else 0,
    )


def _message_id(found: Any) -> str | None:
    try:
        return str(uuid.UUID(found))
    except (ValueError, AttributeError, TypeError):
        return None


def _death(found: Any) -> DeathRecord | None:
    match found:
        case [str() as queue, str() as reason, int() as count, int() as sent_ms, int() as first_ms]:
            return DeathRecord(queue, reason, count, sent_ms, first_ms)
    return None


def _object(text: Any) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
