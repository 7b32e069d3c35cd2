"""Filters for dead letters, and lenient reading of letters that no consumer could parse. Pure."""

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from sightline.bus.envelope import payload_of, text_attribute, unwrap
from sightline.bus.message import Received, SnsNotification
from sightline.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class DeadLetterFilter:
    """A letter matches if every field that is set matches; an empty filter matches all."""

    source_queue: str | None = None
    reason: str | None = None
    """Part of the reason, case-insensitive."""
    event_type: str | None = None
    attributes: Mapping[str, str] = field(default_factory=dict)
    older_than: timedelta | None = None
    contains: str | None = None
    """Part of the message body, inside the envelope if there is one."""
    redrives_at_most: int | None = None
    ids: frozenset[str] | None = None

    def matches(self, letter: Received, *, now: datetime) -> bool:
        return (
            (self.ids is None or letter.message_id in self.ids)
            and (self.source_queue is None or letter.source_queue == self.source_queue)
            and (self.redrives_at_most is None or letter.redrives <= self.redrives_at_most)
            and (self.older_than is None or self._is_old(letter, now))
            and (self.reason is None or self.reason.casefold() in (letter.dead_reason or "").casefold())
            and self._matches_content(letter)
        )

    def _is_old(self, letter: Received, now: datetime) -> bool:
        """By when it was sent, where the backend does not say when it died; a letter of unknown age is not old."""
        since = dead_since(letter) or letter.sent_at
        return since is not None and self.older_than is not None and now - since >= self.older_than

    def _matches_content(self, letter: Received) -> bool:
        """Checked last, because it parses the message."""
        if self.event_type is None and not self.attributes and self.contains is None:
            return True
        notification = notification_in(letter)
        return (
            (self.event_type is None or message_type_of(notification) == self.event_type)
            and all(text_attribute(notification, name) == value for name, value in self.attributes.items())
            and (self.contains is None or self.contains in notification.body)
        )


def parse_message_ids(texts: Iterable[str]) -> frozenset[str]:
    """Message ids in the canonical form of UUIDs."""
    ids = set()
    for text in texts:
        try:
            ids.add(str(uuid.UUID(text)))
        except ValueError:
            raise InvalidInput(f"{text!r} is not a message id") from None
    return frozenset(ids)


def parse_attributes(texts: Iterable[str]) -> dict[str, str]:
    """Parses texts of the form `name=value`."""
    attributes = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not (name and equals):
            raise InvalidInput(f"{text!r} is not of the form name=value")
        attributes[name] = value
    return attributes


def dead_since(letter: Received) -> datetime | None:
    """When the letter entered the dead-letter queue; None if the backend does not say, as SQS when it moved it itself."""
    return letter.entered_at


def notification_in(letter: Received) -> SnsNotification:
    """The message of a letter. Many letters are dead because they are malformed, so those are returned as they are."""
    try:
        return unwrap(letter)
    except (InvalidInput, ValueError):
        return SnsNotification(letter.body, letter.attributes)


def message_type_of(notification: SnsNotification) -> str | None:
    """The type, under whichever name its family uses: `event_type`, `message_type` or `detail-type`."""
    for name in ("event_type", "message_type"):
        if (found := text_attribute(notification, name)) is not None:
            return found
    try:
        payload = payload_of(notification)
    except InvalidInput:
        return None
    kinds = (payload.get(name) for name in ("event_type", "message_type", "detail-type"))
    return next((kind for kind in kinds if isinstance(kind, str)), None)
