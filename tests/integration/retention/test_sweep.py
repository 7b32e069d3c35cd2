"""Each retention rule removes what it says, the oldest first, and leaves nothing half-removed."""

import asyncio
from datetime import timedelta
from uuid import UUID, uuid4

import pytest

from sightline.contracts import LOCAL_OWNER_ID
from sightline.contracts.jobs import ClipGenerate, Ocr, SegmentIndex
from sightline.media.clips import insert_clip
from sightline.objects import clip_key, frame_key, original_key, playlist_key
from sightline.retention import RetentionMetrics, RetentionRule, RetentionSettings, RuleSweep, retention_rules
from sightline.videos import NewVideo, VideoStatus, get_video
from support.pipeline_rig import STATUSES_IN_ORDER
from support.waiting import soon

DEFAULTS = RetentionSettings()


def sweep_of(platform, **settings):
    """The sweep with these settings; all others are the defaults."""
    rules = retention_rules(RetentionSettings(**settings), clip_keep_days=30)
    return RuleSweep(
        platform.database,
        platform.objects,
        rules,
        platform.removals,
        RetentionMetrics(None),
        platform.recording_limits,
        every_s=0,
    )


async def sql(platform, statement, *arguments):
    async with platform.database.transaction() as tx:
        return await tx.fetch(statement, *arguments)


async def add_video(platform, *, days_old=0.0, size=100, status=VideoStatus.COMPLETED) -> UUID:
    """A video of this age with an original, a playlist and a frame."""
    video_id = uuid4()
    await platform.objects.put(original_key(video_id), b"o" * size)
    await platform.objects.put(playlist_key(video_id), b"p" * 10)
    await platform.objects.put(frame_key(video_id, 1000), b"f" * 50)
    async with platform.database.transaction() as tx:
        await platform.videos.create(tx, NewVideo(video_id, LOCAL_OWNER_ID, "talk.mp4", size_bytes=size))
        for one in STATUSES_IN_ORDER[: STATUSES_IN_ORDER.index(status) + 1]:
            await platform.videos.move(tx, video_id, one)
    await sql(
        platform,
        "UPDATE videos SET created_at = now() - $2::interval WHERE id = $1",
        video_id,
        timedelta(days=days_old),
    )
    return video_id


async def keys(platform):
    return {one.key async for one in platform.objects.find("")}


def counts(outcomes):
    return {one.rule: one.count for one in outcomes if one.count}


@pytest.mark.req(397)
async def test_by_default_nothing_that_people_uploaded_is_removed(platform):
    await add_video(platform, days_old=10_000)
    before = await keys(platform)
    job_id = (await sql(platform, "INSERT INTO jobs (job_type, payload) VALUES ('ocr', '{}') RETURNING id"))[0]["id"]
    await finish(platform, job_id, days_ago=5000)
    assert counts(await sweep_of(platform).sweep()) == {}
    assert await keys(platform) == before
    assert len(await sql(platform, "SELECT FROM jobs")) == 1
    assert [rule for rule in retention_rules(DEFAULTS, clip_keep_days=30) if rule.is_in_force] == [
        RetentionRule("clips", days=30),
        RetentionRule("recordings", days=14),
    ]


@pytest.mark.req(398)
async def test_old_originals_are_removed_and_the_video_stays(platform):
    old, young = await add_video(platform, days_old=91), await add_video(platform, days_old=89)
    outcome = await sweep_of(platform, originals_days=90).sweep()
    assert counts(outcome) == {"originals": 1}
    assert {original_key(old), original_key(young)} & await keys(platform) == {original_key(young)}
    assert {playlist_key(old), frame_key(old, 1000)} <= await keys(platform)
    async with platform.database.transaction() as tx:
        found = await get_video(tx, old)
    assert found is not None
    assert found.original_removed_at is not None
    assert await sql(platform, "SELECT FROM video_object_removals") == []
    assert counts(await sweep_of(platform, originals_days=90).sweep()) == {}


@pytest.mark.req(398)
async def test_originals_above_a_size_are_removed_oldest_first_until_the_rest_fits(platform):
    ids = [await add_video(platform, days_old=days, size=100) for days in (5, 4, 3, 2, 1)]
    assert counts(await sweep_of(platform, originals_max_bytes=250).sweep(batch=1)) == {"originals": 3}
    left = {key for key in await keys(platform) if key.startswith("videos/original/")}
    assert left == {original_key(one) for one in ids[3:]}


