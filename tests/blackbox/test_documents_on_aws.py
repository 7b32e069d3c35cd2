"""Documents 000 and 002 to the letter on AWS: their programs in boto3 beside a platform, seen from outside."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from support.aws_platform import RESULTS, AwsPlatform, aws_platform
from support.platform_process import ask
from support.waiting import until

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.time_limit(300)]

SWEEP = {
    "start": 1.5,
    "end": 3,
    "category": "GUARD_PLAY",
    "technique": "Sweep",
    "role": "athlete in white gi",
    "confidence": 0.9,
}
ARMBAR = {
    "start": "00:01:23",
    "end": "00:01:45",
    "category": "SUBMISSION_OFFENSE",
    "technique": "Armbar",
    "role": "athlete in blue gi",
}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def platform(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[AwsPlatform]:
    directory: Path = tmp_path_factory.mktemp("documents")
    async with aws_platform(directory) as opened:
        yield opened


@pytest.mark.req(1, 2, 5, 7, 10, 14, 15, 19, 457)
async def test_the_consumer_of_document_000_gets_exactly_what_the_document_says(platform: AwsPlatform):
    video = await platform.video()
    assert (await platform.mark(video, SWEEP, ARMBAR)).status_code == 200
    consumer = (
        "technique_consumer.py",
        platform.aws.endpoint,
        platform.arn("video_analysis_events"),
        "my-consumer",
    )
    async with platform.listening(*consumer) as listening:
        done = await platform.analyzed(video)
        seen = await listening.result()
    assert done["status"] == "completed"
    assert seen["finalized"] == [str(video)]
    messages = {one["MessageAttributes"]["event_type"]["Value"]: one for one in seen["envelopes"]}
    event, completion = messages["bjj_event_detected"], messages["analysis_complete"]
    text, number = "String", "Number"
    types = {name: one["Type"] for name, one in event["MessageAttributes"].items()}
    assert types == {"event_type": text, "category": text, "event_index": number, "total_events": number}
    assert completion["MessageAttributes"] == {"event_type": {"Type": text, "Value": "analysis_complete"}}
    assert all(one["queue_attributes"] == {} for one in seen["envelopes"])
    assert sorted(
        one["MessageAttributes"]["event_index"]["Value"] for one in seen["envelopes"] if one is not completion
    ) == [
        "1",
        "2",
    ]
    for body in seen["events"]:
        assert set(body) == {"id", "video_id", "start_time", "end_time", "event_candidates"}
        (candidate,) = body["event_candidates"]
        assert set(candidate) == {"id", "role", "skill_name", "category", "confidence"}
    assert sorted((one["start_time"], one["end_time"]) for one in seen["events"]) == [
        ("00:00:01", "00:00:03"),
        ("00:01:23", "00:01:45"),
    ]
    assert json.loads(completion["Message"]) == {
        "video_id": str(video),
        "job_id": done["job_id"],
        "total_event_count": 2,
        "result_s3_uri": done["result_s3_uri"],
    }


@pytest.mark.req(4, 453)
async def test_a_topic_that_aws_does_not_know_is_refused_with_its_reason_and_an_existing_one_gets_everything(
    platform: AwsPlatform,
):
    video = await platform.video()
    await platform.mark(video, SWEEP)
    topic = platform.arn("team-topic")
    missing = await platform.http.post("/jobs", json={"video_id": str(video), "sns_topic_arn": topic})
    assert missing.status_code == 422
    said = missing.json()["error"]["message"]
    assert topic in said
    assert "NotFound" in said
    assert platform.arn("video_analysis_events") in said
    foreign = await platform.http.post("/jobs", json={"video_id": str(video), "sns_topic_arn": platform.arn("other")})
    assert foreign.status_code == 422
    assert "SIGHTLINE_TECHNIQUES_TOPICS" in foreign.text
    for own in ("rez-agent-messages-dev", "notification-topic"):
        answer = await platform.http.post("/jobs", json={"video_id": str(video), "sns_topic_arn": platform.arn(own)})
        assert answer.status_code == 422, own
    endpoint = platform.aws.endpoint
    await platform.boto3(f"(sns,) = clients({endpoint!r}, 'sns')\nresult = sns.create_topic(Name='team-topic')")
    async with platform.listening("technique_consumer.py", endpoint, topic, "team-consumer") as listening:
        done = await platform.analyzed(video, sns_topic_arn=topic)
        seen = await listening.result()
    assert done["status"] == "completed"
    assert {one["TopicArn"] for one in seen["envelopes"]} == {topic}
    assert len(seen["envelopes"]) == 2


@pytest.mark.req(456)
async def test_a_result_is_stored_in_another_bucket_where_the_operator_allows_it(platform: AwsPlatform):
    video = await platform.video()
    await platform.mark(video, SWEEP)
    for refused in (
        f"s3://{RESULTS}/elsewhere/1.json",
        f"s3://{RESULTS}/analyses-2/1.json",
        "s3://other/analyses/1.json",
    ):
        answer = await platform.http.post("/jobs", json={"video_id": str(video), "output_s3_uri": refused})
        assert answer.status_code == 422
        assert "SIGHTLINE_TECHNIQUES_OUTPUT_LOCATIONS" in answer.text
    uri = f"s3://{RESULTS}/analyses/{video}.json"
    done = await platform.analyzed(video, output_s3_uri=uri)
    assert (done["status"], done["result_s3_uri"]) == ("completed", uri)
    endpoint = platform.aws.endpoint
    stored = await platform.boto3(
        f"(s3,) = clients({endpoint!r}, 's3')\n"
        f"result = json.loads(s3.get_object(Bucket={RESULTS!r}, Key='analyses/{video}.json')['Body'].read())"
    )
    assert [clip["specific_technique"] for clip in stored["clips"]] == ["Sweep"]


@pytest.mark.req(458)
async def test_clips_beyond_the_end_of_the_video_are_refused_with_its_length(platform: AwsPlatform):
    video = await platform.video(seconds=60)
    for late in ({"start": 60, "end": 61}, {"start": 50, "end": "00:01:02"}):
        answer = await platform.mark(video, SWEEP, ARMBAR | late)
        assert answer.status_code == 422
        assert "clip 2" in answer.text
        assert "the video is 60 s long" in answer.text
    assert (await platform.mark(video, ARMBAR | {"start": 50, "end": "00:01:00"})).status_code == 200


@pytest.mark.req(160, 460)
async def test_a_message_of_the_go_program_is_processed(platform: AwsPlatform):
    topic, endpoint, table = (
        platform.arn("rez-agent-messages-dev"),
        platform.aws.endpoint,
        "rez-agent-messages-dev",
    )
    message_id = (await platform.program("message_programs.py", "produce", endpoint, topic, table))["message_id"]

    async def is_completed() -> bool:
        return (await platform.http.get(f"/api/messages/{message_id}")).json()["status"] == "completed"

    await until(is_completed)
    found = (await platform.http.get(f"/api/messages/{message_id}")).json()
    assert (found["ttl"], found["message_type"], found["payload"]) == (None, "scheduled_hello", {"message": "hello"})
    assert [step["status"] for step in found["history"]] == ["processing", "completed"]


@pytest.mark.req(140, 149, 457, 461)
async def test_the_go_processor_gets_exactly_what_the_document_says(platform: AwsPlatform):
    topic, endpoint, table = (
        platform.arn("rez-agent-messages-dev"),
        platform.aws.endpoint,
        "rez-agent-messages-dev",
    )
    async with platform.listening(
        "message_programs.py", "process", endpoint, topic, table, "go-processor"
    ) as listening:
        new = {"message_type": "manual_notification", "payload": {"message": "Olá"}}
        created = await platform.http.post("/api/messages", json=new)
        assert created.status_code == 202, created.text
        seen = await listening.result()
    (envelope,), (item,) = seen["envelopes"], seen["items"]
    attributes = {
        "event_type": "message_created",
        "message_type": "manual_notification",
        "stage": "dev",
        "source": "web-api",
    }
    assert envelope["MessageAttributes"] == {
        name: {"Type": "String", "Value": value} for name, value in attributes.items()
    }
    assert envelope["queue_attributes"] == {}
    body = json.loads(envelope["Message"])
    assert set(body) == {"schema_version", "event_type", "event_id", "timestamp", "source", "message", "metadata"}
    assert set(body["message"]) == {"message_id", "message_type", "stage", "created_by", "correlation_id"}
    assert set(body["metadata"]) == {"region", "environment"}
    assert body["message"]["message_id"] == created.json()["message_id"] == item["message_id"]["S"]
    large = await platform.http.post("/api/messages", json={**new, "payload": {"message": "x" * 450_000}})
    assert large.status_code == 413, large.text
    assert "DynamoDB" in large.json()["error"]["message"]


@pytest.mark.req(462)
async def test_a_dead_letter_shows_what_sqs_says_and_unknown_where_it_says_nothing(platform: AwsPlatform):
    endpoint, queue = platform.aws.endpoint, "video_analysis_events_dlq"
    sent = await platform.boto3(
        f"(sqs,) = clients({endpoint!r}, 'sqs')\n"
        f"url = sqs.get_queue_url(QueueName={queue!r})['QueueUrl']\n"
        "sqs.send_message(QueueUrl=url, MessageBody='moved by SQS')\n"
        "message = sqs.receive_message(QueueUrl=url, AttributeNames=['All'], VisibilityTimeout=0)['Messages'][0]\n"
        "result = message['Attributes']"
    )
    listed = (await platform.http.get(f"/api/queues/{queue}/dead-letters")).json()["dead_letters"]
    (letter,) = [one for one in listed if one["reason"] == "received too often without being deleted"]
    assert letter["receive_count"] >= int(sent["ApproximateReceiveCount"]) + 1
    assert _ms(letter["sent_at"]) == int(sent["SentTimestamp"])
    assert _ms(letter["first_received_at"]) == int(sent["ApproximateFirstReceiveTimestamp"])
    assert letter["dead_since"] is None
    code, out, err = await ask(
        *("dead-letters", "list", queue, "--state-dir", str(platform.state)),
        SIGHTLINE_BUS_BACKEND="aws",
        SIGHTLINE_BUS_ACCOUNT_ID=platform.aws.account_id,
        SIGHTLINE_BUS_AWS_ENDPOINT=endpoint,
        SIGHTLINE_BUS_AWS_ACCESS_KEY_ID="test",
        SIGHTLINE_BUS_AWS_SECRET_ACCESS_KEY="test",
    )
    assert code == 0, err
    assert "unknown" in out


def _ms(text: str) -> int:
    from datetime import datetime

    return round(datetime.fromisoformat(text).timestamp() * 1000)
