"""Single enqueues that share a commit."""

import asyncio
from uuid import UUID, uuid4

from sightline.contracts.jobs import SegmentIndex
from sightline.db import Database
from sightline.errors import InvalidInput
from sightline.jobs.grouped import GroupedEnqueue


class _Unknown(SegmentIndex):
    job_type = "juggle"


async def test_each_caller_gets_its_own_job_and_few_commits_serve_many(database: Database):
    grouped = GroupedEnqueue(database)
    async with database.transaction() as tx:
        before = await tx.fetchval("SELECT pg_current_xact_id()::text::bigint")
    answers = await asyncio.gather(*(grouped.enqueue(SegmentIndex(video_id=uuid4())) for _ in range(300)))
    async with database.transaction() as tx:
        after = await tx.fetchval("SELECT pg_current_xact_id()::text::bigint")
        assert await tx.fetchval("SELECT count(*) FROM jobs") == 300
    assert len({answer.id for answer in answers}) == 300
    assert after - before < 30


async def test_a_job_that_is_active_already_is_answered_with_its_id(database: Database):
    grouped = GroupedEnqueue(database)
    video = UUID(int=4)
    answers = await asyncio.gather(*(grouped.enqueue(SegmentIndex(video_id=video)) for _ in range(10)))
    assert len({answer.id for answer in answers}) == 1
    assert [answer.is_new for answer in answers].count(True) == 1


async def test_one_bad_job_does_not_spoil_the_others(database: Database):
    grouped = GroupedEnqueue(database)
    answers = await asyncio.gather(
        *(grouped.enqueue(SegmentIndex(video_id=uuid4())) for _ in range(5)),
        grouped.enqueue(_Unknown(video_id=uuid4())),
        return_exceptions=True,
    )
    assert isinstance(answers[-1], InvalidInput)
    assert not any(isinstance(answer, BaseException) for answer in answers[:-1])
