"""Marks on PostgreSQL: candidates of runs, changes that expect a version, corrections, row level security."""

import asyncio
from dataclasses import replace
from uuid import UUID

import pytest

from sightline.contracts.technique_events import Category
from sightline.errors import Conflict, InvalidInput, NotFound
from sightline.techniques.marks import (
    MarkState,
    MarkValues,
    NewMark,
    add_candidates,
    add_marks,
    change_mark,
    delete_mark,
    list_marks,
    read_corrections,
    read_review,
    restore_mark,
)
from sightline.videos import need_video
from support.technique_rig import FPS, clip, complete_message, foreign_event, whole_run

ANN, BEN = UUID(int=11), UUID(int=12)
VALUES = MarkValues(
    start_ms=1000,
    end_ms=2500,
    category=Category.GUARD_PLAY,
    name="Scissor Sweep",
    role="athlete in blue",
    confidence=1.0,
)


@pytest.fixture
async def video(rig):
    video_id = await rig.video()
    async with rig.database.transaction() as tx:
        return await need_video(tx, video_id)


async def propose(rig, video, *clips, job_id="job-1", analyzer="pose"):
    async with rig.database.transaction() as tx:
        await add_candidates(tx, video.id, clips, fps=FPS, analyzer=analyzer, job_id=job_id)


async def marks_of(rig, video):
    async with rig.database.transaction() as tx:
        return await list_marks(tx, video.id)


async def decide(rig, video, mark, state, *, by=ANN, **changes):
    async with rig.database.transaction() as tx:
        return await change_mark(
            tx, video, mark.id, lambda values: replace(values, state=state, **changes), expected=mark.version, by=by
        )


async def corrections_of(rig, **more):
    async with rig.database.transaction() as tx:
        return [one async for one in read_corrections(tx, **more)]


@pytest.mark.req(880)
async def test_what_an_analyzer_finds_are_candidates_with_their_exact_times(rig, video):
    await propose(rig, video, clip(1), clip(2, specific_technique="Armbar\0 x", reasoning="hip\nin"))
    first, second = await marks_of(rig, video)
    assert (first.values.start_ms, first.values.end_ms, first.values.state) == (3333, 5000, MarkState.CANDIDATE)
    assert (first.analyzer, first.job_id, first.event_index, first.changed_by) == ("pose", "job-1", 1, None)
    assert first.original == first.values.found
    assert (second.values.name, second.values.note) == ("Armbar  x", "hip in")
    await propose(rig, video, clip(1), clip(2))  # the same run again, after a crash
    assert [one.id for one in await marks_of(rig, video)] == [first.id, second.id]


@pytest.mark.req(880)
async def test_a_new_run_replaces_candidates_that_no_person_has_touched(rig, video):
    await propose(rig, video, clip(1), clip(2), clip(3))
    await propose(rig, video, clip(7), analyzer="vision-llm", job_id="job-v")
    accepted, rejected, _, _ = await marks_of(rig, video)
    await decide(rig, video, accepted, MarkState.ACCEPTED)
    await decide(rig, video, rejected, MarkState.REJECTED)
    await propose(rig, video, clip(1), clip(2), clip(4), job_id="job-2")
    assert [(one.values.name, one.values.state, one.analyzer) for one in await marks_of(rig, video)] == [
        ("Sweep 1", "accepted", "pose"),
        ("Sweep 2", "rejected", "pose"),
        ("Sweep 4", "candidate", "pose"),
        ("Sweep 7", "candidate", "vision-llm"),
    ]


@pytest.mark.req(880)
async def test_a_run_of_another_producer_is_proposed_once_it_is_complete(rig, video):
    await rig.receive(foreign_event(video.id, 1, 1))
    assert await marks_of(rig, video) == []
    await rig.receive(complete_message(video.id, "theirs", 1))
    (found,) = await marks_of(rig, video)
    assert (found.analyzer, found.values.name, found.values.start_ms, found.values.end_ms) == (
        "external",
        "Double Leg Takedown",
        83_000,
        106_000,
    )
    await rig.receive(*whole_run(UUID(int=5), "of-a-video-that-is-not-here", 2))


@pytest.mark.req(1091)
async def test_what_a_person_has_handled_is_not_proposed_again(rig, video):
    await propose(rig, video, clip(1), clip(2), clip(3))
    edited, deleted, untouched = await marks_of(rig, video)
    await decide(rig, video, edited, MarkState.ACCEPTED, start_ms=edited.values.start_ms + 200)
    async with rig.database.transaction() as tx:
        await delete_mark(tx, video, deleted.id, expected=1, by=ANN)
    await propose(rig, video, clip(1), clip(2), clip(3), job_id="job-2")
    assert [(one.values.name, one.values.state) for one in await marks_of(rig, video)] == [
        ("Sweep 1", "accepted"),
        ("Sweep 3", "candidate"),
    ]
    assert untouched.id not in {one.id for one in await marks_of(rig, video)}


