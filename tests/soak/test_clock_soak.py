"""Hundreds of schedules while the processes that run the clock, three of `sightline schedule`, are killed again and again."""

import asyncio
import os
import random
from collections import Counter, defaultdict
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import asyncpg
import httpx
import psutil
import pytest

from support.aws_calls import AwsClients
from support.clock_rig import TO_FIFO, TO_PLAIN, TO_TOPIC, due, make_targets, received, schedule, scheduled_rule
from support.command_server import CommandProcess
from support.emulators import free_port
from support.event_rig import Events
from support.platform_process import kill, sightline
from support.postgres import DatabaseAddresses
from support.waiting import until

pytestmark = [
    pytest.mark.skipif(not os.environ.get("SIGHTLINETEST_SOAK"), reason="a long run; make soak"),
    pytest.mark.time_limit(1800),
]

PROCESSES = 3
ONCE = 600
RATES = RULES = 9
FIRST_AFTER = timedelta(seconds=45)
LASTS = timedelta(seconds=150)
TARGETS = (TO_PLAIN, TO_FIFO, TO_TOPIC)


async def role(name: str, database: DatabaseAddresses, state: Path, **more: str) -> CommandProcess:
    return await sightline(name, SIGHTLINE_DATABASE_URL=database.admin_url, SIGHTLINE_STATE_DIR=str(state), **more)


async def end(process: CommandProcess) -> None:
    assert process.returncode is None, "it ended by itself"
    kill([psutil.Process(process.pid), *psutil.Process(process.pid).children(recursive=True)])
    await process.wait()
    process.close()


async def keep_scheduling(number: int, database: DatabaseAddresses, state: Path, over: asyncio.Event) -> int:
    """Starts the process, kills it after a moment, and starts it again; returns the number of kills."""
    chance = random.Random(number)
    kills = 0
    while not over.is_set():
        process = await role("schedule", database, state / f"schedule-{number}")
        await asyncio.sleep(chance.uniform(1, 6))
        await end(process)
        kills += 1
    return kills


@pytest.mark.req(522)
async def test_schedules_survive_kills_of_all_that_run_the_clock(fresh_database: DatabaseAddresses, tmp_path: Path):
    port = free_port()
    api = await role("api", fresh_database, tmp_path / "api", SIGHTLINE_API_PORT=str(port))
    events = Events(AwsClients(f"http://127.0.0.1:{port}"))

    async def answers() -> bool:
        async with httpx.AsyncClient(timeout=None) as http:
            try:
                return (await http.get(f"{events.aws.address}/api/health")).status_code == 200
            except httpx.TransportError:
                return False

    await until(answers, within_s=120)
    await make_targets(events)
    first = datetime.now(UTC).replace(microsecond=0) + FIRST_AFTER
    last = first + LASTS
    expected: Counter[tuple[str, str]] = Counter()
    for number in range(ONCE):
        at = first + timedelta(seconds=round(number * LASTS.total_seconds() / ONCE))
        await schedule(events, f"at-{number}", f"at({at:%FT%T})", TARGETS[number % 3])
        expected[f"at-{number}", f"{at:%FT%TZ}"] += 1
    for number in range(RATES):
        await schedule(events, f"rate-{number}", "rate(1 minute)", TARGETS[number % 3])
        await scheduled_rule(events, f"rule-{number}", "rate(1 minute)", TARGETS[number % 2])
    assert datetime.now(UTC) < first, "the machine is too slow for this"
    over = asyncio.Event()
    scheduling = [
        asyncio.create_task(keep_scheduling(number, fresh_database, tmp_path, over)) for number in range(PROCESSES)
    ]
    await asyncio.sleep((last - datetime.now(UTC)).total_seconds())
    over.set()
    kills = sum(await asyncio.gather(*scheduling))
    survivor = await role("schedule", fresh_database, tmp_path / "survivor")
    admin = await asyncpg.connect(fresh_database.admin_url)

    async def is_done() -> bool:
        return await due(admin, datetime.now(UTC)) == 0

    await until(is_done, within_s=120)
    await admin.close()
    await end(survivor)
    found = await received(events)
    await end(api)
    calls = Counter(call for queue in found.values() for call in queue)
    assert Counter({call: count for call, count in calls.items() if call[0].startswith("at-")}) == expected
    repeated: dict[str, list[datetime]] = defaultdict(list)
    for (name, time), count in calls.items():
        assert count == 1, (name, time)
        if not name.startswith("at-"):
            repeated[name].append(datetime.fromisoformat(time))
    assert len(repeated) == RATES + RULES
    for name, times in repeated.items():
        times.sort()
        gaps = {later - earlier for earlier, later in pairwise(times)}
        assert gaps == {timedelta(minutes=1)}, (name, times)
        assert last - times[-1] < timedelta(seconds=61), name  # times are told in whole seconds
    print(f"{sum(calls.values())} calls, {kills} kills of {PROCESSES} processes")
