"""The message store interface, with backends for PostgreSQL and DynamoDB. Its guarantees are written here once."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol
from uuid import UUID

from sightline.contracts.message_events import Stage
from sightline.db import Transaction
from sightline.errors import NotFound
from sightline.messages.message import Message, NewMessage, Status
from sightline.paging import Cursor


@dataclass(frozen=True, slots=True)
class MessageFilter:
    """None means any."""

    stage: Stage | None = None
    status: Status | None = None
    message_type: str | None = None
    created_by: str | None = None
    owner_id: UUID | None = None
    created_after: datetime | None = None
    created_before: datetime | None = None


@dataclass(frozen=True, slots=True)
class MessageStatistics:
    """Counts of messages by status, and their average processing time."""

    counts: dict[Status, int]
    average_processing_s: float | None
    """From being claimed to completed."""


class MessageStore(Protocol):
    """Every change names the status it expects; if that is not the status, it changes nothing and returns False or None."""

    @property
    def name(self) -> str: ...

    async def add(self, tx: Transaction, new: NewMessage) -> bool:
        """Adds the record in the caller's transaction; its event follows once the record is stored. False if it exists."""

    async def add_and_commit(self, new: NewMessage) -> bool:
        """As `add`, in its own transaction, which simultaneous calls may share. The record is readable when it returns."""

    async def ensure_stored(self, message_id: str) -> None:
        """After the commit: makes the record readable at once. Otherwise the backend does so in the background."""

    async def get(self, message_id: str) -> Message | None: ...

    async def find(self, criteria: MessageFilter, *, limit: int, before: Cursor[str] | None = None) -> list[Message]:
        """Newest first, after the cursor `before`. Pages neither skip nor repeat a message."""

    async def claim(self, message_id: str, *, by: str, lease: timedelta) -> Message | None:
        """Marks it as processing by the caller until the lease ends; None if it cannot be claimed now."""

    async def complete(self, claimed: Message, *, notification_id: str, by: str) -> bool:
        """Marks it as sent under this id. False if another processor has claimed it since."""

    async def fail(self, claimed: Message, *, error: str, by: str) -> bool:
        """Marks it as failed. A later delivery may claim it again."""

    async def postpone(self, tx: Transaction, claimed: Message, *, reason: str, by: str) -> bool:
        """Back to queued without counting as a failure; in the caller's transaction if the backend can."""

    async def requeue(self, tx: Transaction, message_id: str, *, by: str) -> bool:
        """Queues a failed message again, with a new event."""

    async def statistics(self, *, since: datetime, stage: Stage) -> MessageStatistics: ...

    async def sweep(self) -> int:
        """Removes expired messages if the backend does not do so itself; returns how many."""

    async def check(self) -> None:
        """Raises with the reason if the store cannot be used."""


def unknown_message(message_id: object) -> NotFound:
    return NotFound(f"no message {message_id}", code="MESSAGE_NOT_FOUND")
