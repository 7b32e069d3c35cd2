"""Events of videos, analyses and cameras reach people through the message flow, once, by the channels they chose."""

from typing import Any
from uuid import UUID, uuid4

import pytest

from conformance.aws_backend import serving
from sightline.bus import NOTICE_QUEUE, BusEvent
from sightline.contracts.security_events import SECURITY_EVENT_CREATED, SECURITY_SOURCE, SecurityEventCreated
from sightline.contracts.technique_events import ANALYSIS_FINALIZED, FINALIZED_SOURCE, AnalysisFinalized
from sightline.contracts.video_events import STATUS_CHANGED, VIDEO_SOURCE
from sightline.messages import EventNotifications, Message, MessageFilter, Preferences, event_notification_consumer
from sightline.messages.preferences_store import put_preferences
from sightline.timing import utc_now
from support.mailing import VIDEO, event
from support.messaging import ALERTS, Messaging
from support.waiting import until

OWNER = UUID(int=11)


async def _hear(messaging: Messaging, *events: BusEvent, **options: Any) -> list[Message]:
    """What comes of the events, newest first."""
    async with messaging.database.transaction() as tx:
        await messaging.bus.put_events(tx, *events)
    event_notifications = EventNotifications(messaging.messages, **options)
    consumer = event_notification_consumer(
        messaging.bus, messaging.database, event_notifications, messaging.store, page_url="https://sightline.example"
    )

    async def is_empty() -> bool:
        return await messaging.waiting(NOTICE_QUEUE) == 0

    async with serving(consumer):
        await until(is_empty)
    assert await messaging.dead(NOTICE_QUEUE) == []
    return await messaging.store.find(MessageFilter(), limit=100)


async def _choose(messaging: Messaging, **choice: Any) -> None:
    async with messaging.database.transaction() as tx:
        await put_preferences(tx, OWNER, Preferences(**choice))


def _video(status: str, **changes: Any) -> BusEvent:
    return BusEvent(VIDEO_SOURCE, STATUS_CHANGED, event(status, **changes).to_detail())


def _security(level: str, **more: Any) -> BusEvent:
    notice = SecurityEventCreated(
        event_id=more.pop("event_id", "e1"),
        user_id=OWNER,
        user_email="ana@example.com",
        risk_level=level,
        risk_score=92,
        summary="Somebody at the back door",
        started_at=utc_now(),
        **more,
    )
    return BusEvent(SECURITY_SOURCE, SECURITY_EVENT_CREATED, notice.to_detail())


async def test_a_failed_video_is_told_by_the_chosen_channels_once(messaging: Messaging):
    await _choose(
        messaging, ntfy_topic="ana-1", events={"video_failed": ["ntfy", "webhook"]}, webhook_url="https://h.example/"
    )
    failed = _video("FAILED")
    found = await _hear(messaging, failed, failed, _video("PROCESSING"))
    assert sorted((one.notification.channel, one.notification.target) for one in found) == [
        ("ntfy", "ana-1"),
        ("webhook", "https://h.example/"),
    ]
    told = found[0].notification
    assert (told.title, told.priority) == ("Video failed: aula.mp4", "high")
    assert "o áudio não pôde ser lido" in told.body
    assert found[0].owner_id == OWNER


async def test_a_silent_choice_is_silence_and_no_choice_goes_to_the_log(messaging: Messaging):
    assert [one.notification.channel for one in await _hear(messaging, _video("COMPLETED"))] == ["log"]
    await _choose(messaging, events={"video_completed": []})
    assert len(await _hear(messaging, _video("COMPLETED", move=7))) == 1


@pytest.mark.req(301)
async def test_a_finalized_analysis_tells_the_owner_of_its_video(messaging: Messaging):
    async with messaging.database.transaction() as tx:
        await tx.execute(
            "INSERT INTO videos (id, owner_id, owner_email, name) VALUES ($1, $2, 'ana@example.com', 'luta.mp4')",
            *(VIDEO, OWNER),
        )
    done = AnalysisFinalized(
        video_id=VIDEO, job_id=str(uuid4()), total_event_count=7, result_s3_uri=None, categories={}
    )
    found = await _hear(
        messaging, *[BusEvent(FINALIZED_SOURCE, ANALYSIS_FINALIZED, done.to_detail())] * 2, has_ntfy_topic=True
    )
    assert sorted((one.notification.channel, one.notification.target) for one in found) == [
        ("email", "ana@example.com"),
        ("ntfy", None),
    ]
    assert {one.notification.body for one in found} == {"7 techniques were found in luta.mp4."}
    assert {one.notification.click for one in found} == {f"https://sightline.example/ui/videos/{VIDEO}"}


async def test_an_analysis_of_a_video_that_is_gone_tells_nobody(messaging: Messaging):
    done = AnalysisFinalized(video_id=VIDEO, job_id="j", total_event_count=7, result_s3_uri=None, categories={})
    assert await _hear(messaging, BusEvent(FINALIZED_SOURCE, ANALYSIS_FINALIZED, done.to_detail())) == []


async def test_a_critical_security_event_is_an_alert_of_the_highest_priority(messaging: Messaging):
    await _choose(
        messaging,
        ntfy_topic="ana-1",
        quiet_hours={"start": "00:00", "end": "23:59"},
        events={"security_critical": ["ntfy"], "security_high": ["ntfy"]},
    )
    (found,) = await _hear(messaging, _security("critical"), _security("low"))
    assert (found.message_type, found.notification.priority, found.notification.not_before) == (
        "alert_notification",
        "critical",
        None,
    )
    assert await messaging.waiting(ALERTS) == 1
    high = (await _hear(messaging, _security("high")))[0]
    assert (high.message_type, high.notification.priority) == ("event_notification", "high")
    assert high.notification.not_before is not None


@pytest.mark.req(615)
async def test_a_step_of_an_escalation_uses_its_channel_and_without_a_target_the_chosen_ones(messaging: Messaging):
    (message,) = await _hear(messaging, _security("critical", channel="email"))
    assert (message.notification.channel, message.notification.target) == ("email", "ana@example.com")
    await _hear(messaging, _security("critical", channel="webhook", event_id="e2"))
    channels = {one.notification.channel for one in await _hear(messaging)}
    assert channels == {"email"}  # there is no webhook, nor a topic of ntfy


@pytest.mark.req(616)
async def test_a_person_may_hold_back_critical_events_in_quiet_hours_too(messaging: Messaging):
    hours = {"start": "00:00", "end": "23:59", "lets_critical": False}
    await _choose(messaging, quiet_hours=hours, events={"security_critical": ("email",)})
    (message,) = await _hear(messaging, _security("critical"))
    assert message.notification.not_before is not None
