"""`POST /jobs` and what becomes of it: from marked clips to a finalized analysis, through the real queue, bus and consumer."""

import asyncio
import json
from typing import Any
from uuid import UUID, uuid4

import pytest
from structlog.testing import capture_logs

from sightline import job_types, queue_consumers
from sightline.bus import TECHNIQUE_TOPIC, Queue, Subscription
from sightline.bus import topology as topology_module
from sightline.contracts.technique_events import event_id
from sightline.errors import TransientFailure
from sightline.jobs import get_job
from sightline.techniques import TechniquesSettings
from support.asking import is_error
from support.technique_rig import new_video, running
from support.waiting import until

ARN = "arn:aws:sns:us-east-1:000000000000:"
MARKS = [
    {"start": 1.5, "end": 3, "category": "GUARD_PLAY", "technique": "Sweep", "role": "white gi", "confidence": 0.9},
    {"start": 3661.9, "end": 3670, "category": "STANDUP_GAME", "technique": "Double Leg", "role": "blue gi"},
    {"start": 5, "end": 6, "category": "COOKING", "technique": "Omelette", "role": "cook"},
    {"start": 7, "end": 8, "category": "GUARD_PLAY", "technique": "Sweep", "role": "white gi", "confidence": 1.5},
]


async def mark(client, video, marks=MARKS):
    answer = await client.put(f"/videos/{video}/annotations", json=marks)
    assert answer.status_code == 200, answer.text


async def finished(client, job_id, status="completed"):
    async def is_there():
        return (await client.get(f"/jobs/{job_id}")).json()["status"] == status

    await until(is_there)
    return (await client.get(f"/jobs/{job_id}")).json()


def working(platform):
    return running(job_types.worker_for(job_types.analyze(platform), platform))


async def witnessed(platform, queue):
    """What another subscriber got, in the order in which it was said."""
    found = []
    while batch := await platform.bus.receive(queue, limit=10, wait_s=0):
        found += [json.loads(one.body) for one in batch]
    return found


@pytest.fixture
def later_is_much_later(monkeypatch):
    """What failed is tried again when the test says so, however long the test takes to get there."""
    monkeypatch.setattr("sightline.jobs.retry.DELAYS_S", (36_000.0,))


@pytest.fixture
def with_witness(monkeypatch):
    """Two more queues: one on the usual topic, one on a topic that a job may ask for."""
    usual = topology_module.default_topology

    def wider(**names):
        found = usual(**names)
        return topology_module.Topology(
            (*found.topics, "other_team"),
            (*found.queues, Queue("witness", wait_s=0), Queue("others", wait_s=0)),
            (*found.subscriptions, Subscription(TECHNIQUE_TOPIC, "witness"), Subscription("other_team", "others")),
            found.rules,
        )

    monkeypatch.setattr("sightline.bootstrap.default_topology", wider)


