"""The clock of rules: once in all processes, all or nothing, and after a downtime the last missed time alone."""

import asyncio
import json
from datetime import datetime, timedelta
from typing import Any

import pytest

from sightline.bootstrap import Platform
from sightline.bus import Names, PostgresBus, RegisteredRule, Registry, follow_rule
from sightline.bus.scheduler.clock import BusClock
from sightline.timing import utc_now
from support.aws_calls import aws_clients
from support.event_rig import Events, arn


@pytest.fixture
async def events(platform, serving):
    async with aws_clients(platform, serving) as clients:
        yield Events(clients)


def postgres(platform: Platform) -> PostgresBus:
    assert isinstance(platform.bus, PostgresBus)
    return platform.bus


def clock_at(platform: Platform, at: datetime, bus: Any = None) -> BusClock:
    registry = platform.open_bus.registry
    assert registry is not None
    return BusClock(bus or postgres(platform), platform.database, registry, clock=lambda: at)


@pytest.mark.req(496)
async def test_a_rule_fires_once_for_each_time_however_many_clocks_run(events: Events, platform: Platform):
    queue = await events.queue("ticks")
    made = await events("put_rule", Name="every", ScheduleExpression="rate(5 minutes)")
    await events("put_targets", Rule="every", Targets=[{"Id": "t", "Arn": queue}])
    begin = utc_now()
    await clock_at(platform, begin + timedelta(minutes=4)).run_due()
    assert await events.bodies("ticks") == []
    await asyncio.gather(*(clock_at(platform, begin + timedelta(minutes=6)).run_due() for _ in range(4)))
    (event,) = await events.bodies("ticks")
    assert (event["source"], event["detail-type"], event["detail"]) == ("aws.events", "Scheduled Event", {})
    assert event["resources"] == [made["RuleArn"]]
    await clock_at(platform, begin + timedelta(hours=2)).run_due()
    (late,) = await events.bodies("ticks")
    passed = datetime.fromisoformat(late["time"]) - datetime.fromisoformat(event["time"])
    assert timedelta(hours=1, minutes=45) < passed < timedelta(hours=2)


@pytest.mark.req(496)
async def test_a_clock_that_dies_has_done_all_or_nothing(events: Events, platform: Platform):
    queue = await events.queue("ticks")
    await events("put_rule", Name="every", ScheduleExpression="rate(1 minute)")
    await events("put_targets", Rule="every", Targets=[{"Id": "t", "Arn": queue}])

    class Dying:
        async def fire_rule(self, tx, rule: RegisteredRule, at: datetime) -> None:
            await postgres(platform).fire_rule(tx, rule, at)
            raise ConnectionResetError

    soon = utc_now() + timedelta(seconds=61)
    with pytest.raises(ConnectionResetError):
        await clock_at(platform, soon, bus=Dying()).run_due()
    assert await events.bodies("ticks") == []
    await clock_at(platform, soon).run_due()
    assert len(await events.bodies("ticks")) == 1


@pytest.mark.req(496)
async def test_a_disabled_rule_is_silent_and_starts_anew_when_it_is_enabled(events: Events, platform: Platform):
    queue = await events.queue("ticks")
    await events("put_rule", Name="every", ScheduleExpression="rate(1 minute)")
    await events("put_targets", Rule="every", Targets=[{"Id": "t", "Arn": queue, "Input": json.dumps({"a": 1})}])
    await events("disable_rule", Name="every")
    later = utc_now() + timedelta(hours=1)
    await clock_at(platform, later).run_due()
    assert await events.bodies("ticks") == []
    await events("enable_rule", Name="every")
    await clock_at(platform, later).run_due()
    assert await events.bodies("ticks") == [{"a": 1}]


@pytest.mark.req(496)
async def test_putting_an_unchanged_rule_again_does_not_postpone_it(events: Events, platform: Platform):
    await events("put_rule", Name="every", ScheduleExpression="rate(5 minutes)")
    async with platform.database.transaction() as tx:
        before = await tx.fetchval("SELECT next_tick FROM sightline.bus_rule_clocks")
        rule = RegisteredRule("default", "every", "000000000000", None, schedule="rate(5 minutes)")
        await follow_rule(tx, rule, now=utc_now() + timedelta(minutes=3))
        assert await tx.fetchval("SELECT next_tick FROM sightline.bus_rule_clocks") == before
    await events("put_rule", Name="every", EventPattern='{"source":["x"]}')
    async with platform.database.transaction() as tx:
        assert await tx.fetchval("SELECT count(*) FROM sightline.bus_rule_clocks") == 0


@pytest.mark.req(496)
async def test_a_scheduled_event_goes_on_to_another_event_bus(events: Events, platform: Platform):
    await events("create_event_bus", Name="other")
    await events.rule("all", {"source": ["aws.events"]}, {"Arn": await events.queue("q")}, bus="other")
    await events("put_rule", Name="every", ScheduleExpression="cron(* * * * ? *)")
    await events("put_targets", Rule="every", Targets=[{"Id": "t", "Arn": arn("events", "event-bus/other")}])
    await clock_at(platform, utc_now() + timedelta(minutes=1)).run_due()
    assert [one["detail-type"] for one in await events.bodies("q")] == ["Scheduled Event"]


@pytest.mark.req(523)
async def test_a_process_that_missed_the_news_calls_what_was_put_since(events: Events, platform: Platform):
    """Its registry is not kept current here, as if its notifications were late."""
    registry = Registry(platform.database, Names())
    topology = postgres(platform).topology
    bus = PostgresBus(platform.database, platform.listener, topology, Names(), registry=registry)
    await bus.create()
    await events("put_rule", Name="every", ScheduleExpression="rate(5 minutes)")
    await registry.refresh()
    await events("put_targets", Rule="every", Targets=[{"Id": "t", "Arn": await events.queue("ticks")}])
    begin = utc_now()
    clock = BusClock(bus, platform.database, registry, clock=lambda: begin + timedelta(minutes=6))
    await clock.run_due()
    assert [one["detail-type"] for one in await events.bodies("ticks")] == ["Scheduled Event"]
