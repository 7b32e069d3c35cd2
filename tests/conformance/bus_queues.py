"""What the queues of the bus do: visibility, polling, delay, deletion, limits.

Times have lower bounds alone. That something comes before something else is shown by what has not come yet.
"""

import asyncio
import time
from collections.abc import Awaitable

import pytest

from conformance.bus import LONG_S, MAX_WAIT_S, BusHarness, Suite
from sightline.bus import BusRefusal, QueueMessage, Received
from support.waiting import until


class QueueSuite(Suite):
    @pytest.mark.req(165)
    async def test_a_message_comes_again_when_the_visibility_of_its_queue_ends(self, harness: BusHarness):
        work = harness.names.work
        ids = await harness.send(work, "one")
        started = time.monotonic()
        first = await harness.next(work)
        again = await harness.next(work)
        assert time.monotonic() - started >= 0.9
        assert [first.message_id, again.message_id] == [ids[0], ids[0]]
        assert [first.receive_count, again.receive_count] == [1, 2]
        assert first.receipt != again.receipt
        assert first.first_received_at == again.first_received_at
        assert (first.body, first.sent_at) == (again.body, again.sent_at)

    async def test_a_visibility_given_on_receive_applies_to_that_receive_only(self, harness: BusHarness):
        plain = harness.names.plain
        await harness.send(plain, "one")
        counts = [(await harness.next(plain, visibility_s=0)).receive_count for _ in range(3)]
        assert counts == [1, 2, 3]
        held = await harness.next(plain)
        assert await harness.bus.receive(plain, wait_s=0) == []
        assert held.receive_count == 4

    async def test_making_a_message_visible_wakes_a_waiting_receive(self, harness: BusHarness):
        plain = harness.names.plain
        await harness.send(plain, "one")
        held = await harness.next(plain)
        received = await _woken(harness, plain, harness.bus.change_visibility(plain, [held.receipt], 0))
        assert received.message_id == held.message_id

    @pytest.mark.req(177)
    async def test_visibility_counts_from_the_change_and_is_not_kept(self, harness: BusHarness):
        plain = harness.names.plain
        await harness.send(plain, "one", "another")
        another, one = await harness.take(plain, 2)
        assert await harness.bus.change_visibility(plain, [another.receipt], LONG_S) == []
        started = time.monotonic()
        assert await harness.bus.change_visibility(plain, [one.receipt], 1) == []
        again = await harness.next(plain, visibility_s=0)
        assert time.monotonic() - started >= 0.9
        assert (again.message_id, again.receive_count) == (one.message_id, 2)
        assert (await harness.next(plain)).receive_count == 3
        assert await harness.count(plain) == (0, 2, 0)

    async def test_an_expired_receipt_is_valid_until_another_receive(self, harness: BusHarness):
        plain = harness.names.plain
        await harness.send(plain, "one")
        held = await harness.next(plain, visibility_s=1)
        await until(lambda: _shows(harness, plain, (1, 0, 0)))
        assert await harness.bus.change_visibility(plain, [held.receipt], LONG_S) == []
        assert await harness.bus.receive(plain, wait_s=0) == []
        assert await harness.bus.delete(plain, [held.receipt]) == []
        assert await harness.count(plain) == (0, 0, 0)

    async def test_an_old_receipt_can_make_a_message_visible_that_was_received_again(self, harness: BusHarness):
        plain = harness.names.plain
        await harness.send(plain, "one")
        old = await harness.next(plain, visibility_s=0)
        new = await harness.next(plain)
        assert await harness.bus.change_visibility(plain, [old.receipt], 0) == []
        third = await harness.next(plain)
        assert third.message_id == new.message_id

    async def test_changing_the_visibility_of_a_deleted_message_returns_its_receipt(self, harness: BusHarness):
        plain = harness.names.plain
        await harness.send(plain, "one", "two")
        one, two = await harness.take(plain, 2)
        assert await harness.bus.delete(plain, [one.receipt]) == []
        assert await harness.bus.change_visibility(plain, [one.receipt, two.receipt], LONG_S) == [one.receipt]
        await harness.bus.release(one, delay_s=0)  # not an error

    async def test_a_released_message_comes_again_after_the_delay(self, harness: BusHarness):
        plain = harness.names.plain
        await harness.send(plain, "one")
        held = await harness.next(plain)
        started = time.monotonic()
        await harness.bus.release(held, delay_s=1)
        again = await harness.next(plain)
        assert time.monotonic() - started >= 0.9
        assert again.receive_count == 2

    async def test_returned_messages_are_received_again_at_once(self, harness: BusHarness):
        plain = harness.names.plain
        await harness.send(plain, "one", "two")
        await harness.bus.return_unprocessed(await harness.take(plain, 2))
        assert [one.body for one in await harness.take(plain, 2)] == ["one", "two"]

    @pytest.mark.req(177)
    async def test_a_message_that_is_worked_on_stays_hidden(self, harness: BusHarness):
        plain = harness.names.plain
        await harness.send(plain, "one", "two")
        one, two = await harness.take(plain, 2)
        await harness.bus.release(two, delay_s=0)
        assert await harness.bus.extend([one], LONG_S) == []
        assert await harness.bus.acknowledge(None, [await harness.next(plain)]) == []
        assert await harness.bus.receive(plain, wait_s=0) == []
        assert await harness.bus.acknowledge(None, [one]) == []
        assert await harness.bus.extend([one], LONG_S) == [one]

    async def test_an_empty_queue_answers_after_the_wait_and_not_before(self, harness: BusHarness):
        long = asyncio.create_task(harness.bus.receive(harness.names.plain))  # the queue's own wait of 20 s
        started = time.monotonic()
        assert await harness.bus.receive(harness.names.plain, wait_s=0) == []
        assert await harness.bus.receive(harness.names.work) == []  # the queue's own wait of 1 s
        assert time.monotonic() - started >= 0.9
        assert not long.done()
        await harness.send(harness.names.plain, "the end")
        assert [one.body for one in await long] == ["the end"]

    @pytest.mark.req(168)
    async def test_a_new_message_wakes_a_waiting_receive(self, harness: BusHarness):
        received = await _woken(harness, harness.names.plain, harness.send(harness.names.plain, "one"))
        assert received.body == "one"

    async def test_a_receive_does_not_wait_for_more_than_there_is(self, harness: BusHarness):
        await harness.send(harness.names.plain, "one", "two")
        empty = asyncio.create_task(harness.bus.receive(harness.names.work, wait_s=MAX_WAIT_S))
        assert 1 <= len(await harness.bus.receive(harness.names.plain, limit=3, wait_s=MAX_WAIT_S)) <= 2
        assert not empty.done()
        await harness.send(harness.names.work, "the end")
        assert len(await empty) == 1

    @pytest.mark.req(167)
    async def test_a_delayed_message_comes_when_its_delay_ends_and_not_before(self, harness: BusHarness):
        plain = harness.names.plain
        await harness.send(plain, QueueMessage("late", delay_s=LONG_S), "at once")
        assert (await harness.next(plain)).body == "at once"
        assert await harness.count(plain) == (0, 1, 1)
        started = time.monotonic()
        await harness.send(plain, QueueMessage("soon", delay_s=1))
        assert (await harness.next(plain)).body == "soon"
        assert time.monotonic() - started >= 0.9
        assert await harness.count(plain) == (0, 2, 1)

    async def test_a_delay_of_the_message_overrides_that_of_the_queue(self, harness: BusHarness):
        late, soon = harness.names.late, harness.names.soon
        started = time.monotonic()
        await harness.send(soon, "later")
        await harness.send(late, QueueMessage("now", delay_s=0), "later")
        assert (await harness.next(late)).body == "now"
        assert await harness.count(late) == (0, 1, 1)
        assert (await harness.next(soon)).body == "later"
        assert time.monotonic() - started >= 0.9

    @pytest.mark.req(170)
    async def test_a_receive_returns_at_most_ten_and_a_claim_up_to_its_limit(self, harness: BusHarness):
        plain = harness.names.plain
        await harness.send(plain, *(str(number) for number in range(35)))
        count = len(await harness.bus.receive(plain, limit=10))
        assert count <= 10
        while count < 35:
            count += len(await harness.bus.claim(plain, limit=50, wait_s=MAX_WAIT_S))
        assert count == 35

    async def test_many_receivers_never_share_a_message(self, harness: BusHarness):
        plain = harness.names.plain
        await harness.send(plain, *(str(number) for number in range(100)))
        seen: list[str] = []

        async def work() -> None:
            while len(seen) < 100:
                found = await harness.bus.claim(plain, limit=7, wait_s=0)
                seen.extend(one.body for one in found)
                assert await harness.bus.acknowledge(None, found) == []

        await asyncio.gather(*(work() for _ in range(8)))
        assert sorted(seen, key=int) == [str(number) for number in range(100)]

    async def test_deleting_twice_is_not_an_error(self, harness: BusHarness):
        await harness.send(harness.names.plain, "one")
        held = await harness.next(harness.names.plain)
        for _ in range(3):
            assert await harness.bus.delete(harness.names.plain, [held.receipt]) == []

    async def test_deleting_with_an_invalid_receipt_is_rejected(self, harness: BusHarness):
        with pytest.raises(BusRefusal) as caught:
            await harness.bus.delete(harness.names.plain, ["garbage"])
        assert caught.value.code == "ReceiptHandleIsInvalid"

    async def test_a_message_that_another_consumer_received_stays_and_is_returned_as_lost(self, harness: BusHarness):
        await harness.send(harness.names.plain, "one")
        old = await harness.next(harness.names.plain, visibility_s=0)
        new = await harness.next(harness.names.plain)
        assert await harness.bus.acknowledge(None, [old]) == [old]
        assert await harness.count(harness.names.plain) == (0, 1, 0)
        assert await harness.bus.acknowledge(None, [new]) == []
        assert await harness.count(harness.names.plain) == (0, 0, 0)

    async def test_acknowledging_is_part_of_the_transaction_where_the_backend_supports_it(self, harness: BusHarness):
        await harness.send(harness.names.plain, "one")
        held = await harness.next(harness.names.plain)
        with pytest.raises(ZeroDivisionError):
            async with harness.transaction() as tx:
                await harness.bus.acknowledge(tx, [held])
                raise ZeroDivisionError
        left = 1 if harness.bus.acknowledges_in_transaction else 0
        assert await harness.count(harness.names.plain) == (0, left, 0)

    async def test_a_purge_removes_everything_in_whatever_state(self, harness: BusHarness):
        plain = harness.names.plain
        await harness.send(plain, "one", "two", QueueMessage("late", delay_s=LONG_S))
        await harness.next(plain)
        assert await harness.count(plain) == (1, 1, 1)
        assert await harness.bus.purge(plain) in {3, -1}
        await until(lambda: _shows(harness, plain, (0, 0, 0)))


async def _shows(harness: BusHarness, queue: str, expected: tuple[int, int, int]) -> bool:
    return await harness.count(queue) == expected


async def _woken(harness: BusHarness, queue: str, cause: Awaitable[object]) -> Received:
    """What a receive brings that waited before the cause."""
    waiting = asyncio.create_task(harness.bus.receive(queue, wait_s=MAX_WAIT_S))
    done, _ = await asyncio.wait((waiting,), timeout=0.1)  # it is waiting by now
    assert not done
    await cause
    (received,) = await waiting
    return received