@pytest.mark.req(398)
async def test_a_video_with_work_under_way_loses_nothing(platform):
    busy = await add_video(platform, days_old=100)
    going = await add_video(platform, days_old=100, status=VideoStatus.PRINTING)
    async with platform.database.transaction() as tx:
        await platform.jobs.enqueue(tx, SegmentIndex(video_id=busy))
    before = await keys(platform)
    everything = {"originals_days": 1, "frames_days": 1, "videos_days": 1, "videos_max_bytes": 1}
    assert counts(await sweep_of(platform, **everything).sweep()) == {}
    assert await keys(platform) == before
    assert {row["id"] for row in await sql(platform, "SELECT id FROM videos")} == {busy, going}


@pytest.mark.req(399)
async def test_frames_are_removed_by_age_and_by_size(platform):
    old, middle, young = [await add_video(platform, days_old=days) for days in (9, 3, 1)]
    assert counts(await sweep_of(platform, frames_days=7).sweep()) == {"frames": 1}
    assert counts(await sweep_of(platform, frames_max_bytes=60).sweep()) == {"frames": 1}
    assert {key for key in await keys(platform) if key.startswith("frames/")} == {frame_key(young, 1000)}
    assert {original_key(old), original_key(middle)} <= await keys(platform)


@pytest.mark.req(399)
async def test_whole_videos_are_removed_by_age_and_by_size_with_everything_of_them(platform):
    old, middle, young = [await add_video(platform, days_old=days) for days in (9, 3, 1)]
    failed = await add_video(platform, days_old=8, status=VideoStatus.UPLOADED)
    await sql(platform, "UPDATE videos SET status = 'FAILED', status_reason = 'x' WHERE id = $1", failed)
    assert counts(await sweep_of(platform, videos_days=7).sweep()) == {"videos": 2}
    # Each of the two left has 100 + 10 + 50 bytes.
    assert counts(await sweep_of(platform, videos_max_bytes=160).sweep()) == {"videos": 1}
    assert {row["id"] for row in await sql(platform, "SELECT id FROM videos")} == {young}
    assert all(str(young) in key for key in await keys(platform))
    assert {row["video_id"] for row in await sql(platform, "SELECT video_id FROM video_removals")} == {
        old,
        middle,
        failed,
    }


@pytest.mark.req(399)
async def test_clips_above_a_size_expire_before_their_time_oldest_first(platform):
    video_id = await add_video(platform)
    ids = []
    for number in range(3):
        payload = ClipGenerate(
            video_id=video_id,
            clip_id=f"clip-{number}",
            t_start=0,
            t_end=1,
            padding_ms=0,
            s3_original_path=original_key(video_id),
        )
        async with platform.database.transaction() as tx:
            await insert_clip(tx, payload, created_by=LOCAL_OWNER_ID)
        await platform.objects.put(clip_key(video_id, payload.clip_id), b"c" * 40)
        ids.append(payload.clip_id)
    await sql(
        platform,
        "UPDATE clips SET status = 'done', start_ms = 0, end_ms = 1, size_bytes = 40, expires_at = now() + interval '9 days',"
        " s3_path = format('videos/clips/%s/%s.mp4', video_id, id),"
        " created_at = now() - (3 - right(id, 1)::int) * interval '1 day'",
    )
    assert counts(await sweep_of(platform, clips_max_bytes=80).sweep()) == {"clips": 1}
    rows = await sql(platform, "SELECT id, status FROM clips ORDER BY id")
    assert [row["status"] for row in rows] == ["expired", "done", "done"]
    assert {key for key in await keys(platform) if "clips" in key} == {clip_key(video_id, one) for one in ids[1:]}


async def finish(platform, job_id, *, days_ago, status="done"):
    await sql(platform, "UPDATE jobs SET status = 'processing', locked_by = 'w' WHERE id = $1", job_id)
    await sql(
        platform,
        f"UPDATE jobs SET status = '{status}', finished_at = now() - $2::interval WHERE id = $1",
        job_id,
        timedelta(days=days_ago),
    )


async def add_job(platform, *, days_ago=None, status="done", video_id=None, depends_on=None):
    payload = Ocr(video_id=video_id or uuid4(), frame_paths=("frames/x/1.jpg",))
    async with platform.database.transaction() as tx:
        job_id = (await platform.jobs.enqueue(tx, payload, depends_on=depends_on)).id
    if days_ago is not None:
        await finish(platform, job_id, days_ago=days_ago, status=status)
    return job_id


