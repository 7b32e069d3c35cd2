"""Deletes and visibility changes that overlap a change of the same message which has not committed yet."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import asyncpg
import pytest

from sightline.bus import RegisteredQueue, StoredMessage
from support.sqs_rig import SqsRig
from support.waiting import soon, until

MakeQueue = Callable[[SqsRig], Awaitable[RegisteredQueue]]

HIDDEN = "UPDATE sightline.bus_messages SET visible_at = now() + interval '5 minutes' WHERE queue_id = $1"
RECEIVED_AGAIN = "UPDATE sightline.bus_messages SET receive_count = receive_count + 1 WHERE queue_id = $1"
DELETED = "DELETE FROM sightline.bus_messages WHERE queue_id = $1"


async def standard(sqs: SqsRig) -> RegisteredQueue:
    return await sqs.queue("jobs")


async def fifo(sqs: SqsRig) -> RegisteredQueue:
    return await sqs.fifo()


both_kinds = pytest.mark.parametrize("make", [standard, fifo])


@asynccontextmanager
async def changing(
    admin_url: str, statement: str, queue: RegisteredQueue, *, seq: int | None = None, waiting: int = 1
) -> AsyncIterator[None]:
    """A change of the queue's messages, or of one, that commits once so many statements of the block wait for locks."""
    other = await asyncpg.connect(admin_url)

    async def is_waited_for() -> bool:
        await other.execute("SELECT pg_stat_clear_snapshot()")  # a transaction sees the same activity again otherwise
        found: int = await other.fetchval(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        return found >= waiting

    async def commit_when_waited_for() -> None:
        async with other.transaction():
            await other.execute(f"{statement} AND seq = coalesce($2, seq)", queue.id, seq)
            is_changed.set()
            await until(is_waited_for)

    is_changed = asyncio.Event()
    committing = asyncio.create_task(commit_when_waited_for())
    try:
        await soon(is_changed.wait())
        yield
        await committing
    finally:
        await other.close()


async def received(sqs: SqsRig, queue: RegisteredQueue, count: int) -> list[StoredMessage]:
    groups = [f"{letter}1" for letter in "abcdefghij"[:count]]
    await (sqs.in_groups(queue, *groups) if queue.is_fifo else sqs.send(queue, *groups))
    found = await sqs.receive(queue, count)
    assert len(found) == count
    return found


@pytest.mark.req(646)
@both_kinds
async def test_a_delete_that_overlaps_a_visibility_change_deletes(use, sqs: SqsRig, make: MakeQueue):
    queue = await make(sqs)
    messages = await received(sqs, queue, 3)
    async with changing(use.admin_url, HIDDEN, queue):
        assert await soon(sqs.delete(queue, *messages)) == [None, None, None]
    assert await sqs.sizes(queue) == (0, 0, 0)


@pytest.mark.req(646)
@both_kinds
async def test_a_visibility_change_that_overlaps_another_one_takes_effect(use, sqs: SqsRig, make: MakeQueue):
    queue = await make(sqs)
    messages = await received(sqs, queue, 3)
    async with changing(use.admin_url, HIDDEN, queue):
        assert await soon(sqs.hide(queue, *messages, for_s=0)) == [None, None, None]
    assert await sqs.sizes(queue) == (3, 0, 0)


@pytest.mark.req(646)
async def test_a_delete_that_overlaps_a_new_receive_leaves_the_message_to_its_new_receiver(use, sqs: SqsRig):
    queue = await standard(sqs)
    messages = await received(sqs, queue, 2)
    async with changing(use.admin_url, RECEIVED_AGAIN, queue):
        assert await soon(sqs.delete(queue, *messages)) == [None, None]
    assert await sqs.sizes(queue) == (0, 2, 0)


@pytest.mark.req(646)
@both_kinds
async def test_a_delete_that_overlaps_another_one_is_no_error(use, sqs: SqsRig, make: MakeQueue):
    queue = await make(sqs)
    messages = await received(sqs, queue, 2)
    async with changing(use.admin_url, DELETED, queue):
        assert await soon(sqs.delete(queue, *messages)) == [None, None]


@pytest.mark.req(646)
@both_kinds
async def test_a_visibility_change_that_overlaps_a_delete_says_that_the_message_is_gone(
    use, sqs: SqsRig, make: MakeQueue
):
    queue = await make(sqs)
    messages = await received(sqs, queue, 2)
    async with changing(use.admin_url, DELETED, queue):
        refused = await soon(sqs.hide(queue, *messages, for_s=30))
    assert all(one is not None and "Message does not exist" in one for one in refused)


@pytest.mark.req(646)
async def test_requests_that_name_the_same_messages_in_opposite_orders_do_not_deadlock(use, sqs: SqsRig):
    queue = await standard(sqs)
    messages = await received(sqs, queue, 9)
    async with changing(use.admin_url, HIDDEN, queue, seq=messages[4].receive_key[0], waiting=2):
        hidden, deleted = await soon(
            asyncio.gather(sqs.hide(queue, *messages, for_s=60), sqs.delete(queue, *reversed(messages)))
        )
    assert deleted == [None] * 9
    assert all(one is None or "Message does not exist" in one for one in hidden)
    assert await sqs.sizes(queue) == (0, 0, 0)
