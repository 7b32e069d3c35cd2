"""boto3 clients of an AWS endpoint, for the programs of the contract documents."""

from typing import Any

import boto3


def clients(endpoint: str, *names: str) -> list[Any]:
    keys = {"region_name": "us-east-1", "aws_access_key_id": "test", "aws_secret_access_key": "test"}
    return [boto3.client(name, endpoint_url=endpoint, **keys) for name in names]


def subscribed_queue(endpoint: str, topic_arn: str, queue: str) -> str:
    """The URL of a new queue that gets everything of the topic."""
    sns, sqs = clients(endpoint, "sns", "sqs")
    url: str = sqs.create_queue(QueueName=queue)["QueueUrl"]
    arn = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
    sns.subscribe(TopicArn=topic_arn, Protocol="sqs", Endpoint=arn)
    return url
