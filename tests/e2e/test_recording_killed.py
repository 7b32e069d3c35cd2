"""A platform that is killed while it records: nothing is half-stored, and recording resumes by itself."""

from datetime import timedelta
from pathlib import Path

import asyncpg
import httpx
import pytest

from sightline.timing import iso_utc, utc_now
from support.platform_process import database_url, kill, up
from support.waiting import until

QUICK = {"SIGHTLINE_RECORDING_SEGMENT_S": "1"}


async def recorded_s(client: httpx.AsyncClient) -> list[tuple[str, str]]:
    now = utc_now()
    query = {"since": iso_utc(now - timedelta(hours=1)), "until": iso_utc(now + timedelta(hours=1))}
    answer = (await client.get("/api/cameras/sample_camera/recordings", params=query)).json()
    return [(one["started_at"], one["ended_at"]) for one in answer["recordings"]]


async def stored_segments(client: httpx.AsyncClient, least: int) -> None:
    async def are_there() -> bool:
        spans = await recorded_s(client)
        return bool(spans) and spans[-1][0] < iso_utc(utc_now() - timedelta(seconds=least))

    await until(are_there)


@pytest.mark.req(586)
@pytest.mark.time_limit(300)
async def test_a_killed_platform_leaves_no_object_without_a_row_and_records_on(tmp_path: Path) -> None:
    state = tmp_path / "state"
    async with up(state, **QUICK) as platform, httpx.AsyncClient(base_url=platform.address, timeout=None) as client:
        made = await client.post("/api/cameras/sample")
        assert made.status_code == 201, made.text
        changed = await client.patch("/api/cameras/sample_camera", json={"source": {"record_mode": "continuous"}})
        assert changed.status_code == 200, changed.text
        await stored_segments(client, 4)
        before = await recorded_s(client)
        kill(platform.tree())

    async with up(state, **QUICK) as platform, httpx.AsyncClient(base_url=platform.address, timeout=None) as client:

        async def goes_on() -> bool:
            return len(await recorded_s(client)) > len(before)

        await until(goes_on)
        connection = await asyncpg.connect(await database_url(state))
        try:
            rows = await connection.fetch("SELECT key, state FROM recordings")
        finally:
            await connection.close()
        named = {row["key"] for row in rows}
        objects = state / "objects"
        stored = {path.name for path in objects.rglob("recordings/**/*.mp4")}
        assert stored
        assert stored <= {key.rpartition("/")[2] for key in named} | _newest(stored, named)
        assert {row["key"].rpartition("/")[2] for row in rows if row["state"] == "stored"} <= stored


def _newest(stored: set[str], named: set[str]) -> set[str]:
    """Stored since the rows were read."""
    last = max(key.rpartition("/")[2] for key in named)
    return {name for name in stored if name > last}
