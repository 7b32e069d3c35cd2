"""Attributes of SQS queues: their defaults, and what they mean for the queue. Pure."""

import json
from collections.abc import Mapping

from sightline.bus.names import Names
from sightline.bus.topology import Queue

MAX_QUEUE_MESSAGE_BYTES = 1024 * 1024

DEFAULTS: Mapping[str, str] = {
    "VisibilityTimeout": "30",
    "MaximumMessageSize": str(MAX_QUEUE_MESSAGE_BYTES),
    "MessageRetentionPeriod": "345600",
    "DelaySeconds": "0",
    "ReceiveMessageWaitTimeSeconds": "0",
}


def queue_settings(name: str, attributes: Mapping[str, str], names: Names) -> Queue:
    """The queue that these attributes, which were checked before, describe."""
    given = {**DEFAULTS, **attributes}
    max_receives: int | None = None
    dead_letter_name: str | None = None
    if policy := given.get("RedrivePolicy"):
        content = json.loads(policy)
        max_receives = int(content["maxReceiveCount"])
        dead_letter_name = names.local_name_of(content["deadLetterTargetArn"])
    is_fifo = given.get("FifoQueue") == "true"
    return Queue(
        name,
        visibility_s=int(given["VisibilityTimeout"]),
        retention_s=int(given["MessageRetentionPeriod"]),
        delay_s=int(given["DelaySeconds"]),
        wait_s=int(given["ReceiveMessageWaitTimeSeconds"]),
        max_receives=max_receives,
        dead_letter_name=dead_letter_name,
        is_fifo=is_fifo,
        deduplicates_per_group=given.get("DeduplicationScope") == "messageGroup",
        is_declared=False,
        keeps_age=not is_fifo,
    )


def attributes_of(queue: Queue, names: Names) -> dict[str, str]:
    """The attributes of a declared queue, as SQS would show them."""
    found = {
        "VisibilityTimeout": str(queue.visibility_s),
        "MessageRetentionPeriod": str(queue.retention_s),
        "DelaySeconds": str(queue.delay_s),
        "ReceiveMessageWaitTimeSeconds": str(queue.wait_s),
    }
    if queue.dead_letter_queue is not None:
        policy = {
            "deadLetterTargetArn": names.queue_arn(queue.dead_letter_queue),
            "maxReceiveCount": queue.max_receives,
        }
        found["RedrivePolicy"] = json.dumps(policy)
    return found
