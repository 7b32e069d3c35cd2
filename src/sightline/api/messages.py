"""Messages of document 002: create, list, show, retry, and delivery metrics."""

from datetime import datetime, timedelta
from typing import Annotated, Any, Literal

import structlog
from fastapi import APIRouter, Header, Path, Query
from pydantic import BaseModel, ConfigDict, Field

from sightline.api.answers.messages import (
    EXAMPLE_CURSOR,
    EXAMPLE_ID,
    EXAMPLE_TIME,
    CreatedAnswer,
    MessageAnswer,
    MessagesAnswer,
    MessageSummaryAnswer,
    MetricsAnswer,
)
from sightline.api.dependencies import CurrentCaller, CurrentPlatform, Operator
from sightline.bootstrap import Platform
from sightline.contracts import Caller
from sightline.contracts.message_events import Stage
from sightline.contracts.values import Moment
from sightline.errors import Conflict, InvalidInput, NotAllowed
from sightline.messages import (
    MAX_CREATOR_LENGTH,
    MAX_TYPE_LENGTH,
    Channel,
    MessageFilter,
    Priority,
    Status,
    id_for,
    notification_request,
    unknown_message,
)
from sightline.paging import Cursor, page_of
from sightline.timing import iso_utc, utc_now

MAX_LISTED = 100
RECENT = 10
PERIODS = {"1h": 1, "6h": 6, "24h": 24, "168h": 168}

log = structlog.get_logger(__name__)
router = APIRouter(prefix="/api", tags=["messages"])

MessageId = Annotated[str, Path(max_length=200, description="The message's id.", examples=[EXAMPLE_ID])]


class NewMessageBody(BaseModel):
    model_config = ConfigDict(extra="forbid")

    message_type: str = Field(
        pattern=r"^[A-Za-z0-9_.:-]+$", max_length=MAX_TYPE_LENGTH, examples=["manual_notification"]
    )
    payload: dict[str, Any] = Field(
        default_factory=dict,
        examples=[{"title": "Backup", "message": "It is done."}],
        description="Any JSON; `title`, `message`, `priority`, `tags` and `click` are shown in the notification.",
    )
    stage: Stage | None = Field(None, examples=["dev"], description="The platform's own stage; it has no other.")
    channel: Channel | None = Field(None, examples=["ntfy"], description="Channel. Unset: SIGHTLINE_MESSAGES_CHANNEL.")
    target: str | None = Field(
        None,
        max_length=2048,
        examples=["ops-alerts"],
        description="Topic, address or webhook. For operators; other users' messages follow their preferences.",
    )
    priority: Priority | None = Field(None, examples=["high"])


class MessageListQuery(BaseModel):
    model_config = ConfigDict(extra="forbid")

    stage: Stage | None = Field(None, examples=["dev"], description="Only of this stage.")
    status: Status | None = Field(None, examples=["failed"], description="Only with this status.")
    message_type: str | None = Field(None, examples=["manual_notification"], description="Only of this type.")
    created_by: str | None = Field(None, examples=["user:alice@example.com"], description="Only by this creator.")
    created_after: Moment | None = Field(None, examples=[EXAMPLE_TIME], description="Created at this time or later.")
    created_before: Moment | None = Field(None, examples=[EXAMPLE_TIME], description="Created before this time.")
    limit: int = Field(50, ge=1, le=MAX_LISTED, examples=[50], description="Maximum number of results.")
    cursor: str | None = Field(
        None, max_length=300, examples=[EXAMPLE_CURSOR], description="`next_cursor` of the previous page."
    )


@router.post("/messages", status_code=202)
async def create_message(
    platform: CurrentPlatform,
    caller: CurrentCaller,
    body: NewMessageBody,
    idempotency_key: Annotated[
        str | None,
        Header(
            min_length=1,
            max_length=255,
            description="Requests with the same key create one message.",
            examples=["order-4711"],
        ),
    ] = None,
) -> CreatedAnswer:
    """Create a message. The response means that it is stored and queued; its record shows the delivery."""
    messages = platform.open_messages.messages
    messages.check_stage(body.stage)
    if body.target is not None and not caller.is_operator:
        raise NotAllowed("Only operators can choose where a message goes; yours follow your notification preferences")
    channel = body.channel or platform.settings.messages.channel
    target = body.target or await target_for(platform, caller, channel)
    new, is_new = await messages.create_and_commit(
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
        source="web-api",
        created_by=f"user:{caller.email or caller.user_id}"[:MAX_CREATOR_LENGTH],
        owner_id=caller.user_id,
        message_id=None if idempotency_key is None else id_for("request", caller.user_id, idempotency_key),
    )
    if not is_new:
        known = await messages.find_same_request(new)
        if known is not None:
            return CreatedAnswer(
                message_id=known.message_id, status=known.status, created_date=iso_utc(known.created_date)
            )
    return CreatedAnswer(message_id=new.message_id, status="created", created_date=iso_utc(new.created_date))


