"""Plain batches: the three calls that move most messages, for messages that are nothing but a body.

They are read into types at once and need none of the checks of the members that they do not have. A request with any other
member is read as a dictionary and goes to the actions in `messages`, which know all of SQS.
"""

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Meta, Struct, field

from sightline.api.aws.call import Action, AwsCall
from sightline.api.aws.sqs.messages import (
    batch_results,
    delete_message_batch,
    receive_message,
    send_message_batch,
    shown_messages,
)
from sightline.api.aws.sqs.queues import find_queue_at, queues_of
from sightline.api.aws.sqs.received import NOTHING_SELECTED
from sightline.bus import (
    MAX_RECEIVE,
    StoredMessage,
    check_entry_ids,
    digest_of_body,
    digests_of_texts,
    plain_texts,
)


class PlainMessage(Struct, forbid_unknown_fields=True, gc=False):
    entry_id: str = field(name="Id")
    body: str = field(name="MessageBody")


class PlainSend(Struct, forbid_unknown_fields=True):
    queue_url: str = field(name="QueueUrl")
    entries: list[PlainMessage] = field(name="Entries")


class PlainReceive(Struct, forbid_unknown_fields=True):
    queue_url: str = field(name="QueueUrl")
    limit: Annotated[int, Meta(ge=1, le=MAX_RECEIVE)] = field(name="MaxNumberOfMessages", default=1)
    wait_s: int | None = field(name="WaitTimeSeconds", default=None)
    visibility_s: int | None = field(name="VisibilityTimeout", default=None)


class PlainReceipt(Struct, forbid_unknown_fields=True, gc=False):
    entry_id: str = field(name="Id")
    receipt: str = field(name="ReceiptHandle")


class PlainDelete(Struct, forbid_unknown_fields=True):
    queue_url: str = field(name="QueueUrl")
    entries: list[PlainReceipt] = field(name="Entries")


class Sent(Struct, gc=False):
    entry_id: str = field(name="Id")
    message_id: str = field(name="MessageId")
    digest: str = field(name="MD5OfMessageBody")


class Deleted(Struct, gc=False):
    entry_id: str = field(name="Id")


class Successful(Struct):
    entries: list[Sent] | list[Deleted] = field(name="Successful")


class ShownMessage(Struct, gc=False):
    message_id: str = field(name="MessageId")
    receipt: str = field(name="ReceiptHandle")
    body: str = field(name="Body")
    digest: str = field(name="MD5OfBody")


class ShownMessages(Struct):
    messages: list[ShownMessage] = field(name="Messages")


async def send_plain(call: AwsCall, given: PlainSend) -> Successful | dict[str, Any]:
    queue = await find_queue_at(call, given.queue_url)
    entries = given.entries
    ids = [one.entry_id for one in entries]
    check_entry_ids(ids)
    bodies = [one.body for one in entries]
    texts = None if call.trace_header is not None else plain_texts(queue, bodies)
    if texts is None:
        described = [{"Id": one.entry_id, "MessageBody": one.body} for one in entries]
        return await send_message_batch(call, {"QueueUrl": given.queue_url, "Entries": described})
    message_ids = await queues_of(call).messages.send_plain(queue, bodies, sum(map(len, texts)))
    return Successful(list(map(Sent, ids, message_ids, digests_of_texts(texts))))


async def receive_plain(call: AwsCall, given: PlainReceive) -> ShownMessages | dict[str, Any]:
    queue = await find_queue_at(call, given.queue_url)
    found = await queues_of(call).messages.receive(
        queue, limit=given.limit, wait_s=given.wait_s, visibility_s=given.visibility_s, with_times=False
    )
    shown = [one.plain for one in found if isinstance(one, StoredMessage)]
    if None in shown:  # a topic delivered it: the notification has to be written around it
        return await shown_messages(call, queue, found, NOTHING_SELECTED)
    messages = [ShownMessage(*one, digest_of_body(one[2])) for one in shown if one is not None]
    return ShownMessages(messages) if messages else {}


async def delete_plain(call: AwsCall, given: PlainDelete) -> Successful | dict[str, Any]:
    queue = await find_queue_at(call, given.queue_url)
    ids = [one.entry_id for one in given.entries]
    check_entry_ids(ids)
    refusals = await queues_of(call).messages.delete(queue, [one.receipt for one in given.entries])
    return batch_results(ids, refusals) if any(refusals) else Successful(list(map(Deleted, ids)))


PLAIN_FORMS: Mapping[str, type[Struct]] = {
    "SendMessageBatch": PlainSend,
    "ReceiveMessage": PlainReceive,
    "DeleteMessageBatch": PlainDelete,
}


def _either(action: Action, plain: Action) -> Action:
    return lambda call, parameters: (plain if isinstance(parameters, Struct) else action)(call, parameters)


PLAIN_OR_NOT_ACTIONS: dict[str, Action] = {
    "SendMessageBatch": _either(send_message_batch, send_plain),
    "ReceiveMessage": _either(receive_message, receive_plain),
    "DeleteMessageBatch": _either(delete_message_batch, delete_plain),
}
