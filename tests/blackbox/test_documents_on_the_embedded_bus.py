"""Documents 000, 002 and 004 on the default platform: their programs with nothing but the address of the API as endpoint."""

import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any

import pytest
import pytest_asyncio
from aiobotocore.session import get_session

from support.aws_platform import AwsPlatform, embedded_platform
from support.waiting import until

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.time_limit(300)]

CLIP = {"role": "athlete in white gi", "confidence": 0.85}
CLIPS = (
    {**CLIP, "start": 83, "end": 105, "category": "STANDUP_GAME", "technique": "Double Leg Takedown"},
    {**CLIP, "start": 110, "end": 120, "category": "GUARD_PLAY", "technique": "Sweep"},
    {**CLIP, "start": "00:03:00", "end": "00:03:20", "category": "SUBMISSION_OFFENSE", "technique": "Armbar"},
)
COMPLETE = "analysis_complete"
# The filter policies of document 000 as printed, and what each lets through of the analysis above.
POLICIES: dict[str, tuple[str, list[str]]] = {
    "everything": ("{}", ["GUARD_PLAY", "STANDUP_GAME", "SUBMISSION_OFFENSE", COMPLETE]),
    "clips": ('{"event_type": ["bjj_event_detected"]}', ["GUARD_PLAY", "STANDUP_GAME", "SUBMISSION_OFFENSE"]),
    "completions": ('{"event_type": ["analysis_complete"]}', [COMPLETE]),
    "categories": (
        """{
          "event_type": ["bjj_event_detected", "analysis_complete"],
          "category": [{"exists": false}, "SUBMISSION_OFFENSE", "STANDUP_GAME"]
        }""",
        ["STANDUP_GAME", "SUBMISSION_OFFENSE", COMPLETE],
    ),
}


