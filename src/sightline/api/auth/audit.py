"""The audit log over HTTP, for operators."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field

from sightline.access import AuditEntry, Outcome, find_entries
from sightline.api.answers.paged import PagedAnswer
from sightline.api.dependencies import CurrentPlatform, Operator
from sightline.contracts import LOCAL_OWNER_ID
from sightline.contracts.values import Moment
from sightline.paging import Cursor, page_of, read_number

MAX_LISTED = 500
_EXAMPLE_TIME = "2026-01-17T10:00:00Z"
_EXAMPLE_HASH = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"

router = APIRouter(prefix="/api/audit", tags=["people"])


class AuditQuery(BaseModel):
    model_config = ConfigDict(extra="forbid")

    actor_id: UUID | None = Field(None, examples=[LOCAL_OWNER_ID], description="Only what this user did.")
    action: str | None = Field(None, max_length=100, examples=["video.deleted"], description="Only this action.")
    target: str | None = Field(
        None, max_length=500, examples=["event 17"], description="Only what concerns this, such as `event 17`."
    )
    since: Moment | None = Field(None, examples=[_EXAMPLE_TIME], description="Only from this time on.")
    until: Moment | None = Field(None, examples=[_EXAMPLE_TIME], description="Only before this time.")
    limit: int = Field(100, ge=1, le=MAX_LISTED, examples=[100], description="Maximum number of entries.")
    cursor: str | None = Field(
        None, max_length=100, examples=["2026-01-17T10:00:00.000000Z_42"], description="From `next_cursor`."
    )


class AuditEntryAnswer(BaseModel):
    number: int = Field(examples=[42], description="Without gaps.")
    at: datetime = Field(examples=[_EXAMPLE_TIME])
    action: str = Field(examples=["video.deleted"])
    outcome: Outcome = Field(examples=["done"])
    actor_id: UUID | None = Field(examples=[LOCAL_OWNER_ID])
    actor: str | None = Field(examples=["ann@example.com"], description="Email, or the user at a terminal.")
    via: str = Field(examples=["session"], description="token, session, key and its id, local, command line, platform.")
    target: str | None = Field(examples=["video 3c9d4c52-6a1e-4a55-9a3c-0f6f0a6f1a11"])
    details: dict[str, Any] = Field(examples=[{"status": 204, "address": "192.0.2.7"}])
    correlation_id: str | None = Field(examples=["0b8f4a52-63a5-4f0e-9d0a-1a2b3c4d5e6f"])
    hash: str = Field(examples=[_EXAMPLE_HASH], description="Covers this entry and the hash of the one before it.")

    @classmethod
    def of(cls, entry: AuditEntry) -> "AuditEntryAnswer":
        fields = entry.to_json()
        del fields["previous_hash"]
        return cls.model_validate(fields)


class AuditAnswer(PagedAnswer):
    entries: list[AuditEntryAnswer]


@router.get("")
async def audit_entries(platform: CurrentPlatform, _: Operator, query: Annotated[AuditQuery, Query()]) -> AuditAnswer:
    """Who did and saw what, newest first. `sightline audit verify` checks the chain of hashes."""
    after = None if query.cursor is None else Cursor.parse(query.cursor, read_number)
    async with platform.database.transaction() as tx:
        found = await find_entries(
            tx,
            limit=query.limit + 1,
            before=None if after is None else after.id,
            actor_id=query.actor_id,
            action=query.action,
            target=query.target,
            since=query.since,
            until=query.until,
        )
    page = page_of(found, query.limit, lambda entry: Cursor(entry.at, entry.number))
    return AuditAnswer(entries=[AuditEntryAnswer.of(entry) for entry in page.items], next_cursor=page.next_cursor)
