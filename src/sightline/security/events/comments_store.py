"""Reads and writes comments on events."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from uuid import UUID

from sightline.db import Transaction, load_queries
from sightline.errors import Conflict, NotAllowed, NotFound

MAX_COMMENTS = 500
"""Per event."""

_sql = load_queries(Path(__file__).with_name("comments.sql"))


@dataclass(frozen=True, slots=True)
class Comment:
    comment_id: int
    event_id: int
    author_id: UUID
    author: str
    body: str
    created_at: datetime
    edited_at: datetime | None


async def add_comment(tx: Transaction, event_id: int, *, author_id: UUID, author: str, body: str) -> Comment:
    row = await _sql["insert_comment"].row(
        tx, event_id=event_id, author_id=author_id, author=author, body=body, max_comments=MAX_COMMENTS
    )
    if row is None:
        raise Conflict(f"event {event_id} has {MAX_COMMENTS} comments already; delete one of yours first")
    return Comment(**row)


async def comments_of(tx: Transaction, event_ids: Sequence[int]) -> list[Comment]:
    return [Comment(**row) for row in await _sql["comments_of"].rows(tx, event_ids=list(event_ids))]


async def edit_comment(tx: Transaction, event_id: int, comment_id: int, *, author_id: UUID, body: str) -> Comment:
    row = await _sql["edit_comment"].row(tx, event_id=event_id, comment_id=comment_id, author_id=author_id, body=body)
    if row is None:
        raise await _refusal(tx, event_id, comment_id)
    return Comment(**row)


async def delete_comment(tx: Transaction, event_id: int, comment_id: int, *, author_id: UUID) -> None:
    if not await _sql["delete_comment"].run(tx, event_id=event_id, comment_id=comment_id, author_id=author_id):
        raise await _refusal(tx, event_id, comment_id)


async def comment_counts(tx: Transaction, event_ids: Sequence[int]) -> dict[int, int]:
    """Events without comments are left out."""
    rows = await _sql["comment_counts"].rows(tx, event_ids=list(event_ids))
    return {row["event_id"]: row["comments"] for row in rows}


async def _refusal(tx: Transaction, event_id: int, comment_id: int) -> NotFound | NotAllowed:
    if await _sql["get_comment"].row(tx, event_id=event_id, comment_id=comment_id) is None:
        return NotFound(f"event {event_id} has no comment {comment_id}", code="COMMENT_NOT_FOUND")
    return NotAllowed("Only its author can change or delete a comment")
