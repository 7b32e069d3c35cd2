"""Retention: messages go when their queue has kept them long enough, and a dead letter has a clock of its own."""

import pytest

from sightline.bus import BusMetrics, Queue, QueueWatch, Topology
from sightline.observability import create_registry, render
from support.integration_bus import send

TOPOLOGY = Topology(topics=(), queues=(Queue("short", visibility_s=600, wait_s=0, retention_s=60, max_receives=1),))


async def _age(use, seconds: int) -> None:
    async with use.database.transaction() as tx:
        await tx.execute(
            "UPDATE sightline.bus_messages SET entered_at = entered_at - make_interval(secs => $1),"
            " sent_at = sent_at - make_interval(secs => $1), visible_at = now()",
            float(seconds),
        )


@pytest.mark.req(166)
async def test_a_message_is_deleted_after_the_retention_of_its_queue_and_not_before(open_bus):
    use = await open_bus(TOPOLOGY)
    await send(use, "short", "old")
    await _age(use, 59)
    assert await use.bus.sweep() == 0
    await _age(use, 2)
    assert await use.bus.sweep() == 1
    assert await use.counts("short") == (0, 0, 0)


@pytest.mark.req(166)
async def test_a_message_in_flight_expires_too_and_deleting_it_then_is_no_error(open_bus):
    use = await open_bus(TOPOLOGY)
    await send(use, "short", "old")
    (held,) = await use.bus.receive("short", wait_s=0)
    await _age(use, 61)
    assert await use.bus.sweep() == 1
    assert await use.bus.delete("short", [held.receipt]) == []


@pytest.mark.req(174)
async def test_a_dead_letter_is_not_lost_right_after_it_was_moved(open_bus):
    use = await open_bus(TOPOLOGY)
    await send(use, "short", "poison")
    await use.bus.receive("short", wait_s=0)
    await _age(use, 59)
    assert await use.bus.receive("short", wait_s=0) == []
    assert await use.bus.sweep() == 0
    (letter,) = await use.bus.peek("short", limit=1)
    assert letter.entered_at is not None
    assert (letter.entered_at - letter.sent_at).total_seconds() > 50


@pytest.mark.req(176)
async def test_a_dead_letter_raises_the_alarm_until_it_is_gone(open_bus):
    use = await open_bus(TOPOLOGY)
    registry = create_registry()
    watch = QueueWatch(use.bus, BusMetrics(registry))
    await send(use, "short", "poison")
    (received,) = await use.bus.receive("short", wait_s=0)
    await use.bus.bury(received, "no good")
    await watch.measure()
    assert b'sightline_bus_dead_letter_alarm{queue="short-dlq"} 1.0' in render(registry)
    await use.bus.discard("short", [received.message_id])
    await watch.measure()
    assert b'sightline_bus_dead_letter_alarm{queue="short-dlq"} 0.0' in render(registry)
