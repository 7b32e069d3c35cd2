"""The promise of a keeper of messages, kept by PostgreSQL or DynamoDB. What is promised is written here once."""

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
    """What became of the messages of a span of time."""

    counts: dict[Status, int]
    average_processing_s: float | None
    """From being taken in hand to completed."""


class MessageStore(Protocol):
    """Every move carries the state it expects; one that does not fit changes nothing and says so."""

    @property
    def name(self) -> str: ...

    async def add(self, tx: Transaction, new: NewMessage) -> bool:
        """As part of the caller's transaction: the record, and after it, once it is stored, its event. False if it is known."""

    async def add_and_commit(self, new: NewMessage) -> bool:
        """As `add`, in a transaction of its own, which those that come at the same moment may share; readable when it returns."""

    async def ensure_stored(self, message_id: str) -> None:
        """After the commit: has the record readable now. Who does not ask leaves that to the keeper's own time."""

    async def get(self, message_id: str) -> Message | None: ...

    async def find(self, wanted: MessageFilter, *, limit: int, before: Cursor[str] | None = None) -> list[Message]:
        """Newest first, from behind `before`. No message is passed over or shown twice from page to page."""

    async def claim(self, message_id: str, *, by: str, lease: timedelta) -> Message | None:
        """Marks it as processing, in the caller's hands until the lease ends; None if it is not to be processed now."""

    async def complete(self, claimed: Message, *, notification_id: str, by: str) -> bool:
        """It was told, and under which id; both at once, so that nobody sends it again. False if somebody else has it by now."""

    async def fail(self, claimed: Message, *, error: str, by: str) -> bool:
        """It was not told. A later delivery may try again."""

    async def postpone(self, tx: Transaction, claimed: Message, *, reason: str, by: str) -> bool:
        """Back to queued without counting as a failure, with the caller's transaction where the keeper can."""

    async def requeue(self, tx: Transaction, message_id: str, *, by: str) -> bool:
        """A failed message gets another chance, with an event of its own."""

    async def statistics(self, *, since: datetime, stage: Stage) -> MessageStatistics: ...

    async def sweep(self) -> int:
        """Removes what was kept long enough, where the keeper does not do that by itself; says how many."""

    async def check(self) -> None:
        """Raises with the reason if it cannot do its work."""


def unknown_message(message_id: object) -> NotFound:
    return NotFound(f"no message {message_id}", code="MESSAGE_NOT_FOUND")
