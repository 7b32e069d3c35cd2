"""The text of notifications, from a payload and from a message record. Pure."""

import json
from collections.abc import Mapping
from typing import Any

from sightline.messages.message import Channel, Message, NotificationRequest, Priority
from sightline.notifications import Notification, Picture

MAX_TITLE_LENGTH = 250
MAX_BODY_LENGTH = 4000
MAX_TAGS = 10

_TITLES = {"scheduled_hello": "Hello from Sightline", "alert_notification": "Alert"}
_PRIORITIES: dict[Any, Priority] = {"low": "low", "normal": "normal", "high": "high", "critical": "critical"}


def notification_of(message: Message, picture: Picture | None, salts: tuple[bytes, ...] = ()) -> Notification:
    notification = message.notification
    return Notification(
        id=message.message_id,
        kind=message.message_type,
        target=notification.target,
        title=notification.title,
        body=notification.body,
        created_at=message.created_date,
        priority=notification.priority,
        tags=notification.tags,
        click=notification.click,
        language=notification.language,
        picture=picture,
        correlation_id=message.correlation_id,
        lane=message.lane,
        is_alarm=notification.is_alarm,
        salts=salts,
    )


def notification_request(
    message_type: str,
    payload: Mapping[str, Any],
    *,
    channel: Channel,
    target: str | None,
    priority: Priority | None,
    by_operator: bool = False,
) -> NotificationRequest:
    """Text from the payload if it has any (`title`, `message` or `body`, `tags`, `click`, `priority`)."""
    body = _text(payload.get("message")) or _text(payload.get("body"))
    if not body and payload:
        body = json.dumps(payload, ensure_ascii=False, sort_keys=True)
    chosen = priority or _PRIORITIES.get(payload.get("priority"))
    if chosen is None:
        chosen = "high" if message_type == "alert_notification" else "normal"
    tags = payload.get("tags")
    click = _text(payload.get("click"))
    return NotificationRequest(
        channel=channel,
        target=target,
        title=(_text(payload.get("title")) or _TITLES.get(message_type, message_type))[:MAX_TITLE_LENGTH],
        body=body[:MAX_BODY_LENGTH],
        priority=chosen,
        tags=tuple(_text(tag)[:64] for tag in tags[:MAX_TAGS]) if isinstance(tags, list) else (),
        click=click if click.startswith(("http://", "https://")) and len(click) <= 2048 else None,
        is_for_operator=by_operator,
    )


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
