"""The consumer of document 000: upserts, completeness on every message, runs kept apart, finalized once."""

import asyncio
import json
from dataclasses import replace
from uuid import uuid4

import pytest

from sightline.bus import (
    TECHNIQUE_DEAD_LETTERS,
    TECHNIQUE_QUEUE,
    TECHNIQUE_TOPIC,
    Attribute,
    Subscription,
    TopicMessage,
    default_topology,
)
from sightline.contracts.technique_events import event_id
from sightline.live import LiveFeed
from sightline.techniques import TechniqueBatchHandler, sees_every_event, technique_consumer
from support.technique_rig import TOPOLOGY, clip, complete_message, event_message, foreign_event, running, whole_run
from support.waiting import until

VIDEO = uuid4


def counts(row):
    return row["received_count"], row["total_event_count"], row["completion_received"], row["finalized"]


@pytest.mark.req(30, 31)
async def test_a_repeated_event_is_stored_and_counted_once(rig):
    video = uuid4()
    message = event_message(video, "job-1", 1, 3)
    for _ in range(3):
        await rig.receive(message)
    await rig.receive(message, message)
    assert len(await rig.events(video)) == 1
    (row,) = await rig.status(video)
    assert counts(row) == (1, 3, False, False)


@pytest.mark.req(32)
async def test_another_event_of_the_same_index_replaces_the_first(rig):
    video, first, second = uuid4(), uuid4(), uuid4()
    await rig.receive(foreign_event(video, 1, 2, event=first))
    await rig.receive(foreign_event(video, 1, 2, event=second, skill_name="Armbar"))
    (stored,) = await rig.events(video)
    assert (stored["id"], stored["skill_name"]) == (second, "Armbar")
    assert (await rig.status(video))[0]["received_count"] == 1
    await rig.receive(foreign_event(video, 2, 2), complete_message(video, "theirs", 2))
    row = await rig.status(video, "theirs")
    assert counts(row) == (2, 2, True, True)


@pytest.mark.req(30)
async def test_an_event_published_again_with_the_same_id_is_updated(rig):
    video, event = uuid4(), uuid4()
    await rig.receive(foreign_event(video, 1, 1, event=event, confidence=0.2))
    await rig.receive(foreign_event(video, 1, 1, event=event, confidence=0.9, category="GUARD_PLAY"))
    (stored,) = await rig.events(video)
    assert (stored["category"], stored["confidence"]) == ("GUARD_PLAY", 0.9)
    assert (await rig.status(video))[0]["received_count"] == 1


@pytest.mark.req(33)
@pytest.mark.parametrize("kind", ["event", "completion"])
async def test_the_first_message_of_either_kind_makes_the_status_row(rig, kind):
    video = uuid4()
    await rig.receive(
        event_message(video, "job-1", 2, 5) if kind == "event" else complete_message(video, "job-1", 5, "s3://b/k.json")
    )
    (row,) = await rig.status(video)
    document = {"video_id", "job_id", "total_event_count", "received_count", "completion_received"}
    assert document | {"result_s3_uri", "finalized", "created_at", "updated_at"} <= set(row)
    assert row["total_event_count"] == 5
    assert not row["finalized"]
    if kind == "completion":
        assert (row["job_id"], row["result_s3_uri"]) == ("job-1", "s3://b/k.json")


@pytest.mark.req(34, 36)
async def test_a_completion_signal_before_the_last_event_waits(rig):
    video = uuid4()
    first, second, done = whole_run(video, "job-1", 2)
    await rig.receive(first)
    await rig.receive(done)
    assert counts(await rig.status(video, "job-1")) == (1, 2, True, False)
    await rig.receive(second)
    assert counts(await rig.status(video, "job-1")) == (2, 2, True, True)


@pytest.mark.req(35, 36)
async def test_all_events_before_the_completion_signal_wait_for_it(rig):
    video = uuid4()
    *events, done = whole_run(video, "job-1", 3)
    await rig.receive(*events)
    assert [counts(row) for row in await rig.status(video)] == [(3, 3, False, False)]
    await rig.receive(done)
    assert [counts(row) for row in await rig.status(video)] == [(3, 3, True, True)]


@pytest.mark.req(38)
async def test_a_completion_without_events_finalizes_at_once(rig):
    video = await rig.video()
    await rig.receive(complete_message(video, "job-1", 0))
    row = await rig.status(video, "job-1")
    assert counts(row) == (0, 0, True, True)
    assert row["summary"] == {}
    assert [message["total_event_count"] for message in await rig.live_messages()] == [0]


