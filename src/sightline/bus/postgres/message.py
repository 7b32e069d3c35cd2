"""A message as the PostgreSQL backend stores it: without the envelope, which is built on demand.

Most consumers need the message and not its envelope. Stored bare, a message is less than half as long, is written
faster three times (sent, received, logged) and needs no parsing. Fields are read from the row only when they are used.
"""

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import asyncpg

from sightline.bus.envelope import attributes_from_json, wrap
from sightline.bus.message import Attributes, SnsNotification, TopicMessage
from sightline.bus.names import Names, topic_arn_of
from sightline.bus.postgres.receipts import write_receipt
from sightline.bus.system_attributes import ENVELOPE

_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)


class StoredMessage:
    __slots__ = ("_arns", "_queue_names", "_row", "queue")

    def __init__(self, queue: str, row: asyncpg.Record, arns: Names, queue_names: Mapping[int | None, str]) -> None:
        self.queue = queue
        self._row = row
        self._arns = arns
        self._queue_names = queue_names

    @property
    def receive_key(self) -> tuple[int, int]:
        """Sequence number in the queue, and receive count."""
        return self._row["seq"], self._row["receive_count"]

    @property
    def receipt(self) -> str:
        return write_receipt(self._row["queue_id"], self._row["seq"], self._row["receive_count"])

    @property
    def message_id(self) -> str:
        return str(self._row["message_id"])

    @property
    def plain(self) -> tuple[str, str, str] | None:
        """Id, receipt and body, if the body is what was sent: not one that a topic delivered."""
        row = self._row
        if row["topic"] is not None:
            return None
        return str(row["message_id"]), write_receipt(row["queue_id"], row["seq"], row["receive_count"]), row["body"]

    @property
    def receive_count(self) -> int:
        return int(self._row["receive_count"])

    @property
    def sent_at(self) -> datetime:
        """Not for a message that was received without times."""
        return _moment(self._row["sent_at"])

    @property
    def first_received_at(self) -> datetime | None:
        sent = self._row["first_received_at"]
        return None if sent is None else _moment(sent)

    @property
    def body(self) -> str:
        row = self._row
        if row["topic"] is None:
            return str(row["body"])
        message = TopicMessage(row["topic"], row["body"], self._message_attributes(), row["subject"])
        return wrap(message, message_id=self.message_id, at=self.sent_at, names=self._arns)

    @property
    def attributes(self) -> Attributes:
        return self._message_attributes() if self._row["topic"] is None else {}

    @property
    def context(self) -> Mapping[str, str]:
        text = self._row["context"]
        return json.loads(text) if text else {}

    @property
    def lane(self) -> str | None:
        return self._row.get("lane")

    @property
    def sequence_number(self) -> int:
        return int(self._row["seq"])

    @property
    def system_attributes(self) -> Mapping[str, str]:
        """What SQS shows as attributes of the message itself, as far as its sender gave it."""
        return {name: value for name, value in self._stored_system_attributes().items() if name != ENVELOPE}

    @property
    def source_queue(self) -> str | None:
        return self._queue_names.get(self._row["source_queue_id"])

    @property
    def dead_reason(self) -> str | None:
        found: str | None = self._row["dead_reason"]
        return found

    @property
    def entered_at(self) -> datetime | None:
        return self._row.get("entered_at")

    @property
    def redrives(self) -> int:
        return self._row.get("redrive_count") or 0

    @property
    def is_wrapped(self) -> bool:
        """Whether a topic delivered it, with its notification around the body."""
        return self._row["topic"] is not None

    def stored_notification(self) -> SnsNotification | None:
        row = self._row
        if row["topic"] is None:
            return None  # sent raw or directly to the queue: the body may hold an envelope that another sender wrote
        arn = topic_arn_of(row["topic"], self._arns)
        envelope = self._stored_system_attributes().get(ENVELOPE, {})
        return SnsNotification(
            row["body"],
            self._message_attributes(),
            arn,
            self.message_id,
            is_wrapped=True,
            subject=row["subject"],
            subscription_arn=envelope.get("SubscriptionArn"),
            sequence_number=envelope.get("SequenceNumber"),
        )

    def _stored_system_attributes(self) -> dict[str, Any]:
        text = self._row.get("system_attributes")
        return json.loads(text) if text else {}

    def _message_attributes(self) -> Attributes:
        text = self._row["attributes"]
        return attributes_from_json(json.loads(text)) if text else {}


def _moment(sent: bytes) -> datetime:
    """A time as `timestamptz_send` writes it: microseconds since the year 2000."""
    return _EPOCH + timedelta(microseconds=int.from_bytes(sent, "big", signed=True))
