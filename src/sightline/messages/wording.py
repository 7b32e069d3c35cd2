"""What a message says: from its record to the notification that leaves, and from a request to its telling. Pure."""

import json
from collections.abc import Mapping
from typing import Any

from sightline.messages.message import Channel, Message, Priority, Telling
from sightline.notifications import Picture, Push

LONGEST_TITLE = 250
LONGEST_BODY = 4000
MOST_TAGS = 10

_TITLES = {"scheduled_hello": "Hello from Sightline", "alert_notification": "Alert"}
_PRIORITIES: dict[Any, Priority] = {"low": "low", "normal": "normal", "high": "high", "critical": "critical"}


def push_of(message: Message, picture: Picture | None) -> Push:
    telling = message.telling
    return Push(
        id=message.message_id,
        kind=message.message_type,
        target=telling.target,
        title=telling.title,
        body=telling.body,
        created_at=message.created_date,
        priority=telling.priority,
        tags=telling.tags,
        click=telling.click,
        picture=picture,
        correlation_id=message.correlation_id,
    )


def telling_of(
    message_type: str, payload: Mapping[str, Any], *, channel: Channel, target: str | None, priority: Priority | None
) -> Telling:
    """Words from the payload where it has them (`title`, `message` or `body`, `tags`, `click`, `priority`)."""
    body = _text(payload.get("message")) or _text(payload.get("body"))
    if not body and payload:
        body = json.dumps(payload, ensure_ascii=False, sort_keys=True)
    chosen = priority or _PRIORITIES.get(payload.get("priority"))
    if chosen is None:
        chosen = "high" if message_type == "alert_notification" else "normal"
    tags = payload.get("tags")
    click = _text(payload.get("click"))
    return Telling(
        channel=channel,
        target=target,
        title=(_text(payload.get("title")) or _TITLES.get(message_type, message_type))[:LONGEST_TITLE],
        body=body[:LONGEST_BODY],
        priority=chosen,
        tags=tuple(_text(tag)[:64] for tag in tags[:MOST_TAGS]) if isinstance(tags, list) else (),
        click=click if click.startswith(("http://", "https://")) and len(click) <= 2048 else None,
    )


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
