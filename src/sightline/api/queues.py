"""Queues and their dead letters, for operators."""

from datetime import timedelta
from typing import Annotated, Self
from uuid import UUID

import structlog
from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, ConfigDict, Field, model_validator

from sightline.api.answers.queues import (
    EXAMPLE_ID,
    EXAMPLE_QUEUE,
    DeadLetterAnswer,
    DeadLettersAnswer,
    QueueAnswer,
    QueuesAnswer,
    ReportAnswer,
    WholeDeadLetterAnswer,
)
from sightline.api.dependencies import CurrentPlatform, Operator
from sightline.bus import (
    MAX_MOVES_PER_SECOND,
    MAX_REDRIVES,
    DeadLetterFilter,
    discard_letters,
    find_letter,
    list_letters,
    parse_attributes,
    queue_overview,
    redrive_letters,
    require_queue,
)

# A request works no longer than this; what is left is for the next one, and `has_more` says so.
MAX_REQUEST_SECONDS = 30
MAX_MOVED = 10_000
# Ages beyond this would leave the calendar.
MAX_AGE_S = 10 * 366 * 24 * 3600

log = structlog.get_logger(__name__)
router = APIRouter(prefix="/api/queues", tags=["queues"])

QueueName = Annotated[str, Path(description="The queue, or its dead-letter queue.", examples=[EXAMPLE_QUEUE])]


class Filter(BaseModel):
    """Selects dead letters that match every given field."""

    model_config = ConfigDict(extra="forbid")

    source_queue: str | None = Field(None, examples=[EXAMPLE_QUEUE], description="The queue that it failed in.")
    reason: str | None = Field(None, examples=["not JSON"], description="Part of the failure reason.")
    type: str | None = Field(None, examples=["bjj_event_detected"], description="Its type, exactly.")
    contains: str | None = Field(None, examples=["a1b2c3d4"], description="Part of its body.")
    older_than_s: float | None = Field(
        None, ge=0, le=MAX_AGE_S, examples=[7200], description="Dead letters of at least this age, in seconds."
    )
    redrives_at_most: int | None = Field(None, ge=0, examples=[2], description="Redriven at most this often.")

    def wanted(self, attributes: dict[str, str]) -> DeadLetterFilter:
        return DeadLetterFilter(
            source_queue=self.source_queue,
            reason=self.reason,
            event_type=self.type,
            attributes=attributes,
            older_than=None if self.older_than_s is None else timedelta(seconds=self.older_than_s),
            contains=self.contains,
            redrives_at_most=self.redrives_at_most,
        )


class DeadLetterListQuery(Filter):
    attribute: list[str] = Field(
        default_factory=list, examples=[["team_id=7"]], description="Message attributes, as name=value."
    )
    limit: int = Field(50, ge=1, le=500, examples=[50], description="Maximum number of results.")
    after: UUID | None = Field(
        None,
        examples=[EXAMPLE_ID],
        description="`next_cursor` of the previous page; starts over if that message is gone.",
    )


class BodyFilter(Filter):
    attributes: dict[str, str] = Field(
        default_factory=dict, examples=[{"team_id": "7"}], description="Message attributes, exactly."
    )


