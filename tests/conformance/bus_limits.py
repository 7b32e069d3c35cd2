"""What the bus carries unchanged, and what it refuses."""

from typing import Any

import pytest

from conformance.bus import BusHarness, Suite
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
    async def test_256_kb_are_accepted_and_a_byte_more_is_rejected(self, harness: BusHarness):
        attributes = {"name": Attribute("String", "value")}  # counts with its name, type and value: 15 bytes
        await harness.send(harness.names.plain, QueueMessage("é" * ((LIMIT - 16) // 2) + "x", attributes))
        (received,) = await harness.drain(harness.names.plain, 1)
        assert len(received.body.encode()) == LIMIT - 15
        async with harness.transaction() as tx:
            with pytest.raises(MessageTooLarge):
                await harness.bus.send(tx, harness.names.plain, QueueMessage("x" * (LIMIT - 14), attributes))

    async def test_a_message_arrives_unchanged(self, harness: BusHarness):
        attributes = {
            "Text": Attribute("String", "ação \U0001f3a5"),
            "Number": Attribute("Number", "-1.5e3"),
            "Bytes": Attribute("Binary", b"\x00\xff"),
            "List": Attribute("String.Array", '["a", 1, null]'),
        }
        with work_context(correlation_id="c-1"):
            ids = await harness.send(harness.names.plain, QueueMessage('{"a": "\t\n\u20ac \U0001f3a5"}', attributes))
        received = await harness.next(harness.names.plain)
        assert received.message_id == ids[0]
        assert received.body == '{"a": "\t\n\u20ac \U0001f3a5"}'
        assert received.attributes == attributes
        assert received.context["correlation_id"] == "c-1"
        assert (received.queue, received.source_queue, received.dead_reason) == (harness.names.plain, None, None)

    async def test_ten_attributes_arrive_although_the_context_does_not_fit(self, harness: BusHarness):
        attributes = {f"a{number}": Attribute("Number", str(number)) for number in range(10)}
        with work_context(correlation_id="c-1"):
            await harness.send(harness.names.plain, QueueMessage("one", attributes))
        received = await harness.next(harness.names.plain)
        assert received.attributes == attributes

    async def test_an_invalid_message_rejects_the_whole_call(self, harness: BusHarness):
        for message in NOT_TO_BE_CARRIED:
            async with harness.transaction() as tx:
                with pytest.raises(BusRefusal):
                    await harness.bus.send(tx, harness.names.plain, QueueMessage("good"), message)
        await harness.settle()
        assert await harness.count(harness.names.plain) == (0, 0, 0)

    async def test_numbers_out_of_range_are_rejected(self, harness: BusHarness):
        for numbers in OUT_OF_RANGE:
            with pytest.raises(BusRefusal):
                await harness.bus.receive(harness.names.plain, **numbers)

    async def test_a_visibility_beyond_twelve_hours_is_rejected(self, harness: BusHarness):
        await harness.send(harness.names.plain, "one")
        held = await harness.next(harness.names.plain)
        with pytest.raises(BusRefusal):
            await harness.bus.change_visibility(harness.names.plain, [held.receipt], 43_201)

    async def test_an_unknown_queue_is_named(self, harness: BusHarness):
        async with harness.transaction() as tx:
            with pytest.raises(NotFound, match="nowhere"):
                await harness.bus.send(tx, "nowhere", QueueMessage("one"))
        for call in (
            harness.bus.receive("nowhere"),
            harness.bus.purge("nowhere"),
            harness.bus.delete("nowhere", ["x"]),
        ):
            with pytest.raises(NotFound, match="nowhere"):
                await call
