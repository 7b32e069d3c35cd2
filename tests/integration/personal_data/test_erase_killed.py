"""An erasure whose process is killed goes on where it ended."""

import asyncio
import os
import signal
import sys
from pathlib import Path
from uuid import UUID, uuid4

import asyncpg
import pytest

from sightline.job_types import person_parts
from sightline.objects import original_key
from sightline.personal_data import Erasure, find_person
from support.waiting import until

ANN, BEN = UUID(int=11), UUID(int=12)
VIDEOS = 12
TESTS = Path(__file__).resolve().parents[2]


@pytest.mark.req(1053)
async def test_an_erasure_that_is_killed_is_finished_by_the_next(platform, fresh_database, video_of):
    """The objects of a video whose rows went right before the kill go too; nothing of another person does."""
    admin = await asyncpg.connect(fresh_database.admin_url)
    videos = {owner: [await video_of(owner) for _ in range(VIDEOS)] for owner in (ANN, BEN)}
    for video_id in (*videos[ANN], *videos[BEN]):
        await platform.objects.put(original_key(video_id), b"x")
    name = "INSERT INTO caller_memberships (user_id, team_ids, issued_at, expires_at, name) VALUES ($1, '{}', now(), now(), $2)"
    for owner, email in ((ANN, "ann@example.com"), (BEN, "ben@example.com")):
        await admin.execute(name, owner, email)
        for _ in range(3):
            await admin.execute("INSERT INTO collections (owner_id, name) VALUES ($1, $2)", owner, str(uuid4()))

    async def left() -> int:
        return int(await admin.fetchval("SELECT count(*) FROM videos WHERE owner_id = $1", ANN))

    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "support.erase_process"),
        *(fresh_database.url, str(platform.settings.state_dir), "ann@example.com"),
        cwd=TESTS,
        env=os.environ | {"PYTHONPATH": f"{TESTS}{os.pathsep}{TESTS.parent / 'src'}"},
        stdout=asyncio.subprocess.DEVNULL,
    )

    async def is_under_way() -> bool:
        return await left() < VIDEOS or process.returncode is not None

    await until(is_under_way)
    process.send_signal(signal.SIGKILL)
    await process.wait()
    assert 0 < await left() < VIDEOS, "killed in the middle"
    async with platform.database.transaction() as tx:
        person = await find_person(tx, "ann@example.com")
    await Erasure(person_parts(platform), person).run()
    assert await left() == 0
    assert [one for one in videos[ANN] if await platform.objects.head(original_key(one)) is not None] == []
    assert [one for one in videos[BEN] if await platform.objects.head(original_key(one)) is None] == []
    counts = "SELECT (SELECT count(*) FROM videos WHERE owner_id = $1), (SELECT count(*) FROM collections WHERE owner_id = $1)"
    assert [tuple(row) for owner in (BEN, ANN) for row in await admin.fetch(counts, owner)] == [(VIDEOS, 3), (0, 0)]
    await admin.close()
