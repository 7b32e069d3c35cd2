"""What the bus does with dead letters."""

import pytest

from conformance.bus import LONG_S, BusHarness, Suite
from sightline.bus import Attribute, BusRefusal, QueueMessage
from sightline.errors import NotFound
from sightline.observability import work_context

ATTRIBUTES = {"kind": Attribute("String", "x"), "bytes": Attribute("Binary", b"\x01")}


class DeadLetterSuite(Suite):
    @pytest.mark.req(171, 172, 176)
    async def test_a_message_becomes_a_dead_letter_after_max_receives_and_not_before(self, harness: BusHarness):
        work, dead = harness.names.work, f"{harness.names.work}-dlq"
        with work_context(correlation_id="c-1"):
            ids = await harness.send(work, QueueMessage("one", ATTRIBUTES))
        first = await harness.next(work, visibility_s=0)
        second = await harness.next(work, visibility_s=0)
        assert await harness.count(dead) == (0, 0, 0)
        assert await harness.bus.receive(work, wait_s=0) == []
        assert await harness.count(dead) == (1, 0, 0)
        assert await harness.count(work) == (0, 0, 0)
        letter = await harness.next(dead)
        assert (letter.message_id, letter.body, letter.attributes) == (ids[0], "one", ATTRIBUTES)
        assert [first.receive_count, second.receive_count, letter.receive_count] == [1, 2, 3]
        assert (letter.sent_at, letter.first_received_at) == (first.sent_at, first.first_received_at)
        assert letter.source_queue == work
        assert letter.dead_reason is not None
        assert letter.context["correlation_id"] == "c-1"

    async def test_a_buried_message_becomes_a_dead_letter_at_once_with_the_reason(self, harness: BusHarness):
        work, dead = harness.names.work, f"{harness.names.work}-dlq"
        with work_context(correlation_id="c-1"):
            ids = await harness.send(work, QueueMessage("one", ATTRIBUTES))
        held = await harness.next(work, visibility_s=LONG_S)
        await harness.bus.bury(held, "not\x00 readable: \u20ac")
        assert await harness.count(work) == (0, 0, 0)
        for _ in range(2):  # looking at it counts as no receive
            (letter,) = await harness.bus.peek(dead, limit=10)
        assert (letter.message_id, letter.body, letter.attributes) == (ids[0], "one", ATTRIBUTES)
        assert letter.dead_reason == "not\ufffd readable: \u20ac"
        assert letter.source_queue == work
        assert letter.receive_count == 1
        assert _close(letter.sent_at, held.sent_at)
        assert _close(letter.first_received_at, held.first_received_at)
        assert letter.context["correlation_id"] == "c-1"

    async def test_ten_attributes_do_not_keep_a_message_from_being_buried(self, harness: BusHarness):
        attributes = {f"a{number}": Attribute("Number", str(number)) for number in range(10)}
        await harness.send(harness.names.work, QueueMessage("one", attributes))
        held = await harness.next(harness.names.work, visibility_s=LONG_S)
        await harness.bus.bury(held, "because")
        letter = await harness.next(f"{harness.names.work}-dlq")
        assert letter.attributes == attributes
        assert letter.source_queue == harness.names.work

    async def test_without_a_dead_letter_queue_burying_releases_the_message(self, harness: BusHarness):
        plain = harness.names.plain
        await harness.send(plain, "one")
        held = await harness.next(plain, visibility_s=LONG_S)
        await harness.bus.bury(held, "because")
        again = await harness.next(plain)
        assert again.message_id == held.message_id
        with pytest.raises(BusRefusal):
            await harness.bus.peek(plain, limit=1)

    async def test_peeking_at_dead_letters_changes_nothing_and_continues_after_the_last_page(self, harness: BusHarness):
        work, dead = harness.names.work, f"{harness.names.work}-dlq"
        await _bury(harness, "one", "two", "three")
        by_source = await harness.bus.peek(work, limit=10)
        by_name = await harness.bus.peek(dead, limit=10)
        ids = [one.message_id for one in by_source]
        assert sorted(one.body for one in by_source) == ["one", "three", "two"]
        assert [one.message_id for one in by_name] == ids
        assert {one.dead_reason for one in by_source} == {"why"}
        page = await harness.bus.peek(dead, limit=1)
        rest = await harness.bus.peek(dead, limit=10, after=page[0].message_id)
        assert [one.message_id for one in (*page, *rest)] == ids
        assert await harness.bus.peek(dead, limit=10, after=ids[-1]) == []
        assert await harness.count(dead) == (3, 0, 0)

    @pytest.mark.req(175)
    async def test_chosen_dead_letters_return_as_new_messages(self, harness: BusHarness):
        work, dead = harness.names.work, f"{harness.names.work}-dlq"
        await _bury(harness, "one", "two", "three")
        letters = {one.body: one.message_id for one in await harness.bus.peek(work, limit=10)}
        assert await harness.bus.redrive(work, [letters["one"], letters["three"]]) == 2
        back = await harness.drain(work, 2)
        assert {one.body: one.message_id for one in back} == {name: letters[name] for name in ("one", "three")}
        assert {(one.receive_count, one.source_queue, one.dead_reason) for one in back} == {(1, None, None)}
        assert all(one.attributes == ATTRIBUTES for one in back)
        assert [one.body for one in await harness.bus.peek(dead, limit=10)] == ["two"]
        assert await harness.bus.redrive(work, [letters["one"]]) == 0

    async def test_a_letter_that_fails_again_counts_its_redrives(self, harness: BusHarness):
        work = harness.names.work
        await _bury(harness, "one")
        for redrives in range(3):
            (letter,) = await harness.bus.peek(work, limit=10)
            assert letter.redrives == redrives
            assert letter.entered_at is not None
            assert await harness.bus.redrive(work, [letter.message_id]) == 1
            back = await harness.next(work, visibility_s=LONG_S)
            await harness.bus.bury(back, "why")

    async def test_a_message_that_was_received_too_often_can_be_redriven(self, harness: BusHarness):
        work, dead = harness.names.work, f"{harness.names.work}-dlq"
        ids = await harness.send(work, "one")
        for _ in range(2):
            await harness.next(work, visibility_s=0)
        assert await harness.bus.receive(work, wait_s=0) == []
        assert await harness.bus.redrive(dead, ids) == 1
        (back,) = await harness.drain(work, 1)
        assert (back.message_id, back.receive_count) == (ids[0], 1)

    async def test_discarded_dead_letters_are_deleted_and_others_stay(self, harness: BusHarness):
        work = harness.names.work
        await _bury(harness, "one", "two")
        letters = {one.body: one.message_id for one in await harness.bus.peek(work, limit=10)}
        assert await harness.bus.discard(work, [letters["one"]]) == 1
        assert await harness.bus.discard(work, [letters["one"]]) == 0
        assert [one.body for one in await harness.bus.peek(work, limit=10)] == ["two"]

    async def test_dead_letters_of_an_unknown_queue_are_not_found(self, harness: BusHarness):
        for call in (
            harness.bus.peek("nowhere", limit=1),
            harness.bus.redrive("nowhere", []),
            harness.bus.discard("no", []),
        ):
            with pytest.raises(NotFound):
                await call


async def _bury(harness: BusHarness, *bodies: str) -> None:
    await harness.send(harness.names.work, *(QueueMessage(body, ATTRIBUTES) for body in bodies))
    held = await harness.take(harness.names.work, len(bodies))
    for one in held:
        await harness.bus.bury(one, "why")


def _close(one, other) -> bool:
    """To the millisecond, which is all that SQS keeps."""
    return bool(abs((one - other).total_seconds()) < 0.002)