@pytest.mark.req(1091)
async def test_a_second_run_of_another_producer_replaces_the_first(rig, video):
    await rig.receive(foreign_event(video.id, 1, 1), complete_message(video.id, "theirs", 1))
    (first,) = await marks_of(rig, video)
    await rig.receive(complete_message(video.id, "theirs-2", 0))
    assert await marks_of(rig, video) == []
    await rig.receive(complete_message(video.id, "theirs-3", 1), foreign_event(video.id, 1, 1))
    (again,) = await marks_of(rig, video)
    assert (again.job_id, again.values, again.original) == ("theirs-3", first.values, first.original)


@pytest.mark.req(881)
async def test_the_second_of_two_people_is_refused_and_changes_nothing(rig, video):
    async with rig.database.transaction() as tx:
        (mark,) = await add_marks(tx, video, [NewMark(VALUES)], by=ANN)

    async def attempt(by, name):
        async with rig.database.transaction() as tx:
            return await change_mark(tx, video, mark.id, lambda values: replace(values, name=name), expected=1, by=by)

    done = await asyncio.gather(attempt(ANN, "Ann's"), attempt(BEN, "Ben's"), return_exceptions=True)
    (changed,) = [one for one in done if not isinstance(one, BaseException)]
    (refused,) = [one for one in done if isinstance(one, Conflict)]
    assert refused.details["version"] == changed.version == 2
    (now,) = await marks_of(rig, video)
    assert now == changed
    async with rig.database.transaction() as tx:
        assert (await read_review(tx, video.id)).revision == 2


@pytest.mark.req(881)
async def test_a_deleted_mark_comes_back_as_it_was(rig, video):
    async with rig.database.transaction() as tx:
        (mark,) = await add_marks(tx, video, [NewMark(VALUES)], by=ANN)
        deleted = await delete_mark(tx, video, mark.id, expected=1, by=ANN)
        assert await list_marks(tx, video.id) == []
    with pytest.raises(Conflict, match="deleted since"):
        await decide(rig, video, deleted, MarkState.REJECTED)
    async with rig.database.transaction() as tx:
        back = await restore_mark(tx, video, mark.id, expected=2, by=ANN)
    assert (back.values, back.version) == (VALUES, 3)
    with pytest.raises(Conflict):
        async with rig.database.transaction() as tx:
            await restore_mark(tx, video, mark.id, expected=3, by=ANN)
    with pytest.raises(NotFound):
        async with rig.database.transaction() as tx:
            await delete_mark(tx, video, UUID(int=1), expected=1, by=ANN)


@pytest.mark.req(881)
async def test_marks_lie_within_their_video(rig, video):
    async with rig.database.transaction() as tx:
        await tx.execute("UPDATE videos SET s3_proxy_path = 'x' WHERE id = $1", video.id)
        measured = await need_video(tx, video.id)
    for wrong in (replace(VALUES, end_ms=999), replace(VALUES, end_ms=600_001), replace(VALUES, start_ms=600_000)):
        with pytest.raises(InvalidInput):
            async with rig.database.transaction() as tx:
                await add_marks(tx, measured, [NewMark(wrong)], by=ANN)
    assert await marks_of(rig, video) == []


@pytest.mark.req(882)
async def test_corrections_say_what_people_decided_and_what_was_found(rig, video):
    await propose(rig, video, clip(1), clip(2), clip(3), clip(4))
    right, wrong, inexact, _ = await marks_of(rig, video)
    await decide(rig, video, right, MarkState.ACCEPTED)
    await decide(rig, video, wrong, MarkState.REJECTED, by=BEN)
    await decide(rig, video, inexact, MarkState.ACCEPTED, name="Armbar", category=Category.SUBMISSION_OFFENSE)
    async with rig.database.transaction() as tx:
        await add_marks(tx, video, [NewMark(VALUES)], by=ANN)
    found = await corrections_of(rig)
    assert [(one.verdict, one.name, one.analyzer, one.by) for one in found] == [
        ("accepted", "Sweep 1", "pose", ANN),
        ("rejected", "Sweep 2", "pose", BEN),
        ("edited", "Armbar", "pose", ANN),
        ("accepted", "Scissor Sweep", None, ANN),
    ]
    assert (found[2].original.name, found[2].original.category) == ("Sweep 3", Category.GUARD_PLAY)
    assert found[2].category is Category.SUBMISSION_OFFENSE
    assert (found[2].start_ms, found[3].original) == (10_000, None)
    assert len(await corrections_of(rig, analyzer="pose")) == 3


@pytest.mark.req(882)
async def test_marks_are_seen_by_those_who_see_the_video_and_go_with_it(rig, video):
    async with rig.database.transaction() as tx:
        await add_marks(tx, video, [NewMark(VALUES)], by=ANN)
    for user, count in ((video.owner_id, 1), (BEN, 0)):
        async with rig.database.as_caller({"sub": str(user), "role": "authenticated"}) as tx:
            assert len(await list_marks(tx, video.id)) == count
            assert (await read_review(tx, video.id)).revision == count
    async with rig.database.transaction() as tx:
        await tx.execute("DELETE FROM videos WHERE id = $1", video.id)
        assert await list_marks(tx, video.id) == []
    await propose(rig, video, clip(1))  # a run that ends after the video is gone
    assert await marks_of(rig, video) == []
