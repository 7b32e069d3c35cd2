"""Messages as items of DynamoDB, and back. Pure.

Other programs write to the table too, as document 002 shows, and know nothing of the platform's own fields. So reading is lenient:
what is missing gets a default, and numbers and times are accepted in the forms in which other programs write them.
"""

import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from pydantic import ValidationError

from sightline.errors import TooLarge
from sightline.messages.dynamodb.values import (
    Item,
    moment,
    moment_in,
    number,
    number_in,
    plain,
    text,
    text_in,
    value_bytes,
)
from sightline.messages.message import Channel, Message, MessageHistoryEntry, NewMessage, NotificationRequest
from sightline.messages.wording import notification_request
from sightline.timing import iso_utc

MAX_ITEM_BYTES = 400 * 1024
ROOM_FOR_UPDATES_BYTES = 16 * 1024
"""Left free in a new item: each attempt adds to its history."""
FOREIGN_LEASE = timedelta(minutes=5)
"""How long another program may process a message: the visibility timeout of the document's queue."""

_TIMES = ("processing_started_at", "processing_completed_at", "lease_until")
_OPTIONAL_TEXTS = ("error_message", "notification_id")
_DEFAULT_TEXTS = {
    "message_type": "unknown",
    "stage": "dev",
    "source": "web-api",
    "created_by": "unknown",
    "correlation_id": "",
    "status": "created",
}


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


def check_size(item: Item) -> None:
    """Raises `TooLarge` for an item that DynamoDB would refuse, now or after a few attempts."""
    size = sum(len(name.encode()) + value_bytes(value) for name, value in item.items())
    limit = MAX_ITEM_BYTES - ROOM_FOR_UPDATES_BYTES
    if size > limit:
        raise TooLarge(
            f"the message takes {size} bytes in DynamoDB, and the limit is {limit}; store what is large elsewhere and send a link",
            details={"bytes": size, "limit_bytes": limit},
        )


def is_expired(item: Mapping[str, Mapping[str, Any]], now: datetime) -> bool:
    """DynamoDB takes up to two days to remove expired items, and never removes those without a time to live."""
    ttl = number_in(item.get("ttl"))
    return ttl is not None and ttl <= now.timestamp()


def message_of(item: Mapping[str, Mapping[str, Any]], *, now: datetime, channel: Channel = "log") -> Message:
    """`channel` is that of messages that name none."""
    values: dict[str, Any] = {name: text_in(item.get(name)) or default for name, default in _DEFAULT_TEXTS.items()}
    values |= {name: text_in(item.get(name)) for name in _OPTIONAL_TEXTS}
    values |= {name: moment_in(item.get(name)) for name in _TIMES}
    created = moment_in(item.get("created_date"))
    updated = moment_in(item.get("updated_date")) or created or now
    if values["status"] == "processing" and values["lease_until"] is None:
        values["lease_until"] = updated + FOREIGN_LEASE
    payload = _payload(item.get("payload"))
    return Message(
        message_id=text_in(item["message_id"]) or "",
        owner_id=_owner(item.get("owner_id")),
        payload=payload,
        notification=_notification(item.get("notification"), values["message_type"], payload, channel),
        created_date=created or updated,
        updated_date=updated,
        retry_count=number_in(item.get("retry_count")) or 0,
        attempts=number_in(item.get("attempts")) or 0,
        history=_history(item.get("history")),
        ttl=number_in(item.get("ttl")),
        **values,
    )


def _payload(value: Mapping[str, Any] | None) -> dict[str, Any]:
    found = None if value is None else plain(value)
    if isinstance(found, str):
        try:
            parsed = json.loads(found)
        except (ValueError, RecursionError):
            parsed = None
        found = parsed if isinstance(parsed, dict) else {"message": found}
    return found if isinstance(found, dict) else {}


def _notification(
    value: Mapping[str, Any] | None, message_type: str, payload: Mapping[str, Any], channel: Channel
) -> NotificationRequest:
    """Messages of other programs ask for none; theirs is worded from the payload and goes to the default channel."""
    try:
        return NotificationRequest.model_validate_json(text_in(value) or "")
    except ValidationError:
        return notification_request(message_type, payload, channel=channel, target=None, priority=None)


def _history(value: Mapping[str, Any] | None) -> tuple[MessageHistoryEntry, ...]:
    found = []
    for step in (value or {}).get("L", ()):
        try:
            found.append(MessageHistoryEntry.model_validate(plain(step)))
        except ValidationError:
            continue  # another program's idea of a history
    return tuple(found)


def _owner(value: Mapping[str, Any] | None) -> UUID | None:
    try:
        return UUID(text_in(value) or "")
    except ValueError:
        return None
