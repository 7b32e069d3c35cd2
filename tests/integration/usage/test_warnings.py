"""Owners are warned when their use comes near to a quota and when it reaches it, once each."""

import asyncio
import os
import signal
import sys
from pathlib import Path
from uuid import UUID, uuid4

import asyncpg
import pytest

from sightline.messages import Preferences, put_preferences
from sightline.usage import OwnQuotas, add_up, set_quotas
from sightline.videos import NewVideo, remove_video
from support.pipeline_rig import STATUSES_IN_ORDER
from support.quota_warning_process import quota_warnings
from support.waiting import until

ANN, BEN = UUID(int=11), UUID(int=12)
TESTS = Path(__file__).resolve().parents[2]


@pytest.fixture
def used(platform):
    """Gives an owner a processed video of so many bytes and milliseconds, and adds up what is counted."""

    async def use(owner, *, size=10, ms=60_000) -> UUID:
        video_id = uuid4()
        async with platform.database.transaction() as tx:
            await platform.videos.create(tx, NewVideo(video_id, owner, "talk.mp4", size_bytes=size))
            for status in STATUSES_IN_ORDER:
                await platform.videos.move(tx, video_id, status)
            await tx.execute("UPDATE videos SET duration_ms = $2 WHERE id = $1", video_id, ms)
            await add_up(tx)
        return video_id

    return use


@pytest.fixture
def give(platform):
    async def set_for(owner, **quotas):
        async with platform.database.transaction() as tx:
            await set_quotas(tx, owner, OwnQuotas(**quotas))

    return set_for


@pytest.fixture
def warned(platform):
    """Checks what is due, and returns titles and texts of all messages, in the order of their making."""

    async def check(*, also_later: bool = False) -> list[tuple[str, str, str]]:
        async with platform.database.transaction() as tx:
            if also_later:
                await tx.execute("UPDATE owner_quota_checks SET due_at = now()")
        await quota_warnings(platform).check()
        return await sent(platform)

    return check


async def sent(platform) -> list[tuple[str, str, str]]:
    async with platform.database.transaction() as tx:
        rows = await tx.fetch(
            "SELECT coalesce(notification ->> 'channel', 'log'), notification ->> 'title', notification ->> 'body' FROM messages "
            "ORDER BY created_date, message_id"
        )
    return [tuple(row) for row in rows]


@pytest.mark.req(1170)
async def test_each_threshold_warns_once_and_again_only_after_use_fell(platform, used, give, warned):
    await give(ANN, storage_bytes=100)
    await used(ANN, size=79)
    assert await warned() == []
    small = await used(ANN, size=1)
    text = "80 B of 100 B. Once the quota is used up, new uploads are refused."
    assert await warned() == [("log", "80 % used: storage", text)]
    await used(ANN, size=5)
    assert len(await warned(also_later=True)) == 1, "once per threshold"
    big = await used(ANN, size=30)
    assert [title for _, title, _ in await warned()][1:] == ["115 % used: storage"]
    async with platform.database.transaction() as tx:
        await remove_video(tx, small, store_upload_id=None)
        await remove_video(tx, big, store_upload_id=None)
    await warned(also_later=True)  # 84 %: below 100, and not below 80
    await used(ANN, size=20)
    assert [title for _, title, _ in await warned()][2:] == ["104 % used: storage"]
    assert len(await warned(also_later=True)) == 3


@pytest.mark.req(1170)
async def test_videos_and_a_quota_that_was_lowered_warn_and_other_owners_do_not(used, give, warned):
    for owner in (ANN, BEN):
        for _ in range(4):
            await used(owner)
    await give(ANN, videos=10)
    assert await warned() == []
    await give(ANN, videos=4)
    assert [title for _, title, _ in await warned()] == ["100 % used: videos"]
    await give(ANN, videos=0)  # no limit
    assert len(await warned()) == 1
    await give(ANN, videos=5)
    assert [title for _, title, _ in await warned()][1:] == ["80 % used: videos"]


@pytest.mark.req(1170)
async def test_minutes_warn_once_in_each_month(platform, used, give, warned):
    await give(ANN, minutes_per_month=10)
    await used(ANN, ms=8 * 60_000)
    assert [title for _, title, _ in await warned()] == ["80 % used: minutes of video this month"]
    await used(ANN, ms=1)
    assert len(await warned()) == 1
    async with platform.database.transaction() as tx:  # as if that had been in the month before
        await tx.execute("UPDATE owner_quota_warnings SET period = '2020-01'")
    await used(ANN, ms=1)
    assert len(await warned()) == 2


