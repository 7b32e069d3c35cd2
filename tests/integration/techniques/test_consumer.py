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


@pytest.mark.req(30)
@pytest.mark.req(31)
async def test_a_repeated_event_is_stored_and_counted_once(use):
    video = uuid4()
    message = event_message(video, "job-1", 1, 3)
    for _ in range(3):
        await use.take(message)
    await use.take(message, message)
    assert len(await use.events(video)) == 1
    (row,) = await use.status(video)
    assert counts(row) == (1, 3, False, False)


@pytest.mark.req(32)
async def test_another_event_of_the_same_index_replaces_the_first(use):
    video, first, second = uuid4(), uuid4(), uuid4()
    await use.take(foreign_event(video, 1, 2, event=first))
    await use.take(foreign_event(video, 1, 2, event=second, skill_name="Armbar"))
    (stored,) = await use.events(video)
    assert (stored["id"], stored["skill_name"]) == (second, "Armbar")
    assert (await use.status(video))[0]["received_count"] == 1
    await use.take(foreign_event(video, 2, 2), complete_message(video, "theirs", 2))
    row = await use.status(video, "theirs")
    assert counts(row) == (2, 2, True, True)


@pytest.mark.req(30)
async def test_an_event_told_anew_with_the_same_id_takes_the_new_content(use):
    video, event = uuid4(), uuid4()
    await use.take(foreign_event(video, 1, 1, event=event, confidence=0.2))
    await use.take(foreign_event(video, 1, 1, event=event, confidence=0.9, category="GUARD_PLAY"))
    (stored,) = await use.events(video)
    assert (stored["category"], stored["confidence"]) == ("GUARD_PLAY", 0.9)
    assert (await use.status(video))[0]["received_count"] == 1


@pytest.mark.req(33)
@pytest.mark.parametrize("kind", ["event", "completion"])
async def test_the_first_message_of_either_kind_makes_the_status_row(use, kind):
    video = uuid4()
    await use.take(
        event_message(video, "job-1", 2, 5) if kind == "event" else complete_message(video, "job-1", 5, "s3://b/k.json")
    )
    (row,) = await use.status(video)
    document = {"video_id", "job_id", "total_event_count", "received_count", "completion_received"}
    assert document | {"result_s3_uri", "finalized", "created_at", "updated_at"} <= set(row)
    assert row["total_event_count"] == 5
    assert not row["finalized"]
    if kind == "completion":
        assert (row["job_id"], row["result_s3_uri"]) == ("job-1", "s3://b/k.json")


@pytest.mark.req(34)
@pytest.mark.req(36)
async def test_a_completion_signal_before_the_last_event_waits(use):
    video = uuid4()
    first, second, done = whole_run(video, "job-1", 2)
    await use.take(first)
    await use.take(done)
    assert counts(await use.status(video, "job-1")) == (1, 2, True, False)
    await use.take(second)
    assert counts(await use.status(video, "job-1")) == (2, 2, True, True)


@pytest.mark.req(35)
@pytest.mark.req(36)
async def test_all_events_before_the_completion_signal_wait_for_it(use):
    video = uuid4()
    *events, done = whole_run(video, "job-1", 3)
    await use.take(*events)
    assert [counts(row) for row in await use.status(video)] == [(3, 3, False, False)]
    await use.take(done)
    assert [counts(row) for row in await use.status(video)] == [(3, 3, True, True)]


@pytest.mark.req(38)
async def test_a_completion_without_events_finalizes_at_once(use):
    video = await use.video()
    await use.take(complete_message(video, "job-1", 0))
    row = await use.status(video, "job-1")
    assert counts(row) == (0, 0, True, True)
    assert row["summary"] == {}
    assert [told["total_event_count"] for told in await use.told()] == [0]


@pytest.mark.req(39)
@pytest.mark.parametrize("order", ["events first", "completion first"])
async def test_the_completions_number_decides_and_the_mismatch_is_recorded(use, order):
    video = uuid4()
    messages = [event_message(video, "job-1", index, 5) for index in (1, 2)]
    messages.insert(0 if order == "completion first" else 2, complete_message(video, "job-1", 2))
    for message in messages:
        await use.take(message)
    row = await use.status(video, "job-1")
    assert counts(row) == (2, 2, True, True)
    assert (row["totals_disagree"], row["told_least"], row["told_most"]) == (True, 5, 5)


@pytest.mark.req(40)
async def test_a_filtered_subscription_finalizes_on_the_completion_alone(use):
    policy = {
        "event_type": ["bjj_event_detected", "analysis_complete"],
        "category": [{"exists": False}, "SUBMISSION_OFFENSE", "STANDUP_GAME"],
    }
    others = tuple(one for one in TOPOLOGY.subscriptions if one.queue != TECHNIQUE_QUEUE)
    filtered = replace(TOPOLOGY, subscriptions=(*others, Subscription(TECHNIQUE_TOPIC, TECHNIQUE_QUEUE, policy)))
    assert sees_every_event(TOPOLOGY, TECHNIQUE_QUEUE)
    assert not sees_every_event(filtered, TECHNIQUE_QUEUE)
    video = uuid4()
    intake = TechniqueBatchHandler(use.bus, LiveFeed(), sees_every_event=False)
    await use.take(event_message(video, "job-1", 4, 9), intake=intake)
    assert not (await use.status(video))[0]["finalized"]
    await use.take(complete_message(video, "job-1", 9), intake=intake)
    assert counts(await use.status(video, "job-1")) == (1, 9, True, True)


