"""Messages of the notification queue: a video event, or a request to resend an email. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sightline.contracts.video_events import VideoStatusChanged, parse_status_changed
from sightline.errors import InvalidInput

_MAIL_ID = "mailId"


@dataclass(frozen=True, slots=True)
class ResendMail:
    """Sent when an operator resends an email, which is recorded already."""

    mail_id: UUID

    def to_payload(self) -> dict[str, str]:
        return {_MAIL_ID: str(self.mail_id)}


def read_queue_message(payload: Mapping[str, Any]) -> VideoStatusChanged | ResendMail:
    if _MAIL_ID not in payload:
        return parse_status_changed(payload)
    try:
        return ResendMail(UUID(payload[_MAIL_ID]))
    except (ValueError, TypeError, AttributeError) as error:
        raise InvalidInput(f"{_MAIL_ID} is not the id of an email") from error
