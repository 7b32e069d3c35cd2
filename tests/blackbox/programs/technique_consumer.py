"""The SQS consumer of document 000, as its guide writes it: technique_consumer.py ENDPOINT TOPIC_ARN QUEUE. Prints what it did.

It says "ready" when it is subscribed, and ends when it has finalized one video.
"""

import json
import sys
from typing import Any

from blackbox.programs.aws_clients import clients, subscribed_queue

envelopes: list[dict[str, Any]] = []
events: dict[str, dict[str, Any]] = {}
completions: dict[str, int] = {}
finalized: list[str] = []


def get_event_type(message: dict[str, Any]) -> str:
    body = json.loads(message["Body"])
    found: str = body["MessageAttributes"]["event_type"]["Value"]
    return found


def parse_payload(message: dict[str, Any]) -> dict[str, Any]:
    body = json.loads(message["Body"])
    payload: dict[str, Any] = json.loads(body["Message"])
    return payload


def get_message_attribute(message: dict[str, Any], name: str) -> str:
    found: str = json.loads(message["Body"])["MessageAttributes"][name]["Value"]
    return found


def handle_message(message: dict[str, Any]) -> None:
    event_type = get_event_type(message)

    if event_type == "bjj_event_detected":
        payload = parse_payload(message)
        total = int(get_message_attribute(message, "total_events"))
        events[payload["id"]] = payload
        check_completeness(payload["video_id"], total)

    elif event_type == "analysis_complete":
        payload = parse_payload(message)
        completions[payload["video_id"]] = payload["total_event_count"]
        check_completeness(payload["video_id"], payload["total_event_count"])


def check_completeness(video_id: str, expected_total: int) -> None:
    received_count = sum(event["video_id"] == video_id for event in events.values())
    if received_count >= expected_total and video_id in completions:
        finalized.append(video_id)


def main(endpoint: str, topic_arn: str, queue: str) -> None:
    url = subscribed_queue(endpoint, topic_arn, queue)
    print("ready", flush=True)
    (sqs,) = clients(endpoint, "sqs")
    while not finalized:
        received = sqs.receive_message(
            QueueUrl=url, MaxNumberOfMessages=10, WaitTimeSeconds=5, MessageAttributeNames=["All"]
        )
        for message in received.get("Messages", ()):
            envelopes.append({**json.loads(message["Body"]), "queue_attributes": message.get("MessageAttributes", {})})
            handle_message(message)
            sqs.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
    print(json.dumps({"envelopes": envelopes, "events": list(events.values()), "finalized": finalized}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