@pytest.mark.req(39)
@pytest.mark.parametrize("order", ["events first", "completion first"])
async def test_the_total_of_the_completion_counts_and_a_mismatch_is_recorded(rig, order):
    video = uuid4()
    messages = [event_message(video, "job-1", index, 5) for index in (1, 2)]
    messages.insert(0 if order == "completion first" else 2, complete_message(video, "job-1", 2))
    for message in messages:
        await rig.receive(message)
    row = await rig.status(video, "job-1")
    assert counts(row) == (2, 2, True, True)
    assert (row["totals_disagree"], row["told_least"], row["told_most"]) == (True, 5, 5)


@pytest.mark.req(39)
async def test_the_total_of_the_completion_counts_for_a_run_that_its_events_opened(rig):
    """The run of a job that is published here has a name, and so a total, before its completion arrives."""
    video, job_id = await rig.video(), uuid4()
    await rig.rows(
        "INSERT INTO technique_publications (job_id, video_id, topic, total, result_key) VALUES ($1, $2, 't', 5, 'k')",
        job_id,
        video,
    )
    await rig.receive(*(event_message(video, str(job_id), index, 5) for index in (1, 2)))
    assert counts(await rig.status(video, str(job_id))) == (2, 5, False, False)
    await rig.receive(complete_message(video, str(job_id), 2))
    row = await rig.status(video, str(job_id))
    assert counts(row) == (2, 2, True, True)
    assert row["totals_disagree"]


@pytest.mark.req(40)
async def test_a_filtered_subscription_finalizes_on_the_completion_alone(rig):
    policy = {
        "event_type": ["bjj_event_detected", "analysis_complete"],
        "category": [{"exists": False}, "SUBMISSION_OFFENSE", "STANDUP_GAME"],
    }
    others = tuple(one for one in TOPOLOGY.subscriptions if one.queue != TECHNIQUE_QUEUE)
    filtered = replace(TOPOLOGY, subscriptions=(*others, Subscription(TECHNIQUE_TOPIC, TECHNIQUE_QUEUE, policy)))
    assert sees_every_event(TOPOLOGY, TECHNIQUE_QUEUE)
    assert not sees_every_event(filtered, TECHNIQUE_QUEUE)
    video = uuid4()
    handler = TechniqueBatchHandler(rig.bus, LiveFeed(), sees_every_event=False)
    await rig.receive(event_message(video, "job-1", 4, 9), handler=handler)
    assert not (await rig.status(video))[0]["finalized"]
    await rig.receive(complete_message(video, "job-1", 9), handler=handler)
    assert counts(await rig.status(video, "job-1")) == (1, 9, True, True)


@pytest.mark.req(41)
async def test_a_second_analysis_is_a_run_of_its_own(rig):
    video = uuid4()
    first, second = whole_run(video, "job-1", 3), whole_run(video, "job-2", 3)
    await rig.receive(*second[:2], *first[:2])  # neither run is named yet
    await rig.receive(first[3])
    assert counts(await rig.status(video, "job-1")) == (2, 3, True, False)
    await rig.receive(second[3], first[2])
    assert counts(await rig.status(video, "job-1")) == (3, 3, True, True)
    assert counts(await rig.status(video, "job-2")) == (2, 3, True, False)
    await rig.receive(second[2])
    assert [counts(row) for row in await rig.status(video)] == [(3, 3, True, True)] * 2
    assert [row["job_id"] for row in await rig.events(video)] == ["job-1"] * 3 + ["job-2"] * 3


@pytest.mark.req(41)
async def test_a_second_analysis_of_another_producer_does_not_mix_with_the_first(rig):
    video = uuid4()
    repeated = foreign_event(video, 1, 2)
    await rig.receive(repeated, foreign_event(video, 2, 2), complete_message(video, "theirs-1", 2))
    await rig.receive(repeated)  # late, and known: it changes nothing
    await rig.receive(foreign_event(video, 1, 1), complete_message(video, "theirs-2", 1))
    assert counts(await rig.status(video, "theirs-1")) == (2, 2, True, True)
    assert counts(await rig.status(video, "theirs-2")) == (1, 1, True, True)
    assert len(await rig.status(video)) == 2


@pytest.mark.req(37)
async def test_finalization_publishes_a_summary_once(rig):
    video = await rig.video()
    categories = ["GUARD_PLAY", "GUARD_PLAY", "STANDUP_GAME"]
    events = [
        event_message(video, "job-1", index, 3, found=clip(index, category=category, start_frame=0, end_frame=300))
        for index, category in enumerate(categories, start=1)
    ]
    await rig.receive(*events, complete_message(video, "job-1", 3))
    await rig.receive(*events, complete_message(video, "job-1", 3))
    row = await rig.status(video, "job-1")
    assert row["summary"] == {
        "GUARD_PLAY": {"techniques": 2, "seconds": 20, "confidence": 0.85},
        "STANDUP_GAME": {"techniques": 1, "seconds": 10, "confidence": 0.85},
    }
    (message,) = await rig.live_messages()
    assert message["categories"] == {"GUARD_PLAY": 2, "STANDUP_GAME": 1}
    assert message["job_id"] == "job-1"


