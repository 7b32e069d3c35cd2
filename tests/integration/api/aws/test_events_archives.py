"""Archives and replays over the AWS endpoint."""

import asyncio
import json
from datetime import timedelta

import pytest

from sightline.bootstrap import Platform
from sightline.bus import BusEvent
from sightline.bus.events.replays import BATCH, ArchiveSweep, Replayer
from sightline.timing import utc_now
from support.aws_calls import aws_clients
from support.event_rig import Events, arn, error_of


@pytest.fixture
async def events(platform, serving):
    async with aws_clients(platform, serving) as clients:
        yield Events(clients)


async def new_archive(events: Events, name: str = "kept", bus: str = "shop", **more) -> str:
    made = await events("create_archive", ArchiveName=name, EventSourceArn=arn("events", f"event-bus/{bus}"), **more)
    found: str = made["ArchiveArn"]
    return found


async def start(events: Events, name: str, archive: str, bus: str = "shop", **destination):
    return await events(
        "start_replay",
        ReplayName=name,
        EventSourceArn=archive,
        EventStartTime=utc_now() - timedelta(hours=1),
        EventEndTime=utc_now() + timedelta(hours=1),
        Destination={"Arn": arn("events", f"event-bus/{bus}"), **destination},
    )


async def replay_all(platform: Platform, processes: int = 1) -> None:
    async def work() -> None:
        replayer = Replayer(platform.bus, platform.database)
        while await replayer.replay_batch():
            pass

    await asyncio.gather(*(work() for _ in range(processes)))


@pytest.mark.req(497)
async def test_the_life_of_an_archive(events: Events, platform: Platform):
    await events("create_event_bus", Name="shop")
    archive = await new_archive(
        events, RetentionDays=2, Description="d", EventPattern=json.dumps({"detail": {"keep": [True]}})
    )
    assert archive == arn("events", "archive/kept")
    for keep in (True, False, True):
        await events.put({"keep": keep}, bus="shop")
    await events.put({"keep": True})  # another event bus
    found = await events("describe_archive", ArchiveName="kept")
    assert (found["EventCount"], found["RetentionDays"], found["State"], found["Description"]) == (2, 2, "ENABLED", "d")
    assert found["SizeBytes"] > 300
    await events("update_archive", ArchiveName="kept", RetentionDays=1)
    for filters in (
        {},
        {"NamePrefix": "ke"},
        {"EventSourceArn": arn("events", "event-bus/shop")},
        {"State": "ENABLED"},
    ):
        assert [one["EventCount"] for one in (await events("list_archives", **filters))["Archives"]] == [2]
    async with platform.database.transaction() as tx:
        await tx.execute(
            "UPDATE sightline.bus_archived_events SET archived_at = now() - interval '25 hours' WHERE seq = 1"
        )
    await ArchiveSweep(platform.database).sweep()
    assert (await events("describe_archive", ArchiveName="kept"))["EventCount"] == 1
    assert await error_of(new_archive(events)) == ("ResourceAlreadyExistsException", "Archive kept already exists.")
    await events("delete_archive", ArchiveName="kept")
    assert (await error_of(events("describe_archive", ArchiveName="kept")))[1] == "Archive kept does not exist."
    await ArchiveSweep(platform.database).sweep()
    async with platform.database.transaction() as tx:
        assert await tx.fetchval("SELECT count(*) FROM sightline.bus_archived_events") == 0
    assert (await error_of(new_archive(events, bus="none")))[1] == "Event bus none does not exist."
    assert (await error_of(events("update_archive", ArchiveName="x")))[1] == (
        "At least one of EventPattern, RetentionDays or Description must be provided."
    )


@pytest.mark.req(497)
async def test_an_event_is_archived_if_and_only_if_it_was_put(events: Events, platform: Platform):
    await events("create_event_bus", Name="shop")
    await new_archive(events)

    class Interrupted(Exception):
        pass

    with pytest.raises(Interrupted):
        async with platform.database.transaction() as tx:
            await platform.bus.put_events(tx, BusEvent("a", "b", {}, event_bus="shop"))
            raise Interrupted
    assert (await events("describe_archive", ArchiveName="kept"))["EventCount"] == 0


