"""Consumer of video, analysis and security events that notifies their owners."""

from dataclasses import dataclass
from uuid import UUID

from pydantic import ValidationError

from sightline.bus import NOTICE_QUEUE, BusMetrics, Consumer, Delivery, Queues
from sightline.contracts.security_events import SECURITY_EVENT_CREATED, parse_security_event_created
from sightline.contracts.technique_events import ANALYSIS_FINALIZED, AnalysisFinalized
from sightline.contracts.video_events import STATUS_CHANGED, parse_status_changed
from sightline.db import Database, Transaction
from sightline.errors import InvalidInput
from sightline.messages.event_notifications import EventNotifications
from sightline.messages.preferences import EventKind
from sightline.messages.store import MessageStore
from sightline.videos import get_video

_VIDEO_KINDS: dict[str, EventKind] = {"COMPLETED": "video_completed", "FAILED": "video_failed"}
_SECURITY_KINDS: dict[str, EventKind] = {"high": "security_high", "critical": "security_critical"}


@dataclass(frozen=True, slots=True)
class NotifiableEvent:
    kind: EventKind
    key: str
    """Identifies the event; the same for every delivery of it."""
    facts: dict[str, object]
    owner_id: UUID | None = None
    video_id: UUID | None = None
    """If the event has no owner: notify the owner of this video."""


def read_event(payload: dict[str, object]) -> NotifiableEvent | None:
    """The event to notify people of, or None. Pure."""
    match payload.get("detail-type"):
        case t if t == STATUS_CHANGED:
            return _of_video(payload)
        case t if t == ANALYSIS_FINALIZED:
            return _of_analysis(payload)
        case t if t == SECURITY_EVENT_CREATED:
            event = parse_security_event_created(payload)
            if event.risk_level not in _SECURITY_KINDS:
                return None
            return NotifiableEvent(
                _SECURITY_KINDS[event.risk_level], event.event_id, _without_none(event.model_dump()), event.user_id
            )
        case other:
            raise InvalidInput(f"there are no notifications for events of type {other!r}")


def _of_video(payload: dict[str, object]) -> NotifiableEvent | None:
    video = parse_status_changed(payload)
    if video.status not in _VIDEO_KINDS:
        return None
    facts: dict[str, object] = {
        "video_id": video.video_id,
        "video_name": video.video_name,
        "error_reason": video.error_reason,
        "click_url": video.download_url,
        "user_email": video.user_email,
    }
    key = f"{video.video_id}/{video.move}"
    return NotifiableEvent(_VIDEO_KINDS[video.status], key, _without_none(facts), video.user_id, video.video_id)


def _of_analysis(payload: dict[str, object]) -> NotifiableEvent:
    try:
        analysis = AnalysisFinalized.model_validate(payload.get("detail"))
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        raise InvalidInput(f"invalid analysis event: {'.'.join(map(str, first['loc']))}: {first['msg']}") from error
    facts: dict[str, object] = {"video_id": analysis.video_id, "events": analysis.total_event_count}
    return NotifiableEvent(
        "analysis_finalized", f"{analysis.video_id}/{analysis.job_id}", facts, video_id=analysis.video_id
    )


def _without_none(facts: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in facts.items() if value is not None}


def event_notification_consumer(
    queues: Queues,
    database: Database,
    event_notifications: EventNotifications,
    store: MessageStore,
    *,
    page_url: str,
    metrics: BusMetrics | None = None,
) -> Consumer:
    async def handle(delivery: Delivery) -> None:
        event = read_event(delivery.payload())
        if event is None:
            return
        async with delivery.transaction() as tx:
            owner_id, facts = await _owner_and_facts(tx, event, page_url)
            if owner_id is None:
                return  # the video is deleted, and its owner with it
            created = await event_notifications.notify(tx, event.kind, owner_id, facts, key=event.key)
        for message in created:
            await store.ensure_stored(message.message_id)

    return Consumer(NOTICE_QUEUE, queues=queues, database=database, handler=handle, metrics=metrics)


async def _owner_and_facts(
    tx: Transaction, event: NotifiableEvent, page_url: str
) -> tuple[UUID | None, dict[str, object]]:
    """The owner, and the event's facts with those of the video's record."""
    video = None if event.video_id is None else await get_video(tx, event.video_id)
    if video is None:
        return event.owner_id, event.facts
    known: dict[str, object] = {
        "video_name": video.name,
        "user_email": video.owner_email,
        "thumbnail_key": video.s3_thumb_path,
        "click_url": f"{page_url}/ui/videos/{video.id}",
    }
    return event.owner_id or video.owner_id, _without_none(known) | event.facts
