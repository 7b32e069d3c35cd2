"""Enqueuing: part of the caller's transaction, once per video and pipeline step, in bulk as one by one."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest

from sightline.contracts.jobs import PIPELINE_TYPES, Transcode
from sightline.db import open_database
from sightline.errors import InvalidInput
from sightline.jobs import JobQueue, NewJob
from support.postgres import patient_settings
from support.waiting import until

ALL_TYPES = (*PIPELINE_TYPES, "clip_generate")


async def enqueue_many(use, *payloads, **options):
    async with use.database.transaction() as tx:
        return await use.queue.enqueue_many(tx, [NewJob(one, **options) for one in payloads])


@pytest.mark.req(60)
@pytest.mark.parametrize("job_type", ALL_TYPES)
async def test_a_job_is_queued_with_what_was_given_and_the_documents_defaults(use, job_type):
    payload = use.payload(job_type)
    enqueued = await use.enqueued(payload)
    assert enqueued.is_new
    row = await use.row(enqueued.id)
    assert (row["job_type"], row["status"], row["video_id"]) == (job_type, "queued", payload.video_id)
    assert row["payload"] == payload.to_json()
    assert (row["priority"], row["retry_count"], row["progress"]) == (0, 0, 0)
    assert (row["run_after"], row["depends_on"], row["locked_by"], row["started_at"]) == (None, None, None, None)
    assert await use.history(enqueued.id) == ["queued"]


@pytest.mark.req(78)
async def test_a_transaction_that_is_rolled_back_leaves_no_job(use):
    class Undo(Exception):
        pass

    with pytest.raises(Undo):
        async with use.database.transaction() as tx:
            await use.queue.enqueue(tx, use.payload())
            await use.queue.enqueue_many(tx, [NewJob(use.payload()) for _ in range(10)])
            raise Undo
    assert await use.value("SELECT count(*) FROM jobs") == 0


@pytest.mark.req(78)
async def test_a_job_is_seen_by_workers_only_when_its_transaction_has_committed(use):
    async with use.database.transaction() as tx:
        await use.queue.enqueue(tx, use.payload())
        assert await use.claim() == []
    assert len(await use.claim()) == 1


# Once per video and step -----------------------------------------------------------------------------------------


@pytest.mark.req(76)
@pytest.mark.parametrize("job_type", PIPELINE_TYPES)
async def test_a_second_pipeline_job_yields_the_first_while_that_is_queued_or_processing(use, job_type):
    payload = use.payload(job_type)
    first = await use.enqueued(payload)
    again = await use.enqueued(payload)
    assert (again.id, again.is_new) == (first.id, False)
    job = await use.claim_one(job_type)
    again = await use.enqueued(payload)
    assert (again.id, again.is_new) == (first.id, False)
    assert await use.finish(job)
    later = await use.enqueued(payload)
    assert later.is_new
    assert later.id != first.id


@pytest.mark.req(76)
async def test_a_job_that_waits_for_its_retry_is_still_the_one(use):
    payload = use.payload("ocr")
    first = await use.enqueue(payload)
    await use.retry_later(await use.claim_one("ocr"))
    assert await use.enqueue(payload) == first


@pytest.mark.req(76)
async def test_a_job_failed_for_good_does_not_stand_in_the_way(use):
    payload = use.payload("ocr")
    first = await use.enqueue(payload)
    await use.fail(await use.claim_one("ocr"))
    again = await use.enqueued(payload)
    assert again.is_new
    assert again.id != first


@pytest.mark.req(76)
async def test_other_videos_and_other_steps_have_jobs_of_their_own(use):
    video = uuid4()
    ids = [await use.enqueue(use.payload(one, video)) for one in PIPELINE_TYPES]
    ids += [await use.enqueue(use.payload(one)) for one in PIPELINE_TYPES]
    assert len(set(ids)) == 8


@pytest.mark.req(77)
async def test_clips_of_one_video_are_made_side_by_side(use):
    video = uuid4()
    ids = {await use.enqueue(use.payload("clip_generate", video)) for _ in range(5)}
    assert len(ids) == 5
    assert {job.id for job in await use.claim(limit=10)} == ids


@pytest.mark.req(76)
async def test_a_bulk_enqueue_returns_known_and_new_jobs_in_order(use):
    known = [use.payload("ocr") for _ in range(3)]
    first = [await use.enqueue(one) for one in known]
    new = [use.payload("ocr") for _ in range(3)]
    payloads = [new[0], known[2], new[1], known[0], known[1], new[2]]
    answers = await enqueue_many(use, *payloads)
    assert [one.is_new for one in answers] == [True, False, True, False, False, True]
    assert [answers[3].id, answers[4].id, answers[1].id] == first
    for payload, answer in zip(payloads, answers, strict=True):
        assert (await use.row(answer.id))["video_id"] == payload.video_id


@pytest.mark.req(76, 77)
async def test_within_one_bulk_the_first_of_each_video_and_step_wins(use):
    video = uuid4()
    twice = Transcode(video_id=video, s3_original_path="second")
    answers = await enqueue_many(
        use,
        use.payload("transcode", video),
        use.payload("clip_generate", video),
        twice,
        use.payload("sample", video),
        use.payload("clip_generate", video),
        twice,
    )
    assert [one.is_new for one in answers] == [True, True, False, True, True, False]
    assert answers[0].id == answers[2].id == answers[5].id
    assert (await use.row(answers[0].id))["payload"]["s3_original_path"] != "second"
    assert await use.value("SELECT count(*) FROM jobs") == 4


@pytest.mark.req(76)
async def test_twenty_transactions_at_once_make_one_job(use, fresh_database):
    database = await open_database(patient_settings(pool_max=20), fresh_database.url)
    queue = JobQueue(database)
    payload = use.payload("transcode")
    together = asyncio.Barrier(20)

    async def enqueue():
        async with database.transaction() as tx:
            await tx.fetchval("SELECT 1")
            await together.wait()
            return await queue.enqueue(tx, payload)

    answers = await asyncio.gather(*(enqueue() for _ in range(20)))
    database.terminate()
    assert len({one.id for one in answers}) == 1
    assert [one.is_new for one in answers].count(True) == 1
    assert await use.value("SELECT count(*) FROM jobs") == 1


@pytest.mark.req(76)
async def test_when_the_first_is_rolled_back_the_second_becomes_the_job(use):
    payload = use.payload("ocr")
    first_is_in, second_waits = asyncio.Event(), asyncio.Event()

    async def first():
        async with use.database.transaction() as tx:
            await use.queue.enqueue(tx, payload)
            first_is_in.set()
            await second_waits.wait()
            raise RuntimeError("undone")

    async def second():
        await first_is_in.wait()
        return await use.enqueued(payload)

    tasks = [asyncio.create_task(first()), asyncio.create_task(second())]

    async def is_waiting():
        return await use.value(
            "SELECT EXISTS (SELECT 1 FROM pg_locks JOIN pg_stat_activity USING (pid)"
            " WHERE NOT granted AND datname = current_database())"
        )

    await until(is_waiting)
    second_waits.set()
    outcome: list[Any] = await asyncio.gather(*tasks, return_exceptions=True)
    assert isinstance(outcome[0], RuntimeError)
    assert outcome[1].is_new
    assert await use.status(outcome[1].id) == "queued"


@pytest.mark.req(76)
async def test_when_the_active_job_finishes_at_that_moment_a_new_one_is_made(use):
    """Between meeting the active job and asking for its id, that job may become done."""
    payload = use.payload("ocr")
    standing = await use.enqueue(payload)
    job = await use.claim_one("ocr")

    class Meddling:
        """A transaction during which the active job finishes as soon as it is looked up."""

        def __init__(self, tx):
            self._tx = tx

        def __getattr__(self, name):
            return getattr(self._tx, name)

        async def fetchval(self, statement, *arguments):
            await use.finish(job)
            return await self._tx.fetchval(statement, *arguments)

    async with use.database.transaction() as tx:
        answer = await use.queue.enqueue(Meddling(tx), payload)
    assert answer.is_new
    assert answer.id != standing
    assert await use.statuses([standing, answer.id]) == ["done", "queued"]


@pytest.mark.req(76)
async def test_bulks_that_meet_in_opposite_order_do_not_wait_for_each_other(use):
    payloads = [use.payload("ocr") for _ in range(300)]
    for _ in range(5):
        forward, backward = await asyncio.gather(enqueue_many(use, *payloads), enqueue_many(use, *reversed(payloads)))
        assert {one.id for one in forward} == {one.id for one in backward}
        assert sum(one.is_new for one in forward + backward) == 300
        await use.sql("DELETE FROM jobs")


# Options ---------------------------------------------------------------------------------------------------------


@pytest.mark.req(82)
async def test_priority_is_kept(use):
    job_id = await use.enqueue(priority=7)
    assert (await use.row(job_id))["priority"] == 7
    assert (await use.claim_one()).priority == 7


@pytest.mark.req(83)
async def test_a_job_that_depends_on_another_waits_until_that_is_done(use):
    first = await use.enqueue("transcode")
    second = await use.enqueue(depends_on=first)
    assert (await use.row(second))["depends_on"] == first
    assert await use.claim() == []
    job = await use.claim_one("transcode")
    assert await use.claim() == []
    await use.finish(job)
    assert (await use.claim_one()).id == second


@pytest.mark.req(83)
async def test_a_job_that_depends_on_a_failed_one_waits_until_that_was_retried(use):
    first = await use.enqueue("transcode")
    second = await use.enqueue(depends_on=first)
    await use.fail(await use.claim_one("transcode"))
    assert await use.claim() == []
    await use.sql("UPDATE jobs SET status = 'queued' WHERE id = $1", first)
    await use.finish(await use.claim_one("transcode"))
    assert (await use.claim_one()).id == second


@pytest.mark.req(83)
async def test_a_job_cannot_depend_on_one_that_does_not_exist(use):
    with pytest.raises(InvalidInput, match="depends_on"):
        await use.enqueue(depends_on=uuid4())
    assert await use.value("SELECT count(*) FROM jobs") == 0


@pytest.mark.req(83)
async def test_a_job_is_claimed_although_another_is_just_made_to_wait_for_it(use):
    """A caller takes its time between enqueuing a follower and committing; that must not hold the first one back."""
    first = await use.enqueue("transcode")
    async with use.database.transaction() as tx:
        await use.queue.enqueue(tx, use.payload(), depends_on=first)
        assert [job.id for job in await use.claim("transcode")] == [first]


@pytest.mark.req(71)
async def test_a_job_for_later_is_not_claimed_before(use):
    at = datetime.now(UTC) + timedelta(hours=1)
    job_id = await use.enqueue(run_after=at)
    assert (await use.row(job_id))["run_after"] == at
    async with use.database.transaction() as tx:
        assert await use.queue.wake_due(tx, "clip_generate") == 0
        due = await use.queue.next_due(tx, ["clip_generate"])
    assert timedelta(minutes=59) < due <= timedelta(hours=1)
    assert await use.claim() == []
    await use.make_due(job_id)
    async with use.database.transaction() as tx:
        assert await use.queue.wake_due(tx, "ocr") == 0
        assert await use.queue.wake_due(tx, "clip_generate") == 1
        assert await use.queue.next_due(tx, ["clip_generate"]) is None
    assert (await use.claim_one()).id == job_id


async def test_a_type_that_the_database_does_not_know_is_refused(use):
    class Thumbnail(Transcode):
        job_type = "thumbnail"

    with pytest.raises(InvalidInput, match="thumbnail"):
        await use.enqueue(Thumbnail(video_id=uuid4(), s3_original_path="x"))


async def test_a_payload_that_the_database_cannot_keep_is_refused(use):
    with pytest.raises(InvalidInput, match="NUL"):
        await use.enqueue(Transcode(video_id=uuid4(), s3_original_path="a\0b"))


async def test_any_other_text_comes_back_as_it_went_in(use):
    path = "videos/'; DROP TABLE jobs; --/ü😀\\u0041{}\"\n"
    await use.enqueue(Transcode(video_id=uuid4(), s3_original_path=path))
    assert (await use.claim_one("transcode")).payload["s3_original_path"] == path


# In bulk ---------------------------------------------------------------------------------------------------------


async def test_nothing_at_all_may_be_enqueued(use):
    assert await enqueue_many(use) == []


@pytest.mark.req(58)
async def test_five_thousand_jobs_at_once_come_out_in_the_order_they_went_in(use):
    answers = await enqueue_many(use, *(use.payload() for _ in range(5000)))
    assert all(one.is_new for one in answers)
    claimed = await use.claim(limit=5000)
    assert [job.id for job in claimed] == [one.id for one in answers]


async def test_one_bad_job_of_a_bulk_undoes_the_others_with_it(use):
    with pytest.raises(InvalidInput):
        async with use.database.transaction() as tx:
            jobs = [NewJob(use.payload()) for _ in range(10)]
            await use.queue.enqueue_many(tx, [*jobs, NewJob(use.payload(), depends_on=uuid4())])
    assert await use.value("SELECT count(*) FROM jobs") == 0


async def test_listeners_are_notified_once_the_job_is_committed(use):
    heard: list[str] = []
    with use.listener.subscribe("sightline_jobs", heard.append):
        await until(lambda: "" in heard)  # it listens now
        async with use.database.transaction() as tx:
            await use.queue.enqueue_many(tx, [NewJob(use.payload("ocr")), NewJob(use.payload("sample"))])
            assert heard == [""]
        await until(lambda: {"ocr", "sample"} <= set(heard))
