"""Events in daily life: reopen, assign, snooze, comment, and the history of who did what."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Body, Path
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from sightline.api.answers.security import EXAMPLE_TIME, AssigneeAnswer, EventAnswer
from sightline.api.dependencies import CurrentCaller, CurrentPlatform
from sightline.api.events.access import actor_of, check_visible, reading_event, shown_event
from sightline.api.events.snooze_body import SnoozeUntil
from sightline.security.events import (
    MAX_VERSION,
    Comment,
    HistoryEntry,
    comments_of,
    history_of,
    people_of_event,
)
from sightline.timing import iso_utc

MAX_COMMENT_LENGTH = 4000

router = APIRouter(prefix="/api/events", tags=["security events"])

EventId = Annotated[int, Path(ge=1, le=2**62, description="The event's id.", examples=[1])]
CommentId = Annotated[int, Path(ge=1, le=2**62, description="The comment's id.", examples=[1])]
CommentText = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_COMMENT_LENGTH, pattern=r"^[^\x00]*$"),
]


class ChangeBody(BaseModel):
    model_config = ConfigDict(extra="forbid")

    version: int | None = Field(
        None, ge=1, le=MAX_VERSION, examples=[1], description="Refused with 409 if the event has changed since."
    )


class AssignBody(ChangeBody):
    user_id: UUID | None = Field(
        examples=["00000000-0000-0000-0000-000000000001"],
        description="The owner or a member of the team (see `assignees`). Null: nobody.",
    )


class SnoozeBody(ChangeBody, SnoozeUntil):
    """Until when the event is left alone."""


class CommentBody(BaseModel):
    model_config = ConfigDict(extra="forbid")

    text: CommentText = Field(examples=["I called the neighbour; it was their dog."])


class CommentAnswer(BaseModel):
    comment_id: int = Field(examples=[1])
    author: AssigneeAnswer
    text: str = Field(examples=["I called the neighbour; it was their dog."])
    created_at: str = Field(examples=[EXAMPLE_TIME])
    edited_at: str | None = Field(examples=[None])
    is_own: bool = Field(examples=[True], description="The caller may change and delete it.")

    @classmethod
    def of(cls, comment: Comment, *, reader: UUID) -> "CommentAnswer":
        return cls(
            comment_id=comment.comment_id,
            author=AssigneeAnswer(user_id=str(comment.author_id), name=comment.author),
            text=comment.body,
            created_at=iso_utc(comment.created_at),
            edited_at=None if comment.edited_at is None else iso_utc(comment.edited_at),
            is_own=comment.author_id == reader,
        )


class CommentsAnswer(BaseModel):
    comments: list[CommentAnswer] = Field(description="Oldest first.")


class HistoryEntryAnswer(BaseModel):
    at: str = Field(examples=[EXAMPLE_TIME])
    action: str = Field(
        examples=["acknowledged"],
        description="created, revised, refined, enriched, acknowledged, resolved, resolution_added, reopened, assigned, "
        "unassigned, snoozed, unsnoozed, commented, comment_edited, comment_deleted or escalated.",
    )
    by: str | None = Field(examples=["ana@example.com"], description="Null: the platform.")
    details: dict[str, Any] = Field(examples=[{}], description="Such as notes, risk_score, version, until, to, step.")

    @classmethod
    def of(cls, entry: HistoryEntry) -> "HistoryEntryAnswer":
        return cls(at=iso_utc(entry.at), action=entry.action, by=entry.actor, details=dict(entry.details))


class HistoryAnswer(BaseModel):
    history: list[HistoryEntryAnswer] = Field(description="In the order in which it happened.")


class AssigneesAnswer(BaseModel):
    people: list[AssigneeAnswer] = Field(description="The event's owner, and the members of its team as last seen.")


Reopening = Annotated[ChangeBody | None, Body(examples=[{"version": 3}])]


@router.patch("/{event_id}/reopen")
async def reopen(
    platform: CurrentPlatform, caller: CurrentCaller, event_id: EventId, body: Reopening = None
) -> EventAnswer:
    """Reopen a resolved event: it is acknowledged again. Its history keeps how it was resolved."""
    await check_visible(platform, caller, event_id)
    version = None if body is None else body.version
    event = await platform.security.lifecycle.reopen(event_id, actor=actor_of(caller), version=version)
    return await shown_event(platform, caller, event)


@router.patch("/{event_id}/assign")
async def assign(platform: CurrentPlatform, caller: CurrentCaller, event_id: EventId, body: AssignBody) -> EventAnswer:
    """Give the event to a person who may see it, or to nobody."""
    await check_visible(platform, caller, event_id)
    event = await platform.security.handling.assign(
        event_id, body.user_id, actor=actor_of(caller), version=body.version
    )
    return await shown_event(platform, caller, event)


@router.get("/{event_id}/assignees")
async def assignees(platform: CurrentPlatform, caller: CurrentCaller, event_id: EventId) -> AssigneesAnswer:
    """The people to whom the event can be assigned."""
    async with reading_event(platform, caller, event_id) as (_, event):
        pass
    async with (
        platform.database.transaction() as tx
    ):  # members of a team see each other's names, though not their claims
        people = await people_of_event(tx, event)
    names = {one.user_id: one.name for one in people}
    names.setdefault(caller.user_id, None)
    names[caller.user_id] = caller.email or names[caller.user_id]
    return AssigneesAnswer(people=[AssigneeAnswer(user_id=str(one), name=name) for one, name in names.items()])


@router.patch("/{event_id}/snooze")
async def snooze(platform: CurrentPlatform, caller: CurrentCaller, event_id: EventId, body: SnoozeBody) -> EventAnswer:
    """Leave the event alone until a moment: its alerts do not escalate. Without a moment, no longer."""
    await check_visible(platform, caller, event_id)
    event = await platform.security.handling.snooze(event_id, body.moment, actor=actor_of(caller), version=body.version)
    return await shown_event(platform, caller, event)


@router.get("/{event_id}/history")
async def history(platform: CurrentPlatform, caller: CurrentCaller, event_id: EventId) -> HistoryAnswer:
    """Who did what to the event, and when."""
    async with reading_event(platform, caller, event_id) as (tx, event):
        entries = await history_of(tx, [event.id])
    return HistoryAnswer(history=[HistoryEntryAnswer.of(entry) for entry in entries])


@router.get("/{event_id}/comments")
async def comments(platform: CurrentPlatform, caller: CurrentCaller, event_id: EventId) -> CommentsAnswer:
    """What people wrote about the event."""
    async with reading_event(platform, caller, event_id) as (tx, event):
        found = await comments_of(tx, [event.id])
    return CommentsAnswer(comments=[CommentAnswer.of(one, reader=caller.user_id) for one in found])


@router.post("/{event_id}/comments", status_code=201)
async def add_comment(
    platform: CurrentPlatform, caller: CurrentCaller, event_id: EventId, body: CommentBody
) -> CommentAnswer:
    """Write something about the event, for everybody who may see it."""
    await check_visible(platform, caller, event_id)
    added = await platform.security.handling.comment(event_id, body.text, author=actor_of(caller))
    return CommentAnswer.of(added, reader=caller.user_id)


@router.patch("/{event_id}/comments/{comment_id}")
async def edit_comment(
    platform: CurrentPlatform, caller: CurrentCaller, event_id: EventId, comment_id: CommentId, body: CommentBody
) -> CommentAnswer:
    """Change a comment of your own."""
    await check_visible(platform, caller, event_id)
    edited = await platform.security.handling.edit_comment(event_id, comment_id, body.text, author=actor_of(caller))
    return CommentAnswer.of(edited, reader=caller.user_id)


@router.delete("/{event_id}/comments/{comment_id}", status_code=204)
async def delete_comment(
    platform: CurrentPlatform, caller: CurrentCaller, event_id: EventId, comment_id: CommentId
) -> None:
    """Delete a comment of your own."""
    await check_visible(platform, caller, event_id)
    await platform.security.handling.delete_comment(event_id, comment_id, author=actor_of(caller))
