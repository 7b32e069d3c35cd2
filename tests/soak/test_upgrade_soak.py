"""A rolling upgrade: the previous release works on the newer schema, alone and beside the newer processes, until it is gone."""

import json
import os
from contextlib import AsyncExitStack
from pathlib import Path
from uuid import UUID

import pytest

from sightline.db.migrate import MIGRATIONS
from support.clip_maker import make_clip
from support.fleet_members import Member
from support.fleet_outcome import check_mails, check_videos
from support.patient_uploads import PatientUploads
from support.previous_release import migrations_of, previous_revision, unpack
from support.waiting import until
from support.whole_fleet import Surroundings, surroundings

UPLOADS = int(os.environ.get("SIGHTLINETEST_UPGRADE_UPLOADS", "5"))
"""In each of the three phases."""
ROLES = ("work", "consume", "schedule")

pytestmark = [
    pytest.mark.skipif(not os.environ.get("SIGHTLINETEST_SOAK"), reason="a long run; make soak"),
    pytest.mark.time_limit(1800),
]


async def start(around: Surroundings, stack: AsyncExitStack, name: str, source: Path | None) -> list[Member]:
    members = [around.member(f"{role}-{name}", role, source=source) for role in ROLES]
    for member in members:
        stack.push_async_callback(member.end)
        await member.start()
    return members


@pytest.mark.req(1032)
async def test_processes_of_the_previous_release_work_on_the_newer_schema(tmp_path: Path):
    revision = previous_revision()
    source = unpack(revision, tmp_path / "previous")
    newer = {path.stem for path in MIGRATIONS.glob("*.sql")} - migrations_of(source)
    film = tmp_path / "film.mp4"
    make_clip(film, "slides", seconds=2, size=(480, 270))
    async with surroundings(tmp_path) as around, AsyncExitStack() as stack:
        api, address = around.api("api")
        stack.push_async_callback(api.end)
        await api.start()
        uploads = PatientUploads([address], film.read_bytes())
        stack.push_async_callback(uploads.close)
        videos: list[UUID] = []

        async def upload_some() -> None:
            videos.extend([await uploads.send(f"upload {len(videos)} {number}.mp4") for number in range(UPLOADS)])

            async def are_complete() -> bool:
                assert all(member.is_running for member in (*old, *new)), "a process has ended by itself"
                return await around.completed() == len(videos)

            await until(are_complete, within_s=600)

        old = await start(around, stack, "old", source)
        new: list[Member] = []
        await upload_some()
        new = await start(around, stack, "new", None)
        await upload_some()
        assert [await member.stop() for member in old] == [0] * len(old)
        old = []
        await upload_some()

        async def mails_are_sent() -> bool:
            rows = await around.fetch("SELECT count(*) FROM mails WHERE status = 'sent'")
            return bool(rows) and rows[0][0] == 2 * len(videos)

        await until(mails_are_sent, within_s=600)
        await check_videos(around, videos, segments=False)  # a newer version may read a text better
        mails = await check_mails(around, videos)
        print(
            json.dumps(
                {
                    "previous": revision,
                    "newer_migrations": sorted(newer),
                    "uploads": len(videos),
                    "mails": mails.different,
                    "mails_delivered_again": mails.delivered_again,
                }
            )
        )
