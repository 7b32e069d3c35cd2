"""Messages in the wire format of SNS and SQS. Pure."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from sightline.bus.aws import context as aws_context
from sightline.bus.message import Attributes, PlainReceived, Received
from sightline.bus.policy import Attribute
from sightline.bus.topology import Queue


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


def read_received(queue: Queue, source_queue: str | None, message: Mapping[str, Any]) -> Received:
    """`source_queue` is whose dead letters the queue holds, if it holds any."""
    system = message.get("Attributes", {})
    carried, attributes = aws_context.extract(
        message["Body"], attributes_from_aws(message.get("MessageAttributes", {}))
    )
    sent_ms = int(system.get("SentTimestamp", 0))
    first_received_ms = int(system.get("ApproximateFirstReceiveTimestamp", sent_ms))
    receive_count = int(system.get("ApproximateReceiveCount", 1))
    dead_reason, entered_ms = None, sent_ms
    if not queue.is_dead_letter:
        source_queue = None
    else:
        if origin := system.get("DeadLetterQueueSourceArn"):
            source_queue = str(origin).rpartition(":")[2]
        # SQS keeps the sending time when it moves a message, and does not record the time of the move.
        dead_reason, moved_ms = "received too often without being deleted", entered_ms
        entered_ms = 0
        if (death := carried.death) is not None:
            source_queue, dead_reason = death.queue, death.reason
            sent_ms, first_received_ms = death.sent_ms, death.first_received_ms
            receive_count += death.receive_count
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
        entered_at=_moment(entered_ms) if entered_ms else None,
        redrives=carried.redrives,
    )


def in_ms(moment: datetime) -> int:
    return round(moment.timestamp() * 1000)


def _moment(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds / 1000, UTC)