@pytest.mark.req(41)
async def test_a_second_analysis_is_a_run_of_its_own(use):
    video = uuid4()
    first, second = whole_run(video, "job-1", 3), whole_run(video, "job-2", 3)
    await use.take(*second[:2], *first[:2])  # nobody has named either run yet
    await use.take(first[3])
    assert counts(await use.status(video, "job-1")) == (2, 3, True, False)
    await use.take(second[3], first[2])
    assert counts(await use.status(video, "job-1")) == (3, 3, True, True)
    assert counts(await use.status(video, "job-2")) == (2, 3, True, False)
    await use.take(second[2])
    assert [counts(row) for row in await use.status(video)] == [(3, 3, True, True)] * 2
    assert [row["job_id"] for row in await use.events(video)] == ["job-1"] * 3 + ["job-2"] * 3


@pytest.mark.req(41)
async def test_a_second_analysis_of_another_producer_does_not_mix_with_the_first(use):
    video = uuid4()
    repeated = foreign_event(video, 1, 2)
    await use.take(repeated, foreign_event(video, 2, 2), complete_message(video, "theirs-1", 2))
    await use.take(repeated)  # late, and known: it changes nothing
    await use.take(foreign_event(video, 1, 1), complete_message(video, "theirs-2", 1))
    assert counts(await use.status(video, "theirs-1")) == (2, 2, True, True)
    assert counts(await use.status(video, "theirs-2")) == (1, 1, True, True)
    assert len(await use.status(video)) == 2


@pytest.mark.req(37)
async def test_finalization_tells_a_summary_once(use):
    video = await use.video()
    categories = ["GUARD_PLAY", "GUARD_PLAY", "STANDUP_GAME"]
    events = [
        event_message(video, "job-1", index, 3, found=clip(index, category=category, start_frame=0, end_frame=300))
        for index, category in enumerate(categories, start=1)
    ]
    await use.take(*events, complete_message(video, "job-1", 3))
    await use.take(*events, complete_message(video, "job-1", 3))
    row = await use.status(video, "job-1")
    assert row["summary"] == {
        "GUARD_PLAY": {"techniques": 2, "seconds": 20, "confidence": 0.85},
        "STANDUP_GAME": {"techniques": 1, "seconds": 10, "confidence": 0.85},
    }
    (told,) = await use.told()
    assert told["categories"] == {"GUARD_PLAY": 2, "STANDUP_GAME": 1}
    assert told["job_id"] == "job-1"


@pytest.mark.req(37)
async def test_two_consumers_at_once_finalize_once(use):
    videos = [await use.video() for _ in range(6)]
    for video in videos:
        messages = whole_run(video, f"job-{video}", 5)
        await asyncio.gather(*(use.take(message) for message in [*messages, *messages]))
    for video in videos:
        assert [counts(row) for row in await use.status(video)] == [(5, 5, True, True)]
    assert len(await use.told()) == 6


@pytest.mark.req(42)
@pytest.mark.req(43)
async def test_broken_messages_become_dead_letters_and_the_rest_is_stored(use):
    video = await use.video()
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
    async with use.database.transaction() as tx:
        mixed = [message for pair in zip(broken, good * 3, strict=False) for message in pair]
        await use.bus.publish(tx, *(TopicMessage(TECHNIQUE_TOPIC, text, found) for text, found in [*mixed, *good]))

    async def is_settled():
        rows = await use.status(video)
        dead = await use.bus.peek(TECHNIQUE_DEAD_LETTERS, limit=50)
        return len(dead) == len(broken) and bool(rows) and rows[0]["finalized"]

    async with running(technique_consumer(use.bus, use.database, LiveFeed(), batch=8)):
        await until(is_settled)
    assert counts(await use.status(video, "job-1")) == (3, 3, True, True)
    reasons = [dead.dead_reason for dead in await use.bus.peek(TECHNIQUE_DEAD_LETTERS, limit=50)]
    assert sum("event_type" in reason for reason in reasons) == 1
    assert all("InvalidInput" in reason for reason in reasons)


@pytest.mark.req(44)
def test_the_queue_has_the_documents_numbers():
    (queue,) = [one for one in default_topology(stage="dev", bucket="b").queues if one.name == TECHNIQUE_QUEUE]
    assert queue.name == "video_analysis_events_db_consumer"
    assert queue.dead_letter_queue == "video_analysis_events_dlq"
    assert (queue.max_receives, queue.wait_s, queue.visibility_s, queue.retention_s) == (3, 20, 60, 14 * 24 * 3600)


async def test_messages_of_a_removed_video_leave_nothing_behind(use):
    video = await use.video()
    *events, done = whole_run(video, "job-1", 2)
    await use.take(events[0])
    async with use.database.transaction() as tx:
        await tx.execute("INSERT INTO video_removals (video_id) VALUES ($1)", video)
        await tx.execute("DELETE FROM videos WHERE id = $1", video)
    await use.take(events[1], done)
    assert await use.status(video) == []
    assert await use.events(video) == []


async def test_an_event_id_that_is_known_from_a_job_is_of_that_job(use):
    """The publisher notes its job before the first message, so no event of ours ever waits for a name."""
    video, job = await use.video(), uuid4()
    async with use.database.transaction() as tx:
        await tx.execute(
            "INSERT INTO technique_publications (job_id, video_id, topic, total, result_key) VALUES ($1, $2, 't', 2, 'k')",
            job,
            video,
        )
    await use.take(event_message(video, str(job), 2, 2))
    assert [row["job_id"] for row in await use.status(video)] == [str(job)]
    assert [row["id"] for row in await use.events(video)] == [event_id(str(job), 2)]
