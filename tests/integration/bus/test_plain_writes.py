"""Sends and deletes of the same moment share a statement; what is wrong with one of them concerns no other."""

import asyncio

import pytest

from sightline.errors import NotFound
from support.sqs_rig import SqsRig


@pytest.mark.req(1120)
async def test_a_send_to_a_queue_that_is_gone_fails_alone(sqs: SqsRig):
    jobs, gone = await sqs.queue("jobs"), await sqs.queue("gone")
    await sqs.send(jobs, "first", "second")
    received = await sqs.receive(jobs)
    await sqs.queues.control.delete(sqs.account, "gone")
    sent, refused, deleted = await asyncio.gather(
        sqs.send(jobs, "third"), sqs.send(gone, "lost"), sqs.delete(jobs, *received), return_exceptions=True
    )
    assert isinstance(refused, NotFound)
    assert isinstance(sent, list)
    assert deleted == [None, None]
    assert await sqs.sizes(jobs) == (1, 0, 0)
    assert await sqs.bodies(jobs) == ["third"]


@pytest.mark.req(1120)
async def test_messages_are_added_once_beside_deletes_that_find_nothing(sqs: SqsRig):
    jobs = await sqs.queue("jobs")
    await sqs.send(jobs, "first")
    old = await sqs.receive(jobs)
    await sqs.let_visibility_end(jobs)
    again = await sqs.receive(jobs)
    _, stale, deleted = await asyncio.gather(
        sqs.send(jobs, "second"), sqs.delete(jobs, *old), sqs.delete(jobs, *again), return_exceptions=True
    )
    assert stale == deleted == [None]
    assert await sqs.sizes(jobs) == (1, 0, 0)
    assert await sqs.bodies(jobs) == ["second"]
