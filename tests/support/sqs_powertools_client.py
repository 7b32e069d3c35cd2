"""The batch processor of Lambda Powertools on messages of SQS, in the Python of the emulators: ENDPOINT. Prints its results.

The loop around it does what Lambda's event source mapping does: it turns messages into an event, deletes what was processed and
leaves the rest in the queue.
"""

import json
import sys
from typing import Any

import boto3
from aws_lambda_powertools.utilities.batch import BatchProcessor, EventType, process_partial_response

ACCESS = {"region_name": "us-east-1", "aws_access_key_id": "test", "aws_secret_access_key": "test"}
NAMES = {
    "MessageId": "messageId",
    "ReceiptHandle": "receiptHandle",
    "Body": "body",
    "Attributes": "attributes",
    "MD5OfBody": "md5OfBody",
}


def main(endpoint: str) -> dict[str, Any]:
    sqs = boto3.client("sqs", endpoint_url=endpoint, **ACCESS)
    dead = sqs.create_queue(QueueName="lambda-dead")["QueueUrl"]
    arn = sqs.get_queue_attributes(QueueUrl=dead, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
    redrive = json.dumps({"deadLetterTargetArn": arn, "maxReceiveCount": 2})
    attributes = {"RedrivePolicy": redrive, "VisibilityTimeout": "1"}
    queue = sqs.create_queue(QueueName="lambda-in", Attributes=attributes)["QueueUrl"]
    entries = [{"Id": str(n), "MessageBody": json.dumps({"n": n})} for n in range(10)]
    sqs.send_message_batch(QueueUrl=queue, Entries=entries)
    processor, done = BatchProcessor(event_type=EventType.SQS), []

    def handle(record: Any) -> None:
        number = record.json_body["n"]
        if number == 7:
            raise ValueError("poison")
        done.append(number)

    letters: list[dict[str, Any]] = []
    while not letters:
        received = sqs.receive_message(
            QueueUrl=queue, MaxNumberOfMessages=10, WaitTimeSeconds=2, MessageSystemAttributeNames=["All"]
        ).get("Messages", [])
        if received:
            process(sqs, queue, processor, handle, received)
        letters = sqs.receive_message(QueueUrl=dead, MessageSystemAttributeNames=["All"]).get("Messages", [])
    return {
        "done": sorted(done),
        "dead": letters[0]["Body"],
        "source": letters[0]["Attributes"]["DeadLetterQueueSourceArn"],
    }


def process(sqs: Any, queue: str, processor: BatchProcessor, handle: Any, received: list[dict[str, Any]]) -> None:
    records = [
        {**{NAMES[name]: one[name] for name in NAMES}, "messageAttributes": {}, "eventSource": "aws:sqs"}
        for one in received
    ]
    try:
        answer = process_partial_response({"Records": records}, handle, processor, context=None)
    except Exception as error:  # raised if every message of the batch failed
        if "BatchProcessingError" not in type(error).__name__:
            raise
        return
    failed = {one["itemIdentifier"] for one in answer["batchItemFailures"]}
    done = [one for one in received if one["MessageId"] not in failed]
    entries = [{"Id": str(n), "ReceiptHandle": one["ReceiptHandle"]} for n, one in enumerate(done)]
    sqs.delete_message_batch(QueueUrl=queue, Entries=entries)


if __name__ == "__main__":
    print(json.dumps(main(*sys.argv[1:])))
