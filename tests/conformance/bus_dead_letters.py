"""What the bus does with dead letters."""

import pytest

from conformance.bus import LONG_S, Place, Suite
from sightline.bus import Attribute, BusRefusal, QueueMessage
from sightline.errors import NotFound
from sightline.observability import work_context

ATTRIBUTES = {"kind": Attribute("String", "x"), "bytes": Attribute("Binary", b"\x01")}


class DeadLetterSuite(Suite):
    @pytest.mark.req(171, 172, 176)
    async def test_a_message_received_too_often_dies_and_not_before(self, place: Place):
        work, dead = place.names.work, f"{place.names.work}-dlq"
        with work_context(correlation_id="c-1"):
            ids = await place.send(work, QueueMessage("one", ATTRIBUTES))
        first = await place.next(work, visibility_s=0)
        second = await place.next(work, visibility_s=0)
        assert await place.count(dead) == (0, 0, 0)
        assert await place.bus.receive(work, wait_s=0) == []
        assert await place.count(dead) == (1, 0, 0)
        assert await place.count(work) == (0, 0, 0)
        letter = await place.next(dead)
        assert (letter.message_id, letter.body, letter.attributes) == (ids[0], "one", ATTRIBUTES)
        assert [first.receive_count, second.receive_count, letter.receive_count] == [1, 2, 3]
        assert (letter.sent_at, letter.first_received_at) == (first.sent_at, first.first_received_at)
        assert letter.source_queue == work
        assert letter.dead_reason is not None
        assert letter.context["correlation_id"] == "c-1"

    async def test_a_buried_message_dies_at_once_and_says_why(self, place: Place):
        work, dead = place.names.work, f"{place.names.work}-dlq"
        with work_context(correlation_id="c-1"):
            ids = await place.send(work, QueueMessage("one", ATTRIBUTES))
        held = await place.next(work, visibility_s=LONG_S)
        await place.bus.bury(held, "not\x00 readable: \u20ac")
        assert await place.count(work) == (0, 0, 0)
        letter = await place.next(dead)
        assert (letter.message_id, letter.body, letter.attributes) == (ids[0], "one", ATTRIBUTES)
        assert letter.dead_reason == "not\ufffd readable: \u20ac"
        assert letter.source_queue == work
        assert letter.receive_count == 2
        assert _close(letter.sent_at, held.sent_at)
        assert _close(letter.first_received_at, held.first_received_at)
        assert letter.context["correlation_id"] == "c-1"

    async def test_ten_attributes_do_not_keep_a_message_from_being_buried(self, place: Place):
        attributes = {f"a{number}": Attribute("Number", str(number)) for number in range(10)}
        await place.send(place.names.work, QueueMessage("one", attributes))
        held = await place.next(place.names.work, visibility_s=LONG_S)
        await place.bus.bury(held, "because")
        letter = await place.next(f"{place.names.work}-dlq")
        assert letter.attributes == attributes
        assert letter.source_queue == place.names.work

    async def test_where_there_is_no_dead_letter_queue_burying_gives_back(self, place: Place):
        plain = place.names.plain
        await place.send(plain, "one")
        held = await place.next(plain, visibility_s=LONG_S)
        await place.bus.bury(held, "because")
        again = await place.next(plain)
        assert again.message_id == held.message_id
        with pytest.raises(BusRefusal):
            await place.bus.peek(plain, limit=1)

    async def test_looking_at_dead_letters_changes_nothing_and_goes_on_where_it_stopped(self, place: Place):
        work, dead = place.names.work, f"{place.names.work}-dlq"
        await _bury(place, "one", "two", "three")
        by_source = await place.bus.peek(work, limit=10)
        by_name = await place.bus.peek(dead, limit=10)
        ids = [one.message_id for one in by_source]
        assert sorted(one.body for one in by_source) == ["one", "three", "two"]
        assert [one.message_id for one in by_name] == ids
        assert {one.dead_reason for one in by_source} == {"why"}
        page = await place.bus.peek(dead, limit=1)
        rest = await place.bus.peek(dead, limit=10, after=page[0].message_id)
        assert [one.message_id for one in (*page, *rest)] == ids
        assert await place.bus.peek(dead, limit=10, after=ids[-1]) == []
        assert await place.count(dead) == (3, 0, 0)

    @pytest.mark.req(175)
    async def test_chosen_dead_letters_go_back_as_if_new(self, place: Place):
        work, dead = place.names.work, f"{place.names.work}-dlq"
        await _bury(place, "one", "two", "three")
        letters = {one.body: one.message_id for one in await place.bus.peek(work, limit=10)}
        assert await place.bus.redrive(work, [letters["one"], letters["three"]]) == 2
        back = await place.drain(work, 2)
        assert {one.body: one.message_id for one in back} == {name: letters[name] for name in ("one", "three")}
        assert {(one.receive_count, one.source_queue, one.dead_reason) for one in back} == {(1, None, None)}
        assert all(one.attributes == ATTRIBUTES for one in back)
        assert [one.body for one in await place.bus.peek(dead, limit=10)] == ["two"]
        assert await place.bus.redrive(work, [letters["one"]]) == 0

    async def test_a_letter_that_dies_again_says_how_often_it_went_back(self, place: Place):
        work = place.names.work
        await _bury(place, "one")
        for redrives in range(3):
            (letter,) = await place.bus.peek(work, limit=10)
            assert letter.redrives == redrives
            assert letter.entered_at is not None
            assert await place.bus.redrive(work, [letter.message_id]) == 1
            back = await place.next(work, visibility_s=LONG_S)
            await place.bus.bury(back, "why")

    async def test_a_message_that_died_by_itself_can_go_back_too(self, place: Place):
        work, dead = place.names.work, f"{place.names.work}-dlq"
        ids = await place.send(work, "one")
        for _ in range(2):
            await place.next(work, visibility_s=0)
        assert await place.bus.receive(work, wait_s=0) == []
        assert await place.bus.redrive(dead, ids) == 1
        (back,) = await place.drain(work, 1)
        assert (back.message_id, back.receive_count) == (ids[0], 1)

    async def test_discarded_dead_letters_are_gone_and_others_stay(self, place: Place):
        work = place.names.work
        await _bury(place, "one", "two")
        letters = {one.body: one.message_id for one in await place.bus.peek(work, limit=10)}
        assert await place.bus.discard(work, [letters["one"]]) == 1
        assert await place.bus.discard(work, [letters["one"]]) == 0
        assert [one.body for one in await place.bus.peek(work, limit=10)] == ["two"]

    async def test_dead_letters_of_an_unknown_queue_are_nobodys(self, place: Place):
        for call in (place.bus.peek("nowhere", limit=1), place.bus.redrive("nowhere", []), place.bus.discard("no", [])):
            with pytest.raises(NotFound):
                await call


async def _bury(place: Place, *bodies: str) -> None:
    await place.send(place.names.work, *(QueueMessage(body, ATTRIBUTES) for body in bodies))
    held = await place.take(place.names.work, len(bodies))
    for one in held:
        await place.bus.bury(one, "why")


def _close(one, other) -> bool:
    """To the millisecond, which is all that SQS keeps."""
    return bool(abs((one - other).total_seconds()) < 0.002)
