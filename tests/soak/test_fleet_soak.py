"""A whole fleet through kills, a restart of the database and a zone that is cut off: each video and each mail once.

Two `api`, two `consume`, two `schedule` and four `work` with chosen types, each a process with a state directory of its own, on an
external PostgreSQL behind a pooler in transaction mode, with S3, SNS, SQS and EventBridge at an emulator.
"""

import asyncio
import json
import os
import random
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from uuid import UUID

import httpx
import pytest

from support.clip_maker import make_clip
from support.fleet_members import Member
from support.fleet_outcome import check_mails, check_videos
from support.patient_uploads import PatientUploads
from support.waiting import until
from support.whole_fleet import LEASE_S, Surroundings, surroundings

UPLOADS = int(os.environ.get("SIGHTLINETEST_FLEET_UPLOADS", "200"))
KILL_EVERY_S = float(os.environ.get("SIGHTLINETEST_FLEET_KILL_EVERY_S", "20"))
# Longer than the leases of jobs and mails and than the visibility of a message in most queues, which is 300 s.
CUT_S = float(os.environ.get("SIGHTLINETEST_FLEET_CUT_S", "330"))
AT_ONCE = 4

pytestmark = [
    pytest.mark.skipif(not os.environ.get("SIGHTLINETEST_SOAK"), reason="a long run; make soak"),
    pytest.mark.time_limit(1800 + 60 * UPLOADS),
]

MEDIA, TEXT = ("work", "--types", "transcode,sample"), ("work", "--types", "ocr,segment_index")


@asynccontextmanager
async def fleet(around: Surroundings) -> AsyncIterator[tuple[list[Member], list[Member], list[str]]]:
    """The members of two zones, and the addresses of the API."""
    zones: list[list[Member]] = []
    addresses = []
    for zone in ("a", "b"):
        api, address = around.api(f"api-{zone}")
        addresses.append(address)
        others = {"consume": ("consume",), "schedule": ("schedule",), "media": MEDIA, "text": TEXT}
        zones.append([api, *(around.member(f"{name}-{zone}", *role) for name, role in others.items())])
    try:
        for member in (*zones[0], *zones[1]):
            await member.start()
        yield zones[0], zones[1], addresses
    finally:
        for member in (*zones[0], *zones[1]):
            await member.end()


class Chaos:
    """Kills a member every few seconds, and starts it again."""

    def __init__(self, members: list[Member]) -> None:
        self._members = members
        self._chance = random.Random(24)
        self._lock = asyncio.Lock()

    async def run(self) -> None:
        while True:
            await asyncio.sleep(self._chance.uniform(0.5, 1.5) * KILL_EVERY_S)
            async with self._lock:
                chosen = self._chance.choice([one for one in self._members if not one.is_frozen])
                await chosen.kill()
                await chosen.start()

    async def cut_off(self, zone: list[Member]) -> None:
        """Nothing of the zone says a word for a while, and then everything goes on as if nothing had been."""
        async with self._lock:
            for member in zone:
                member.freeze()
        await asyncio.sleep(CUT_S)
        for member in zone:
            member.thaw()


async def is_up(address: str) -> bool:
    async with httpx.AsyncClient(timeout=20) as http:
        try:
            return (await http.get(f"{address}/api/health")).status_code == 200
        except httpx.HTTPError:
            return False


@pytest.mark.req(302, 303, 1033, 1034)
async def test_a_fleet_completes_every_upload_once_whatever_is_killed_or_cut_off(tmp_path: Path):
    film = tmp_path / "film.mp4"
    make_clip(film, "slides", seconds=2, size=(480, 270))
    assert CUT_S > LEASE_S
    async with surroundings(tmp_path) as around, fleet(around) as (zone_a, zone_b, addresses):
        for address in addresses:
            await until(partial(is_up, address), within_s=300)
        began = time.monotonic()
        uploads = PatientUploads(addresses, film.read_bytes())
        gate = asyncio.Semaphore(AT_ONCE)

        async def send(number: int) -> UUID:
            async with gate:
                return await uploads.send(f"upload {number}.mp4")

        sending = [asyncio.create_task(send(number)) for number in range(UPLOADS)]
        chaos = Chaos([*zone_a, *zone_b])
        killing = asyncio.create_task(chaos.run())

        async def reaches(count: int) -> None:
            async def has() -> bool:
                assert not killing.done(), killing.exception()
                await around.hurry()
                await asyncio.sleep(2)
                return await around.completed() >= count

            await until(has, within_s=600 + 30 * UPLOADS)

        await reaches(max(1, UPLOADS // 4))
        await around.server.stop()
        await around.server.start()
        await reaches(UPLOADS // 2)
        await asyncio.gather(chaos.cut_off(zone_a), reaches(UPLOADS * 3 // 4))
        videos = await asyncio.gather(*sending)
        await reaches(UPLOADS)
        killing.cancel()
        seconds = time.monotonic() - began

        async def mails_are_sent() -> bool:
            await asyncio.sleep(1)
            left = await around.fetch(
                "SELECT count(*) FROM mails WHERE status <> 'sent' AND video_id = ANY ($1)", videos
            )
            sent = await around.fetch(
                "SELECT count(*) FROM mails WHERE status = 'sent' AND video_id = ANY ($1)", videos
            )
            return bool(left and sent) and (left[0][0], sent[0][0]) == (0, 2 * UPLOADS)

        await until(mails_are_sent, within_s=900)
        await check_videos(around, videos)
        mails = await check_mails(around, videos)
        await uploads.close()
        left = sum([await member.end() for member in (*zone_a, *zone_b)])
        figures = {
            "uploads": UPLOADS,
            "seconds": round(seconds),
            "kills": {member.name: member.kills for member in (*zone_a, *zone_b)},
            "cut_off_s": CUT_S,
            "requests_repeated": uploads.repeated,
            "starts_without_answer": uploads.unanswered_starts,
            "mails": mails.different,
            "mails_delivered_again": mails.delivered_again,
            "transactions_pooled": around.pooler.transactions,
            "pooled_clients_at_once": around.pooler.clients_at_once,
            "processes_that_outlived_their_parent": left,
        }
        print(json.dumps(figures))
    assert sum(member.kills for member in (*zone_a, *zone_b)) > 0
