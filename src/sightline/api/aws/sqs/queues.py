"""Actions of SQS on queues: creating, finding, changing and deleting them, tags, permissions."""

from typing import Any

from sightline.api.aws.call import Action, AwsCall
from sightline.api.aws.pages import key_after, token_of
from sightline.api.aws.sqs.parameters import (
    Parameters,
    optional_number,
    optional_text,
    queue_name,
    queue_url,
    required_text,
    text_map,
    texts,
)
from sightline.bus import (
    QUEUE_ATTRIBUTES,
    QUEUE_COUNTS,
    BusRefusal,
    ClientQueues,
    RegisteredQueue,
    no_such_queue,
    shown_attributes,
)
from sightline.errors import ConfigurationError

MAX_RESULTS = 1000


def queues_of(call: AwsCall) -> ClientQueues:
    found = call.platform.open_bus.client_queues
    if found is None:
        raise ConfigurationError("the SQS interface needs SIGHTLINE_BUS_BACKEND=postgres")
    return found


async def find_queue(call: AwsCall, parameters: Parameters) -> RegisteredQueue:
    return await queues_of(call).control.find(call.account, queue_name(call, parameters))


async def find_queue_at(call: AwsCall, url: str) -> RegisteredQueue:
    return await queues_of(call).control.find(call.account, queue_name(call, {"QueueUrl": url}))


async def create_queue(call: AwsCall, parameters: Parameters) -> dict[str, Any]:
    tags = text_map(parameters, "tags") or text_map(parameters, "Tags")
    created = await queues_of(call).control.create(
        call.account, required_text(parameters, "QueueName"), text_map(parameters, "Attributes"), tags
    )
    return {"QueueUrl": queue_url(call, created.name)}


async def get_queue_url(call: AwsCall, parameters: Parameters) -> dict[str, Any]:
    owner = optional_text(parameters, "QueueOwnerAWSAccountId")
    if owner is not None and owner != call.account.account_id:
        raise no_such_queue()
    found = await queues_of(call).control.find(call.account, required_text(parameters, "QueueName"))
    return {"QueueUrl": queue_url(call, found.name)}


async def list_queues(call: AwsCall, parameters: Parameters) -> dict[str, Any]:
    prefix = optional_text(parameters, "QueueNamePrefix") or ""
    found = queues_of(call).control.queues_of(call.account, prefix)
    return _page(call, parameters, found, "QueueUrls")


async def list_dead_letter_source_queues(call: AwsCall, parameters: Parameters) -> dict[str, Any]:
    queue = await find_queue(call, parameters)
    return {"queueUrls": [], **_page(call, parameters, queues_of(call).control.sources(queue), "queueUrls")}


async def delete_queue(call: AwsCall, parameters: Parameters) -> None:
    await queues_of(call).control.delete(call.account, queue_name(call, parameters))


async def purge_queue(call: AwsCall, parameters: Parameters) -> None:
    queues = queues_of(call)
    await queues.messages.purge(await queues.control.begin_purge(call.account, queue_name(call, parameters)))


async def get_queue_attributes(call: AwsCall, parameters: Parameters) -> dict[str, Any]:
    queue = await find_queue(call, parameters)
    wanted = texts(parameters, "AttributeNames")
    for name in wanted:
        if name not in QUEUE_ATTRIBUTES:
            raise BusRefusal(f"Unknown Attribute {name}.", "InvalidAttributeName")
    if not wanted:
        return {}
    queues = queues_of(call)
    shown = shown_attributes(queue, queues.names)
    if "All" in wanted or not set(wanted).isdisjoint(QUEUE_COUNTS):
        sizes = await queues.messages.sizes(queue)
        shown |= {name: str(size) for name, size in zip(QUEUE_COUNTS, sizes, strict=True)}
    chosen = shown if "All" in wanted else {name: shown[name] for name in wanted if name in shown}
    return {"Attributes": chosen} if chosen else {}


async def set_queue_attributes(call: AwsCall, parameters: Parameters) -> None:
    attributes = text_map(parameters, "Attributes")
    if not attributes:
        raise BusRefusal("The request must contain the parameter Attribute.Name.", "MissingParameter")
    await queues_of(call).control.set_attributes(call.account, queue_name(call, parameters), attributes)


async def tag_queue(call: AwsCall, parameters: Parameters) -> None:
    await queues_of(call).control.tag(call.account, queue_name(call, parameters), text_map(parameters, "Tags"))


async def untag_queue(call: AwsCall, parameters: Parameters) -> None:
    await queues_of(call).control.untag(call.account, queue_name(call, parameters), texts(parameters, "TagKeys"))


async def list_queue_tags(call: AwsCall, parameters: Parameters) -> dict[str, Any]:
    queue = await find_queue(call, parameters)
    return {"Tags": dict(queue.tags)} if queue.tags else {}


async def add_permission(call: AwsCall, parameters: Parameters) -> None:
    await queues_of(call).control.add_permission(
        call.account,
        queue_name(call, parameters),
        required_text(parameters, "Label"),
        texts(parameters, "AWSAccountIds"),
        texts(parameters, "Actions"),
    )


async def remove_permission(call: AwsCall, parameters: Parameters) -> None:
    label = required_text(parameters, "Label")
    await queues_of(call).control.remove_permission(call.account, queue_name(call, parameters), label)


def _page(call: AwsCall, parameters: Parameters, queues: list[RegisteredQueue], member: str) -> dict[str, Any]:
    """A page of queue URLs. Without MaxResults there is one page, of a thousand at most."""
    limit = optional_number(parameters, "MaxResults")
    if limit is not None and not 1 <= limit <= MAX_RESULTS:
        raise BusRefusal(
            f"Value for parameter MaxResults is invalid. Reason: MaxResults must be an integer between 1 and {MAX_RESULTS}."
        )
    after = key_after(parameters, refusal=BusRefusal("Invalid or expired next token."))
    queues = [one for one in queues if one.name > after]
    shown = queues[: limit or MAX_RESULTS]
    page: dict[str, Any] = {member: [queue_url(call, one.name) for one in shown]} if shown else {}
    if limit is not None and len(queues) > len(shown):
        page["NextToken"] = token_of(shown[-1].name)
    return page


QUEUE_ACTIONS: dict[str, Action] = {
    "CreateQueue": create_queue,
    "GetQueueUrl": get_queue_url,
    "ListQueues": list_queues,
    "ListDeadLetterSourceQueues": list_dead_letter_source_queues,
    "DeleteQueue": delete_queue,
    "PurgeQueue": purge_queue,
    "GetQueueAttributes": get_queue_attributes,
    "SetQueueAttributes": set_queue_attributes,
    "TagQueue": tag_queue,
    "UntagQueue": untag_queue,
    "ListQueueTags": list_queue_tags,
    "AddPermission": add_permission,
    "RemovePermission": remove_permission,
}
