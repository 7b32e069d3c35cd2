"""Events of other producers that belong to no run: they change none, and they are shown."""

from datetime import timedelta
from uuid import uuid4

import pytest
from structlog.testing import capture_logs

from sightline.techniques import status_of
from support.technique_rig import complete_message, foreign_event, whole_run


async def analysis(rig, video_id):
    async with rig.database.transaction() as tx:
        found = await status_of(tx, video_id)
    assert found is not None
    return found


async def strays(rig, video_id):
    return await rig.rows(
        "SELECT id, event_index, reason, content FROM technique_strays WHERE video_id = $1 ORDER BY id", video_id
    )


@pytest.mark.req(459)
async def test_a_stray_after_finalization_reopens_nothing_and_is_shown(rig):
    video = await rig.video()
    await rig.receive(*whole_run(video, "first", 2))
    before = await analysis(rig, video)
    with capture_logs() as lines:
        await rig.receive(foreign_event(video, 1, 2))
    after = await analysis(rig, video)
    assert (after.job_id, after.finalized, after.received_count) == ("first", True, 2)
    assert (before.stray_events, after.stray_events) == (0, 1)
    assert [line["event"] for line in lines] == ["techniques.stray_event"]
    await rig.receive(*whole_run(video, "second", 3))
    second = await analysis(rig, video)
    assert (second.job_id, second.finalized, second.received_count, second.stray_events) == ("second", True, 3, 1)
    assert len(await rig.live_messages()) == 2


@pytest.mark.req(459)
async def test_a_stray_of_another_total_does_not_count_for_the_next_run(rig):
    video = await rig.video()
    await rig.receive(foreign_event(video, 1, 1), complete_message(video, "first", 1))
    stray = uuid4()
    await rig.receive(foreign_event(video, 2, 7, event=stray, skill_name="Stray"))
    # Only its completion and one of its two events: with the stray it would be complete.
    await rig.receive(foreign_event(video, 1, 2), complete_message(video, "second", 2))
    status = await rig.status(video, "second")
    assert (status["received_count"], status["finalized"]) == (1, False)
    (recorded,) = await strays(rig, video)
    assert recorded["id"] == stray
    assert recorded["reason"] == "it says that its run has 7 events, and run second has 2"
    assert "Stray" in str(recorded["content"])
    await rig.receive(foreign_event(video, 2, 7, event=stray))  # SQS may deliver it again
    await rig.receive(foreign_event(video, 2, 2))
    found = await analysis(rig, video)
    assert (found.job_id, found.received_count, found.finalized, found.stray_events) == ("second", 2, True, 1)
    assert [row["job_id"] for row in await rig.status(video)] == ["first", "second"]


@pytest.mark.req(459)
async def test_a_stray_that_came_long_before_the_events_of_the_next_run_is_left_out(rig):
    video = await rig.video()
    await rig.receive(foreign_event(video, 1, 1), complete_message(video, "first", 1))
    await rig.receive(foreign_event(video, 3, 3, skill_name="Stray"))
    async with rig.database.transaction() as tx:
        await tx.execute("UPDATE technique_events SET received_at = received_at - $1::interval", timedelta(hours=2))
    await rig.receive(foreign_event(video, 1, 3), foreign_event(video, 2, 3), complete_message(video, "second", 3))
    assert (await rig.status(video, "second"))["finalized"] is False
    await rig.receive(foreign_event(video, 3, 3, skill_name="Third"))
    assert (await rig.status(video, "second"))["finalized"] is True
    assert [row["skill_name"] for row in await rig.events(video) if row["event_index"] == 3] == ["Third"]
    assert [row["event_index"] for row in await strays(rig, video)] == [3]


@pytest.mark.req(459)
async def test_strays_are_removed_with_their_video(rig):
    video = await rig.video()
    await rig.receive(foreign_event(video, 1, 1), complete_message(video, "first", 1))
    await rig.receive(foreign_event(video, 2, 9))
    await rig.receive(complete_message(video, "second", 0))
    assert len(await strays(rig, video)) == 1
    async with rig.database.transaction() as tx:
        await tx.execute("DELETE FROM videos WHERE id = $1", video)
    assert await strays(rig, video) == []
