"""What every store of messages does, whatever it stands on."""

import asyncio
import json
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from sightline.bus import Bus, unwrap
from sightline.db import Database
from sightline.messages import STATUSES, Message, MessageFilter, MessageStore, NewMessage, NotificationRequest
from sightline.observability import work_context
from sightline.paging import Cursor
from support.messaging import OWNER, QUEUE

NOW = datetime.now(UTC).replace(microsecond=123456)
LEASE = timedelta(hours=5)
CLOCKS_DIFFER_BY_S = 0.1


@dataclass
class Kept:
    """A store and what stands around it."""

    store: MessageStore
    database: Database
    bus: Bus

    async def add(self, **changes: Any) -> NewMessage:
        usual: dict[str, Any] = {
            "message_id": str(uuid4()),
            "message_type": "manual_notification",
            "stage": "dev",
            "source": "web-api",
            "created_by": "user:ana@example.com",
            "correlation_id": "c-1",
            "payload": {"text": "Olá, mundo ☃", "n": 1.5, "list": [1, None, True], "": {}},
            "created_date": NOW,
            "notification": NotificationRequest(
                channel="ntfy", target="topic", title="t", tags=("a", "b"), not_before=NOW
            ),
            "owner_id": OWNER,
        }
        new = NewMessage(**(usual | changes))
        async with self.database.transaction() as tx:
            assert await self.store.add(tx, new)
        await self.store.ensure_stored(new.message_id)
        return new

    async def claim(self, message_id: str, *, by: str = "p1", lease: timedelta = LEASE) -> Message | None:
        return await self.store.claim(message_id, by=by, lease=lease)

    async def claimed(self, **changes: Any) -> Message:
        new = await self.add(**changes)
        found = await self.claim(new.message_id)
        assert found is not None
        return found

    async def get(self, message_id: str) -> Message:
        found = await self.store.get(message_id)
        assert found is not None
        return found

    async def statuses_listed(self, message_id: str) -> list[str]:
        """The statuses under which lists show the message, of which there must be one: its own."""
        found = []
        for status in STATUSES:
            listed = await self.store.find(MessageFilter(stage="dev", status=status), limit=100)
            found += [message.status for message in listed if message.message_id == message_id]
        assert [(await self.get(message_id)).status] == found
        return list(found)

    async def said(self) -> list[str]:
        """Messages that were announced."""
        found = []
        while received := await self.bus.receive(QUEUE, limit=10, wait_s=0):
            found += [unwrap(one).body for one in received]
        return found


