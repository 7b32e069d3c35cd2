"""Messages as entries of a Redis stream. Pure.

An entry's id is the message's number, so Redis itself refuses what is there already or would come out of order.
"""

import time
from collections.abc import Mapping
from uuid import UUID

from sightline.live.message import FeedRecord


def key_of(stream: str, epoch: str) -> str:
    """Another epoch is another key: numbers of the two never meet. In braces what a cluster keeps in one place."""
    return f"{{sightline:live}}:{stream}:{epoch}"


def entry_id(sequence: int) -> str:
    return f"{sequence}-0"


def sequence_of(found: str) -> int:
    return int(found.partition("-")[0])


def to_fields(message: FeedRecord) -> dict[str, str]:
    return {
        "type": message.type,
        "topic": message.topic or "",
        "requires_ack": "1" if message.requires_ack else "",
        "data": message.data,
        "owner_id": str(message.owner_id or ""),
        "team_id": str(message.team_id or ""),
        "created_at": f"{time.time() - message.age_s:.3f}",
    }


def from_fields(found: str, fields: Mapping[str, str]) -> FeedRecord:
    return FeedRecord(
        sequence=sequence_of(found),
        type=fields["type"],
        topic=fields["topic"] or None,
        requires_ack=bool(fields["requires_ack"]),
        data=fields["data"],
        owner_id=UUID(fields["owner_id"]) if fields["owner_id"] else None,
        team_id=UUID(fields["team_id"]) if fields["team_id"] else None,
        age_s=max(0.0, time.time() - float(fields["created_at"])),
    )
