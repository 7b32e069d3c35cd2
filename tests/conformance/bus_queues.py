"""What the queues of the bus do: visibility, polling, delay, deletion, limits.

Times have lower bounds alone. That something comes before something else is shown by what has not come yet.
"""

import asyncio
import time
from collections.abc import Awaitable

import pytest

from conformance.bus import LONG_S, LONGEST_WAIT_S, Place, Suite
from sightline.bus import BusRefusal, QueueMessage, Received
from support.waiting import until


class QueueSuite(Suite):
    @pytest.mark.req(165)
    async def test_a_message_comes_again_when_the_visibility_of_its_queue_ends(self, place: Place):
        work = place.names.work
        ids = await place.send(work, "one")
        started = time.monotonic()
        first = await place.next(work)
        again = await place.next(work)
        assert time.monotonic() - started >= 0.9
        assert [first.message_id, again.message_id] == [ids[0], ids[0]]
        assert [first.receive_count, again.receive_count] == [1, 2]
        assert first.receipt != again.receipt
        assert first.first_received_at == again.first_received_at
        assert (first.body, first.sent_at) == (again.body, again.sent_at)

    async def test_a_visibility_given_on_receive_holds_for_that_receive_only(self, place: Place):
        plain = place.names.plain
        await place.send(plain, "one")
        counts = [(await place.next(plain, visibility_s=0)).receive_count for _ in range(3)]
        assert counts == [1, 2, 3]
        held = await place.next(plain)
        assert await place.bus.receive(plain, wait_s=0) == []
        assert held.receive_count == 4

    async def test_showing_a_message_wakes_a_receive_that_waits(self, place: Place):
        plain = place.names.plain
        await place.send(plain, "one")
        held = await place.next(plain)
        received = await _woken(place, plain, place.bus.change_visibility(plain, [held.receipt], 0))
        assert received.message_id == held.message_id

    @pytest.mark.req(177)
    async def test_visibility_counts_from_the_change_and_is_not_kept(self, place: Place):
        plain = place.names.plain
        await place.send(plain, "one", "another")
        another, one = await place.take(plain, 2)
        assert await place.bus.change_visibility(plain, [another.receipt], LONG_S) == []
        started = time.monotonic()
        assert await place.bus.change_visibility(plain, [one.receipt], 1) == []
        again = await place.next(plain, visibility_s=0)
        assert time.monotonic() - started >= 0.9
        assert (again.message_id, again.receive_count) == (one.message_id, 2)
        assert (await place.next(plain)).receive_count == 3
        assert await place.count(plain) == (0, 2, 0)

    async def test_an_expired_receipt_that_nobody_followed_still_counts(self, place: Place):
        plain = place.names.plain
        await place.send(plain, "one")
        held = await place.next(plain, visibility_s=1)
        await until(lambda: _shows(place, plain, (1, 0, 0)))
        assert await place.bus.change_visibility(plain, [held.receipt], LONG_S) == []
        assert await place.bus.receive(plain, wait_s=0) == []
        assert await place.bus.delete(plain, [held.receipt]) == []
        assert await place.count(plain) == (0, 0, 0)

    async def test_an_old_receipt_can_show_a_message_that_was_received_again(self, place: Place):
        plain = place.names.plain
        await place.send(plain, "one")
        old = await place.next(plain, visibility_s=0)
        new = await place.next(plain)
        assert await place.bus.change_visibility(plain, [old.receipt], 0) == []
        third = await place.next(plain)
        assert third.message_id == new.message_id

    async def test_changing_the_visibility_of_what_is_gone_names_it(self, place: Place):
        plain = place.names.plain
        await place.send(plain, "one", "two")
        one, two = await place.take(plain, 2)
        assert await place.bus.delete(plain, [one.receipt]) == []
        assert await place.bus.change_visibility(plain, [one.receipt, two.receipt], LONG_S) == [one.receipt]
        await place.bus.release(one, delay_s=0)  # not an error

    async def test_a_released_message_comes_again_after_the_delay(self, place: Place):
        plain = place.names.plain
        await place.send(plain, "one")
        held = await place.next(plain)
        started = time.monotonic()
        await place.bus.release(held, delay_s=1)
        again = await place.next(plain)
        assert time.monotonic() - started >= 0.9
        assert again.receive_count == 2

    async def test_messages_given_back_come_again_at_once(self, place: Place):
        plain = place.names.plain
        await place.send(plain, "one", "two")
        await place.bus.return_unprocessed(await place.take(plain, 2))
        assert [one.body for one in await place.take(plain, 2)] == ["one", "two"]

    @pytest.mark.req(177)
    async def test_a_message_that_is_worked_on_stays_hidden(self, place: Place):
        plain = place.names.plain
        await place.send(plain, "one", "two")
        one, two = await place.take(plain, 2)
        await place.bus.release(two, delay_s=0)
        assert await place.bus.extend([one], LONG_S) == []
        assert await place.bus.acknowledge(None, [await place.next(plain)]) == []
        assert await place.bus.receive(plain, wait_s=0) == []
        assert await place.bus.acknowledge(None, [one]) == []
        assert await place.bus.extend([one], LONG_S) == [one]

    async def test_an_empty_queue_answers_after_the_wait_and_not_before(self, place: Place):
        long = asyncio.create_task(place.bus.receive(place.names.plain))  # the queue's own wait of 20 s
        started = time.monotonic()
        assert await place.bus.receive(place.names.plain, wait_s=0) == []
        assert await place.bus.receive(place.names.work) == []  # the queue's own wait of 1 s
        assert time.monotonic() - started >= 0.9
        assert not long.done()
        await place.send(place.names.plain, "the end")
        assert [one.body for one in await long] == ["the end"]

    @pytest.mark.req(168)
    async def test_a_message_wakes_a_receive_that_waits(self, place: Place):
        received = await _woken(place, place.names.plain, place.send(place.names.plain, "one"))
        assert received.body == "one"

    async def test_a_receive_does_not_wait_for_more_than_there_is(self, place: Place):
        await place.send(place.names.plain, "one", "two")
        empty = asyncio.create_task(place.bus.receive(place.names.work, wait_s=LONGEST_WAIT_S))
        assert 1 <= len(await place.bus.receive(place.names.plain, limit=3, wait_s=LONGEST_WAIT_S)) <= 2
        assert not empty.done()
        await place.send(place.names.work, "the end")
        assert len(await empty) == 1

    @pytest.mark.req(167)
    async def test_a_delayed_message_comes_when_its_delay_ends_and_not_before(self, place: Place):
        plain = place.names.plain
        await place.send(plain, QueueMessage("late", delay_s=LONG_S), "at once")
        assert (await place.next(plain)).body == "at once"
        assert await place.count(plain) == (0, 1, 1)
        started = time.monotonic()
        await place.send(plain, QueueMessage("soon", delay_s=1))
        assert (await place.next(plain)).body == "soon"
        assert time.monotonic() - started >= 0.9
        assert await place.count(plain) == (0, 2, 1)

    async def test_a_delay_given_wins_over_the_queues(self, place: Place):
        late, soon = place.names.late, place.names.soon
        started = time.monotonic()
        await place.send(soon, "later")
        await place.send(late, QueueMessage("now", delay_s=0), "later")
        assert (await place.next(late)).body == "now"
        assert await place.count(late) == (0, 1, 1)
        assert (await place.next(soon)).body == "later"
        assert time.monotonic() - started >= 0.9

    @pytest.mark.req(170)
    async def test_a_receive_brings_ten_at_most_and_a_claim_as_many_as_asked_for(self, place: Place):
        plain = place.names.plain
        await place.send(plain, *(str(number) for number in range(35)))
        count = len(await place.bus.receive(plain, limit=10))
        assert count <= 10
        while count < 35:
            count += len(await place.bus.claim(plain, limit=50, wait_s=LONGEST_WAIT_S))
        assert count == 35

    async def test_many_receivers_never_share_a_message(self, place: Place):
        plain = place.names.plain
        await place.send(plain, *(str(number) for number in range(100)))
        seen: list[str] = []

        async def work() -> None:
            while len(seen) < 100:
                found = await place.bus.claim(plain, limit=7, wait_s=0)
                seen.extend(one.body for one in found)
                assert await place.bus.acknowledge(None, found) == []

        await asyncio.gather(*(work() for _ in range(8)))
        assert sorted(seen, key=int) == [str(number) for number in range(100)]

    async def test_deleting_twice_is_fine(self, place: Place):
        await place.send(place.names.plain, "one")
        held = await place.next(place.names.plain)
        for _ in range(3):
            assert await place.bus.delete(place.names.plain, [held.receipt]) == []

    async def test_deleting_with_what_is_no_receipt_is_refused(self, place: Place):
        with pytest.raises(BusRefusal) as caught:
            await place.bus.delete(place.names.plain, ["garbage"])
        assert caught.value.code == "ReceiptHandleIsInvalid"

    async def test_a_message_that_another_received_stays_and_is_named(self, place: Place):
        await place.send(place.names.plain, "one")
        old = await place.next(place.names.plain, visibility_s=0)
        new = await place.next(place.names.plain)
        assert await place.bus.acknowledge(None, [old]) == [old]
        assert await place.count(place.names.plain) == (0, 1, 0)
        assert await place.bus.acknowledge(None, [new]) == []
        assert await place.count(place.names.plain) == (0, 0, 0)

    async def test_acknowledging_takes_part_in_the_transaction_if_the_backend_says_so(self, place: Place):
        await place.send(place.names.plain, "one")
        held = await place.next(place.names.plain)
        with pytest.raises(ZeroDivisionError):
            async with place.transaction() as tx:
                await place.bus.acknowledge(tx, [held])
                raise ZeroDivisionError
        left = 1 if place.bus.acknowledges_in_transaction else 0
        assert await place.count(place.names.plain) == (0, left, 0)

    async def test_a_purge_removes_everything_in_whatever_state(self, place: Place):
        plain = place.names.plain
        await place.send(plain, "one", "two", QueueMessage("late", delay_s=LONG_S))
        await place.next(plain)
        assert await place.count(plain) == (1, 1, 1)
        assert await place.bus.purge(plain) in {3, -1}
        await until(lambda: _shows(place, plain, (0, 0, 0)))


async def _shows(place: Place, queue: str, expected: tuple[int, int, int]) -> bool:
    return await place.count(queue) == expected


async def _woken(place: Place, queue: str, cause: Awaitable[object]) -> Received:
    """What a receive brings that waited before the cause."""
    waiting = asyncio.create_task(place.bus.receive(queue, wait_s=LONGEST_WAIT_S))
    done, _ = await asyncio.wait((waiting,), timeout=0.1)  # it is waiting by now
    assert not done
    await cause
    (received,) = await waiting
    return received
