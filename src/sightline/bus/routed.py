"""A copy of a message on its way to one queue. Pure."""

from typing import NamedTuple

from sightline.bus.message import Attributes


class Routed(NamedTuple):
    """A copy for one queue. A copy with a topic is wrapped in the envelope when it is received."""

    queue: str
    message_id: str
    body: str
    attributes: Attributes
    topic: str | None = None
    subject: str | None = None
    lane: str | None = None
    is_urgent: bool = False
    group_id: str | None = None
    deduplication_id: str | None = None
    system_attributes: str | None = None
    """JSON text of what SQS shows as attributes of the message itself."""