async def target_for(platform: Platform, caller: Caller, channel: Channel) -> str | None:
    """Destination of the caller's own messages; None is the channel's default."""
    if channel == "log":
        return None
    preferences = await platform.open_messages.preferences.of(caller.user_id)
    match channel:
        case "ntfy":
            target = preferences.ntfy_topic
            has_own = platform.settings.push.ntfy_topic is not None
        case "webhook":
            target = preferences.webhook_url
            has_own = platform.settings.push.webhook_url is not None
        case "email":
            target = preferences.email or caller.email
            has_own = False
    if target is not None and not caller.is_operator:
        recipient = await platform.addresses.recipient(caller.user_id, channel, target)
        if not recipient.is_allowed:
            raise Conflict(
                f"your address for {channel} is not confirmed; confirm it in your notification preferences",
                details={"channel": channel, "reason": "ADDRESS_NOT_CONFIRMED"},
            )
    if target is None and not has_own:
        raise InvalidInput(f"there is no address for {channel}; add an address in your notification preferences")
    return target


@router.get("/messages")
async def list_messages(
    platform: CurrentPlatform, caller: CurrentCaller, query: Annotated[MessageListQuery, Query()]
) -> MessagesAnswer:
    """The caller's messages, newest first; for operators all."""
    wanted = MessageFilter(
        stage=query.stage,
        status=query.status,
        message_type=query.message_type,
        created_by=query.created_by,
        owner_id=None if caller.is_operator else caller.user_id,
        created_after=query.created_after,
        created_before=query.created_before,
    )
    before = None if query.cursor is None else Cursor.parse(query.cursor, _message_id)
    found = await platform.open_messages.store.find(wanted, limit=query.limit + 1, before=before)
    page = page_of(found, query.limit, lambda message: Cursor(message.created_date, message.message_id))
    return MessagesAnswer(
        messages=[MessageSummaryAnswer.of(message) for message in page.items], next_cursor=page.next_cursor
    )


@router.get("/messages/{message_id}")
async def get_message(platform: CurrentPlatform, caller: CurrentCaller, message_id: MessageId) -> MessageAnswer:
    """One message with its history. 404 if it does not exist or the caller may not see it."""
    found = await platform.open_messages.store.get(message_id)
    if found is None or (found.owner_id != caller.user_id and not caller.is_operator):
        raise unknown_message(message_id)
    return MessageAnswer.of(found)


@router.post("/messages/{message_id}/retry", status_code=202)
async def retry_message(platform: CurrentPlatform, caller: Operator, message_id: MessageId) -> MessageAnswer:
    """Retry a message that failed or is postponed. A delivered message is never sent twice. For operators."""
    store = platform.open_messages.store
    async with platform.database.transaction() as tx:
        is_queued = await store.requeue(tx, message_id, by=f"operator {caller.user_id}")
    found = await store.get(message_id)
    if found is None:
        raise unknown_message(message_id)
    if not is_queued:
        raise Conflict(
            f"message {message_id} is {found.status}; only failed and waiting messages can be retried",
            details={"status": found.status},
        )
    log.info("messages.retried", message_id=message_id, by=f"operator {caller.user_id}")
    return MessageAnswer.of(found)


@router.get("/metrics")
async def message_metrics(
    platform: CurrentPlatform,
    _: Operator,
    period: Annotated[
        Literal["1h", "6h", "24h", "168h"], Query(description="Length of the period.", examples=["24h"])
    ] = "24h",
) -> MetricsAnswer:
    """Delivery metrics of a period. For operators."""
    since: datetime = utc_now() - timedelta(hours=PERIODS[period])
    store, stage = platform.open_messages.store, platform.settings.bus.stage
    statistics = await store.statistics(since=since, stage=stage)
    recent = await store.find(MessageFilter(stage=stage, created_after=since), limit=RECENT)
    ended = statistics.counts["completed"] + statistics.counts["failed"]
    average = statistics.average_processing_s
    return MetricsAnswer(
        period=period,
        counts={**statistics.counts},
        total=sum(statistics.counts.values()),
        success_rate=None if ended == 0 else round(statistics.counts["completed"] / ended, 4),
        average_processing_ms=None if average is None else round(average * 1000, 1),
        recent_messages=[MessageSummaryAnswer.of(message) for message in recent],
    )


def _message_id(text: str) -> str:
    if not text:
        raise ValueError("no id")
    return text