@pytest.mark.req(1, 2, 3, 6, 12, 13, 49, 50, 52)
async def test_a_marked_video_becomes_n_plus_1_messages_and_a_finalized_analysis(with_witness, client, platform):
    video = await new_video(platform)
    await mark(client, video)
    answer = await client.post("/jobs", json={"video_id": str(video)})
    assert answer.status_code == 202
    queued = answer.json()
    assert (queued["status"], queued["progress"], queued["result_s3_uri"], queued["error"]) == ("queued", 0, None, None)
    job_id = queued["job_id"]
    assert (await client.get(f"/videos/{video}/analysis")).status_code == 404
    with capture_logs() as lines:
        async with working(platform):
            done = await finished(client, job_id)
    async with running(queue_consumers.technique_events(platform)):

        async def is_finalized():
            found = await client.get(f"/videos/{video}/analysis")
            return found.status_code == 200 and found.json()["finalized"]

        await until(is_finalized)
    fields = {"job_id", "status", "progress", "message", "result_s3_uri", "error", "created_at", "updated_at"}
    assert fields <= set(done)
    assert (done["progress"], done["error"]) == (1.0, None)
    uri = f"s3://{platform.objects.bucket}/results/{video}/{job_id}.json"
    assert done["result_s3_uri"] == uri

    result = json.loads(await platform.objects.get(f"results/{video}/{job_id}.json"))
    assert {"match_summary", "clips", "fps"} <= set(result)
    assert set(result["clips"][0]) == {
        *("start_frame", "end_frame", "category", "specific_technique", "role", "reasoning", "confidence")
    }
    assert [one["specific_technique"] for one in result["clips"]] == ["Sweep", "Double Leg"]
    assert [one["reason"] for one in result["left_out"]] == [
        "unknown category 'COOKING'",
        "confidence 1.5 is not between 0 and 1",
    ]
    logged = [line["reason"] for line in lines if line["event"] == "techniques.clip_skipped"]
    assert logged == [one["reason"] for one in result["left_out"]]

    messages = await witnessed(platform, "witness")
    assert {message["TopicArn"] for message in messages} == {"arn:aws:sns:us-east-1:000000000000:video_analysis_events"}
    kinds = [message["MessageAttributes"]["event_type"]["Value"] for message in messages]
    assert kinds == ["bjj_event_detected", "bjj_event_detected", "analysis_complete"]
    assert [
        (message["MessageAttributes"]["event_index"]["Value"], message["MessageAttributes"]["total_events"]["Value"])
        for message in messages[:2]
    ] == [("1", "2"), ("2", "2")]
    bodies = [json.loads(message["Message"]) for message in messages]
    assert [body["id"] for body in bodies[:2]] == [str(event_id(job_id, index)) for index in (1, 2)]
    assert bodies[1]["start_time"] == "01:01:01"
    assert bodies[2] == {"video_id": str(video), "job_id": job_id, "total_event_count": 2, "result_s3_uri": uri}

    found = (await client.get(f"/videos/{video}/techniques")).json()
    assert (found["job_id"], found["finalized"]) == (job_id, True)
    assert [(one["skill_name"], one["start_time"]) for one in found["techniques"]] == [
        ("Sweep", "00:00:01"),
        ("Double Leg", "01:01:01"),
    ]


@pytest.mark.req(4)
async def test_a_job_can_have_another_topic_told_if_the_operator_allows_it(with_witness, platform_with, client_with):
    client = await client_with(techniques=TechniquesSettings(topics=("other_team",)))
    platform = client._transport.app.state.platform
    video = await new_video(platform)
    await mark(client, video)
    refused = await client.post("/jobs", json={"video_id": str(video), "sns_topic_arn": ARN + "someone_elses"})
    assert "SIGHTLINE_TECHNIQUES_TOPICS" in is_error(refused, 422, "VALIDATION_ERROR")["message"]
    answer = await client.post("/jobs", json={"video_id": str(video), "sns_topic_arn": ARN + "other_team"})
    async with working(platform):
        await finished(client, answer.json()["job_id"])
    assert await witnessed(platform, "witness") == []
    assert len(await witnessed(platform, "others")) == 3


@pytest.mark.req(16, 52)
async def test_without_clips_only_the_completion_is_said(with_witness, client, platform):
    video = await new_video(platform)
    await mark(client, video, [])
    output = f"s3://{platform.objects.bucket}/results/{video}/mine.json"
    original = f"s3://{platform.objects.bucket}/videos/original/{video}/master.mp4"
    answer = await client.post("/jobs", json={"s3_uri": original, "output_s3_uri": output})
    assert answer.status_code == 202, answer.text
    async with working(platform):
        done = await finished(client, answer.json()["job_id"])
    assert done["result_s3_uri"] == output
    (message,) = await witnessed(platform, "witness")
    assert json.loads(message["Message"])["total_event_count"] == 0