@pytest.mark.req(37)
async def test_two_consumers_at_once_finalize_once(rig):
    videos = [await rig.video() for _ in range(6)]
    for video in videos:
        messages = whole_run(video, f"job-{video}", 5)
        await asyncio.gather(*(rig.receive(message) for message in [*messages, *messages]))
    for video in videos:
        assert [counts(row) for row in await rig.status(video)] == [(5, 5, True, True)]
    assert len(await rig.live_messages()) == 6


@pytest.mark.req(42, 43)
async def test_broken_messages_become_dead_letters_and_the_rest_is_stored(rig):
    video = await rig.video()
    kind = {"event_type": Attribute("String", "bjj_event_detected")}
    body, attributes = event_message(video, "job-1", 1, 1)
    broken = [
        ("{", attributes),
        ("[]", attributes),
        (body, kind),  # no index
        (body, attributes | {"event_index": Attribute("Number", "0")}),
        (body, {"event_type": Attribute("String", "something_else")}),
        (json.dumps(json.loads(body) | {"event_candidates": []}), attributes),
        (body.replace("GUARD_PLAY", "COOKING"), attributes),
        (body.replace("0.85", "1.85"), attributes),
        (body.replace("Sweep 1", "Sweep\\u0000"), attributes),
        (
            '{"video_id": "x", "job_id": "j", "total_event_count": 1}',
            {"event_type": Attribute("String", "analysis_complete")},
        ),
    ]
    good = whole_run(video, "job-1", 3)
    async with rig.database.transaction() as tx:
        mixed = [message for pair in zip(broken, good * 3, strict=False) for message in pair]
        await rig.bus.publish(tx, *(TopicMessage(TECHNIQUE_TOPIC, text, found) for text, found in [*mixed, *good]))

    async def is_settled():
        rows = await rig.status(video)
        dead = await rig.bus.peek(TECHNIQUE_DEAD_LETTERS, limit=50)
        return len(dead) == len(broken) and bool(rows) and rows[0]["finalized"]

    async with running(technique_consumer(rig.bus, rig.database, LiveFeed(), batch=8)):
        await until(is_settled)
    assert counts(await rig.status(video, "job-1")) == (3, 3, True, True)
    reasons = [dead.dead_reason for dead in await rig.bus.peek(TECHNIQUE_DEAD_LETTERS, limit=50)]
    assert sum("event_type" in reason for reason in reasons) == 1
    assert all("InvalidInput" in reason for reason in reasons)


@pytest.mark.req(44)
def test_the_queue_has_the_documents_numbers():
    (queue,) = [one for one in default_topology(stage="dev", bucket="b").queues if one.name == TECHNIQUE_QUEUE]
    assert queue.name == "video_analysis_events_db_consumer"
    assert queue.dead_letter_queue == "video_analysis_events_dlq"
    assert (queue.max_receives, queue.wait_s, queue.visibility_s, queue.retention_s) == (3, 20, 60, 14 * 24 * 3600)


async def test_messages_of_a_removed_video_leave_nothing_behind(rig):
    video = await rig.video()
    *events, done = whole_run(video, "job-1", 2)
    await rig.receive(events[0])
    async with rig.database.transaction() as tx:
        await tx.execute("INSERT INTO video_removals (video_id) VALUES ($1)", video)
        await tx.execute("DELETE FROM videos WHERE id = $1", video)
    await rig.receive(events[1], done)
    assert await rig.status(video) == []
    assert await rig.events(video) == []


async def test_an_event_id_derived_from_a_job_belongs_to_that_job(rig):
    """The publisher notes its job before the first message, so no event of ours ever waits for a name."""
    video, job = await rig.video(), uuid4()
    async with rig.database.transaction() as tx:
        await tx.execute(
            "INSERT INTO technique_publications (job_id, video_id, topic, total, result_key) VALUES ($1, $2, 't', 2, 'k')",
            job,
            video,
        )
    await rig.receive(event_message(video, str(job), 2, 2))
    assert [row["job_id"] for row in await rig.status(video)] == [str(job)]
    assert [row["id"] for row in await rig.events(video)] == [event_id(str(job), 2)]
