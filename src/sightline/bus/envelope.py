"""The SNS envelope: written strictly, read leniently. Pure."""

import base64
import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sightline.bus.message import Attributes, Received, SnsNotification, TopicMessage
from sightline.bus.names import Names, topic_arn_of
from sightline.bus.policy import Attribute
from sightline.errors import InvalidInput
from sightline.timing import iso_utc

# Messages that never leave the database are not signed; readers expect the fields.
_UNSIGNED = {"SignatureVersion": "1", "Signature": "", "SigningCertURL": ""}


def payload_of(notification: SnsNotification) -> dict[str, Any]:
    """The body as a JSON object, which every message of the contract documents is."""
    try:
        found = json.loads(notification.body)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"the message is not JSON: {error}") from error
    if not isinstance(found, dict):
        raise InvalidInput("the message is not a JSON object")
    return found


def text_attribute(notification: SnsNotification, name: str) -> str | None:
    attribute = notification.attributes.get(name)
    return attribute.value if attribute is not None and isinstance(attribute.value, str) else None


def event_type_of(notification: SnsNotification) -> str | None:
    """From the attributes, wrapped or raw; failing both, from the body (row 22)."""
    if (found := text_attribute(notification, "event_type")) is not None:
        return found
    found = payload_of(notification).get("event_type")
    return found if isinstance(found, str) else None


def wrap(message: TopicMessage, *, message_id: str, at: datetime, names: Names) -> str:
    """The text that a wrapped subscription delivers."""
    arn = topic_arn_of(message.topic, names)
    content: dict[str, Any] = {
        "Type": "Notification",
        "MessageId": message_id,
        "TopicArn": arn,
        "Subject": message.subject,
        "Message": message.body,
        "Timestamp": iso_utc(at),
        **_UNSIGNED,
        "UnsubscribeURL": f"https://sns.{names.region}.amazonaws.com/?Action=Unsubscribe&SubscriptionArn={arn}",
        # SNS omits an empty map; readers of the contract documents rely on it being present.
        "MessageAttributes": attributes_to_json(message.attributes),
    }
    return json.dumps(content, ensure_ascii=False)


def unwrap(received: Received) -> SnsNotification:
    """Reads the envelope if there is one; any other body is a message that was delivered raw."""
    if (known := received.stored_notification()) is not None:
        return known
    return unwrap_body(received.body, received.attributes)


def unwrap_body(text: str, attributes: Attributes) -> SnsNotification:
    """As `unwrap`, of the text and the attributes of a queue message."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        content = None
    if not (isinstance(content, dict) and content.get("Type") == "Notification" and "TopicArn" in content):
        return SnsNotification(text, attributes)
    body = content.get("Message")
    if not isinstance(body, str):
        raise InvalidInput("the envelope's Message is not a text")
    return SnsNotification(
        body=body,
        attributes=attributes_from_json(content.get("MessageAttributes") or {}),
        topic_arn=str(content["TopicArn"]),
        message_id=str(content.get("MessageId") or ""),
        is_wrapped=True,
    )


def attributes_to_json(attributes: Attributes) -> dict[str, dict[str, str]]:
    return {name: _as_json(attribute) for name, attribute in attributes.items()}


def attributes_from_json(found: Mapping[str, Any]) -> dict[str, Attribute]:
    attributes = {}
    for name, item in found.items():
        if not isinstance(item, Mapping) or "Type" not in item or "Value" not in item:
            raise InvalidInput(f"the envelope's attribute {name!r} has no Type and Value")
        value: str | bytes = str(item["Value"])
        if str(item["Type"]).startswith("Binary"):
            value = base64.b64decode(value)
        attributes[name] = Attribute(str(item["Type"]), value)
    return attributes


def _as_json(attribute: Attribute) -> dict[str, str]:
    value = attribute.value
    text = base64.b64encode(value).decode() if isinstance(value, bytes) else value
    return {"Type": attribute.data_type, "Value": text}