@pytest.mark.req(45)
@pytest.mark.parametrize("named_by", ["video_id", "s3_uri"])
async def test_a_request_by_id_or_by_location_is_queued_with_all_its_options(with_witness, client_with, named_by):
    client = await client_with(techniques=TechniquesSettings(topics=("other_team",)))
    platform = client._transport.app.state.platform
    video = await new_video(platform)
    bucket = platform.objects.bucket
    locations = {"video_id": str(video), "s3_uri": f"s3://{bucket}/videos/original/{video}/master.mp4"}
    video_of_request = {named_by: locations[named_by]}
    options: dict[str, Any] = {
        "output_s3_uri": f"s3://{bucket}/results/{video}/mine.json",
        "sns_topic_arn": ARN + "other_team",
        "sampling_rate": 3,
    }
    stored = {"result_key": f"results/{video}/mine.json", "sns_topic_arn": ARN + "other_team", "sampling_rate": 3}
    defaults = {"result_key": None, "sns_topic_arn": None, "sampling_rate": 1}
    for body, expected in ((video_of_request | options, stored), (video_of_request, defaults)):
        answer = await client.post("/jobs", json=body)
        assert answer.status_code == 202, answer.text
        queued = answer.json()
        assert (queued["status"], queued["progress"]) == ("queued", 0)
        async with platform.database.transaction() as tx:
            job = await get_job(tx, UUID(queued["job_id"]))
        assert job is not None
        payload = job.payload
        assert payload["video_id"] == str(video)
        assert {name: payload.get(name, defaults[name]) for name in expected} == expected


@pytest.mark.req(46, 47)
async def test_a_wrong_request_is_refused_and_the_field_is_named(client, platform):
    video = await new_video(platform)
    wrong: tuple[tuple[dict[str, Any], str], ...] = (
        ({"video_id": None}, "either video_id or s3_uri"),
        ({"video_id": "no-uuid"}, "video_id"),
        ({"sampling_rate": 0}, "sampling_rate"),
        ({"s3_uri": "s3://fiapx-videos/x"}, "either video_id or s3_uri"),
        ({"video_id": None, "s3_uri": "s3://elsewhere/x.mp4"}, "does not lie in this platform's bucket"),
        ({"video_id": None, "s3_uri": "s3://fiapx-videos/logs/x.mp4"}, "no video has its original"),
        ({"output_s3_uri": "s3://fiapx-videos/videos/original/x.json"}, "output_s3_uri"),
        ({"output_s3_uri": "s3://fiapx-videos/results/{video}/../x.json"}, "output_s3_uri"),
        ({"analyzer": "crystal-ball"}, "there are annotations, pose, vision-llm"),
        ({"sampling": 3}, "sampling"),
    )
    for change, said in wrong:
        body = {"video_id": str(video)} | change
        body = {key: value.format(video=video) if isinstance(value, str) else value for key, value in body.items()}
        answer = await client.post("/jobs", json={key: value for key, value in body.items() if value is not None})
        assert answer.status_code == 422, change
        assert said in answer.text


async def test_a_video_of_somebody_else_is_unknown(client, platform, client_with, auth_on, signed_in):
    is_error(await client.post("/jobs", json={"video_id": str(uuid4())}), 404, "VIDEO_NOT_FOUND")
    video = await new_video(platform)
    other = await client_with(auth=auth_on)
    answer = await other.post("/jobs", json={"video_id": str(video)}, headers=signed_in(uuid4()))
    is_error(answer, 404, "VIDEO_NOT_FOUND")
    answer = await other.get(f"/videos/{video}/techniques", headers=signed_in(uuid4()))
    is_error(answer, 404, "VIDEO_NOT_FOUND")


@pytest.mark.req(49)
async def test_an_unknown_job_is_not_found(client):
    is_error(await client.get(f"/jobs/{uuid4()}"), 404, "JOB_NOT_FOUND")
    is_error(await client.get("/jobs/abc123"), 404, "JOB_NOT_FOUND")


@pytest.mark.req(48)
async def test_more_than_can_run_is_queued(client, platform):
    video = await new_video(platform)
    answers = [await client.post("/jobs", json={"video_id": str(video)}) for _ in range(20)]
    assert {answer.status_code for answer in answers} == {202}
    assert len({answer.json()["job_id"] for answer in answers}) == 20


@pytest.mark.req(50)
async def test_a_failed_analysis_says_why(client, platform):
    video = await new_video(platform)  # without annotations
    answer = await client.post("/jobs", json={"video_id": str(video), "analyzer": "annotations"})
    async with working(platform):
        failed = await finished(client, answer.json()["job_id"], "failed")
    assert f"video {video} has no annotations" in failed["error"]


