"""Messages in the wire format of SNS and SQS. Pure."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from sightline.bus.aws import context as aws_context
from sightline.bus.aws import published
from sightline.bus.aws.context import MessageContext
from sightline.bus.envelope import unwrap_body
from sightline.bus.message import Attributes, PlainReceived, Received
from sightline.bus.policy import Attribute
from sightline.bus.topology import Queue
from sightline.errors import InvalidInput


def attributes_to_aws(attributes: Attributes) -> dict[str, dict[str, Any]]:
    return {
        name: {
            "DataType": attribute.data_type,
            ("BinaryValue" if isinstance(attribute.value, bytes) else "StringValue"): attribute.value,
        }
        for name, attribute in attributes.items()
    }


def attributes_from_aws(found: Mapping[str, Any]) -> dict[str, Attribute]:
    return {
        name: Attribute(
            str(item["DataType"]), item["BinaryValue"] if "BinaryValue" in item else item.get("StringValue", "")
        )
        for name, item in found.items()
    }


def fingerprint_of(message: Mapping[str, Any]) -> bytes | None:
    """What the database knows a topic message by; None if the message carries its context itself."""
    carried, attributes = aws_context.extract(
        message["Body"], attributes_from_aws(message.get("MessageAttributes", {}))
    )
    if carried.message_id is not None:
        return None
    try:
        found = unwrap_body(message["Body"], attributes)
    except InvalidInput:
        return None
    return published.fingerprint(found.body, found.attributes)


def read_received(
    queue: Queue, source_queue: str | None, message: Mapping[str, Any], *, recorded: MessageContext | None = None
) -> Received:
    """`source_queue` is whose dead letters the queue holds, if any; `recorded` is what the database knows of the message."""
    system = message.get("Attributes", {})
    carried, attributes = aws_context.extract(
        message["Body"], attributes_from_aws(message.get("MessageAttributes", {}))
    )
    if carried.message_id is None and recorded is not None:
        carried = replace(carried, message_id=recorded.message_id, context=recorded.context)
    sent_ms = _number(system, "SentTimestamp")
    first_received_ms = _number(system, "ApproximateFirstReceiveTimestamp")
    receive_count = _number(system, "ApproximateReceiveCount")
    dead_reason, entered_ms = None, sent_ms
    if not queue.is_dead_letter:
        source_queue = None
    else:
        if origin := system.get("DeadLetterQueueSourceArn"):
            source_queue = str(origin).rpartition(":")[2]
        # SQS keeps the sending time when it moves a message, and does not record the time of the move.
        dead_reason, moved_ms = "received too often without being deleted", entered_ms
        entered_ms = None
        if (death := carried.death) is not None:
            source_queue, dead_reason = death.queue, death.reason
            # The copy in this queue has times and receives of its own, which say nothing about the message.
            sent_ms, first_received_ms = death.sent_ms or None, death.first_received_ms or None
            receive_count = death.receive_count or None
            entered_ms = moved_ms
    return PlainReceived(
        queue=queue.name,
        message_id=carried.message_id or str(message["MessageId"]),
        receipt=str(message["ReceiptHandle"]),
        receive_count=receive_count,
        sent_at=_moment(sent_ms),
        first_received_at=_moment(first_received_ms),
        body=str(message["Body"]),
        attributes=attributes,
        context=carried.context,
        source_queue=source_queue,
        dead_reason=dead_reason,
        entered_at=_moment(entered_ms),
        redrives=carried.redrives,
    )


def in_ms(moment: datetime | None) -> int:
    """0 for a time that is not known."""
    return 0 if moment is None else round(moment.timestamp() * 1000)


def _moment(milliseconds: int | None) -> datetime | None:
    return None if milliseconds is None else datetime.fromtimestamp(milliseconds / 1000, UTC)


def _number(system: Mapping[str, Any], name: str) -> int | None:
    """None where SQS does not say, or an emulator says nothing useful."""
    text = str(system.get(name, ""))
    return int(text) if text.isdecimal() and int(text) > 0 else None
