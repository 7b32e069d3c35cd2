"""Deliveries of topics to mailboxes: the message itself, or as JSON."""

import json

from sightline.bus import EndpointDelivery, NotificationWriter
from sightline.notifications.push.channel import Notification, NotificationChannel
from sightline.timing import Clock, utc_now


class TopicEmailSender:
    def __init__(self, channel: NotificationChannel, writer: NotificationWriter, *, clock: Clock = utc_now) -> None:
        self._channel = channel
        self._writer = writer
        self._clock = clock

    async def send(self, record: EndpointDelivery) -> None:
        now = self._clock()
        content = await self._writer.write(record, at=now)
        is_confirmation = content["Type"] != "Notification"
        if record.kind == "email-json":
            body = json.dumps(content, ensure_ascii=False, indent=2)
        elif is_confirmation:
            body = f"Someone asked to send messages of the topic {record.topic} to this address. Open the link to confirm it."
        else:
            body = f"{record.body}\n\n--\nStop these emails: {content['UnsubscribeURL']}"
        title = "Confirm the subscription" if is_confirmation else record.subject or "Notification"
        await self._channel.send(
            Notification(
                id=record.message_id,
                kind="topic",
                target=record.endpoint,
                title=title,
                body=body,
                created_at=now,
                click=content.get("SubscribeURL"),
                lane=record.account_id,
            )
        )
