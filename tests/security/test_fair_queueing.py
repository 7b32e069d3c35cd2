"""Fairness: one owner's backlog, or a dead receiver, does not delay what others send; alarms overtake everything."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from functools import partial
from uuid import UUID

import pytest
import structlog

from sightline.bus import NOTICE_QUEUE, NOTIFICATION_QUEUE, STORAGE_QUEUE, BusEvent, QueueMessage, Received
from sightline.bus.lanes import LaneShare
from sightline.db import Database
from sightline.errors import BackendUnavailable
from sightline.messages import NewMessage, NotificationRequest
from sightline.notifications import Notification, NotificationPostponed, NotificationSender, PushSettings
from sightline.notifications.push.turns import Turns
from support.messaging import ALERTS, QUEUE, Messaging, open_messaging
from support.ntfy_server import NtfyServer, ntfy_server
from support.postgres import DatabaseAddresses
from support.waiting import soon, until

LOUD, QUIET, THIRD = UUID(int=21), UUID(int=22), UUID(int=23)
BACKLOG = 2500
# What may be sent before another owner's message: those in work when it came, and one claim.
CONCURRENCY = 20


@pytest.fixture
async def messaging(fresh_database: DatabaseAddresses, database: Database) -> AsyncIterator[Messaging]:
    async with open_messaging(fresh_database, database) as opened:
        yield opened


@pytest.fixture
async def server() -> AsyncIterator[NtfyServer]:
    async with ntfy_server() as opened:
        yield opened


@pytest.fixture(autouse=True)
def _quiet_log() -> Iterator[None]:
    """Thousands of messages write thousands of lines."""
    before = structlog.get_config()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    yield
    structlog.configure(**before)


async def _create(messaging: Messaging, owner: UUID, count: int = 1, **notification: object) -> list[NewMessage]:
    """In one transaction, the way an import or a script makes them."""
    created = []
    async with messaging.database.transaction() as tx:
        for number in range(count):
            wanted = {
                "channel": "ntfy",
                "target": f"topic{owner.int}",
                "title": "T",
                "body": str(number),
            } | notification
            new, _ = await messaging.messages.create(
                tx,
                message_type="alert_notification" if wanted.get("is_alarm") else "manual_notification",
                payload={},
                notification=NotificationRequest.model_validate(wanted),
                source="web-api",
                created_by=f"user:{owner}",
                owner_id=owner,
            )
            created.append(new)
    return created


@pytest.mark.req(335)
@pytest.mark.time_limit(300)
async def test_one_message_of_another_owner_overtakes_a_backlog_of_2500(
    messaging: Messaging, server: NtfyServer
) -> None:
    for _ in range(BACKLOG // 100):
        await _create(messaging, LOUD, 100)
    (quiet,) = await _create(messaging, QUIET)
    async with messaging.working(messaging.worker(server=server)):
        await until(lambda: any(one["sequence_id"] == quiet.message_id for one in server.published))
        sent = [one["sequence_id"] for one in server.published]
    assert sent.index(quiet.message_id) <= CONCURRENCY


@pytest.mark.req(335)
async def test_while_a_backlog_is_sent_each_new_message_of_another_owner_waits_for_a_bounded_number(
    messaging: Messaging, server: NtfyServer
) -> None:
    await _create(messaging, LOUD, 400)
    async with messaging.working(messaging.worker(server=server)):
        await until(lambda: len(server.published) >= 50)
        (quiet,) = await _create(messaging, QUIET)
        before = len(server.published)
        await until(lambda: any(one["sequence_id"] == quiet.message_id for one in server.published))
    position = [one["sequence_id"] for one in server.published].index(quiet.message_id)
    assert position - before <= 2 * CONCURRENCY  # in work, and a claim that was under way


@pytest.mark.req(335)
async def test_owners_take_turns_in_a_claim_and_no_owner_gets_more_than_its_share(messaging: Messaging) -> None:
    await _create(messaging, LOUD, 30)
    await _create(messaging, QUIET, 3)
    await _create(messaging, THIRD, 30)
    share = LaneShare(5)
    first = await messaging.bus.claim(QUEUE, limit=12, wait_s=0, share=share)
    assert _by_lane(first) == {str(LOUD): 5, str(QUIET): 3, str(THIRD): 4}
    share.enter(first)
    second = await messaging.bus.claim(QUEUE, limit=12, wait_s=0, share=share)
    assert _by_lane(second) == {str(THIRD): 1}  # everything else is in work or over its share
    share.enter(second)
    assert await messaging.bus.claim(QUEUE, limit=12, wait_s=0, share=share) == []


@pytest.mark.req(335)
async def test_a_full_lane_is_claimed_again_as_soon_as_it_has_room(messaging: Messaging) -> None:
    await _create(messaging, LOUD, 3)
    share = LaneShare(2)
    held = await messaging.bus.claim(QUEUE, limit=10, wait_s=0, share=share)
    share.enter(held)
    waiting = asyncio.create_task(messaging.bus.claim(QUEUE, limit=10, wait_s=20, share=share))
    await asyncio.sleep(0)
    await messaging.bus.acknowledge(None, held[:1])
    share.leave(held[:1])
    assert len(await soon(waiting)) == 1


@pytest.mark.req(335)
async def test_a_claim_reads_a_few_rows_of_the_index_however_long_the_backlog(messaging: Messaging) -> None:
    """Counted in rows that the claim touches, not in time."""
    await _create(messaging, LOUD, 1000)
    await _create(messaging, QUIET)
    async with messaging.database.transaction() as tx:
        await tx.execute("ANALYZE sightline.bus_messages")
    before = await _rows_read(messaging)
    claimed = await messaging.bus.claim(QUEUE, limit=4, wait_s=0, share=LaneShare(2))
    assert set(_by_lane(claimed)) == {str(LOUD), str(QUIET)}
    scans, rows = (now - then for now, then in zip(await _rows_read(messaging), before, strict=True))
    assert scans == 0  # no sequential scan
    assert 0 < rows < 60


async def _rows_read(messaging: Messaging) -> tuple[int, int]:
    """Sequential scans of the table, and rows fetched by its indexes."""
    async with messaging.database.statement() as tx:  # on the connection that claims
        await tx.execute("SELECT pg_stat_force_next_flush()")
    async with messaging.database.transaction() as tx:
        row = await tx.fetchrow(
            "SELECT seq_scan, (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname = 'bus_messages')::bigint AS rows"
            " FROM pg_stat_user_tables WHERE relname = 'bus_messages'"
        )
    assert row is not None
    return row["seq_scan"], row["rows"]


@pytest.mark.req(335)
@pytest.mark.parametrize("queue", [NOTIFICATION_QUEUE, NOTICE_QUEUE, ALERTS])
async def test_mails_notices_and_alerts_are_fair_too(messaging: Messaging, queue: str) -> None:
    async with messaging.database.transaction() as tx:
        await messaging.bus.send(tx, queue, *(QueueMessage("{}", lane="a") for _ in range(20)))
        await messaging.bus.send(tx, queue, QueueMessage("{}", lane="b"), QueueMessage("{}"))
    claimed = await messaging.bus.claim(queue, limit=4, wait_s=0)
    assert set(_by_lane(claimed)) == {"", "a", "b"}


@pytest.mark.req(336)
async def test_an_alarm_is_received_before_everything_that_waits(messaging: Messaging) -> None:
    async with messaging.database.transaction() as tx:
        detail = {"riskLevel": "high", "eventId": "1"}
        for owner in "abc":
            event = BusEvent("sightline.security", "Security Event Created", detail, lane=owner)
            await messaging.bus.put_events(tx, *[event] * 10)
        alarm = BusEvent(
            "sightline.security", "Security Event Created", {"riskLevel": "critical"}, lane="z", is_urgent=True
        )
        await messaging.bus.put_events(tx, alarm)
    (first,) = await messaging.bus.claim(NOTICE_QUEUE, limit=1, wait_s=0)
    assert json.loads(first.body)["detail"] == {"riskLevel": "critical"}


@pytest.mark.req(336, 1152)
async def test_alarms_and_the_rest_of_an_owner_share_one_limit(messaging: Messaging) -> None:
    async with messaging.database.transaction() as tx:
        await messaging.bus.send(tx, ALERTS, *(QueueMessage("others", lane="a") for _ in range(9)))
        await messaging.bus.send(tx, ALERTS, *(QueueMessage("alarm", lane="a", is_urgent=True) for _ in range(3)))
    claimed = await messaging.bus.claim(ALERTS, limit=20, wait_s=0, share=LaneShare(4))
    assert sorted(one.body for one in claimed) == ["alarm", "alarm", "alarm", "others"]


@pytest.mark.req(1152)
async def test_a_claim_of_several_statements_has_each_message_once(messaging: Messaging) -> None:
    async with messaging.database.transaction() as tx:
        await messaging.bus.send(tx, ALERTS, *(QueueMessage("{}", lane="a") for _ in range(10)))
    claimed = await messaging.bus.claim(ALERTS, limit=10, wait_s=0, visibility_s=0)
    assert len({one.message_id for one in claimed}) == len(claimed) == 10
    assert {one.receive_count for one in claimed} == {1}


@pytest.mark.req(1152)
@pytest.mark.parametrize("queue", [ALERTS, STORAGE_QUEUE], ids=["fair", "in order of arrival"])
async def test_what_a_cancelled_claim_took_is_received_again_at_once(messaging: Messaging, queue: str) -> None:
    async with messaging.database.transaction() as tx:
        await messaging.bus.send(tx, queue, QueueMessage("{}", lane="a"))
    async with messaging.database.transaction() as tx:
        await tx.execute("LOCK TABLE sightline.bus_messages IN EXCLUSIVE MODE")  # the claim waits in the middle
        claiming = asyncio.create_task(messaging.bus.claim(queue, limit=5, wait_s=20))
        await until(partial(_is_waiting_for_the_table, messaging))
        claiming.cancel()
    with pytest.raises(asyncio.CancelledError):
        await soon(claiming)
    (again,) = await messaging.bus.claim(queue, limit=5, wait_s=0)
    assert again.receive_count == 1


async def _is_waiting_for_the_table(messaging: Messaging) -> bool:
    async with messaging.database.transaction() as tx:
        query = (
            "SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND relation = 'sightline.bus_messages'::regclass)"
        )
        return bool(await tx.fetchval(query))


@pytest.mark.req(336)
async def test_an_alarm_overtakes_alerts_that_people_wrote_themselves(messaging: Messaging) -> None:
    for owner in (LOUD, QUIET):
        async with messaging.database.transaction() as tx:
            for _ in range(20):
                await messaging.messages.create(
                    tx,
                    message_type="alert_notification",
                    payload={},
                    notification=NotificationRequest(priority="critical"),
                    source="web-api",
                    created_by="user",
                    owner_id=owner,
                )
    (alarm,) = await _create(messaging, THIRD, is_alarm=True)
    (first,) = await messaging.bus.claim(ALERTS, limit=1, wait_s=0)
    assert alarm.message_id in first.body


@pytest.mark.req(336)
async def test_a_postponed_alarm_keeps_its_lane_and_its_urgency(messaging: Messaging, server: NtfyServer) -> None:
    server.answers = [(429, {"Retry-After": "60"}, b"{}")] * 3
    await _create(messaging, QUIET, is_alarm=True)
    worker = messaging.worker(queue=ALERTS, server=server)
    async with messaging.working(worker):
        await until(lambda: messaging.counted("sightline_messages_processed_total", **_PUT_OFF) == 1)
    await messaging.let_time_pass()
    async with messaging.database.transaction() as tx:
        row = await tx.fetchrow("SELECT lane, is_urgent FROM sightline.bus_messages WHERE lane IS NOT NULL")
    assert row is not None
    assert (row["lane"], row["is_urgent"]) == (str(QUIET), True)


_PUT_OFF = {"message_type": "alert_notification", "outcome": "put_off"}


@pytest.mark.req(337)
async def test_a_dead_webhook_host_does_not_open_the_breaker_of_another_host() -> None:
    async with _sender(breaker_failures=2, tries=1) as (sender, channel):
        channel.dead.add("dead.example")
        for _ in range(2):
            with pytest.raises(BackendUnavailable):
                await sender.send("webhook", _notification("https://dead.example/a"))
        with pytest.raises(NotificationPostponed):
            await sender.send("webhook", _notification("https://dead.example/b"))
        assert await sender.send("webhook", _notification("https://alive.example/")) == "id"


@pytest.mark.req(337)
async def test_topics_and_mail_domains_have_breakers_of_their_own() -> None:
    from sightline.http import HttpClient
    from sightline.notifications.mail.sink_channel import SinkChannel
    from sightline.notifications.push.email_channel import EmailChannel
    from sightline.notifications.push.ntfy_channel import NtfyChannel
    from sightline.notifications.push.webhook_channel import WebhookChannel

    settings = PushSettings()
    http = HttpClient("push")
    ntfy, email = NtfyChannel(http, settings), EmailChannel(SinkChannel(), "en")
    webhook = WebhookChannel(http, settings, secret=b"secret")
    assert ntfy.destination(_notification("one")) != ntfy.destination(_notification("two"))
    assert email.destination(_notification("a@one.example")) != email.destination(_notification("a@two.example"))
    assert webhook.destination(_notification("https://a.example:1/")) != webhook.destination(
        _notification("https://a.example:2/")
    )
    http.close()


@pytest.mark.req(335)
async def test_at_a_rate_limit_owners_take_turns_and_alarms_go_first() -> None:
    turns, order = Turns(), list[str]()
    opened = asyncio.Event()

    async def send(owner: str, *, is_alarm: bool = False) -> None:
        async with turns.turn(owner, is_alarm=is_alarm):
            await opened.wait()
            order.append(owner)

    tasks = [asyncio.create_task(send("loud")) for _ in range(50)]
    await asyncio.sleep(0)
    assert turns.ahead("quiet") == 2
    tasks += [asyncio.create_task(send("quiet")), asyncio.create_task(send("quiet"))]
    tasks.append(asyncio.create_task(send("alarmed", is_alarm=True)))
    await asyncio.sleep(0)
    opened.set()
    await soon(asyncio.gather(*tasks))
    assert order[:2] == ["loud", "alarmed"]
    assert [at for at, owner in enumerate(order) if owner == "quiet"][-1] <= 6


@pytest.mark.req(335)
async def test_a_cancelled_wait_passes_its_turn_on() -> None:
    turns = Turns()
    async with turns.turn("a"):
        gone = asyncio.create_task(turns._wait("b", False))
        await asyncio.sleep(0)
        gone.cancel()
        await asyncio.wait((gone,))
    async with turns.turn("c"):
        assert turns.ahead("d") == 1


def _by_lane(received: list[Received]) -> dict[str, int]:
    lanes = [one.lane or "" for one in received]
    return {lane: lanes.count(lane) for lane in sorted(set(lanes))}


def _notification(target: str) -> Notification:
    return Notification("m1", "test", target, "t", "b", datetime(2026, 1, 1, tzinfo=UTC))


class _Webhooks:
    """Hosts that are alive or dead."""

    name = "webhook"

    def __init__(self) -> None:
        self.dead: set[str] = set()

    def destination(self, notification: Notification) -> str:
        return f"webhook {(notification.target or '').split('/')[2]}"

    async def send(self, notification: Notification) -> str:
        if self.destination(notification).split()[1] in self.dead:
            raise BackendUnavailable("webhook", "down")
        return "id"

    async def find(self, notification: Notification) -> str | None:
        return None


@asynccontextmanager
async def _sender(**settings: object) -> AsyncIterator[tuple[NotificationSender, _Webhooks]]:
    channel = _Webhooks()
    yield NotificationSender({"webhook": channel}, PushSettings.model_validate(settings)), channel
