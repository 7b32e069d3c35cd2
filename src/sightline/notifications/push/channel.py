"""The notification that a person gets, and the interface of the channels that send it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol

from sightline.notifications.mail.mail import Language

NotificationPriority = Literal["low", "normal", "high", "critical"]


@dataclass(frozen=True, slots=True)
class Picture:
    name: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Notification:
    """One notification, to be sent by one channel."""

    id: str
    """The same for every attempt."""
    kind: str
    target: str | None
    title: str
    body: str
    created_at: datetime
    priority: NotificationPriority = "normal"
    tags: tuple[str, ...] = ()
    click: str | None = None
    language: Language | None = None
    picture: Picture | None = None
    correlation_id: str = ""
    lane: str = ""
    """Whose notification it is; owners take turns at a rate limit."""
    is_alarm: bool = False
    salts: tuple[bytes, ...] = ()
    """To a webhook: what the secrets of its receiver are made of."""


class NotificationChannel(Protocol):
    """Sends notifications.

    A problem of the notification itself is a `PermanentFailure`; a problem of the destination, which may pass, is a
    `TransientFailure`. A channel never retries by itself.
    """

    @property
    def name(self) -> str: ...

    def destination(self, notification: Notification) -> str:
        """Notifications to one destination share a circuit breaker: what fails for one of them would fail for all."""

    async def send(self, notification: Notification) -> str:
        """Sends it and returns the provider's id of it."""

    async def find(self, notification: Notification) -> str | None:
        """The provider's id of a notification that was sent before; None if that is not known."""
