"""The producer and the processor of document 002, in the steps of its Go code.

message_programs.py produce ENDPOINT TOPIC_ARN TABLE      stores an item, publishes its event, prints the message id
message_programs.py process ENDPOINT TOPIC_ARN TABLE QUEUE   says "ready", processes one message, prints what it saw
message_programs.py publish ENDPOINT TOPIC_ARN MESSAGE_ID TYPE   publishes the event of a message that is stored elsewhere
message_programs.py receive ENDPOINT TOPIC_ARN QUEUE   says "ready", parses one message without looking for its item
"""

import json
import sys
import uuid
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from blackbox.programs.aws_clients import clients, subscribed_queue


def now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def produce(endpoint: str, topic_arn: str, table: str) -> None:
    (dynamodb,) = clients(endpoint, "dynamodb")
    message = new_message(str(uuid.uuid4()), "scheduled_hello")
    # What the Go program knows of a message, and nothing that only Sightline knows: neither `ttl` nor counters nor a history.
    item = {
        **message,
        "status": "created",
        "created_date": now(),
        "updated_date": now(),
        "payload": '{"message": "hello"}',
    }
    dynamodb.put_item(TableName=table, Item={name: {"S": value} for name, value in item.items()})
    announce(endpoint, topic_arn, message)
    print(json.dumps({"message_id": message["message_id"]}), flush=True)


def publish(endpoint: str, topic_arn: str, message_id: str, message_type: str) -> None:
    message = new_message(message_id, message_type)
    print(json.dumps({"sns_message_id": announce(endpoint, topic_arn, message), "message": message}), flush=True)


def new_message(message_id: str, message_type: str) -> dict[str, str]:
    return {
        "message_id": message_id,
        "message_type": message_type,
        "stage": "dev",
        "created_by": "scheduler",
        "correlation_id": str(uuid.uuid4()),
    }


def announce(endpoint: str, topic_arn: str, message: dict[str, str]) -> str:
    """Publishes `message_created`; returns the id that SNS gave it."""
    (sns,) = clients(endpoint, "sns")
    event = {
        "schema_version": "1.0",
        "event_type": "message_created",
        "event_id": str(uuid.uuid4()),
        "timestamp": datetime.now(UTC).isoformat().replace("+00:00", "Z"),
        "source": "scheduler",
        "message": message,
        "metadata": {"region": "us-east-1", "environment": "dev"},
    }
    attributes = {
        "event_type": "message_created",
        "message_type": message["message_type"],
        "stage": "dev",
        "source": "scheduler",
    }
    published = sns.publish(
        TopicArn=topic_arn,
        Message=json.dumps(event),
        MessageAttributes={name: {"DataType": "String", "StringValue": value} for name, value in attributes.items()},
    )
    return str(published["MessageId"])


def parse_record(body: str) -> dict[str, Any]:
    wrapper = json.loads(body)
    for field in ("Type", "MessageId", "TopicArn", "Message", "Timestamp", "MessageAttributes"):
        wrapper[field]
    event: dict[str, Any] = json.loads(wrapper["Message"])
    if event["schema_version"] not in ("1.0", "2.0"):
        raise ValueError(f"unsupported schema version: {event['schema_version']}")
    return event


class Handler:
    def __init__(self, endpoint: str, table: str) -> None:
        (self.dynamodb,) = clients(endpoint, "dynamodb")
        self.table = table
        self.items: list[dict[str, Any]] = []

    def handle_record(self, body: str) -> None:
        event = parse_record(body)
        message_id = event["message"]["message_id"]
        self.update_message_status(message_id, "processing")
        response = self.dynamodb.get_item(
            TableName=self.table, Key={"message_id": {"S": message_id}}, ConsistentRead=True
        )
        self.items.append(response["Item"])

    def update_message_status(self, message_id: str, new_status: str) -> None:
        try:
            self.dynamodb.update_item(
                TableName=self.table,
                Key={"message_id": {"S": message_id}},
                UpdateExpression="SET #status = :new_status, updated_date = :updated_date",
                ConditionExpression="#status IN (:expected1, :expected2)",
                ExpressionAttributeNames={"#status": "status"},
                ExpressionAttributeValues={
                    ":new_status": {"S": new_status},
                    ":updated_date": {"S": now()},
                    ":expected1": {"S": "created"},
                    ":expected2": {"S": "queued"},
                },
            )
        except self.dynamodb.exceptions.ConditionalCheckFailedException:
            return  # already processed, not an error


def process(endpoint: str, topic_arn: str, table: str, queue: str) -> None:
    handler = Handler(endpoint, table)
    seen = consume(endpoint, topic_arn, queue, handler.handle_record)
    print(json.dumps({"envelopes": seen, "items": handler.items}), flush=True)


def receive(endpoint: str, topic_arn: str, queue: str) -> None:
    events: list[dict[str, Any]] = []
    seen = consume(endpoint, topic_arn, queue, lambda body: events.append(parse_record(body)))
    print(json.dumps({"envelopes": seen, "events": events}), flush=True)


def consume(endpoint: str, topic_arn: str, queue: str, handle_record: Callable[[str], None]) -> list[dict[str, Any]]:
    """The messages of the first receive that returned any."""
    url = subscribed_queue(endpoint, topic_arn, queue)
    (sqs,) = clients(endpoint, "sqs")
    print("ready", flush=True)
    seen: list[dict[str, Any]] = []
    while not seen:
        received = sqs.receive_message(
            QueueUrl=url, MaxNumberOfMessages=10, WaitTimeSeconds=5, MessageAttributeNames=["All"]
        )
        for message in received.get("Messages", ()):
            handle_record(message["Body"])
            seen.append({**json.loads(message["Body"]), "queue_attributes": message.get("MessageAttributes", {})})
            sqs.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
    return seen


if __name__ == "__main__":
    programs: dict[str, Callable[..., None]] = {
        "produce": produce,
        "process": process,
        "publish": publish,
        "receive": receive,
    }
    programs[sys.argv[1]](*sys.argv[2:])