@pytest.mark.req(400)
async def test_jobs_are_removed_by_their_age_and_failed_ones_later(platform):
    video_id = await add_video(platform)
    done = await add_job(platform, days_ago=31, video_id=video_id)
    kept = [await add_job(platform, days_ago=29), await add_job(platform, days_ago=31, status="failed")]
    outcome = await sweep_of(platform, done_jobs_days=30, failed_jobs_days=90).sweep()
    assert counts(outcome) == {"done_jobs": 1}
    assert {row["id"] for row in await sql(platform, "SELECT id FROM jobs")} == set(kept)
    assert await sql(platform, "SELECT FROM job_history WHERE job_id = $1", done) == []
    assert counts(await sweep_of(platform, done_jobs_days=30, failed_jobs_days=31).sweep()) == {"failed_jobs": 1}


@pytest.mark.req(400)
async def test_a_job_that_an_open_one_depends_on_or_whose_pipeline_is_under_way_stays(platform):
    waited_for = await add_job(platform, days_ago=99, status="failed")
    waiting = await add_job(platform, depends_on=waited_for)
    video_id = await add_video(platform, status=VideoStatus.PRINTING)
    earlier = await add_job(platform, days_ago=99, video_id=video_id)
    async with platform.database.transaction() as tx:
        following = (await platform.jobs.enqueue(tx, SegmentIndex(video_id=video_id))).id
    settings = {"done_jobs_days": 1, "failed_jobs_days": 1}
    assert counts(await sweep_of(platform, **settings).sweep()) == {}
    for job_id in (waiting, following):
        await finish(platform, job_id, days_ago=0)
    assert counts(await sweep_of(platform, **settings).sweep()) == {"done_jobs": 1, "failed_jobs": 1}
    assert {row["id"] for row in await sql(platform, "SELECT id FROM jobs")} == {waiting, following}
    assert earlier not in {waiting, following}


@pytest.mark.req(401)
async def test_several_processes_that_make_room_at_once_remove_no_more_than_needed(platform):
    for days in range(20, 0, -1):
        await add_video(platform, days_old=days, size=100)
    sweeps = [sweep_of(platform, originals_max_bytes=1000) for _ in range(4)]
    outcomes = await soon(asyncio.gather(*(one.sweep(batch=3) for one in sweeps)))
    assert sum(one.count for outcome in outcomes for one in outcome) == 10
    assert len([key for key in await keys(platform) if key.startswith("videos/original/")]) == 10


class Killed(BaseException):
    pass


@pytest.mark.req(401)
@pytest.mark.parametrize(
    ("settings", "method"), [({"originals_days": 1}, "delete"), ({"frames_days": 1}, "delete_prefix")]
)
async def test_what_a_killed_process_marked_the_next_one_removes(platform, monkeypatch, settings, method):
    video_id = await add_video(platform, days_old=2)
    before = await keys(platform)

    async def die(*_):
        raise Killed

    with monkeypatch.context() as broken, pytest.raises(Killed):
        broken.setattr(platform.objects, method, die)
        await sweep_of(platform, **settings).sweep()
    assert await keys(platform) == before
    async with platform.database.transaction() as tx:
        found = await get_video(tx, video_id)
    assert found is not None
    assert found.original_removed_at is not None or found.frames_removed_at is not None
    await sweep_of(platform).sweep()  # even if the rule is no longer in force
    assert len(await keys(platform)) == len(before) - 1
    assert await sql(platform, "SELECT FROM video_object_removals") == []


@pytest.mark.req(406)
async def test_a_dry_run_names_what_a_sweep_then_removes_and_changes_nothing(platform):
    videos = [await add_video(platform, days_old=days, size=100) for days in (50, 40, 30, 1)]
    await add_job(platform, days_ago=9)
    settings = {"videos_days": 45, "originals_days": 35, "frames_max_bytes": 100, "done_jobs_days": 5}
    before = await keys(platform)
    preview = await sweep_of(platform, **settings).preview()
    assert await keys(platform) == before
    assert [(one.rule, one.count, one.bytes) for one in preview if one.count] == [
        ("videos", 1, 160),
        ("originals", 1, 100),
        ("frames", 1, 50),
        ("done_jobs", 1, None),
    ]
    assert [one.items for one in preview[:3]] == [[str(videos[0])], [str(videos[1])], [str(videos[1])]]
    swept = await sweep_of(platform, **settings).sweep()
    assert [(one.rule, one.count, one.items) for one in swept] == [(one.rule, one.count, one.items) for one in preview]
