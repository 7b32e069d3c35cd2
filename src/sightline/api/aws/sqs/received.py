"""A received message as SQS shows it, with the attributes that the receiver asked for. Pure."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any
from uuid import UUID, uuid5

from sightline.bus import (
    Attribute,
    Names,
    RegisteredQueue,
    StoredMessage,
    digest_of_attributes,
    digest_of_body,
    sequence_number_text,
)


class SelectedAttributes:
    """Names of system and message attributes; of the latter also `All`, `.*` and prefixes such as `order.*`."""

    __slots__ = ("_names", "_prefixes", "has_all", "system")

    def __init__(self, system: Iterable[str], message: Iterable[str]) -> None:
        self.system = frozenset(system)
        names = frozenset(message)
        self.has_all = not names.isdisjoint(("All", ".*", "*"))
        self._names = names
        self._prefixes = tuple(name[:-2] for name in names if name.endswith(".*"))

    @property
    def has_message_attributes(self) -> bool:
        return self.has_all or bool(self._names)

    def selects(self, name: str) -> bool:
        return self.has_all or name in self._names or name.startswith(self._prefixes)

    def selects_system(self, name: str) -> bool:
        return name in self.system or "All" in self.system


NOTHING_SELECTED = SelectedAttributes((), ())


def received_message(
    received: StoredMessage, queue: RegisteredQueue, selected: SelectedAttributes, names: Names, envelope: str | None
) -> dict[str, Any]:
    """`envelope` is the notification around a message that a topic delivered; it has another id than the copy in the queue."""
    body = received.body if envelope is None else envelope
    message_id = received.message_id if envelope is None else str(uuid5(UUID(received.message_id), queue.name))
    shown: dict[str, Any] = {
        "MessageId": message_id,
        "ReceiptHandle": received.receipt,
        "MD5OfBody": digest_of_body(body),
        "Body": body,
    }
    if selected.system and (system := _system_attributes(received, queue, selected, names)):
        shown["Attributes"] = system
    if selected.has_message_attributes:
        attributes = {name: one for name, one in received.attributes.items() if selected.selects(name)}
        if attributes:
            shown["MessageAttributes"] = {name: _shown(one) for name, one in attributes.items()}
            shown["MD5OfMessageAttributes"] = digest_of_attributes(attributes)
    return shown


def _system_attributes(
    received: StoredMessage, queue: RegisteredQueue, selected: SelectedAttributes, names: Names
) -> dict[str, str]:
    found = {
        "SenderId": queue.account_id,
        "SentTimestamp": _milliseconds(received.sent_at),
        "ApproximateReceiveCount": str(received.receive_count),
        "ApproximateFirstReceiveTimestamp": _milliseconds(received.first_received_at or received.sent_at),
        **received.system_attributes,
    }
    if queue.is_fifo:
        found["SequenceNumber"] = sequence_number_text(received.sequence_number)
    if received.source_queue is not None:
        found["DeadLetterQueueSourceArn"] = names.queue_arn(received.source_queue)
    return {name: value for name, value in found.items() if selected.selects_system(name)}


def _shown(attribute: Attribute) -> dict[str, Any]:
    member = "StringValue" if isinstance(attribute.value, str) else "BinaryValue"
    return {"DataType": attribute.data_type, member: attribute.value}


def _milliseconds(moment: datetime) -> str:
    return str(int(moment.timestamp() * 1000))
