"""Moves of a video: checked by the database, recorded, and announced in the same transaction."""

import asyncio
import json
from itertools import pairwise
from typing import Any
from uuid import UUID, uuid4

import asyncpg
import pytest

from sightline.bus import NOTIFICATION_QUEUE, Names, PostgresBus, default_topology
from sightline.contracts.video_events import parse_status_changed
from sightline.db import Listener
from sightline.errors import NotFound
from sightline.videos import MoveRefused, NewVideo, VideoMoves, VideoStatus, get_video, list_moves
from sightline.videos.video import sources_of

OWNER = UUID(int=7)
WAY = list(VideoStatus)[:-1]
REASON = "the disk was full"


class Told:
    """A listener besides the bus."""

    def __init__(self) -> None:
        self.changes: list[Any] = []

    async def video_moved(self, tx, video, change):
        self.changes.append(change)


@pytest.fixture
async def bus(database, fresh_database):
    topology = default_topology(stage="dev", bucket="b")
    made = PostgresBus(database, Listener(fresh_database.url), topology, Names())
    await made.create()
    return made


@pytest.fixture
def listener():
    return Told()


@pytest.fixture
def moves(bus, listener):
    return VideoMoves(bus, page_url="https://example.com/", listeners=(listener,))


@pytest.fixture
def new_video(database, moves):
    async def make(status=VideoStatus.CREATED):
        video_id = uuid4()
        new = NewVideo(video_id, OWNER, "talk.mp4", owner_email="ann@example.com")
        async with database.transaction() as tx:
            await moves.create(tx, new)
            for step in WAY[1 : WAY.index(status) + 1] if status in WAY else []:
                await moves.move(tx, video_id, step)
        return video_id

    return make


async def status_of(database, video_id):
    async with database.transaction() as tx:
        video = await get_video(tx, video_id)
    assert video is not None
    return video.status


@pytest.mark.req(282, 299)
async def test_every_move_is_recorded(database, moves, new_video):
    video_id = await new_video(VideoStatus.COMPLETED)
    async with database.transaction() as tx:
        history = await list_moves(tx, video_id)
        video = await get_video(tx, video_id)
    assert [one.status for one in history] == WAY
    assert [one.move for one in history] == list(range(1, 8))
    assert all(before.at <= after.at for before, after in pairwise(history))
    assert video is not None
    assert (video.index_status, video.moves) == ("ready", 7)


@pytest.mark.req(93)
async def test_the_index_status_follows_the_status(database, moves, new_video):
    video_id, seen = await new_video(WAY[0]), []
    for step in (None, *WAY[1:]):
        async with database.transaction() as tx:
            video = await moves.move(tx, video_id, step) if step else await get_video(tx, video_id)
        assert video is not None
        seen.append((video.status.value, video.index_status))
    assert seen == [
        ("CREATED", "new"),
        ("UPLOADING", "new"),
        ("UPLOADED", "new"),
        ("PROCESSING", "processing"),
        ("SPLITTING", "processing"),
        ("PRINTING", "processing"),
        ("COMPLETED", "ready"),
    ]


@pytest.mark.req(281)
@pytest.mark.parametrize("start", WAY)
async def test_only_allowed_moves_are_made(database, moves, new_video, start):
    for target in VideoStatus:
        video_id = await new_video(start)
        if start in sources_of(target):
            async with database.transaction() as tx:
                await moves.move(tx, video_id, target, reason=REASON)
            assert await status_of(database, video_id) is target
        else:
            with pytest.raises(MoveRefused, match=f"is {start} and cannot become {target}"):
                async with database.transaction() as tx:
                    await moves.move(tx, video_id, target, reason=REASON)
            assert await status_of(database, video_id) is start


@pytest.mark.req(281)
@pytest.mark.parametrize("start", WAY)
async def test_the_database_itself_refuses_other_moves(database, new_video, start):
    for target in VideoStatus:
        video_id = await new_video(start)
        statement = "UPDATE videos SET status = $2::text::video_status WHERE id = $1"
        if target is start or start in sources_of(target):
            async with database.transaction() as tx:
                await tx.execute(statement, video_id, target)
        else:
            with pytest.raises(asyncpg.CheckViolationError, match=f"cannot go from {start} to {target}"):
                async with database.transaction() as tx:
                    await tx.execute(statement, video_id, target)


@pytest.mark.req(93, 280)
async def test_a_failed_video_keeps_its_reason(database, moves, new_video):
    video_id = await new_video(VideoStatus.SPLITTING)
    async with database.transaction() as tx:
        video = await moves.move(tx, video_id, VideoStatus.FAILED, reason=REASON)
        history = await list_moves(tx, video_id)
    assert (video.error_reason, video.failed_from, video.index_status) == (REASON, VideoStatus.SPLITTING, "failed")
    assert history[-1].reason == REASON
    async with database.transaction() as tx:
        with pytest.raises(ValueError, match="needs a reason"):
            await moves.move(tx, video_id, VideoStatus.FAILED)


