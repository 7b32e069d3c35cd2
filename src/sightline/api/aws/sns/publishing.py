"""Publishing, one message or a batch."""

import re
from typing import Any

from sightline.api.aws.call import AwsCall, AwsError
from sightline.api.aws.sns.messages import read_message, size_of_message
from sightline.api.aws.sns.requests import check_arn, invalid, text, topic_of, topics_of
from sightline.bus import MAX_MESSAGE_BYTES, RegisteredTopic, TopicMessage

MAX_ENTRIES = 10
MAX_ENTRY_ID = 80
_ENTRY_ID = re.compile(r"[A-Za-z0-9_-]+")


async def publish(call: AwsCall, parameters: dict[str, Any]) -> dict[str, Any]:
    topic = _target(call, parameters)
    (published,) = await topics_of(call).publish(topic, [read_message(call, topic, parameters)])
    return _published(published)


def _target(call: AwsCall, parameters: dict[str, Any]) -> RegisteredTopic:
    if parameters.get("PhoneNumber"):
        raise invalid("PhoneNumber Reason: text messages are not offered here")
    arn, target = parameters.get("TopicArn"), parameters.get("TargetArn")
    if arn is None and target is None:
        raise invalid("TopicArn or TargetArn Reason: no value for required parameter")
    if arn is None and ":endpoint/" in str(target):
        check_arn(str(target), "TargetArn")
        raise invalid("TargetArn Reason: No endpoint found for the target arn specified")
    return topic_of(call, str(target if arn is None else arn))


async def publish_batch(call: AwsCall, parameters: dict[str, Any]) -> dict[str, Any]:
    """All or nothing: SNS refuses a batch for any of its entries."""
    topic = topic_of(call, text(parameters, "TopicArn"))
    entries = parameters.get("PublishBatchRequestEntries") or []
    _check_entries(entries)
    messages = [
        read_message(call, topic, entry, where=f"publishBatchRequestEntries.{number}.member.")
        for number, entry in enumerate(entries, 1)
    ]
    if sum(map(size_of_message, messages)) > MAX_MESSAGE_BYTES:
        raise AwsError("BatchRequestTooLong", "The length of all the messages put together is more than the limit.")
    published = await topics_of(call).publish(topic, messages)
    sent = [{"Id": entry["Id"], **_published(one)} for entry, one in zip(entries, published, strict=True)]
    return {"Successful": sent, "Failed": []}


def _published(message: TopicMessage) -> dict[str, Any]:
    return {"MessageId": message.message_id, "SequenceNumber": message.sequence_number}


def _check_entries(entries: Any) -> None:
    if not entries or not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise AwsError("EmptyBatchRequest", "The batch request doesn't contain any entries.")
    if len(entries) > MAX_ENTRIES:
        raise AwsError("TooManyEntriesInBatchRequest", "The batch request contains more entries than permissible.")
    ids = [str(entry.get("Id", "")) for entry in entries]
    if len(set(ids)) < len(ids):
        raise AwsError("BatchEntryIdsNotDistinct", "Two or more batch entries in the request have the same Id.")
    for one in ids:
        if len(one) > MAX_ENTRY_ID:
            raise _invalid_id(f"is too long: {one}")
        if not _ENTRY_ID.fullmatch(one):
            raise _invalid_id(f"contains an impermissible character: {one}")


def _invalid_id(problem: str) -> AwsError:
    return AwsError("InvalidBatchEntryId", f"The Id of a batch entry in the batch request {problem}")
