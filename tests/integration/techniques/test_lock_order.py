"""The order in which reviews of several videos are locked, against another transaction on PostgreSQL."""

import asyncio

import pytest

from sightline.techniques.marks import list_marks
from sightline.techniques.marks.store import begin_change
from support.technique_rig import complete_message, foreign_event
from support.waiting import soon, until_blocked_by


@pytest.mark.req(1112)
@pytest.mark.parametrize("older", [0, 1], ids=["first-video", "second-video"])
async def test_finalizing_runs_of_two_videos_does_not_deadlock_with_who_locks_them_by_id(rig, older):
    first, second = videos = sorted([await rig.video(), await rig.video()])
    by_age = [videos[older], videos[1 - older]]
    for video in by_age:
        await rig.receive(foreign_event(video, 1, 1))
    completions = [complete_message(video, f"run-{number}", 1) for number, video in enumerate(by_age)]
    async with rig.database.transaction() as other:
        await begin_change(other, first)
        finalizing = asyncio.create_task(rig.receive(*completions))
        await until_blocked_by(other)
        await other.execute("SET LOCAL lock_timeout = '20s'")
        assert await begin_change(other, second) == 1, "the finalizer holds no review while it waits for the first"
    await soon(finalizing)
    for video in videos:
        async with rig.database.transaction() as tx:
            assert [one.analyzer for one in await list_marks(tx, video)] == ["external"]
    assert [message["video_id"] for message in await rig.live_messages()] == [str(video) for video in videos]
