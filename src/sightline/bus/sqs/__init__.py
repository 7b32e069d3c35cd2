"""Queues of clients with the semantics of SQS: rules and error messages, apart from the backend and the wire."""

from sightline.bus.sqs.attributes import QUEUE_ATTRIBUTES, QUEUE_COUNTS, shown_attributes
from sightline.bus.sqs.control import QueueControl, no_such_queue
from sightline.bus.sqs.digests import digest_of_attributes, digest_of_body, digests_of_texts
from sightline.bus.sqs.messages import (
    NewQueueMessage,
    check_batch,
    check_entry_ids,
    plain_texts,
    sequence_number_text,
)
from sightline.bus.sqs.moves import MoveTask

__all__ = [
    "QUEUE_ATTRIBUTES",
    "QUEUE_COUNTS",
    "MoveTask",
    "NewQueueMessage",
    "QueueControl",
    "check_batch",
    "check_entry_ids",
    "digest_of_attributes",
    "digest_of_body",
    "digests_of_texts",
    "no_such_queue",
    "plain_texts",
    "sequence_number_text",
    "shown_attributes",
]
