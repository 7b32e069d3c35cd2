"""FIFO queues of clients: order within a group, one receiver of a group at a time, no duplicates."""

import asyncio
from datetime import timedelta

import pytest

from sightline.bus import BusRefusal, NewQueueMessage
from support.sqs_rig import SqsRig
from support.waiting import until


@pytest.mark.req(470)
async def test_messages_of_a_group_wait_for_the_one_before_them_and_other_groups_do_not(sqs: SqsRig):
    queue = await sqs.fifo()
    await sqs.in_groups(queue, "a1", "a2", "b1", "a3", "b2")
    (first,) = await sqs.receive(queue, 1)
    assert first.body == "a1"
    assert await sqs.bodies(queue) == ["b1", "b2"]
    assert await sqs.bodies(queue) == []
    assert await sqs.delete(queue, first) == [None]
    assert await sqs.bodies(queue) == ["a2", "a3"]


@pytest.mark.req(470)
async def test_of_a_batch_that_is_partly_visible_again_the_front_is_received(sqs: SqsRig):
    queue = await sqs.fifo()
    await sqs.in_groups(queue, "a1", "a2", "a3")
    one, two, _ = await sqs.receive(queue)
    await sqs.hide(queue, two, for_s=0)
    assert await sqs.bodies(queue) == []
    await sqs.hide(queue, one, for_s=0)
    assert await sqs.bodies(queue) == ["a1", "a2"]


async def test_groups_take_turns(sqs: SqsRig):
    queue = await sqs.fifo()
    await sqs.in_groups(queue, "a1", "a2", "b1", "c1")
    received = [(await sqs.receive(queue, 1))[0] for _ in range(3)]
    assert [one.body for one in received] == ["a1", "b1", "c1"]
    await sqs.delete(queue, *received)
    assert await sqs.bodies(queue, 1) == ["a2"]


@pytest.mark.req(470)
async def test_a_receipt_ends_with_the_visibility(sqs: SqsRig):
    queue = await sqs.fifo()
    await sqs.in_groups(queue, "a1")
    (old,) = await sqs.receive(queue)
    await sqs.let_visibility_end(queue)
    for refused in (await sqs.delete(queue, old), await sqs.hide(queue, old, for_s=10)):
        assert "The receipt handle has expired." in str(refused[0])
    (again,) = await sqs.receive(queue)
    assert (again.message_id, again.receive_count) == (old.message_id, 2)
    assert "expired" in str((await sqs.delete(queue, old))[0])
    assert await sqs.delete(queue, again, again) == [None, None]
    assert await sqs.delete(queue, again) == [None]
    assert await sqs.sizes(queue) == (0, 0, 0)


@pytest.mark.req(471)
async def test_a_repeated_message_is_accepted_once_with_the_number_of_the_first(sqs: SqsRig):
    queue = await sqs.fifo(ContentBasedDeduplication="true")
    (first,) = await sqs.send(queue, NewQueueMessage("same", group_id="a"))
    repeated = await sqs.send(
        queue,
        NewQueueMessage("same", group_id="b"),
        NewQueueMessage("x", group_id="a"),
        NewQueueMessage("x", group_id="b"),
    )
    assert repeated[0] == first
    assert repeated[1] == repeated[2]
    assert int(repeated[1].sequence_number or 0) > int(first.sequence_number or 0) > 0
    received = await sqs.receive(queue)
    assert [one.body for one in received] == ["same", "x"]
    await sqs.delete(queue, *received)
    await sqs.send(queue, NewQueueMessage("same", group_id="a"))
    assert await sqs.bodies(queue) == []


@pytest.mark.req(471)
async def test_after_five_minutes_a_message_is_no_repetition(sqs: SqsRig):
    queue = await sqs.fifo()
    message = NewQueueMessage("one", group_id="a", deduplication_id="1")
    (first,) = await sqs.send(queue, message)
    async with sqs.database.transaction() as tx:
        await tx.execute("UPDATE sightline.bus_deduplications SET until = until - $1::interval", timedelta(minutes=5))
    (second,) = await sqs.send(queue, message)
    assert second.message_id != first.message_id
    assert await sqs.bodies(queue) == ["one", "one"]


@pytest.mark.req(471)
async def test_with_deduplication_per_group_equal_ids_of_two_groups_are_two_messages(sqs: SqsRig):
    queue = await sqs.fifo(DeduplicationScope="messageGroup", FifoThroughputLimit="perMessageGroupId")
    same = [NewQueueMessage(f"{group}", group_id=group, deduplication_id="1") for group in "aba"]
    await sqs.send(queue, *same)
    assert await sqs.bodies(queue) == ["a", "b"]


