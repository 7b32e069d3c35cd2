"""The promises of the bus about queues: visibility, polling, delay, deletion, limits."""

import asyncio
import time

import pytest

from conformance.bus import Place, Suite
from sightline.bus.limits import BusRefusal
from sightline.bus.message import QueueMessage, Received
from support.waiting import until


class QueueSuite(Suite):
    @pytest.mark.req(165)
    async def test_a_message_is_hidden_for_its_visibility_and_then_comes_again(self, place: Place):
        work = place.names.work
        ids = await place.send(work, "one")
        started = time.monotonic()
        (first,) = await place.bus.receive(work)
        assert await place.bus.receive(work, wait_s=0) == []
        (again,) = await place.bus.receive(work, wait_s=5)
        assert time.monotonic() - started >= 0.9
        assert [first.message_id, again.message_id] == [ids[0], ids[0]]
        assert [first.receive_count, again.receive_count] == [1, 2]
        assert first.receipt != again.receipt
        assert first.first_received_at == again.first_received_at
        assert (first.body, first.sent_at) == (again.body, again.sent_at)

    async def test_a_visibility_given_on_receive_holds_for_that_receive_only(self, place: Place):
        plain = place.names.plain
        await place.send(plain, "one")
        counts = [(await place.bus.receive(plain, wait_s=1, visibility_s=0))[0].receive_count for _ in range(3)]
        assert counts == [1, 2, 3]
        (held,) = await place.bus.receive(plain, wait_s=1)
        assert await place.bus.receive(plain, wait_s=0) == []
        assert held.receive_count == 4

    async def test_showing_a_message_wakes_whoever_waits(self, place: Place):
        plain = place.names.plain
        await place.send(plain, "one")
        (held,) = await place.bus.receive(plain, visibility_s=60)
        took_s, received = await _wake(place, plain, place.bus.change_visibility(plain, [held.receipt], 0))
        assert received.message_id == held.message_id
        assert took_s < 5

    @pytest.mark.req(177)
    async def test_visibility_counts_from_the_change_and_is_not_kept(self, place: Place):
        plain = place.names.plain
        await place.send(plain, "one")
        (held,) = await place.bus.receive(plain, visibility_s=1)
        assert await place.bus.change_visibility(plain, [held.receipt], 2) == []
        started = time.monotonic()
        (again,) = await place.bus.receive(plain, wait_s=10, visibility_s=1)
        assert 1.8 <= time.monotonic() - started < 8
        assert again.receive_count == 2

    async def test_an_expired_receipt_that_nobody_followed_still_counts(self, place: Place):
        plain = place.names.plain
        await place.send(plain, "one")
        (held,) = await place.bus.receive(plain)
        await until(lambda: _shows(place, plain, (1, 0, 0)))
        assert await place.bus.change_visibility(plain, [held.receipt], 30) == []
        assert await place.bus.receive(plain, wait_s=0) == []
        assert await place.bus.delete(plain, [held.receipt]) == []
        assert await place.count(plain) == (0, 0, 0)

    async def test_an_old_receipt_can_show_a_message_that_was_received_again(self, place: Place):
        plain = place.names.plain
        await place.send(plain, "one")
        (old,) = await place.bus.receive(plain, visibility_s=0)
        (new,) = await place.bus.receive(plain, visibility_s=60)
        assert await place.bus.change_visibility(plain, [old.receipt], 0) == []
        (third,) = await place.bus.receive(plain, wait_s=2)
        assert third.message_id == new.message_id

    async def test_changing_the_visibility_of_what_is_gone_names_it(self, place: Place):
        plain = place.names.plain
        await place.send(plain, "one", "two")
        one, two = await _both(place, plain)
        assert await place.bus.delete(plain, [one.receipt]) == []
        assert await place.bus.change_visibility(plain, [one.receipt, two.receipt], 30) == [one.receipt]
        await place.bus.release(one, delay_s=0)  # not an error

    async def test_a_released_message_comes_again_after_the_delay(self, place: Place):
        plain = place.names.plain
        await place.send(plain, "one")
        (held,) = await place.bus.receive(plain, visibility_s=60)
        started = time.monotonic()
        await place.bus.release(held, delay_s=1)
        (again,) = await place.bus.receive(plain, wait_s=5)
        assert 0.9 <= time.monotonic() - started < 4
        assert again.receive_count == 2

    async def test_messages_given_back_come_again_at_once(self, place: Place):
        plain = place.names.plain
        await place.send(plain, "one", "two")
        held = await _both(place, plain)
        await place.bus.give_back(held)
        assert [one.body for one in await _both(place, plain)] == ["one", "two"]

    @pytest.mark.req(177)
    async def test_a_message_that_is_worked_on_stays_hidden(self, place: Place):
        plain = place.names.plain
        await place.send(plain, "one", "two")
        one, two = await _both(place, plain)
        await place.bus.release(two, delay_s=0)
        assert await place.bus.extend([one], 60) == []
        assert await place.bus.acknowledge(None, await place.bus.receive(plain, wait_s=2)) == []
        assert await place.bus.receive(plain, wait_s=0) == []
        assert await place.bus.acknowledge(None, [one]) == []
        assert await place.bus.extend([one], 60) == [one]

    async def test_an_empty_queue_answers_after_the_wait_and_not_before(self, place: Place):
        started = time.monotonic()
        assert await place.bus.receive(place.names.plain) == []  # the queue's own wait of 1 s
        assert 0.9 <= time.monotonic() - started < 4
        started = time.monotonic()
        assert await place.bus.receive(place.names.plain, wait_s=0) == []
        assert time.monotonic() - started < 0.9

    @pytest.mark.req(168)
    async def test_a_message_wakes_whoever_waits(self, place: Place):
        took_s, received = await _wake(place, place.names.plain, place.send(place.names.plain, "one"))
        assert received.body == "one"
        assert took_s < 5

    async def test_a_receive_does_not_wait_for_more_than_there_is(self, place: Place):
        await place.send(place.names.plain, "one", "two")
        started = time.monotonic()
        assert 1 <= len(await place.bus.receive(place.names.plain, most=3, wait_s=10)) <= 2
        assert time.monotonic() - started < 5

    @pytest.mark.req(167)
    async def test_a_delayed_message_comes_when_its_delay_ends(self, place: Place):
        plain = place.names.plain
        started = time.monotonic()
        await place.send(plain, QueueMessage("one", delay_s=2), "at once")
        (first,) = await place.bus.receive(plain, wait_s=0, visibility_s=30)
        assert first.body == "at once"
        assert await place.count(plain) == (0, 1, 1)
        (late,) = await place.bus.receive(plain, wait_s=10)
        assert late.body == "one"
        assert 1.5 <= time.monotonic() - started < 8

    async def test_a_delay_given_wins_over_the_queues(self, place: Place):
        late = place.names.late
        await place.send(late, QueueMessage("now", delay_s=0), QueueMessage("later"))
        assert [one.body for one in await place.bus.receive(late, most=10, wait_s=0, visibility_s=30)] == ["now"]
        assert [one.body for one in await place.bus.receive(late, most=10, wait_s=5)] == ["later"]

    @pytest.mark.req(170)
    async def test_a_receive_brings_ten_at_most_and_a_claim_as_many_as_asked_for(self, place: Place):
        plain = place.names.plain
        await place.send(plain, *(str(number) for number in range(35)))
        first = await place.bus.receive(plain, most=10, visibility_s=30)
        assert len(first) <= 10
        rest = [len(first)]

        async def claim() -> bool:
            rest.append(len(await place.bus.claim(plain, most=50, wait_s=1, visibility_s=30)))
            return sum(rest) == 35

        await until(claim)

    async def test_many_receivers_never_share_a_message(self, place: Place):
        plain = place.names.plain
        await place.send(plain, *(str(number) for number in range(100)))
        seen: list[str] = []

        async def work() -> None:
            while found := await place.bus.claim(plain, most=7, wait_s=1, visibility_s=60):
                seen.extend(one.body for one in found)
                assert await place.bus.acknowledge(None, found) == []

        await asyncio.gather(*(work() for _ in range(8)))
        assert sorted(seen, key=int) == [str(number) for number in range(100)]

    async def test_deleting_twice_is_fine(self, place: Place):
        await place.send(place.names.plain, "one")
        (held,) = await place.bus.receive(place.names.plain)
        for _ in range(3):
            assert await place.bus.delete(place.names.plain, [held.receipt]) == []

    async def test_deleting_with_what_is_no_receipt_is_refused(self, place: Place):
        with pytest.raises(BusRefusal) as caught:
            await place.bus.delete(place.names.plain, ["garbage"])
        assert caught.value.code == "ReceiptHandleIsInvalid"

    async def test_a_message_that_somebody_else_received_stays_and_is_named(self, place: Place):
        await place.send(place.names.plain, "one")
        (old,) = await place.bus.receive(place.names.plain, visibility_s=0)
        (new,) = await place.bus.receive(place.names.plain, wait_s=2, visibility_s=30)
        assert await place.bus.acknowledge(None, [old]) == [old]
        assert await place.count(place.names.plain) == (0, 1, 0)
        assert await place.bus.acknowledge(None, [new]) == []
        assert await place.count(place.names.plain) == (0, 0, 0)

    async def test_acknowledging_takes_part_in_the_transaction_if_the_keeper_says_so(self, place: Place):
        await place.send(place.names.plain, "one")
        (held,) = await place.bus.receive(place.names.plain, visibility_s=30)
        with pytest.raises(ZeroDivisionError):
            async with place.transaction() as tx:
                await place.bus.acknowledge(tx, [held])
                raise ZeroDivisionError
        left = 1 if place.bus.acknowledges_in_transaction else 0
        assert await place.count(place.names.plain) == (0, left, 0)

    async def test_a_purge_removes_everything_in_whatever_state(self, place: Place):
        plain = place.names.plain
        await place.send(plain, "one", "two", QueueMessage("late", delay_s=60))
        await place.bus.receive(plain, visibility_s=60)
        assert await place.count(plain) == (1, 1, 1)
        assert await place.bus.purge(plain) in {3, -1}
        await until(lambda: _shows(place, plain, (0, 0, 0)))


async def _shows(place: Place, queue: str, expected: tuple[int, int, int]) -> bool:
    return await place.count(queue) == expected


async def _both(place: Place, queue: str) -> list[Received]:
    found: list[Received] = []

    async def look() -> bool:
        found.extend(await place.bus.receive(queue, most=2, wait_s=1, visibility_s=60))
        return len(found) == 2

    await until(look)
    return sorted(found, key=lambda one: one.body)


async def _wake(place: Place, queue: str, cause) -> tuple[float, Received]:
    """How long a waiting receive takes from the cause on, and what it brings."""
    waiting = asyncio.create_task(place.bus.receive(queue, wait_s=20))
    done, _ = await asyncio.wait((waiting,), timeout=0.3)  # it is waiting by now
    assert not done
    started = time.monotonic()
    await cause
    (received,) = await waiting
    return time.monotonic() - started, received
