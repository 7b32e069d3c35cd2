"""A boto3 client and resource of SQS in the Python of the emulators: sqs_boto3_client.py ENDPOINT. Prints its results."""

import json
import sys
from typing import Any

import boto3

ACCESS = {"region_name": "us-east-1", "aws_access_key_id": "test", "aws_secret_access_key": "test"}


def main(endpoint: str) -> dict[str, Any]:
    return {"client": by_client(endpoint), "resource": by_resource(endpoint), "moved": move_back(endpoint)}


def by_client(endpoint: str) -> dict[str, Any]:
    sqs = boto3.client("sqs", endpoint_url=endpoint, **ACCESS)
    url = sqs.create_queue(QueueName="boto", tags={"team": "blue"})["QueueUrl"]
    entries = [{"Id": str(n), "MessageBody": f"message {n}"} for n in range(10)]
    assert len(sqs.send_message_batch(QueueUrl=url, Entries=entries)["Successful"]) == 10
    bodies: list[str] = []
    while len(bodies) < 10:
        found = sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=10, WaitTimeSeconds=20)["Messages"]
        bodies += [one["Body"] for one in found]
        handles = [{"Id": one["MessageId"], "ReceiptHandle": one["ReceiptHandle"]} for one in found]
        assert "Failed" not in sqs.delete_message_batch(QueueUrl=url, Entries=handles)
    pages = sqs.get_paginator("list_queues").paginate(QueueNamePrefix="bo", PaginationConfig={"PageSize": 1})
    try:
        sqs.get_queue_url(QueueName="missing")
    except sqs.exceptions.QueueDoesNotExist as error:
        missing = error.response["Error"]["Code"]
    return {
        "bodies": sorted(bodies),
        "tags": sqs.list_queue_tags(QueueUrl=url)["Tags"],
        "listed": [one for page in pages for one in page.get("QueueUrls", [])] == [url],
        "missing": missing,
    }


def by_resource(endpoint: str) -> dict[str, Any]:
    sqs = boto3.resource("sqs", endpoint_url=endpoint, **ACCESS)
    queue = sqs.create_queue(
        QueueName="res.fifo", Attributes={"FifoQueue": "true", "ContentBasedDeduplication": "true"}
    )
    for body in ("one", "two"):
        queue.send_message(MessageBody=body, MessageGroupId="g")
    first, second = queue.receive_messages(MaxNumberOfMessages=10, AttributeNames=["All"])
    first.change_visibility(VisibilityTimeout=60)
    order = [first.body, second.body]
    first.delete()
    second.delete()
    return {
        "order": order,
        "arn": queue.attributes["QueueArn"],
        "groups": first.attributes["MessageGroupId"],
        "by_name": sqs.get_queue_by_name(QueueName="res.fifo").url == queue.url,
        "left": queue.receive_messages(WaitTimeSeconds=0),
    }


def move_back(endpoint: str) -> str:
    sqs = boto3.client("sqs", endpoint_url=endpoint, **ACCESS)
    dead = sqs.create_queue(QueueName="boto-dead")["QueueUrl"]
    arn = sqs.get_queue_attributes(QueueUrl=dead, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
    redrive = json.dumps({"deadLetterTargetArn": arn, "maxReceiveCount": 1})
    source = sqs.create_queue(QueueName="boto-source", Attributes={"RedrivePolicy": redrive, "VisibilityTimeout": "0"})[
        "QueueUrl"
    ]
    sqs.send_message(QueueUrl=source, MessageBody="back and forth")
    for _ in range(2):
        sqs.receive_message(QueueUrl=source)
    sqs.start_message_move_task(SourceArn=arn)
    found = sqs.receive_message(QueueUrl=source, WaitTimeSeconds=20)["Messages"]
    return str(found[0]["Body"])


if __name__ == "__main__":
    print(json.dumps(main(*sys.argv[1:])))
