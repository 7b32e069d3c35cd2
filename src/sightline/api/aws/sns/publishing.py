"""Publishing, one message or a batch."""

import hashlib
import json
import re
import time
from collections.abc import Mapping
from typing import Any

from sightline.api.aws.call import AwsCall, AwsError
from sightline.api.aws.errors import as_aws_error
from sightline.api.aws.sns.requests import invalid, text, topic_of
from sightline.bus import (
    MAX_MESSAGE_BYTES,
    Attribute,
    BusRefusal,
    MessageTooLarge,
    RegisteredTopic,
    TopicMessage,
    check_message,
    check_subject,
)

MAX_ENTRIES = 10
_ENTRY_ID = re.compile(r"[A-Za-z0-9_-]{1,80}")
_TOKEN = re.compile(r"[A-Za-z0-9!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~]{1,128}")


async def publish(call: AwsCall, parameters: dict[str, Any]) -> dict[str, Any]:
    if parameters.get("PhoneNumber"):
        raise invalid("PhoneNumber Reason: text messages are not offered here")
    arn = parameters.get("TopicArn") or parameters.get("TargetArn")
    if not arn:
        raise invalid("TopicArn or TargetArn Reason: no value for required parameter")
    topic = topic_of(call, str(arn))
    message = _message(topic, str(arn), parameters)
    async with call.platform.database.transaction() as tx:
        (message_id,) = await call.platform.bus.publish(tx, message)
    return {"MessageId": message_id, **_sequence_number(topic)}


async def publish_batch(call: AwsCall, parameters: dict[str, Any]) -> dict[str, Any]:
    arn = text(parameters, "TopicArn")
    topic = topic_of(call, arn)
    entries = parameters.get("PublishBatchRequestEntries") or []
    _check_entries(entries)
    messages: dict[str, TopicMessage] = {}
    failed = []
    for entry in entries:
        try:
            messages[entry["Id"]] = _message(topic, arn, entry)
        except Exception as error:
            failure = as_aws_error(error, "sns")
            failed.append(
                {
                    "Id": entry["Id"],
                    "Code": failure.code,
                    "Message": failure.message,
                    "SenderFault": failure.is_sender_fault,
                }
            )
    if sum(len(one.body.encode()) for one in messages.values()) > MAX_MESSAGE_BYTES:
        raise AwsError("BatchRequestTooLong", "The length of all the messages put together is more than the limit.")
    async with call.platform.database.transaction() as tx:
        ids = await call.platform.bus.publish(tx, *messages.values())
    sent = [
        {"Id": entry_id, "MessageId": message_id, **_sequence_number(topic)}
        for entry_id, message_id in zip(messages, ids, strict=True)
    ]
    return {"Successful": sent, "Failed": failed}


def _check_entries(entries: Any) -> None:
    if not entries or not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise AwsError("EmptyBatchRequest", "The batch request doesn't contain any entries.")
    if len(entries) > MAX_ENTRIES:
        raise AwsError("TooManyEntriesInBatchRequest", "The batch request contains more entries than permissible.")
    ids = [str(entry.get("Id", "")) for entry in entries]
    if not all(map(_ENTRY_ID.fullmatch, ids)):
        raise AwsError(
            "InvalidBatchEntryId", "The Id of a batch entry in a batch request doesn't abide by the specification."
        )
    if len(set(ids)) < len(ids):
        raise AwsError("BatchEntryIdsNotDistinct", "Two or more batch entries in the request have the same Id.")


def _message(topic: RegisteredTopic, arn: str, parameters: Mapping[str, Any]) -> TopicMessage:
    body = str(parameters.get("Message") or "")
    if not body:
        raise invalid("Empty message")
    subject = parameters.get("Subject") or None
    try:
        attributes = read_attributes(parameters.get("MessageAttributes") or {})
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
        arn,
        body,
        attributes,
        subject,
        group_id=group_id,
        deduplication_id=deduplication_id,
        by_protocol=by_protocol,
    )


def read_attributes(given: Mapping[str, Any]) -> dict[str, Attribute]:
    attributes = {}
    for name, one in given.items():
        if not isinstance(one, dict):
            raise invalid(f"The message attribute '{name}' must contain a DataType and a value")
        data_type = str(one.get("DataType") or "")
        value = one.get("BinaryValue") if data_type.startswith("Binary") else one.get("StringValue")
        if not value:
            raise AwsError(
                "ParameterValueInvalid",
                f"The message attribute '{name}' must contain non-empty message attribute value for message attribute type "
                f"'{data_type}'.",
            )
        attributes[name] = Attribute(data_type, value)
    return attributes


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


def _sequence_number(topic: RegisteredTopic) -> dict[str, str]:
    return {"SequenceNumber": f"1{time.time_ns():019}"} if topic.is_fifo else {}
