"""Actions of SQS on messages: sending, receiving, deleting and hiding them, alone or in batches."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sightline.api.aws.call import Action, AwsCall
from sightline.api.aws.sqs.errors import failed_entry
from sightline.api.aws.sqs.parameters import (
    Parameters,
    entries,
    new_message,
    optional_number,
    optional_text,
    required_text,
    texts,
)
from sightline.api.aws.sqs.queues import find_queue, queues_of
from sightline.api.aws.sqs.received import SelectedAttributes, received_message
from sightline.bus import (
    BusRefusal,
    NewQueueMessage,
    Received,
    RegisteredQueue,
    SentMessage,
    StoredMessage,
    check_batch,
    check_entry_ids,
    digest_of_attributes,
    digest_of_body,
    sequence_number_text,
)


async def send_message(call: AwsCall, parameters: Parameters) -> dict[str, Any]:
    queue = await find_queue(call, parameters)
    message = new_message(call, parameters)
    (outcome,) = await queues_of(call).messages.send(queue, [message])
    if isinstance(outcome, BusRefusal):
        raise outcome
    return _sent(message, outcome)


async def send_message_batch(call: AwsCall, parameters: Parameters) -> dict[str, Any]:
    queue = await find_queue(call, parameters)
    ids, given = _entries(parameters)
    messages: list[NewQueueMessage] = []
    refused: dict[int, BusRefusal] = {}
    for position, entry in enumerate(given):
        try:
            messages.append(new_message(call, entry))
        except BusRefusal as refusal:
            refused[position] = refusal
    check_batch(queue, messages)
    outcomes = [
        outcome if isinstance(outcome, BusRefusal) else _sent(message, outcome)
        for message, outcome in zip(messages, await queues_of(call).messages.send(queue, messages), strict=True)
    ]
    for position in sorted(refused):
        outcomes.insert(position, refused[position])
    return batch_results(ids, outcomes)


async def receive_message(call: AwsCall, parameters: Parameters) -> dict[str, Any]:
    queue = await find_queue(call, parameters)
    limit, wait_s = optional_number(parameters, "MaxNumberOfMessages"), optional_number(parameters, "WaitTimeSeconds")
    selected = SelectedAttributes(
        (*texts(parameters, "AttributeNames"), *texts(parameters, "MessageSystemAttributeNames")),
        texts(parameters, "MessageAttributeNames"),
    )
    found = await queues_of(call).messages.receive(
        queue,
        limit=1 if limit is None else limit,
        wait_s=wait_s,
        visibility_s=optional_number(parameters, "VisibilityTimeout"),
        attempt_id=optional_text(parameters, "ReceiveRequestAttemptId"),
        with_times=bool(selected.system),
    )
    return await shown_messages(call, queue, found, selected)


async def shown_messages(
    call: AwsCall, queue: RegisteredQueue, found: Sequence[Received], selected: SelectedAttributes
) -> dict[str, Any]:
    names = queues_of(call).names
    messages = [
        received_message(one, queue, selected, names, await _envelope(call, queue, one) if one.is_wrapped else None)
        for one in found
        if isinstance(one, StoredMessage)
    ]
    return {"Messages": messages} if messages else {}


async def _envelope(call: AwsCall, queue: RegisteredQueue, received: StoredMessage) -> str | None:
    """The signed notification around a message of a topic; None for a message that was sent to the queue, or raw."""
    writer, notification = call.platform.notification_writer, received.stored_notification()
    if writer is None or notification is None:
        return None
    arn = queues_of(call).names.queue_arn(queue.name)
    return await writer.write_for_queue(notification, queue_arn=arn, at=received.sent_at)


async def delete_message(call: AwsCall, parameters: Parameters) -> None:
    queue = await find_queue(call, parameters)
    receipt = required_text(parameters, "ReceiptHandle")
    _raise_first(await queues_of(call).messages.delete(queue, [receipt]))


async def delete_message_batch(call: AwsCall, parameters: Parameters) -> dict[str, Any]:
    queue = await find_queue(call, parameters)
    ids, given = _entries(parameters)
    receipts = [_receipt(entry) for entry in given]
    return batch_results(ids, await queues_of(call).messages.delete(queue, receipts))


async def change_message_visibility(call: AwsCall, parameters: Parameters) -> None:
    queue = await find_queue(call, parameters)
    change = required_text(parameters, "ReceiptHandle"), _visibility(parameters)
    _raise_first(await queues_of(call).messages.change_visibility(queue, [change]))


async def change_message_visibility_batch(call: AwsCall, parameters: Parameters) -> dict[str, Any]:
    queue = await find_queue(call, parameters)
    ids, given = _entries(parameters)
    changes = [(_receipt(entry), _visibility(entry)) for entry in given]
    return batch_results(ids, await queues_of(call).messages.change_visibility(queue, changes))


def _entries(parameters: Parameters) -> tuple[list[str], list[Parameters]]:
    given = entries(parameters)
    ids = [entry["Id"] if isinstance(entry.get("Id"), str) else "" for entry in given]
    check_entry_ids(ids)
    return ids, given


def _receipt(entry: Parameters) -> str:
    return optional_text(entry, "ReceiptHandle") or ""


def _visibility(parameters: Parameters) -> int:
    seconds = optional_number(parameters, "VisibilityTimeout")
    if seconds is None:
        raise BusRefusal("The request must contain the parameter VisibilityTimeout.", "MissingParameter")
    return seconds


def _raise_first(outcomes: Sequence[BusRefusal | None]) -> None:
    if (refusal := outcomes[0]) is not None:
        raise refusal


def _sent(message: NewQueueMessage, sent: SentMessage) -> dict[str, Any]:
    result: dict[str, Any] = {"MessageId": sent.message_id, "MD5OfMessageBody": digest_of_body(message.body)}
    if message.attributes:
        result["MD5OfMessageAttributes"] = digest_of_attributes(message.attributes)
    if message.system_attributes:
        result["MD5OfMessageSystemAttributes"] = digest_of_attributes(message.system_attributes)
    if sent.sequence_number is not None:
        result["SequenceNumber"] = sequence_number_text(sent.sequence_number)
    return result


def batch_results(ids: Sequence[str], outcomes: Iterable[Mapping[str, Any] | BusRefusal | None]) -> dict[str, Any]:
    successful, failed = [], []
    for entry_id, outcome in zip(ids, outcomes, strict=True):
        if isinstance(outcome, BusRefusal):
            failed.append(failed_entry(entry_id, outcome))
        else:
            successful.append({"Id": entry_id, **(outcome or {})})
    found: dict[str, Any] = {}
    if successful:
        found["Successful"] = successful
    if failed:
        found["Failed"] = failed
    return found


MESSAGE_ACTIONS: dict[str, Action] = {
    "SendMessage": send_message,
    "SendMessageBatch": send_message_batch,
    "ReceiveMessage": receive_message,
    "DeleteMessage": delete_message,
    "DeleteMessageBatch": delete_message_batch,
    "ChangeMessageVisibility": change_message_visibility,
    "ChangeMessageVisibilityBatch": change_message_visibility_batch,
}