@pytest.mark.req(295)
async def test_a_failed_video_resumes_where_it_failed_and_nowhere_else(database, moves, new_video):
    video_id = await new_video(VideoStatus.SPLITTING)
    async with database.transaction() as tx:
        await moves.move(tx, video_id, VideoStatus.FAILED, reason=REASON)
    with pytest.raises(asyncpg.CheckViolationError):
        async with database.transaction() as tx:
            await tx.execute("UPDATE videos SET status = 'PRINTING' WHERE id = $1", video_id)
    async with database.transaction() as tx:
        video = await moves.resume(tx, video_id, reason="retried by hand")
        assert await moves.resume(tx, video_id, reason="retried by hand") is None
    assert video is not None
    assert (video.status, video.error_reason, video.failed_from) == (VideoStatus.SPLITTING, None, None)


@pytest.mark.req(295)
@pytest.mark.parametrize("stood", [VideoStatus.CREATED, VideoStatus.UPLOADING, VideoStatus.UPLOADED])
async def test_a_failed_upload_stays_failed(database, moves, new_video, stood):
    video_id = await new_video(stood)
    async with database.transaction() as tx:
        await moves.move(tx, video_id, VideoStatus.FAILED, reason=REASON)
        assert await moves.resume(tx, video_id, reason="retried by hand") is None


async def test_a_move_of_a_missing_video_names_it(database, moves):
    missing = uuid4()
    async with database.transaction() as tx:
        assert await moves.move_if(tx, missing, VideoStatus.UPLOADED) is None
        with pytest.raises(NotFound, match=f"no video {missing}"):
            await moves.move(tx, missing, VideoStatus.UPLOADED)


@pytest.mark.req(273)
async def test_of_two_simultaneous_moves_one_succeeds(database, moves, new_video):
    video_id = await new_video(VideoStatus.UPLOADING)

    async def move():
        async with database.transaction() as tx:
            return await moves.move_if(tx, video_id, VideoStatus.UPLOADED)

    moved = await asyncio.gather(*(move() for _ in range(5)))
    assert len([one for one in moved if one is not None]) == 1


@pytest.mark.req(283, 287)
async def test_each_move_is_announced_and_the_notification_rule_receives_its_four(
    database, bus, moves, new_video, listener
):
    video_id = await new_video(VideoStatus.PRINTING)
    async with database.transaction() as tx:
        await moves.move(tx, video_id, VideoStatus.COMPLETED)
    assert [change.status for change in listener.changes] == WAY
    received = await bus.receive(NOTIFICATION_QUEUE, limit=10, wait_s=0)
    events = [json.loads(json.loads(one.body)["Message"]) for one in received]
    assert {(event["source"], event["detail-type"]) for event in events} == {("fiapx.video", "Video Status Changed")}
    changes = {change.status: change for change in map(parse_status_changed, events)}
    assert set(changes) == {"PROCESSING", "PRINTING", "COMPLETED"}
    done = changes["COMPLETED"]
    assert (done.video_id, done.user_email, done.video_name) == (video_id, "ann@example.com", "talk.mp4")
    assert done.download_url == f"https://example.com/ui/videos/{video_id}"
    assert (done.previous_status, done.move, done.error_reason) == ("PRINTING", 7, None)
    assert changes["PRINTING"].download_url is None


@pytest.mark.req(283)
async def test_a_failure_is_announced_with_its_reason(database, bus, moves, new_video):
    video_id = await new_video(VideoStatus.UPLOADING)
    async with database.transaction() as tx:
        await moves.move(tx, video_id, VideoStatus.FAILED, reason=REASON)
    (received,) = await bus.receive(NOTIFICATION_QUEUE, limit=10, wait_s=0)
    detail = json.loads(json.loads(received.body)["Message"])["detail"]
    assert (detail["videoId"], detail["status"], detail["errorReason"]) == (str(video_id), "FAILED", REASON)
    assert "downloadUrl" not in detail


@pytest.mark.req(302)
async def test_a_move_that_is_rolled_back_is_not_announced(database, bus, moves, new_video):
    video_id = await new_video(VideoStatus.UPLOADING)
    with pytest.raises(RuntimeError, match="crash"):
        async with database.transaction() as tx:
            await moves.move(tx, video_id, VideoStatus.FAILED, reason=REASON)
            raise RuntimeError("crash")
    assert await status_of(database, video_id) is VideoStatus.UPLOADING
    assert await bus.receive(NOTIFICATION_QUEUE, limit=10, wait_s=0) == []


@pytest.mark.req(136)
async def test_people_see_only_the_history_of_their_own_videos(database, moves, new_video):
    video_id = await new_video(VideoStatus.UPLOADING)
    for person, expected in ((OWNER, 2), (UUID(int=8), 0)):
        async with database.as_caller({"sub": str(person)}) as tx:
            assert len(await list_moves(tx, video_id)) == expected
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                await tx.execute("UPDATE video_moves SET reason = 'x'")
