"""Processes of the clock killed in the middle of a call, again and again: every time is called for once, whoever is left."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from functools import partial

import asyncpg
import pytest

from support import clock_process
from support.aws_calls import aws_clients
from support.clock_rig import TO_FIFO, TO_PLAIN, TO_TOPIC, due, make_targets, received, schedule, scheduled_rule
from support.event_rig import Events
from support.forks import Forks, forks_of
from support.waiting import soon, until

# After how many calls the first and the second process of each minute hang.
HANGS = ((0, 0), (2, 0), (1, 3), (0, 4), (3, 1))
BEGIN = datetime(2099, 1, 1, tzinfo=UTC)
MINUTES = [BEGIN + timedelta(minutes=number) for number in range(len(HANGS))]
EACH_MINUTE = 3 * (1 + 2) + 2


@pytest.fixture
async def events(platform, serving):
    async with aws_clients(platform, serving) as clients:
        yield Events(clients)


async def make_schedules(events: Events) -> Counter[tuple[str, str]]:
    """What is to be called, by name and time. The times of the two rules are not known beforehand."""
    expected: Counter[tuple[str, str]] = Counter()
    for name, target in (("plain", TO_PLAIN), ("fifo", TO_FIFO), ("topic", TO_TOPIC)):
        await schedule(events, f"rate-{name}", "rate(1 minute)", target, StartDate=BEGIN)
        for minute in MINUTES:
            expected[f"rate-{name}", f"{minute:%FT%TZ}"] += 1
            for completion in ("NONE", "DELETE"):
                once = f"at-{name}-{minute:%M}-{completion}"
                await schedule(events, once, f"at({minute:%FT%T})", target, ActionAfterCompletion=completion)
                expected[once, f"{minute:%FT%TZ}"] += 1
    await scheduled_rule(events, "rule-plain", "rate(1 minute)", TO_PLAIN)
    await scheduled_rule(events, "rule-fifo", "rate(1 minute)", TO_FIFO)
    return expected


async def half_way(forks: Forks, pid: int) -> None:
    while await soon(forks.heard_from(pid)) != "half-way":
        pass


@pytest.mark.req(522)
async def test_clocks_killed_in_the_middle_of_a_call_lose_and_double_no_time(events: Events, fresh_database):
    await make_targets(events)
    expected = await make_schedules(events)
    admin = await asyncpg.connect(fresh_database.admin_url)

    async def is_done(now: datetime) -> bool:
        return await due(admin, now) == 0

    with forks_of(clock_process.__name__) as forks:
        for now, hangs in zip(MINUTES, HANGS, strict=True):
            assert await due(admin, now) == EACH_MINUTE
            first = await forks.start(fresh_database.url, now.isoformat(), str(hangs[0]))
            await half_way(forks, first)
            # The second begins while the first holds its call open; a call of the same FIFO queue has to wait for it.
            second = await forks.start(fresh_database.url, now.isoformat(), str(hangs[1]))
            await forks.kill(first)
            await half_way(forks, second)
            assert await due(admin, now) == EACH_MINUTE - sum(hangs)
            survivor = await forks.start(fresh_database.url, now.isoformat(), "")
            await forks.kill(second)
            await until(partial(is_done, now))
            await forks.kill(survivor)
    assert await admin.fetchval("SELECT count(*) FROM sightline.bus_schedules WHERE deletes_itself") == 0
    await admin.close()
    found = await received(events)
    calls = Counter(call for queue in found.values() for call in queue)
    of_rules = Counter({call: count for call, count in calls.items() if call[0].startswith("rule-")})
    assert calls - of_rules == expected
    assert set(of_rules.values()) == {1}
    assert Counter(name for name, _ in of_rules) == {"rule-plain": len(HANGS), "rule-fifo": len(HANGS)}
    in_order = [at for name, at in found["ordered.fifo"] if not name.startswith("rule-")]
    assert in_order == sorted(in_order)
