"""Consumers that other teams write: the document's own code on our messages, and the one of our manual on real SQS calls."""

import asyncio
import json
import os
import random
import re
import sqlite3
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from conformance.aws_backend import AwsBackend
from sightline.bus import TECHNIQUE_QUEUE, TECHNIQUE_TOPIC, Queue, Subscription, TopicMessage, Topology
from support.emulators import PYTHON, shared
from support.technique_rig import whole_run
from support.waiting import soon

MANUAL = Path(__file__).resolve().parents[3] / "docs" / "consume-technique-events.md"

# As document 000 prints it; what it leaves to its reader is below.
DOCUMENT = """
import json

def read(sqs_message):
    body = json.loads(sqs_message["Body"])        # parse the SQS envelope
    payload = json.loads(body["Message"])          # parse the SNS message payload
    event_type = body["MessageAttributes"]["event_type"]["Value"]
    return body, payload, event_type

def handle_message(message):
    event_type = get_event_type(message)

    if event_type == "bjj_event_detected":
        payload = parse_payload(message)
        total = int(get_message_attribute(message, "total_events"))
        upsert_event(payload)
        check_completeness(payload["video_id"], total)

    elif event_type == "analysis_complete":
        payload = parse_payload(message)
        mark_completion_received(payload["video_id"], payload["total_event_count"])
        check_completeness(payload["video_id"], payload["total_event_count"])


def check_completeness(video_id, expected_total):
    received_count = count_events_in_db(video_id)
    completion_received = is_completion_received(video_id)

    if received_count >= expected_total and completion_received:
        finalize_video_analysis(video_id)
"""


class TheirDatabase:
    def __init__(self):
        self.events: dict[str, str] = {}
        self.completed: set[str] = set()
        self.finalized: list[str] = []
        self.names: dict[str, Any] = {
            "get_event_type": lambda message: self.names["read"](message)[2],
            "parse_payload": lambda message: self.names["read"](message)[1],
            "get_message_attribute": lambda message, name: json.loads(message["Body"])["MessageAttributes"][name][
                "Value"
            ],
            "upsert_event": lambda payload: self.events.update({payload["id"]: payload["video_id"]}),
            "mark_completion_received": lambda video_id, _: self.completed.add(video_id),
            "count_events_in_db": lambda video_id: list(self.events.values()).count(video_id),
            "is_completion_received": lambda video_id: video_id in self.completed,
            "finalize_video_analysis": self.finalized.append,
        }
        exec(DOCUMENT, self.names)


@pytest.mark.req(1, 5, 19)
async def test_the_documents_consumer_code_works_on_published_messages(rig):
    videos = [uuid4() for _ in range(3)]
    messages = [message for video in videos for message in whole_run(video, f"job-{video}", 4)]
    random.Random(3).shuffle(messages)
    async with rig.database.transaction() as tx:
        await rig.bus.publish(tx, *(TopicMessage(TECHNIQUE_TOPIC, body, found) for body, found in messages))
    theirs = TheirDatabase()
    while batch := await rig.bus.receive(TECHNIQUE_QUEUE, limit=10, wait_s=0, visibility_s=3600):
        for received in batch:
            theirs.names["handle_message"]({"Body": received.body})
    assert set(theirs.finalized) == {str(video) for video in videos}
    assert len(theirs.events) == 12


@pytest.mark.req(23)
async def test_the_consumer_of_the_manual_runs_on_sqs(database, fresh_database, tmp_path):
    """Every policy of the manual on a queue of its own, the sample on the one that gets everything."""
    text = MANUAL.read_text()
    (program,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    policies = [json.loads(found) for found in re.findall(r"^\| .* \| `(\{.*\})` \|$", text, re.MULTILINE)]
    assert len(policies) == 4
    queues = [f"team-{number}-{uuid4().hex[:8]}" for number in range(len(policies))]
    topology = Topology(
        (TECHNIQUE_TOPIC,),
        tuple(Queue(queue, wait_s=0) for queue in queues),
        tuple(Subscription(TECHNIQUE_TOPIC, *pair) for pair in zip(queues, policies, strict=True)),
    )
    videos = [uuid4() for _ in range(2)]
    messages = [message for video in videos for message in whole_run(video, f"job-{video}", 6)]
    messages += messages[::4]
    random.Random(5).shuffle(messages)
    keeper = AwsBackend(database, fresh_database, shared("ministack"))
    async with keeper.open(topology) as bus:
        await bus.create()
        async with database.transaction() as tx:
            await bus.publish(tx, *(TopicMessage(TECHNIQUE_TOPIC, body, found) for body, found in messages))
        await keeper.settle()
        (tmp_path / "consumer.py").write_text(program)
        aws = {"AWS_ENDPOINT_URL": shared("ministack").endpoint, "AWS_DEFAULT_REGION": "us-east-1"}
        keys = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test"}
        process = await asyncio.create_subprocess_exec(
            *(str(PYTHON), str(tmp_path / "consumer.py"), queues[0], str(tmp_path / "db"), "--until-empty"),
            env={"PATH": os.environ["PATH"]} | aws | keys,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        out, err = await soon(process.communicate(), within_s=60)
        assert process.returncode == 0, err.decode()
        counts = {count.queue: count.visible for count in await bus.counts()}
    assert sorted(out.decode().split()) == sorted(["finalized"] * 2 + [str(video) for video in videos])
    db = sqlite3.connect(tmp_path / "db")
    assert db.execute("SELECT count(*) FROM events").fetchone() == (12,)
    assert db.execute("SELECT count(*), sum(finalized) FROM completions").fetchone() == (2, 2)
    db.close()
    completions = sum(message[1]["event_type"].value == "analysis_complete" for message in messages)
    # None of these events is of the two categories of the last policy.
    assert [counts[queue] for queue in queues] == [0, len(messages) - completions, completions, completions]
