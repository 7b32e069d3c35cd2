"""The producer and the processor of document 002, in the steps of its Go code.

message_programs.py produce ENDPOINT TOPIC_ARN TABLE      stores an item, publishes its event, prints the message id
message_programs.py process ENDPOINT TOPIC_ARN TABLE QUEUE   says "ready", processes one message, prints what it saw
"""

import json
import sys
import uuid
from datetime import UTC, datetime
from typing import Any

from blackbox.programs.aws_clients import clients, subscribed_queue


def now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def produce(endpoint: str, topic_arn: str, table: str) -> None:
    sns, dynamodb = clients(endpoint, "sns", "dynamodb")
    message = {
        "message_id": str(uuid.uuid4()),
        "message_type": "scheduled_hello",
        "stage": "dev",
        "created_by": "scheduler",
        "correlation_id": str(uuid.uuid4()),
    }
    # What the Go program knows of a message, and nothing that only Sightline knows: neither `ttl` nor counters nor a history.
    item = {
        **message,
        "status": "created",
        "created_date": now(),
        "updated_date": now(),
        "payload": '{"message": "hello"}',
    }
    dynamodb.put_item(TableName=table, Item={name: {"S": value} for name, value in item.items()})
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
        "message_type": "scheduled_hello",
        "stage": "dev",
        "source": "scheduler",
    }
    sns.publish(
        TopicArn=topic_arn,
        Message=json.dumps(event),
        MessageAttributes={name: {"DataType": "String", "StringValue": value} for name, value in attributes.items()},
    )
    print(json.dumps({"message_id": message["message_id"]}), flush=True)


class Handler:
    def __init__(self, endpoint: str, table: str) -> None:
        (self.dynamodb,) = clients(endpoint, "dynamodb")
        self.table = table
        self.items: list[dict[str, Any]] = []

    def handle_record(self, body: str) -> None:
        wrapper = json.loads(body)
        for field in ("Type", "MessageId", "TopicArn", "Message", "Timestamp", "MessageAttributes"):
            wrapper[field]
        event = json.loads(wrapper["Message"])
        if event["schema_version"] not in ("1.0", "2.0"):
            raise ValueError(f"unsupported schema version: {event['schema_version']}")
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
    url = subscribed_queue(endpoint, topic_arn, queue)
    (sqs,) = clients(endpoint, "sqs")
    handler = Handler(endpoint, table)
    print("ready", flush=True)
    seen: list[dict[str, Any]] = []
    while not seen:
        received = sqs.receive_message(
            QueueUrl=url, MaxNumberOfMessages=10, WaitTimeSeconds=5, MessageAttributeNames=["All"]
        )
        for message in received.get("Messages", ()):
            handler.handle_record(message["Body"])
            seen.append({**json.loads(message["Body"]), "queue_attributes": message.get("MessageAttributes", {})})
            sqs.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
    print(json.dumps({"envelopes": seen, "items": handler.items}), flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "produce":
        produce(*sys.argv[2:])
    else:
        process(*sys.argv[2:])
