"""Creation of messages: each gets its id and is stored together with its event."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final, NotRequired, TypedDict, Unpack
from uuid import UUID, uuid5

from sightline.bus import new_id
from sightline.contracts.message_events import Source, Stage
from sightline.db import Transaction
from sightline.errors import Conflict, InvalidInput
from sightline.messages.message import RETENTION, Message, NewMessage, NotificationRequest
from sightline.messages.metrics import MessageMetrics
from sightline.messages.store import MessageStore
from sightline.observability import correlation_id
from sightline.timing import Clock, utc_now

SCHEDULER: Final = "scheduler"

_NAMESPACE = UUID("0f6a6b7e-2b52-5f0e-8c1f-6f9d3a1c5e02")


def id_for(*parts: object) -> str:
    """A UUID that is the same for the same cause, so that creating it twice makes one message."""
    return str(uuid5(_NAMESPACE, "/".join(str(part) for part in parts)))


class MessageFields(TypedDict):
    """The fields of a message to create."""

    message_type: str
    payload: Mapping[str, Any]
    notification: NotificationRequest
    source: Source
    created_by: str
    owner_id: NotRequired[UUID | None]
    message_id: NotRequired[str | None]


class Messages:
    def __init__(
        self,
        store: MessageStore,
        *,
        stage: Stage,
        metrics: MessageMetrics | None = None,
        clock: Clock = utc_now,
        retention: timedelta = RETENTION,
    ) -> None:
        self.store = store
        self.stage = stage
        self._metrics = metrics or MessageMetrics(None)
        self._clock = clock
        self._retention = retention

    async def create(self, tx: Transaction, **message: Unpack[MessageFields]) -> tuple[NewMessage, bool]:
        """The message and whether it is new, as part of the transaction. With a given id, only the first call creates it."""
        new = self._new(**message)
        return new, self._counted(new, is_new=await self.store.add(tx, new))

    async def create_and_commit(self, **message: Unpack[MessageFields]) -> tuple[NewMessage, bool]:
        """As `create`, in a transaction of its own. The message is stored and announced when it returns."""
        new = self._new(**message)
        return new, self._counted(new, is_new=await self.store.add_and_commit(new))

    def _new(self, **message: Unpack[MessageFields]) -> NewMessage:
        return NewMessage(
            message_id=message.get("message_id") or new_id(),
            message_type=message["message_type"],
            stage=self.stage,
            source=message["source"],
            created_by=message["created_by"],
            correlation_id=correlation_id() or new_id(),
            payload=message["payload"],
            created_date=self._clock(),
            notification=message["notification"],
            owner_id=message.get("owner_id"),
            retention=self._retention,
        )

    def _counted(self, new: NewMessage, *, is_new: bool) -> bool:
        if is_new:
            self._metrics.created.labels(message_type_label(new.message_type), new.source).inc()
        return is_new

    def check_stage(self, stage: Stage | None) -> None:
        """Each stage is a separate installation with its own topic."""
        if stage is not None and stage != self.stage:
            raise InvalidInput(
                f"this installation is stage {self.stage}; send messages of stage {stage} to the installation of that stage"
            )

    async def find_same_request(self, new: NewMessage) -> Message | None:
        """The message that the key was used for. Raises `Conflict` if its content differs, as the new one would be lost."""
        found = await self.store.get(new.message_id)
        if found is None:
            return None
        if (found.message_type, dict(found.payload)) != (new.message_type, dict(new.payload)):
            raise Conflict(
                "this Idempotency-Key was used for another message; use a new key",
                details={"message_id": found.message_id},
            )
        return found


_KNOWN_TYPES = frozenset({"scheduled_hello", "manual_notification", "alert_notification", "event_notification"})


def message_type_label(message_type: str) -> str:
    """Types are free text; only known ones are metric labels."""
    return message_type if message_type in _KNOWN_TYPES else "other"