class MessageStoreSuite:
    """Inherit, and give a fixture `kept`."""

    has_races = False
    """Whether the peer behind the store checks and writes in two steps that others can come between."""

    @pytest.mark.req(162)
    async def test_a_record_comes_back_as_it_was_given(self, kept: Kept):
        new = await kept.add()
        found = await kept.get(new.message_id)
        for name in ("message_id", "message_type", "stage", "source", "created_by", "correlation_id", "notification"):
            assert getattr(found, name) == getattr(new, name), name
        assert dict(found.payload) == dict(new.payload)
        assert (found.owner_id, found.created_date, found.updated_date) == (OWNER, NOW, NOW)
        assert (found.status, found.retry_count, found.attempts, found.ttl) == ("created", 0, 0, new.ttl)
        assert (found.notification_id, found.error_message, found.lease_until) == (None, None, None)
        assert [step.status for step in found.history] == ["created"]

    async def test_a_message_without_an_owner_is_kept_too(self, kept: Kept):
        new = await kept.add(owner_id=None, created_by="scheduler", source="scheduler")
        assert (await kept.get(new.message_id)).owner_id is None

    @pytest.mark.req(139)
    async def test_its_event_is_said_once_with_it(self, kept: Kept):
        new = await kept.add()
        (body,) = await kept.said()
        assert new.message_id in body

    @pytest.mark.req(139)
    async def test_a_transaction_that_fails_leaves_nothing(self, kept: Kept):
        new = NewMessage("never", "t", "dev", "web-api", "user:a", "c", {}, NOW)
        with pytest.raises(RuntimeError):
            async with kept.database.transaction() as tx:
                await kept.store.add(tx, new)
                raise RuntimeError("no")
        await kept.store.ensure_stored("never")
        assert await kept.store.get("never") is None
        assert await kept.said() == []

    async def test_the_same_id_again_is_no_second_message(self, kept: Kept):
        new = await kept.add()
        async with kept.database.transaction() as tx:
            assert not await kept.store.add(tx, new)
        await kept.store.ensure_stored(new.message_id)
        assert len(await kept.said()) == 1

    @pytest.mark.req(296)
    async def test_many_created_at_once_are_kept_apart(self, kept: Kept):
        """They share a commit where the store can; never an id, an answer or a correlation id."""

        async def create(number: int) -> bool:
            with work_context(correlation_id=f"c-{number}"):
                new = NewMessage(f"m-{number}", "t", "dev", "web-api", "user:a", f"c-{number}", {"n": number}, NOW)
                return await kept.store.add_and_commit(new)

        assert await asyncio.gather(*map(create, range(25))) == [True] * 25
        for number in range(25):
            found = await kept.get(f"m-{number}")
            assert (found.payload, found.correlation_id) == ({"n": number}, f"c-{number}")
        said = []
        while received := await kept.bus.receive(QUEUE, limit=10, wait_s=0):
            said += [(json.loads(unwrap(one).body)["message"], one.context) for one in received]
        assert sorted(message["message_id"] for message, _ in said) == sorted(f"m-{n}" for n in range(25))
        assert all(message["correlation_id"] == context["correlation_id"] for message, context in said)

    async def test_an_unknown_id_is_none(self, kept: Kept):
        assert await kept.store.get("770f9600-g49d-62f6-c938-668877662222") is None
        assert await kept.claim("770f9600-g49d-62f6-c938-668877662222") is None

    @pytest.mark.req(153, 156)
    async def test_created_processing_completed(self, kept: Kept):
        claimed = await kept.claimed()
        assert (claimed.status, claimed.attempts) == ("processing", 1)
        assert claimed.processing_started_at is not None
        assert await kept.store.complete(claimed, notification_id="n1", by="p1")
        done = await kept.get(claimed.message_id)
        assert (done.status, done.notification_id, done.lease_until) == ("completed", "n1", None)
        assert done.processing_completed_at is not None
        assert [(step.status, step.by) for step in done.history] == [
            *(("created", "user:ana@example.com"), ("processing", "p1"), ("completed", "p1"))
        ]

    @pytest.mark.req(163)
    async def test_a_message_passes_through_created_queued_processing_failed_and_completed(self, kept: Kept):
        new = await kept.add()
        assert await kept.statuses_listed(new.message_id) == ["created"]
        first = await kept.claim(new.message_id)
        assert first is not None
        assert await kept.statuses_listed(new.message_id) == ["processing"]
        async with kept.database.transaction() as tx:
            await kept.store.postpone(tx, first, reason="quiet hours", by="p1")
        assert await kept.statuses_listed(new.message_id) == ["queued"]
        second = await kept.claim(new.message_id)
        assert second is not None
        await kept.store.fail(second, error="ntfy is down", by="p1")
        assert await kept.statuses_listed(new.message_id) == ["failed"]
        third = await kept.claim(new.message_id)
        assert third is not None
        await kept.store.complete(third, notification_id="n1", by="p1")
        assert await kept.statuses_listed(new.message_id) == ["completed"]
        seen = [entry.status for entry in (await kept.get(new.message_id)).history]
        assert seen == ["created", "processing", "queued", "processing", "failed", "processing", "completed"]
        counts = (await kept.store.statistics(since=NOW - timedelta(hours=1), stage="dev")).counts
        assert set(counts) == {"created", "queued", "processing", "completed", "failed"}

    @pytest.mark.req(158)
    async def test_of_many_that_claim_one_after_the_other_the_first_wins(self, kept: Kept):
        new = await kept.add()
        found = [await kept.claim(new.message_id, by=f"p{n}") for n in range(8)]
        assert [one is not None for one in found] == [True] + [False] * 7

    @pytest.mark.req(158)
    async def test_of_many_that_claim_at_once_one_wins(self, kept: Kept):
        if self.has_races:
            pytest.skip("moto checks the condition of an update and writes it without a lock, so that several may win")
        new = await kept.add()
        found = await asyncio.gather(*(kept.claim(new.message_id, by=f"p{n}") for n in range(8)))
        assert len([one for one in found if one is not None]) == 1

    @pytest.mark.req(157)
    async def test_what_is_completed_cannot_be_claimed_failed_or_queued_again(self, kept: Kept):
        claimed = await kept.claimed()
        await kept.store.complete(claimed, notification_id="n1", by="p1")
        assert await kept.claim(claimed.message_id) is None
        assert not await kept.store.fail(claimed, error="late", by="p1")
        assert not await kept.store.complete(claimed, notification_id="n2", by="p1")
        async with kept.database.transaction() as tx:
            assert not await kept.store.postpone(tx, claimed, reason="late", by="p1")
            assert not await kept.store.requeue(tx, claimed.message_id, by="me")
        assert (await kept.get(claimed.message_id)).notification_id == "n1"

    @pytest.mark.req(154, 155)
    async def test_a_failed_message_has_its_reason_and_can_be_claimed_again(self, kept: Kept):
        claimed = await kept.claimed()
        assert await kept.store.fail(claimed, error="ntfy is down", by="p1")
        failed = await kept.get(claimed.message_id)
        assert (failed.status, failed.error_message, failed.retry_count) == ("failed", "ntfy is down", 1)
        again = await kept.claim(claimed.message_id, by="p2")
        assert again is not None
        assert again.attempts == 2
        assert not again.is_repetition
        assert await kept.store.complete(again, notification_id="n1", by="p2")
        assert (await kept.get(claimed.message_id)).error_message is None

    @pytest.mark.req(155)
    async def test_a_lease_holds_until_it_ends_and_then_another_takes_over(self, kept: Kept):
        new = await kept.add()
        first = await kept.claim(new.message_id, lease=timedelta(milliseconds=1))
        assert first is not None
        await asyncio.sleep(0.01)
        second = await kept.claim(new.message_id, by="p2")
        assert second is not None
        assert second.is_repetition
        assert await kept.claim(new.message_id, by="p3") is None
        assert not await kept.store.complete(first, notification_id="late", by="p1")
        assert not await kept.store.fail(first, error="late", by="p1")
        assert await kept.store.complete(second, notification_id="n2", by="p2")

    async def test_what_is_put_off_waits_without_having_failed(self, kept: Kept):
        claimed = await kept.claimed()
        async with kept.database.transaction() as tx:
            assert await kept.store.postpone(tx, claimed, reason="quiet hours", by="p1")
        found = await kept.get(claimed.message_id)
        assert (found.status, found.retry_count, found.error_message) == ("queued", 0, "quiet hours")
        assert await kept.claim(claimed.message_id) is not None

    async def test_a_failed_message_that_is_queued_again_is_announced_again(self, kept: Kept):
        claimed = await kept.claimed()
        await kept.store.fail(claimed, error="no", by="p1")
        await kept.said()
        async with kept.database.transaction() as tx:
            assert await kept.store.requeue(tx, claimed.message_id, by="operator 1")
        (body,) = await kept.said()
        assert claimed.message_id in body
        assert (await kept.get(claimed.message_id)).history[-1].by == "operator 1"

    async def test_one_that_is_claimed_cannot_be_queued_again(self, kept: Kept):
        claimed = await kept.claimed()
        async with kept.database.transaction() as tx:
            assert not await kept.store.requeue(tx, claimed.message_id, by="operator 1")

    @pytest.mark.req(180)
    async def test_lists_are_newest_first_and_pages_have_neither_gaps_nor_repeats(self, kept: Kept):
        # Some at the same moment: a page may end between them.
        created = [await kept.add(created_date=NOW + timedelta(seconds=n // 3)) for n in range(11)]
        seen: list[Message] = []
        before: Cursor[str] | None = None
        while page := await kept.store.find(MessageFilter(stage="dev"), limit=4, before=before):
            seen += page
            before = Cursor(page[-1].created_date, page[-1].message_id)
        assert [one.created_date for one in seen] == sorted((one.created_date for one in created), reverse=True)
        assert sorted(one.message_id for one in seen) == sorted(one.message_id for one in created)

    @pytest.mark.req(180)
    async def test_each_filter_narrows(self, kept: Kept):
        other = UUID(int=12)
        claimed = await kept.claimed(message_type="a", created_date=NOW)
        await kept.store.fail(claimed, error="x", by="p")
        await kept.add(message_type="b", created_by="scheduler", created_date=NOW + timedelta(seconds=1))
        await kept.add(message_type="c", owner_id=other, created_date=NOW + timedelta(seconds=2))

        async def types(**wanted: Any) -> list[str]:
            return [one.message_type for one in await kept.store.find(MessageFilter(**wanted), limit=10)]

        second = NOW + timedelta(seconds=1)
        assert await types() == ["c", "b", "a"]
        assert await types(stage="dev", status="failed") == ["a"]
        assert await types(stage="prod") == []
        assert await types(message_type="b") == ["b"]
        assert await types(created_by="scheduler") == ["b"]
        assert await types(owner_id=other) == ["c"]
        assert await types(created_after=second) == ["c", "b"]
        assert await types(created_before=second) == ["a"]
        assert await types(created_after=second, created_before=second + timedelta(seconds=1)) == ["b"]
        assert await types(status="created", owner_id=OWNER) == ["b"]

    @pytest.mark.req(182)
    async def test_figures_count_by_status_and_average_the_durations(self, kept: Kept):
        started = time.monotonic()
        done = await kept.claimed()
        await kept.store.complete(done, notification_id="n", by="p")
        most_s = time.monotonic() - started
        failed = await kept.claimed()
        await kept.store.fail(failed, error="x", by="p")
        await kept.add()
        await kept.add(created_date=NOW - timedelta(hours=2))
        statistics = await kept.store.statistics(since=NOW - timedelta(hours=1), stage="dev")
        assert statistics.counts == {"created": 1, "queued": 0, "processing": 0, "completed": 1, "failed": 1}
        assert statistics.average_processing_s is not None
        assert 0 <= statistics.average_processing_s <= most_s + CLOCKS_DIFFER_BY_S
        assert sum((await kept.store.statistics(since=NOW, stage="prod")).counts.values()) == 0

    @pytest.mark.req(164)
    async def test_a_record_vanishes_after_ninety_days(self, kept: Kept):
        old = await kept.add(created_date=NOW - timedelta(days=90, seconds=1))
        young = await kept.add(created_date=NOW - timedelta(days=89))
        assert await kept.store.get(old.message_id) is None
        assert [one.message_id for one in await kept.store.find(MessageFilter(), limit=10)] == [young.message_id]
        await kept.store.sweep()
        assert await kept.store.get(young.message_id) is not None

    async def test_a_store_that_works_says_so(self, kept: Kept):
        await kept.store.check()