@pytest.mark.req(498)
async def test_replayed_events_reach_the_rules_in_order_and_once_however_many_processes_replay(
    events: Events, platform: Platform
):
    await events("create_event_bus", Name="shop")
    archive = await new_archive(events)
    await events.rule("all", {"source": ["shop"]}, {"Arn": await events.queue("all")}, bus="shop")
    only = await events.rule("some", {"source": ["shop"]}, {"Arn": await events.queue("some")}, bus="shop")
    count = BATCH + 20
    for begin in range(0, count, 10):
        entries = [
            {"Source": "shop", "DetailType": "D", "Detail": json.dumps({"n": n}), "EventBusName": "shop"}
            for n in range(begin, begin + 10)
        ]
        await events("put_events", Entries=entries)
    for queue in ("all", "some"):
        while await events.received(queue):
            pass
    started = await start(events, "again", archive, FilterArns=[only])
    assert (started["State"], started["ReplayArn"]) == ("STARTING", arn("events", "replay/again"))
    await replay_all(platform, processes=3)
    found = await events("describe_replay", ReplayName="again")
    assert (found["State"], found["Destination"]["FilterArns"]) == ("COMPLETED", [only])
    assert {"ReplayEndTime", "EventLastReplayedTime"} <= set(found)
    got = []
    while batch := await events.bodies("some"):
        got += batch
    assert sorted(one["detail"]["n"] for one in got) == list(range(count))
    assert {one["replay-name"] for one in got} == {"again"}
    assert await events.received("all") == []
    assert (await events("describe_archive", ArchiveName="kept"))["EventCount"] == count  # not archived again


@pytest.mark.req(498)
async def test_replays_are_listed_cancelled_and_refused_in_eventbridges_words(events: Events, platform: Platform):
    await events("create_event_bus", Name="shop")
    archive = await new_archive(events)
    await start(events, "one", archive)
    await start(events, "two", archive)
    assert (await events("cancel_replay", ReplayName="two"))["State"] == "CANCELLING"
    await replay_all(platform)
    assert [(one["ReplayName"], one["State"]) for one in (await events("list_replays"))["Replays"]] == [
        ("one", "COMPLETED"),
        ("two", "CANCELLED"),
    ]
    first = await events("list_replays", Limit=1)
    rest = await events("list_replays", Limit=1, NextToken=first["NextToken"])
    assert [one["ReplayName"] for one in (*first["Replays"], *rest["Replays"])] == ["one", "two"]
    for filters in ({"NamePrefix": "tw"}, {"State": "CANCELLED"}):
        assert [one["ReplayName"] for one in (await events("list_replays", **filters))["Replays"]] == ["two"]
    assert (await events("list_replays", EventSourceArn=archive + "x"))["Replays"] == []
    cases = [
        (events("cancel_replay", ReplayName="one"), "IllegalStatusException", "not in a valid state"),
        (start(events, "one", archive), "ResourceAlreadyExistsException", "Replay one already exists."),
        (start(events, "x", archive + "x"), "ValidationException", "Reason: Archive keptx does not exist."),
        (start(events, "x", archive, bus="default"), "ValidationException", "Cross event bus replay is not permitted."),
        (events("describe_replay", ReplayName="x"), "ResourceNotFoundException", "Replay x does not exist."),
        (
            events(
                "start_replay",
                ReplayName="x",
                EventSourceArn=archive,
                EventStartTime=utc_now(),
                EventEndTime=utc_now() - timedelta(seconds=10),
                Destination={"Arn": arn("events", "event-bus/shop")},
            ),
            "ValidationException",
            "EventStartTime must be before EventEndTime.",
        ),
    ]
    for call, code, message in cases:
        found = await error_of(call)
        assert (found[0], message in found[1]) == (code, True), found
