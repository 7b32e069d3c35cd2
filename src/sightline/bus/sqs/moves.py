"""Message move tasks of SQS: what they are, and what may be started. Pure."""

import base64
import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sightline.bus.limits import BusRefusal
from sightline.bus.names import Names
from sightline.bus.registry import Account, RegisteredQueue, Snapshot

MAX_MOVES_PER_SECOND = 500
MAX_LISTED = 10


@dataclass(frozen=True, slots=True)
class MoveTask:
    id: UUID
    source_arn: str
    destination_arn: str | None
    max_per_second: int | None
    status: str
    moved: int
    to_move: int
    failure_reason: str | None
    started_at: datetime

    @property
    def handle(self) -> str:
        """Names the task, as SQS shows it while the task runs."""
        content = json.dumps({"taskId": str(self.id), "sourceArn": self.source_arn})
        return base64.b64encode(content.encode()).decode()


def read_handle(handle: str) -> tuple[UUID, str]:
    """The task and its source."""
    try:
        content = json.loads(base64.b64decode(handle, validate=True))
        return UUID(content["taskId"]), str(content["sourceArn"])
    except (ValueError, KeyError, TypeError, AttributeError):
        raise BusRefusal("Value for parameter TaskHandle is invalid.") from None


def queue_by_arn(snapshot: Snapshot, names: Names, account: Account, arn: str, parameter: str) -> RegisteredQueue:
    parts = arn.split(":")
    if len(parts) != 6 or parts[0] != "arn" or parts[2] != "sqs":
        raise BusRefusal(
            f"You must use this format to specify the {parameter}: arn:<partition>:<service>:<region>:<account-id>:<resource-id>"
        )
    found = snapshot.queues.get(names.local_name_of(arn))
    if found is None or found.account_id != account.account_id:
        raise BusRefusal(
            f"The resource that you specified for the {parameter} parameter doesn't exist.", "ResourceNotFoundException"
        )
    return found


def check_move(source: RegisteredQueue, queues: Iterable[RegisteredQueue], max_per_second: int | None) -> None:
    if max_per_second is not None and not 1 <= max_per_second <= MAX_MOVES_PER_SECOND:
        raise BusRefusal(
            f"Value {max_per_second} for parameter MaxNumberOfMessagesPerSecond is invalid. Reason: You must enter a value "
            f"between 1 and {MAX_MOVES_PER_SECOND}."
        )
    if not any(one.settings.dead_letter_queue == source.name for one in queues):
        raise BusRefusal("Source queue must be configured as a Dead Letter Queue.")
