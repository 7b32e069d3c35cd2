"""Messages of SQS: what may be sent, with the error messages of AWS. Pure."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from sightline.bus.limits import (
    MAX_DELAY_S,
    BusRefusal,
    check_attributes,
    check_delay,
    check_text,
    is_clean,
    size_of,
)
from sightline.bus.message import Attributes
from sightline.bus.queue_attributes import DEFAULTS
from sightline.bus.registry import RegisteredQueue
from sightline.bus.system_attributes import TRACE_HEADER, stored_system_attributes

MAX_BATCH = 10
FIRST_SEQUENCE_NUMBER = 2**64
"""Added to the numbers of the backend, which have 64 bits: sequence numbers always have twenty digits, as those of SQS."""
MAX_BATCH_BYTES = 1024 * 1024
MISSING_GROUP = "The request must contain the parameter MessageGroupId."
MISSING_DEDUPLICATION = (
    "The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly"
)

MAX_BYTES_BY_DEFAULT = int(DEFAULTS["MaximumMessageSize"])

_ID = re.compile(r"[0-9A-Za-z!-/:-@\[-`{-~]{1,128}")
_ENTRY_ID = re.compile(r"[A-Za-z0-9_-]{1,80}")
_ENTRY_ID_LETTERS = re.compile(r"[A-Za-z0-9_-]*").fullmatch


@dataclass(slots=True)
class NewQueueMessage:
    """A message that a client sends to a queue. Nobody changes it; making it frozen would double what it costs to make."""

    body: str
    attributes: Attributes = field(default_factory=dict)
    delay_s: int | None = None
    group_id: str | None = None
    deduplication_id: str | None = None
    system_attributes: Attributes = field(default_factory=dict)
    trace_header: str | None = None
    """The trace that the request itself belongs to; a trace among the system attributes goes before it."""
    size: int = field(init=False)
    """Bytes of body and attributes, with their names and types."""

    def __post_init__(self) -> None:
        size = size_of(self.body)
        for name, attribute in self.attributes.items() if self.attributes else ():
            size += size_of(name) + size_of(attribute.data_type) + size_of(attribute.value)
        self.size = size


def check_new_message(queue: RegisteredQueue, message: NewQueueMessage) -> float:
    """Raises unless the queue accepts the message. Returns the seconds by which it is delayed."""
    if not message.body:
        raise BusRefusal("The request must contain the parameter MessageBody.", "MissingParameter")
    check_text(message.body)
    if message.attributes:
        check_attributes(message.attributes, any_letters=True)
    max_bytes = int(queue.attributes.get("MaximumMessageSize", MAX_BYTES_BY_DEFAULT))
    if message.size > max_bytes:
        raise BusRefusal(f"One or more parameters are invalid. Reason: Message must be shorter than {max_bytes} bytes.")
    if message.system_attributes:
        _check_system_attributes(message.system_attributes)
    if message.group_id is not None:
        _check_id(message.group_id, "MessageGroupId")
    if message.deduplication_id is not None:
        _check_id(message.deduplication_id, "MessageDeduplicationId")
    if queue.is_fifo:
        return _check_for_fifo(queue, message)
    if message.deduplication_id is not None:
        raise BusRefusal(
            f"Value {message.deduplication_id} for parameter MessageDeduplicationId is invalid. Reason: The request "
            "includes a parameter that is not valid for this queue type."
        )
    delay_s = queue.settings.delay_s if message.delay_s is None else message.delay_s
    check_delay(delay_s)
    return delay_s


def _check_for_fifo(queue: RegisteredQueue, message: NewQueueMessage) -> float:
    if message.delay_s:
        if not 0 <= message.delay_s <= MAX_DELAY_S:
            check_delay(message.delay_s)
        raise BusRefusal(
            f"Value {message.delay_s} for parameter DelaySeconds is invalid. Reason: The request include parameter "
            "that is not valid for this queue type."
        )
    if message.group_id is None:
        raise BusRefusal(MISSING_GROUP, "MissingParameter")
    if message.deduplication_id is None and not deduplicates_by_content(queue):
        raise BusRefusal(MISSING_DEDUPLICATION)
    return queue.settings.delay_s


def sequence_number_text(number: int) -> str:
    return str(FIRST_SEQUENCE_NUMBER + number)


def deduplicates_by_content(queue: RegisteredQueue) -> bool:
    return queue.attributes.get("ContentBasedDeduplication") == "true"


def check_entry_ids(ids: list[str]) -> None:
    """The errors of a whole batch; those of one entry are reported beside the entries that succeeded."""
    prefix = "AWS.SimpleQueueService"
    if not ids:
        raise BusRefusal(
            "There should be at least one SendMessageBatchRequestEntry in the request.", f"{prefix}.EmptyBatchRequest"
        )
    if len(ids) > MAX_BATCH:
        raise BusRefusal(
            f"Maximum number of entries per request are {MAX_BATCH}. You have sent {len(ids)}.",
            f"{prefix}.TooManyEntriesInBatchRequest",
        )
    # The letters of all at once; which one is wrong is looked up only if one is.
    if len(set(ids)) == len(ids) and all(ids) and len(max(ids, key=len)) <= 80 and _ENTRY_ID_LETTERS("".join(ids)):
        return
    seen: set[str] = set()
    for one in ids:
        if not _ENTRY_ID.fullmatch(one):
            raise BusRefusal(
                "A batch entry id can only contain alphanumeric characters, hyphens and underscores. It can be at most "
                "80 letters long.",
                f"{prefix}.InvalidBatchEntryId",
            )
        if one in seen:
            raise BusRefusal(f"Id {one} repeated.", f"{prefix}.BatchEntryIdsNotDistinct")
        seen.add(one)


def check_batch(queue: RegisteredQueue, messages: list[NewQueueMessage]) -> None:
    """What concerns a batch of sent messages as a whole."""
    if queue.is_fifo:
        if any(one.deduplication_id is None for one in messages) and not deduplicates_by_content(queue):
            raise BusRefusal(MISSING_DEDUPLICATION)
        if any(one.group_id is None for one in messages):
            raise BusRefusal(MISSING_GROUP)
    size = sum([one.size for one in messages])
    if size > MAX_BATCH_BYTES:
        raise BusRefusal(
            f"Batch requests cannot be longer than {MAX_BATCH_BYTES} bytes. You have sent {size} bytes.",
            "AWS.SimpleQueueService.BatchRequestTooLong",
        )


def plain_texts(queue: RegisteredQueue, bodies: Sequence[str]) -> list[bytes] | None:
    """The bodies as bytes, if each may be sent to this queue as it is: in no order and at once. None if one may not, or if that
    needs a closer look."""
    settings = queue.settings
    if queue.is_fifo or settings.is_fair or settings.delay_s or not all(bodies):
        return None
    texts = [body.encode("utf-8", "surrogatepass") for body in bodies]
    longest = int(queue.attributes.get("MaximumMessageSize", MAX_BYTES_BY_DEFAULT))
    together = b"".join(texts)
    if len(together) > MAX_BATCH_BYTES or max(map(len, texts)) > longest or not is_clean("".join(bodies), together):
        return None
    return texts


def deduplication_id_of(queue: RegisteredQueue, message: NewQueueMessage) -> str | None:
    """As given, or by the content in a FIFO queue."""
    if message.deduplication_id is not None or not queue.is_fifo:
        return message.deduplication_id
    return hashlib.sha256(message.body.encode()).hexdigest()


def system_attributes_text(message: NewQueueMessage, deduplication_id: str | None) -> str | None:
    """What is kept of the message besides body and attributes, as it is stored."""
    trace = message.system_attributes.get(TRACE_HEADER)
    return stored_system_attributes(
        trace_header=message.trace_header if trace is None else str(trace.value),
        group_id=message.group_id,
        deduplication_id=deduplication_id,
    )


def _check_id(value: str, parameter: str) -> None:
    if not _ID.fullmatch(value):
        raise BusRefusal(
            f"Value {value} for parameter {parameter} is invalid. Reason: {parameter} can only include alphanumeric and "
            "punctuation characters. 1 to 128 in length."
        )


def _check_system_attributes(attributes: Attributes) -> None:
    for name, attribute in attributes.items():
        if name != TRACE_HEADER:
            raise BusRefusal(
                f"Value {name} for parameter MessageSystemAttributes is invalid. Reason: Unknown attribute."
            )
        if attribute.data_type != "String" or not isinstance(attribute.value, str) or not attribute.value:
            raise BusRefusal(f"Message (system) attribute '{name}' must contain a non-empty value of type 'String'.")
