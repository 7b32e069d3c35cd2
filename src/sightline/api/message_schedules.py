"""Schedules of messages: users see their own, operators all."""

from typing import Annotated, Any
from uuid import UUID

import structlog
from fastapi import APIRouter, Depends, Path
from pydantic import BaseModel, ConfigDict, Field

from sightline.api.answers.schedules import EXAMPLE_ID, ScheduleAnswer, SchedulesAnswer
from sightline.api.dependencies import CurrentCaller, CurrentPlatform
from sightline.api.messages import target_for
from sightline.contracts import Caller
from sightline.db import Transaction
from sightline.errors import Conflict
from sightline.messages import MAX_TYPE_LENGTH, Channel, Priority, notification_request
from sightline.messages.schedules import Schedule, already_there, first_tick, next_of, store, unknown_schedule
from sightline.timing import utc_now

log = structlog.get_logger(__name__)
router = APIRouter(prefix="/api/schedules", tags=["messages"])


class NewScheduleBody(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: str = Field(pattern=r"^[A-Za-z0-9_.-]{1,64}$", examples=["daily-report"])
    expression: str = Field(
        max_length=256, examples=["cron(0 9 ? * MON-FRI *)"], description="rate(), cron() with six fields, or at()."
    )
    zone: str = Field("UTC", max_length=64, examples=["America/Sao_Paulo"], description="Time zone of cron() and at().")
    message_type: str = Field(
        pattern=r"^[A-Za-z0-9_.:-]+$", max_length=MAX_TYPE_LENGTH, examples=["manual_notification"]
    )
    payload: dict[str, Any] = Field(default_factory=dict, examples=[{"message": "Look at the report."}])
    channel: Channel | None = Field(None, examples=["ntfy"])
    priority: Priority | None = Field(None, examples=["normal"])


def _schedule_id(
    schedule_id: Annotated[str, Path(description="The schedule's id.", examples=[str(EXAMPLE_ID)])],
) -> UUID:
    try:
        return UUID(schedule_id)
    except ValueError:
        raise unknown_schedule(schedule_id) from None


ScheduleId = Annotated[UUID, Depends(_schedule_id)]


@router.post("", status_code=201)
async def create_schedule(platform: CurrentPlatform, caller: CurrentCaller, body: NewScheduleBody) -> ScheduleAnswer:
    """Create a schedule. It starts with the next run."""
    now = utc_now()
    tick = first_tick(body.expression, body.zone, now=now)
    channel = body.channel or platform.settings.messages.channel
    target = await target_for(platform, caller, channel)
    async with platform.database.transaction() as tx:
        made = await store.add(
            tx,
            name=body.name,
            expression=body.expression,
            zone=body.zone,
            message_type=body.message_type,
            payload=body.payload,
            notification=notification_request(
                body.message_type,
                body.payload,
                channel=channel,
                target=target,
                priority=body.priority,
                by_operator=caller.is_operator,
            ),
            owner_id=caller.user_id,
            anchor=now,
            next_tick=tick,
        )
    if made is None:
        raise already_there(body.name)
    return ScheduleAnswer.of(made)


@router.get("")
async def list_schedules(platform: CurrentPlatform, caller: CurrentCaller) -> SchedulesAnswer:
    """The caller's schedules by name; for operators all."""
    async with platform.database.transaction() as tx:
        found = await store.find(tx, owner_id=None if caller.is_operator else caller.user_id)
    return SchedulesAnswer(schedules=[ScheduleAnswer.of(one) for one in found])


@router.get("/{schedule_id}")
async def get_schedule(platform: CurrentPlatform, caller: CurrentCaller, schedule_id: ScheduleId) -> ScheduleAnswer:
    """One schedule. 404 if it does not exist or the caller may not see it."""
    async with platform.database.transaction() as tx:
        return ScheduleAnswer.of(await _own(tx, caller, schedule_id))


@router.post("/{schedule_id}/pause")
async def pause_schedule(platform: CurrentPlatform, caller: CurrentCaller, schedule_id: ScheduleId) -> ScheduleAnswer:
    """Pause a schedule until it is resumed."""
    async with platform.database.transaction() as tx:
        found = await _own(tx, caller, schedule_id)
        if not await store.pause(tx, schedule_id) and found.state != "paused":
            raise Conflict(f"schedule {found.name} is {found.state}", details={"state": found.state})
        return ScheduleAnswer.of(await store.existing(tx, schedule_id))


@router.post("/{schedule_id}/resume")
async def resume_schedule(platform: CurrentPlatform, caller: CurrentCaller, schedule_id: ScheduleId) -> ScheduleAnswer:
    """Resume a schedule with its next run; missed runs are not made up for."""
    async with platform.database.transaction() as tx:
        found = await _own(tx, caller, schedule_id)
        is_resumed = await store.resume(tx, schedule_id, next_tick=next_of(found, now=utc_now()))
        if not is_resumed and found.state != "active":
            raise Conflict(f"schedule {found.name} is {found.state}", details={"state": found.state})
        return ScheduleAnswer.of(await store.existing(tx, schedule_id))


@router.delete("/{schedule_id}", status_code=204)
async def delete_schedule(platform: CurrentPlatform, caller: CurrentCaller, schedule_id: ScheduleId) -> None:
    """Delete a schedule. Messages that it created are kept."""
    async with platform.database.transaction() as tx:
        found = await _own(tx, caller, schedule_id)
        await store.remove(tx, schedule_id)
    log.info("message_scheduler.removed", schedule=found.name, by=str(caller.user_id))


async def _own(tx: Transaction, caller: Caller, schedule_id: UUID) -> Schedule:
    found = await store.existing(tx, schedule_id)
    if found.owner_id != caller.user_id and not caller.is_operator:
        raise unknown_schedule(schedule_id)
    return found
