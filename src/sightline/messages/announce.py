"""The `message_created` event of a message: its identifiers, and attributes to filter by."""

from datetime import datetime

from sightline.bus import Attribute, TopicMessage, current_context, message_topic, new_id
from sightline.contracts.message_events import MAX_EVENT_BYTES, MessageCreated, MessageIds, Metadata
from sightline.errors import InvalidInput
from sightline.messages.message import Message, NewMessage

MAX_TYPE_LENGTH = 64
MAX_CREATOR_LENGTH = 320


def announcement(message: NewMessage | Message, *, region: str, at: datetime) -> TopicMessage:
    event = MessageCreated(
        event_id=new_id(),
        timestamp=at,
        source=message.source,
        message=MessageIds(
            message_id=message.message_id,
            message_type=message.message_type,
            stage=message.stage,
            created_by=message.created_by,
            correlation_id=message.correlation_id,
        ),
        metadata=Metadata(region=region, environment=message.stage),
    )
    body = event.to_json()
    if len(body.encode()) >= MAX_EVENT_BYTES:
        raise InvalidInput(
            f"the identifiers of the message are too long: its event is limited to {MAX_EVENT_BYTES} bytes"
        )
    return TopicMessage(
        message_topic(message.stage),
        body,
        event_attributes(event),
        context=current_context(),
        lane=message.lane,
        is_urgent=message.notification.is_alarm,
    )


def event_attributes(event: MessageCreated) -> dict[str, Attribute]:
    return {
        "event_type": Attribute("String", event.event_type),
        "message_type": Attribute("String", event.message.message_type),
        "stage": Attribute("String", event.message.stage),
        "source": Attribute("String", event.source),
    }