class ChoiceBody(BaseModel):
    """One of `ids`, `filter` and `all`."""

    model_config = ConfigDict(extra="forbid")

    ids: list[UUID] | None = Field(None, min_length=1, max_length=MAX_MOVED, examples=[[EXAMPLE_ID]])
    filter: BodyFilter | None = Field(None, examples=[{"reason": "not JSON", "older_than_s": 7200}])
    all: bool = Field(False, examples=[False])
    dry_run: bool = Field(False, examples=[True], description="Change nothing; return what would be done.")
    limit: int = Field(1000, ge=1, le=MAX_MOVED, examples=[1000], description="Maximum number of results.")
    rate: float = Field(
        MAX_MOVES_PER_SECOND,
        gt=0,
        le=MAX_MOVES_PER_SECOND,
        examples=[50],
        description="Maximum number of messages per second.",
    )

    @model_validator(mode="after")
    def _is_one_way(self) -> Self:
        is_filtering = self.filter is not None and self.filter != BodyFilter()
        if [self.ids is not None, is_filtering, self.all].count(True) != 1:
            raise ValueError("give one of ids, a filter that is not empty, or all")
        return self

    @property
    def wanted(self) -> DeadLetterFilter:
        if self.ids is not None:
            return DeadLetterFilter(ids=frozenset(map(str, self.ids)))
        return DeadLetterFilter() if self.filter is None else self.filter.wanted(self.filter.attributes)

    @property
    def most(self) -> int:
        return max(1, min(self.limit, int(self.rate * MAX_REQUEST_SECONDS)))


class RedriveBody(ChoiceBody):
    force: bool = Field(
        False, examples=[False], description=f"Also those that were redriven {MAX_REDRIVES} times already."
    )


@router.get("")
async def queues(platform: CurrentPlatform, _: Operator) -> QueuesAnswer:
    """All queues with waiting, in-flight and delayed messages, and dead letters."""
    rows = queue_overview(platform.bus.topology, await platform.bus.counts())
    return QueuesAnswer(queues=[QueueAnswer.of(row) for row in rows])


@router.get("/{name}/dead-letters")
async def dead_letters(
    platform: CurrentPlatform, _: Operator, name: QueueName, query: Annotated[DeadLetterListQuery, Query()]
) -> DeadLettersAnswer:
    """The dead letters of a queue, oldest first."""
    queue = require_queue(platform.bus.topology, name)
    after = None if query.after is None else str(query.after)
    wanted = query.wanted(parse_attributes(query.attribute))
    found, has_more = await list_letters(platform.bus, queue, wanted, limit=query.limit, after=after)
    return DeadLettersAnswer(
        dead_letters=[DeadLetterAnswer.of(letter) for letter in found],
        next_cursor=found[-1].message_id if has_more else None,
    )


@router.get("/{name}/dead-letters/{message_id}")
async def dead_letter(
    platform: CurrentPlatform,
    _: Operator,
    name: QueueName,
    message_id: Annotated[UUID, Path(description="Message id.", examples=[EXAMPLE_ID])],
) -> WholeDeadLetterAnswer:
    """One dead letter: body, attributes, failure reason."""
    queue = require_queue(platform.bus.topology, name)
    return WholeDeadLetterAnswer.of(await find_letter(platform.bus, queue, str(message_id)))


@router.post("/{name}/dead-letters/redrive")
async def redrive_dead_letters(
    platform: CurrentPlatform, caller: Operator, name: QueueName, body: RedriveBody
) -> ReportAnswer:
    """Redrive dead letters to their queue, with a receive count of zero."""
    queue = require_queue(platform.bus.topology, name)
    report = await redrive_letters(
        platform.bus,
        queue,
        body.wanted,
        limit=body.most,
        per_second=body.rate,
        is_forced=body.force,
        is_dry_run=body.dry_run,
    )
    if not report.is_dry_run:
        log.info(
            "dead_letters.redriven", queue=queue, moved=report.moved, skipped=report.skipped, by=str(caller.user_id)
        )
    return ReportAnswer.of(report)


@router.post("/{name}/dead-letters/discard")
async def discard_dead_letters(
    platform: CurrentPlatform, caller: Operator, name: QueueName, body: ChoiceBody
) -> ReportAnswer:
    """Delete dead letters."""
    queue = require_queue(platform.bus.topology, name)
    report = await discard_letters(
        platform.bus, queue, body.wanted, limit=body.most, per_second=body.rate, is_dry_run=body.dry_run
    )
    if not report.is_dry_run:
        log.info("dead_letters.discarded", queue=queue, moved=report.moved, by=str(caller.user_id))
    return ReportAnswer.of(report)
