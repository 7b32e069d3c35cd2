"""What the bus carries unchanged, and what it refuses."""

from typing import Any

import pytest

from conformance.bus import Place, Suite
from sightline.bus import Attribute, BusRefusal, MessageTooLarge, QueueMessage
from sightline.errors import NotFound
from sightline.observability import work_context

LIMIT = 256 * 1024
NOT_TO_BE_CARRIED = (
    QueueMessage(""),
    QueueMessage("a\x01b"),
    QueueMessage("a\ufffe"),
    QueueMessage("x", {f"a{number}": Attribute("String", "x") for number in range(11)}),
    QueueMessage("x", {"a": Attribute("String", "")}),
    QueueMessage("x", {"AWS.a": Attribute("String", "x")}),
    QueueMessage("x", {"a..b": Attribute("String", "x")}),
    QueueMessage("x", {"a": Attribute("Number", "abc")}),
    QueueMessage("x", {"a": Attribute("Text", "x")}),
    QueueMessage("x", delay_s=901),
    QueueMessage("x", delay_s=-1),
)
OUT_OF_RANGE: tuple[dict[str, Any], ...] = (
    *({"limit": 0}, {"limit": 11}, {"wait_s": 21}, {"wait_s": -1}, {"visibility_s": 43_201}, {"visibility_s": -1}),
)


class LimitSuite(Suite):
    @pytest.mark.req(169)
    async def test_256_kb_are_carried_and_a_byte_more_is_refused(self, place: Place):
        attributes = {"name": Attribute("String", "value")}  # counts with its name, type and value: 15 bytes
        await place.send(place.names.plain, QueueMessage("é" * ((LIMIT - 16) // 2) + "x", attributes))
        (received,) = await place.drain(place.names.plain, 1)
        assert len(received.body.encode()) == LIMIT - 15
        async with place.transaction() as tx:
            with pytest.raises(MessageTooLarge):
                await place.bus.send(tx, place.names.plain, QueueMessage("x" * (LIMIT - 14), attributes))

    async def test_what_is_sent_arrives_as_it_was(self, place: Place):
        attributes = {
            "Text": Attribute("String", "ação \U0001f3a5"),
            "Number": Attribute("Number", "-1.5e3"),
            "Bytes": Attribute("Binary", b"\x00\xff"),
            "List": Attribute("String.Array", '["a", 1, null]'),
        }
        with work_context(correlation_id="c-1"):
            ids = await place.send(place.names.plain, QueueMessage('{"a": "\t\n\u20ac \U0001f3a5"}', attributes))
        received = await place.next(place.names.plain)
        assert received.message_id == ids[0]
        assert received.body == '{"a": "\t\n\u20ac \U0001f3a5"}'
        assert received.attributes == attributes
        assert received.context["correlation_id"] == "c-1"
        assert (received.queue, received.source_queue, received.dead_reason) == (place.names.plain, None, None)

    async def test_ten_attributes_leave_no_room_for_context_and_arrive_all_the_same(self, place: Place):
        attributes = {f"a{number}": Attribute("Number", str(number)) for number in range(10)}
        with work_context(correlation_id="c-1"):
            await place.send(place.names.plain, QueueMessage("one", attributes))
        received = await place.next(place.names.plain)
        assert received.attributes == attributes

    async def test_what_cannot_be_carried_is_refused_with_all_that_came_with_it(self, place: Place):
        for message in NOT_TO_BE_CARRIED:
            async with place.transaction() as tx:
                with pytest.raises(BusRefusal):
                    await place.bus.send(tx, place.names.plain, QueueMessage("good"), message)
        await place.settle()
        assert await place.count(place.names.plain) == (0, 0, 0)

    async def test_numbers_out_of_range_are_refused(self, place: Place):
        for numbers in OUT_OF_RANGE:
            with pytest.raises(BusRefusal):
                await place.bus.receive(place.names.plain, **numbers)

    async def test_a_visibility_beyond_twelve_hours_is_refused(self, place: Place):
        await place.send(place.names.plain, "one")
        held = await place.next(place.names.plain)
        with pytest.raises(BusRefusal):
            await place.bus.change_visibility(place.names.plain, [held.receipt], 43_201)

    async def test_an_unknown_queue_is_named(self, place: Place):
        async with place.transaction() as tx:
            with pytest.raises(NotFound, match="nowhere"):
                await place.bus.send(tx, "nowhere", QueueMessage("one"))
        for call in (place.bus.receive("nowhere"), place.bus.purge("nowhere"), place.bus.delete("nowhere", ["x"])):
            with pytest.raises(NotFound, match="nowhere"):
                await call