@pytest.mark.req(471)
@pytest.mark.parametrize(
    ("message", "text"),
    [
        (NewQueueMessage("x", deduplication_id="1"), "must contain the parameter MessageGroupId"),
        (NewQueueMessage("x", group_id="a"), "should either have ContentBasedDeduplication enabled"),
        (NewQueueMessage("x", group_id="a", deduplication_id="1", delay_s=2), "not valid for this queue type"),
        (NewQueueMessage("x", group_id="a b", deduplication_id="1"), "alphanumeric and punctuation"),
        (NewQueueMessage("x", group_id="a", deduplication_id=""), "alphanumeric and punctuation"),
    ],
)
async def test_a_fifo_queue_refuses(sqs: SqsRig, message: NewQueueMessage, text: str):
    queue = await sqs.fifo()
    with pytest.raises(BusRefusal, match=text):
        await sqs.send(queue, message)


async def test_the_delay_of_the_queue_keeps_the_order(sqs: SqsRig):
    queue = await sqs.fifo(DelaySeconds="900")
    await sqs.in_groups(queue, "a1")
    await sqs.queues.control.set_attributes(sqs.account, "jobs.fifo", {"DelaySeconds": "0"})
    changed = await sqs.queues.control.find(sqs.account, "jobs.fifo")
    await sqs.in_groups(changed, "a2", "b1")
    assert await sqs.sizes(queue) == (2, 0, 1)
    assert await sqs.bodies(queue) == ["b1"]
    await sqs.let_visibility_end(queue)
    assert await sqs.bodies(queue) == ["a1", "a2", "b1"]


@pytest.mark.req(470)
async def test_deleting_wakes_those_who_wait_for_the_rest_of_the_group(sqs: SqsRig):
    queue = await sqs.fifo()
    await sqs.in_groups(queue, "a1", "a2")
    (first,) = await sqs.receive(queue, 1)
    waiting = asyncio.create_task(sqs.bodies(queue, wait_s=20))
    await until(lambda: "111111111111/jobs.fifo" in sqs.bus._waiters._waiting)
    assert not waiting.done()
    await sqs.delete(queue, first)
    assert await waiting == ["a2"]


async def test_poison_goes_to_the_dead_letters_and_frees_its_group(sqs: SqsRig):
    dead = await sqs.fifo("dead.fifo")
    policy = f'{{"deadLetterTargetArn": "{sqs.queues.names.queue_arn(dead.name)}", "maxReceiveCount": 1}}'
    queue = await sqs.fifo(RedrivePolicy=policy)
    await sqs.in_groups(queue, "a1", "a2")
    assert await sqs.bodies(queue, 1) == ["a1"]
    await sqs.let_visibility_end(queue)
    assert await sqs.bodies(queue) == ["a2"]
    (letter,) = await sqs.receive(dead)
    assert (letter.body, letter.lane, letter.source_queue) == ("a1", "a", queue.name)


async def test_a_receive_repeated_with_its_attempt_id_returns_the_same_messages(sqs: SqsRig):
    queue = await sqs.fifo()
    await sqs.in_groups(queue, "a1", "b1")
    first = await sqs.receive(queue, 1, attempt_id="try-1")
    assert await sqs.receive(queue, 1, attempt_id="try-1") == first
    assert await sqs.bodies(queue, 1, attempt_id="try-2") == ["b1"]
    await sqs.delete(queue, *first)
    await sqs.in_groups(queue, "a2")
    assert await sqs.bodies(queue, attempt_id="try-1") == ["a2"]


@pytest.mark.req(470)
async def test_many_senders_and_receivers_keep_the_order_of_every_group(sqs: SqsRig):
    queue = await sqs.fifo()
    groups, count = "abcde", 40
    received: dict[str, list[str]] = {group: [] for group in groups}
    in_work: set[str] = set()

    async def send(group: str) -> None:
        for number in range(count):
            await sqs.in_groups(queue, f"{group}{number:03}")

    async def consume() -> None:
        while sum(map(len, received.values())) < len(groups) * count:
            found = await sqs.receive(queue, 3, wait_s=1, visibility_s=600)
            mine = {str(one.lane) for one in found}
            assert in_work.isdisjoint(mine), "a group has two receivers"
            in_work.update(mine)
            await asyncio.sleep(0)
            for one in found:
                received[str(one.lane)].append(one.body)
            in_work.difference_update(mine)  # before the delete: from then on another may have the group
            await sqs.delete(queue, *found)

    await asyncio.gather(*map(send, groups), *(consume() for _ in range(4)))
    assert received == {group: [f"{group}{number:03}" for number in range(count)] for group in groups}