@pytest.mark.req(50, 51)
async def test_stages_and_progress_are_told_in_order(client, platform, monkeypatch):
    video = await new_video(platform)
    await mark(client, video)
    answer = await client.post("/jobs", json={"video_id": str(video)})
    told = []
    job = job_types.analyze(platform)
    run = job.run

    async def watched(payload, context):
        report = context.progress

        def noted(done, said=None):
            told.append(done)
            report(done, said)

        monkeypatch.setattr(context, "progress", noted)
        await run(payload, context)

    monkeypatch.setattr(job, "run", watched)
    async with running(job_types.worker_for(job, platform)):
        await finished(client, answer.json()["job_id"])
    assert told == sorted(told)
    assert [value for value in told if value in (0.05, 0.85, 0.95)] == [0.05, 0.85, 0.95]
    assert any(0.1 <= value <= 0.8 for value in told)


@pytest.mark.req(51)
@pytest.mark.usefixtures("later_is_much_later")
async def test_progress_does_not_fall_when_an_analysis_is_tried_again(client, platform, monkeypatch):
    monkeypatch.setattr("sightline.jobs.worker.PROGRESS_EVERY_S", 0.02)
    video = await new_video(platform)
    await mark(client, video)
    job_id = (await client.post("/jobs", json={"video_id": str(video)})).json()["job_id"]
    job = job_types.analyze(platform)
    run, may_go_on, attempts = job.run, asyncio.Event(), 0

    async def shown():
        return (await client.get(f"/jobs/{job_id}")).json()

    async def is_at(progress):
        return (await shown())["progress"] == progress

    async def watched(payload, context):
        nonlocal attempts
        attempts += 1
        if attempts == 1:
            context.progress(0.6, "six windows of ten")
            await until(lambda: is_at(0.6))
            raise TransientFailure("the model does not answer")
        await may_go_on.wait()
        await run(payload, context)

    monkeypatch.setattr(job, "run", watched)
    async with running(job_types.worker_for(job, platform)):

        async def is_retrying():
            return (await shown())["retry_count"] == 1

        await until(is_retrying)
        assert ((await shown())["status"], await is_at(0.6)) == ("queued", True)
        async with platform.database.transaction() as tx:
            await tx.execute("UPDATE jobs SET run_after = NULL WHERE id = $1", UUID(job_id))
            await platform.jobs.notify(tx, ["analyze"])
        again = await finished(client, job_id, "processing")
        assert (again["retry_count"], again["progress"], again["message"]) == (1, 0.6, None)
        may_go_on.set()
        assert (await finished(client, job_id))["progress"] == 1.0


@pytest.mark.req(2, 17, 18)
@pytest.mark.usefixtures("later_is_much_later")
async def test_a_topic_error_after_some_events_is_continued_later(with_witness, client, platform, monkeypatch):
    video = await new_video(platform)
    marks = [MARKS[0] | {"start": number, "end": number + 1} for number in range(10)]
    await mark(client, video, marks)
    job_id = (await client.post("/jobs", json={"video_id": str(video)})).json()["job_id"]
    job = job_types.analyze(platform)
    job._publisher._batch = 4
    publish, calls = platform.bus.publish, 0

    async def failing(tx, *messages):
        nonlocal calls
        calls += 1
        if calls == 3:
            raise TransientFailure("the topic does not answer")
        return await publish(tx, *messages)

    monkeypatch.setattr(platform.bus, "publish", failing)
    async with running(job_types.worker_for(job, platform)):
        waiting = await finished(client, job_id, "queued")

        async def is_retrying():
            return (await client.get(f"/jobs/{job_id}")).json()["retry_count"] == 1

        await until(is_retrying)
        waiting = (await client.get(f"/jobs/{job_id}")).json()
        assert waiting["error"] == "the topic does not answer"
        # The analyzer is not asked again: what is published is the stored result.
        await mark(client, video, [])
        async with platform.database.transaction() as tx:
            await tx.execute("UPDATE jobs SET run_after = NULL WHERE id = $1", UUID(job_id))
            await platform.jobs.notify(tx, ["analyze"])
        await finished(client, job_id)
    bodies = [json.loads(message["Message"]) for message in await witnessed(platform, "witness")]
    assert [body.get("id") for body in bodies] == [*(str(event_id(job_id, index)) for index in range(1, 11)), None]
    assert bodies[-1]["total_event_count"] == 10
