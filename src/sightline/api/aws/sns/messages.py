"""Messages as publishers give them: checked, with the body for each protocol and the ids of FIFO topics."""

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any

from sightline.api.aws.call import AwsCall, AwsError
from sightline.api.aws.sns.message_attributes import read_attributes
from sightline.api.aws.sns.requests import invalid
from sightline.bus import (
    BusRefusal,
    MessageTooLarge,
    RegisteredTopic,
    TopicMessage,
    check_attributes,
    check_message,
    check_subject,
)

_TOKEN = re.compile(r"[A-Za-z0-9!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~]{1,128}")


def read_message(
    call: AwsCall, topic: RegisteredTopic, parameters: Mapping[str, Any], *, where: str = ""
) -> TopicMessage:
    body = str(parameters.get("Message") or "")
    if not body:
        raise invalid("Empty message")
    subject = parameters.get("Subject")
    attributes = read_attributes(parameters.get("MessageAttributes") or {}, where=where)
    try:
        check_subject(subject)
        check_message(body, attributes)
    except MessageTooLarge as error:
        raise invalid("Message too long") from error
    except BusRefusal as error:
        raise AwsError("InvalidParameter", error.message) from error
    by_protocol: Mapping[str, str] = {}
    if parameters.get("MessageStructure") == "json":
        body, by_protocol = _by_protocol(body)
    elif parameters.get("MessageStructure"):
        raise invalid("MessageStructure Reason: must be json")
    group_id, deduplication_id = _fifo_ids(topic, parameters, body)
    return TopicMessage(
        call.registry.names.topic_arn(topic.name),
        body,
        attributes,
        subject,
        group_id=group_id,
        deduplication_id=deduplication_id,
        by_protocol=by_protocol,
        trace_header=call.trace_header,
    )


def size_of_message(message: TopicMessage) -> int:
    """In bytes, attributes included."""
    bodies = (message.body, *message.by_protocol.values())
    return sum(len(body.encode()) for body in bodies) + check_attributes(message.attributes)


def _by_protocol(body: str) -> tuple[str, Mapping[str, str]]:
    try:
        content = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise invalid("Message Structure - JSON message body failed to parse") from error
    default = content.get("default") if isinstance(content, dict) else None
    if not isinstance(default, str) or not default:
        raise invalid("Message Structure - No default entry in JSON message body")
    return default, {name: value for name, value in content.items() if isinstance(value, str) and name != "default"}


def _fifo_ids(topic: RegisteredTopic, parameters: Mapping[str, Any], body: str) -> tuple[str | None, str | None]:
    group_id, deduplication_id = parameters.get("MessageGroupId"), parameters.get("MessageDeduplicationId")
    for name, value in (("MessageGroupId", group_id), ("MessageDeduplicationId", deduplication_id)):
        if value is not None and not _TOKEN.fullmatch(str(value)):
            raise invalid(f"{name} Reason: must be 1 to 128 letters, digits and punctuation marks")
    if not topic.is_fifo:
        if deduplication_id is not None:
            raise invalid(
                "MessageDeduplicationId Reason: The request includes MessageDeduplicationId parameter that is not valid for "
                "this topic type"
            )
        return group_id, None
    if group_id is None:
        raise invalid("The MessageGroupId parameter is required for FIFO topics")
    if deduplication_id is None:
        if topic.attributes.get("ContentBasedDeduplication") != "true":
            raise invalid(
                "The topic should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly"
            )
        deduplication_id = hashlib.sha256(body.encode()).hexdigest()
    return group_id, deduplication_id
