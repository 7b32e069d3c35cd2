"""What is pushed to a person besides the mails of videos, and the promise of the channels that carry it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol

NotificationPriority = Literal["low", "normal", "high", "critical"]


@dataclass(frozen=True, slots=True)
class Picture:
    name: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Notification:
    """One notification, for one channel."""

    id: str
    """The same for every repetition."""
    kind: str
    target: str | None
    title: str
    body: str
    created_at: datetime
    priority: NotificationPriority = "normal"
    tags: tuple[str, ...] = ()
    click: str | None = None
    picture: Picture | None = None
    correlation_id: str = ""


class NotificationChannel(Protocol):
    """A destination for notifications to leave.

    What is wrong with the notification is a `PermanentFailure`; what is wrong with the destination, and may be right later, is a
    `TransientFailure`. Nothing is repeated behind the caller's back.
    """

    @property
    def name(self) -> str: ...

    def destination(self, notification: Notification) -> str:
        """What fails together: notifications of one destination share a circuit breaker and a rate."""

    async def send(self, notification: Notification) -> str:
        """Hands it over, and returns the id it has on the other side."""

    async def find(self, notification: Notification) -> str | None:
        """The id of one that was handed over before, where the other side can be asked; None if it is not known to be there."""
