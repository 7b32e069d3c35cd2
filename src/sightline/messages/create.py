"""Creates messages: gives each its id, its words and its way, and has the keeper store it with its event."""

from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID, uuid4, uuid5

from sightline.contracts.message_events import Source, Stage
from sightline.db import Transaction
from sightline.errors import Conflict, InvalidInput
from sightline.messages.message import Message, NewMessage, Telling
from sightline.messages.message_store import MessageStore
from sightline.messages.metrics import MessageMetrics
from sightline.observability import correlation_id
from sightline.timing import Clock, utc_now

SCHEDULER: Final = "scheduler"

_NAMESPACE = UUID("0f6a6b7e-2b52-5f0e-8c1f-6f9d3a1c5e02")


def id_for(*parts: object) -> str:
    """A real UUID, the same for the same cause: what is created twice is one message."""
    return str(uuid5(_NAMESPACE, "/".join(str(part) for part in parts)))


class Messages:
    def __init__(
        self, store: MessageStore, *, stage: Stage, metrics: MessageMetrics | None = None, clock: Clock = utc_now
    ) -> None:
        self.store = store
        self.stage = stage
        self._metrics = metrics or MessageMetrics(None)
        self._clock = clock

    async def create(
        self,
        tx: Transaction,
        *,
        message_type: str,
        payload: Mapping[str, Any],
        telling: Telling,
        source: Source,
        created_by: str,
        owner_id: UUID | None = None,
        message_id: str | None = None,
    ) -> tuple[NewMessage, bool]:
        """The message and whether it is new, as part of the transaction. An id that is given keeps it to one."""
        new = NewMessage(
            message_id=message_id or str(uuid4()),
            message_type=message_type,
            stage=self.stage,
            source=source,
            created_by=created_by,
            correlation_id=correlation_id() or str(uuid4()),
            payload=payload,
            created_date=self._clock(),
            telling=telling,
            owner_id=owner_id,
        )
        is_new = await self.store.add(tx, new)
        if is_new:
            self._metrics.created.labels(message_type_label(message_type), source).inc()
        return new, is_new

    def check_stage(self, stage: Stage | None) -> None:
        """Each stage is an installation of its own, with a topic of its own."""
        if stage is not None and stage != self.stage:
            raise InvalidInput(f"this platform is stage {self.stage}; it has no topic of stage {stage}")

    async def refuse_another(self, new: NewMessage) -> Message | None:
        """The message that the key was used for. For something else, that is a mistake, and silence would lose a message."""
        found = await self.store.get(new.message_id)
        if found is None:
            return None
        if (found.message_type, dict(found.payload)) != (new.message_type, dict(new.payload)):
            raise Conflict(
                "this Idempotency-Key was used for another message", details={"message_id": found.message_id}
            )
        return found


_KNOWN_TYPES = frozenset({"scheduled_hello", "manual_notification", "alert_notification", "event_notification"})


def message_type_label(message_type: str) -> str:
    """Types are free text; metrics have a label for the known ones only."""
    return message_type if message_type in _KNOWN_TYPES else "other"
