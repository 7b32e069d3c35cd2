"""Messages as items of DynamoDB, and back. Pure."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from sightline.messages.message import Message, MessageHistoryEntry, NewMessage, NotificationRequest
from sightline.timing import iso_utc

Item = dict[str, dict[str, Any]]
"""Attribute → its type and value, as DynamoDB writes them."""

_TIMES = ("created_date", "updated_date", "processing_started_at", "processing_completed_at", "lease_until")
_TEXTS = (
    "message_type",
    "stage",
    "source",
    "created_by",
    "correlation_id",
    "status",
    "error_message",
    "notification_id",
)


def text(value: str) -> dict[str, str]:
    return {"S": value}


def number(value: int) -> dict[str, str]:
    return {"N": str(value)}


def moment(value: datetime) -> dict[str, str]:
    """With microseconds and of one length, so that texts sort as times do."""
    return {"S": value.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")}


def history_item(step: MessageHistoryEntry) -> dict[str, Any]:
    return {"M": {name: text(value) for name, value in step.to_json().items()}}


def new_item(new: NewMessage, event_id: str) -> Item:
    """`event_id` distinguishes this creation from another one with the same message id."""
    item: Item = {
        "message_id": text(new.message_id),
        "message_type": text(new.message_type),
        "stage": text(new.stage),
        "source": text(new.source),
        "created_by": text(new.created_by),
        "correlation_id": text(new.correlation_id),
        "status": text("created"),
        "payload": text(json.dumps(dict(new.payload), ensure_ascii=False)),
        "notification": text(json.dumps(new.notification.to_json(), ensure_ascii=False)),
        "created_date": moment(new.created_date),
        "updated_date": moment(new.created_date),
        "retry_count": number(0),
        "attempts": number(0),
        "history": {
            "L": [history_item(MessageHistoryEntry(status="created", at=iso_utc(new.created_date), by=new.created_by))]
        },
        "ttl": number(new.ttl),
        "event_id": text(event_id),
    }
    if new.owner_id is not None:
        item["owner_id"] = text(str(new.owner_id))
    return item


def message_of(item: Mapping[str, Mapping[str, Any]]) -> Message:
    values: dict[str, Any] = {name: item[name]["S"] if name in item else None for name in _TEXTS}
    values |= {name: datetime.fromisoformat(item[name]["S"]) if name in item else None for name in _TIMES}
    return Message(
        message_id=item["message_id"]["S"],
        owner_id=UUID(item["owner_id"]["S"]) if "owner_id" in item else None,
        payload=json.loads(item["payload"]["S"]),
        notification=NotificationRequest.model_validate_json(item["notification"]["S"]),
        retry_count=int(item["retry_count"]["N"]),
        attempts=int(item["attempts"]["N"]),
        history=tuple(
            MessageHistoryEntry.model_validate({name: value["S"] for name, value in step["M"].items()})
            for step in item["history"]["L"]
        ),
        ttl=int(item["ttl"]["N"]),
        **values,
    )
