"""Waiting receives of one queue: one wait and one claim for all of them."""

import asyncio
from collections import Counter

import pytest

from sightline.bus import NewQueueMessage
from sightline.bus.postgres import queues as postgres_queues
from support.sqs_rig import SqsRig
from support.waiting import until


@pytest.fixture
def claims(sqs: SqsRig, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often the database was asked for messages, and for the next due time. Nobody looks again by himself."""
    counts: Counter[str] = Counter()
    claim_now, next_due_s = sqs.bus.claim_now, sqs.bus.next_due_s

    async def counted_claim(*arguments, **named):
        counts["claim"] += 1
        return await claim_now(*arguments, **named)

    async def counted_due(*arguments):
        counts["due"] += 1
        return await next_due_s(*arguments)

    monkeypatch.setattr(postgres_queues, "POLL_S", 3600.0)
    monkeypatch.setattr(sqs.bus, "claim_now", counted_claim)
    monkeypatch.setattr(sqs.bus, "next_due_s", counted_due)
    return counts


def waiting_in(sqs: SqsRig) -> int:
    return sum(len(one.requests) for one in sqs.bus._receives._queues.values())


@pytest.mark.req(474)
async def test_a_thousand_waiting_receives_cost_one_claim_and_a_message_goes_to_one_of_them(sqs: SqsRig, claims):
    queue = await sqs.queue("jobs")
    waiting = [asyncio.create_task(sqs.bodies(queue, 1, wait_s=20)) for _ in range(1000)]
    await until(lambda: claims["due"] > 0)
    asked = claims["claim"]
    assert asked <= 2
    assert waiting_in(sqs) == 1000
    await sqs.send(queue, "one", "two")
    await until(lambda: sum(task.done() for task in waiting) == 2)
    assert claims["claim"] - asked <= 2
    assert [task.result() for task in waiting[:2]] == [["one"], ["two"]]  # those who waited longest
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)


@pytest.mark.req(474)
async def test_receives_of_one_moment_share_a_claim_and_no_message(sqs: SqsRig, claims):
    queue = await sqs.queue("jobs")
    await sqs.send(queue, *(NewQueueMessage(str(number)) for number in range(95)))
    found = await asyncio.gather(*(sqs.bodies(queue) for _ in range(12)))
    assert sorted(map(len, found), reverse=True) == [10] * 9 + [5, 0, 0]
    assert sorted(int(body) for bodies in found for body in bodies) == list(range(95))
    assert claims["claim"] <= 2


@pytest.mark.req(474)
async def test_each_receive_keeps_its_own_visibility(sqs: SqsRig):
    queue = await sqs.queue("jobs")
    await sqs.send(queue, "one", "two")
    held, shown = await asyncio.gather(sqs.bodies(queue, 1, visibility_s=600), sqs.bodies(queue, 1, visibility_s=0))
    assert (held, shown) == (["one"], ["two"])
    assert await sqs.bodies(queue) == ["two"]


@pytest.mark.req(474)
async def test_a_receiver_that_goes_away_takes_no_message_with_it(sqs: SqsRig):
    queue = await sqs.queue("jobs", VisibilityTimeout="600")
    for _ in range(20):
        gone = asyncio.create_task(sqs.bodies(queue, wait_s=20))
        await until(lambda: waiting_in(sqs) == 1)
        sending = asyncio.create_task(sqs.send(queue, "one"))
        await asyncio.wait((sending, gone), return_when=asyncio.FIRST_COMPLETED)
        gone.cancel()  # at any moment between the send and the result
        await asyncio.gather(sending, gone, return_exceptions=True)
        if gone.cancelled():
            assert await sqs.bodies(queue, wait_s=20) == ["one"]
        async with sqs.database.transaction() as tx:
            await tx.execute("DELETE FROM sightline.bus_messages")


@pytest.mark.req(474)
async def test_a_delay_or_a_visibility_that_ends_wakes_a_waiting_receive(sqs: SqsRig, claims):
    queue = await sqs.queue("jobs")
    await sqs.send(queue, NewQueueMessage("late", delay_s=1))
    (late,) = await sqs.receive(queue, wait_s=20)
    waiting = asyncio.create_task(sqs.bodies(queue, wait_s=20))
    await until(lambda: waiting_in(sqs) == 1)
    assert await sqs.hide(queue, late, for_s=1) == [None]
    assert await waiting == ["late"]


@pytest.mark.req(474)
async def test_deleting_a_queue_ends_those_who_wait_for_it(sqs: SqsRig):
    queue = await sqs.queue("jobs")
    waiting = asyncio.create_task(sqs.bodies(queue, wait_s=20))
    await until(lambda: waiting_in(sqs) == 1)
    await sqs.queues.control.delete(sqs.account, "jobs")
    with pytest.raises(Exception, match="does not exist"):
        await waiting