@pytest.mark.req(1170)
async def test_recordings_warn_as_they_are_measured(platform, fresh_database, give, warned):
    await give(ANN, storage_bytes=100)
    assert await warned() == []
    admin = await asyncpg.connect(fresh_database.admin_url)
    await admin.execute(
        """WITH added AS (INSERT INTO cameras (camera_id, name, owner_id) VALUES ('door', 'Door', $1) RETURNING camera_key)
           INSERT INTO recordings (camera_key, run, number, started_at, ended_at, key, bytes, init_bytes, codec, width, height,
                                   has_audio, is_independent, state)
           SELECT camera_key, gen_random_uuid(), 0, now(), now() + interval '4 s', 'recordings/door/0', 90, 1, 'h264', 64, 48,
                  false, true, 'stored' FROM added""",
        ANN,
    )
    await admin.close()
    await platform.storage_meter.measure()
    assert [title for _, title, _ in await warned()] == ["90 % used: storage"]


@pytest.mark.req(1171)
@pytest.mark.parametrize(
    ("language", "title", "text"),
    [
        ("en", "100 % used: videos", "1 of 1. Once the quota is used up, new uploads are refused."),
        ("pt", "100 % em uso: vídeos", "1 de 1. Quando a cota se esgota, novos envios são recusados."),
        ("es", "100 % en uso: vídeos", "1 de 1. Cuando la cuota se agota, se rechazan las subidas nuevas."),
        ("de", "100 % genutzt: Videos", "1 von 1. Ist das Kontingent aufgebraucht, werden neue Uploads abgelehnt."),
    ],
)
async def test_a_warning_goes_where_and_in_the_language_its_owner_chose(
    platform, used, give, warned, language, title, text
):
    chosen = Preferences(
        events={"quota_warning": ("email", "ntfy")}, email="ann@example.com", ntfy_topic="ann", language=language
    )
    async with platform.database.transaction() as tx:
        await put_preferences(tx, ANN, chosen)
    await give(ANN, videos=1)
    await used(ANN)
    assert sorted(await warned()) == [("email", title, text), ("ntfy", title, text)]


@pytest.mark.req(1171)
async def test_who_turned_warnings_off_gets_none(platform, used, give, warned):
    async with platform.database.transaction() as tx:
        await put_preferences(tx, ANN, Preferences(events={"quota_warning": ()}))
    await give(ANN, videos=1)
    await used(ANN)
    assert await warned() == []


@pytest.mark.req(1172)
async def test_a_check_that_is_killed_is_done_again_and_two_processes_warn_once(platform, fresh_database, used, give):
    """The process is killed when the warning is written and its message is about to be."""
    await give(ANN, videos=1)
    await used(ANN)
    admin = await asyncpg.connect(fresh_database.admin_url)
    lock = admin.transaction()
    await lock.start()
    await admin.execute("LOCK TABLE messages IN SHARE MODE")
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "support.quota_warning_process"),
        *(fresh_database.url, str(platform.settings.state_dir)),
        cwd=TESTS,
        env=os.environ | {"PYTHONPATH": f"{TESTS}{os.pathsep}{TESTS.parent / 'src'}"},
        stdout=asyncio.subprocess.DEVNULL,
    )
    waiting = "SELECT count(*) FROM pg_locks WHERE relation = 'messages'::regclass AND NOT granted"

    async def is_about_to_write() -> bool:
        return bool(await admin.fetchval(waiting)) or process.returncode is not None

    await until(is_about_to_write)
    process.send_signal(signal.SIGKILL)
    assert await process.wait() == -signal.SIGKILL
    await lock.rollback()
    await admin.close()
    services = [quota_warnings(platform), quota_warnings(platform)]

    async def is_warned() -> bool:
        await asyncio.gather(*(one.check() for one in services))
        return bool(await sent(platform))

    await until(is_warned)  # the server may notice late that the killed process is gone
    for _ in range(3):
        async with platform.database.transaction() as tx:
            await tx.execute("UPDATE owner_quota_checks SET due_at = now()")
        await asyncio.gather(*(one.check() for one in services))
    assert [title for _, title, _ in await sent(platform)] == ["100 % used: videos"]


@pytest.mark.req(1172)
async def test_an_owner_that_cannot_be_checked_is_checked_later_and_holds_up_nobody(
    platform, fresh_database, used, give, warned
):
    await give(ANN, videos=1)
    await give(BEN, videos=1)
    await used(ANN)
    await used(BEN)
    admin = await asyncpg.connect(fresh_database.admin_url)
    await admin.execute(f"ALTER TABLE owner_quota_warnings ADD CONSTRAINT broken CHECK (owner_id <> '{ANN}') NOT VALID")
    assert len(await warned()) == 1
    assert await admin.fetchval("SELECT due_at > now() FROM owner_quota_checks WHERE owner_id = $1", ANN)
    await admin.execute("ALTER TABLE owner_quota_warnings DROP CONSTRAINT broken")
    await admin.close()
    assert len(await warned(also_later=True)) == 2