class Aws:
    """Clients of aiobotocore on the platform's own endpoint."""

    def __init__(self, sqs: Any, sns: Any, events: Any, s3: Any) -> None:
        self.sqs, self.sns, self.events, self.s3 = sqs, sns, events, s3

    async def queue(self, name: str) -> tuple[str, str]:
        """URL and ARN of a new queue."""
        url = (await self.sqs.create_queue(QueueName=name))["QueueUrl"]
        found = await self.sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])
        return url, found["Attributes"]["QueueArn"]

    async def receive(self, url: str, count: int) -> list[str]:
        """The bodies of so many messages; there are no more in the queue."""
        bodies: list[str] = []
        while len(bodies) < count:
            received = await self.sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=10, WaitTimeSeconds=5)
            for message in received.get("Messages", ()):
                bodies.append(message["Body"])
                await self.sqs.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
        names = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"]
        left = await self.sqs.get_queue_attributes(QueueUrl=url, AttributeNames=names)
        assert left["Attributes"] == dict.fromkeys(names, "0")
        return bodies


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def platform(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[AwsPlatform]:
    async with embedded_platform(tmp_path_factory.mktemp("embedded")) as opened:
        yield opened


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def aws(platform: AwsPlatform) -> AsyncIterator[Aws]:
    session, names = get_session(), ("sqs", "sns", "events", "s3")
    access = {"region_name": "us-east-1", "aws_access_key_id": "test", "aws_secret_access_key": "test"}
    async with AsyncExitStack() as stack:
        clients = [
            await stack.enter_async_context(session.create_client(name, endpoint_url=platform.address, **access))
            for name in names
        ]
        yield Aws(*clients)


@pytest.mark.req(1, 2, 5, 7, 10, 457, 514)
async def test_the_consumer_of_document_000_reads_the_platforms_own_topic(platform: AwsPlatform, aws: Aws):
    topic = platform.arn("video_analysis_events")
    queues = {name: await aws.queue(f"techniques-{name}") for name in POLICIES}
    for name, (policy, _) in POLICIES.items():
        await aws.sns.subscribe(
            TopicArn=topic, Protocol="sqs", Endpoint=queues[name][1], Attributes={"FilterPolicy": policy}
        )
    video = await platform.video()
    assert (await platform.mark(video, *CLIPS)).status_code == 200
    async with platform.listening("technique_consumer.py", platform.address, topic, "my-consumer") as listening:
        done = await platform.analyzed(video)
        seen = await listening.result()
    assert (done["status"], seen["finalized"]) == ("completed", [str(video)])
    assert len(seen["envelopes"]) == len(CLIPS) + 1
    assert all(one["TopicArn"] == topic and one["Type"] == "Notification" for one in seen["envelopes"])
    assert sorted(one["event_candidates"][0]["skill_name"] for one in seen["events"]) == [
        "Armbar",
        "Double Leg Takedown",
        "Sweep",
    ]
    for name, (_, expected) in POLICIES.items():
        bodies = [json.loads(body) for body in await aws.receive(queues[name][0], len(expected))]
        kinds = [
            one["MessageAttributes"].get("category", one["MessageAttributes"]["event_type"])["Value"] for one in bodies
        ]
        assert sorted(kinds) == expected, name
        assert all(json.loads(one["Message"])["video_id"] == str(video) for one in bodies)


@pytest.mark.req(4, 514)
async def test_a_job_publishes_to_a_topic_that_a_client_created(platform: AwsPlatform, aws: Aws):
    topic = (await aws.sns.create_topic(Name="team-techniques"))["TopicArn"]
    video = await platform.video()
    await platform.mark(video, CLIPS[0])
    refused = await platform.http.post("/jobs", json={"video_id": str(video), "sns_topic_arn": topic})
    assert refused.status_code == 422, "without a subscription nobody would hear of it"
    async with platform.listening("technique_consumer.py", platform.address, topic, "team-consumer") as listening:
        done = await platform.analyzed(video, sns_topic_arn=topic)
        seen = await listening.result()
    assert (done["status"], seen["finalized"]) == ("completed", [str(video)])
    assert {one["TopicArn"] for one in seen["envelopes"]} == {topic}


@pytest.mark.req(140, 149, 457, 515)
async def test_producer_and_consumer_of_document_002_meet_on_the_platforms_own_topic(platform: AwsPlatform):
    topic = platform.arn("rez-agent-messages-dev")
    new = {"message_type": "manual_notification", "payload": {"message": "Olá"}}
    created = await platform.http.post("/api/messages", json=new)
    assert created.status_code == 202, created.text
    message_id = created.json()["message_id"]

    async def is_completed() -> bool:
        return bool((await platform.http.get(f"/api/messages/{message_id}")).json()["status"] == "completed")

    await until(is_completed)
    before = (await platform.http.get(f"/api/messages/{message_id}")).json()
    async with platform.listening(
        "message_programs.py", "receive", platform.address, topic, "own-message-queue-dev"
    ) as listening:
        published = await platform.program(
            "message_programs.py", "publish", platform.address, topic, message_id, "manual_notification"
        )
        seen = await listening.result()
    (envelope,), (event,) = seen["envelopes"], seen["events"]
    assert (envelope["MessageId"], envelope["TopicArn"]) == (published["sns_message_id"], topic)
    attributes = {
        "event_type": "message_created",
        "message_type": "manual_notification",
        "stage": "dev",
        "source": "scheduler",
    }
    assert envelope["MessageAttributes"] == {
        name: {"Type": "String", "Value": value} for name, value in attributes.items()
    }
    assert event["message"] == published["message"]

    async def is_consumed() -> bool:
        queues = {one["queue"]: one for one in (await platform.http.get("/api/queues")).json()["queues"]}
        queue = queues["rez-agent-message-queue-dev"]
        assert queue["dead_letters"] == 0
        return bool(queue["visible"] + queue["in_flight"] + queue["delayed"] == 0)

    await until(is_consumed)
    after = (await platform.http.get(f"/api/messages/{message_id}")).json()
    assert after["history"] == before["history"], "a second announcement of a message does not repeat its work"


@pytest.mark.req(492, 515)
async def test_a_rule_of_a_client_hears_of_objects_that_are_created(platform: AwsPlatform, aws: Aws):
    url, arn = await aws.queue("objects-created")
    pattern = {
        "source": ["aws.s3"],
        "detail-type": ["Object Created"],
        "detail": {"bucket": {"name": ["fiapx-videos"]}, "object": {"key": [{"prefix": "clients/"}]}},
    }
    await aws.events.put_rule(Name="created", EventPattern=json.dumps(pattern))
    put = await aws.events.put_targets(Rule="created", Targets=[{"Id": "queue", "Arn": arn}])
    assert put["FailedEntryCount"] == 0
    for key in ("others/1.bin", "clients/1.bin"):
        await aws.s3.put_object(Bucket="fiapx-videos", Key=key, Body=b"bytes")
    (body,) = await aws.receive(url, 1)
    event = json.loads(body)
    assert (event["source"], event["detail-type"]) == ("aws.s3", "Object Created")
    assert event["resources"] == ["arn:aws:s3:::fiapx-videos"]
    assert (event["detail"]["object"]["key"], event["detail"]["object"]["size"]) == ("clients/1.bin", 5)
    assert event["detail"]["reason"] == "PutObject"
