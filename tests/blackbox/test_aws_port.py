"""The port for AWS SDKs of a platform whose objects are in S3, and receives whose client goes away, from outside."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import httpx
import pytest
import pytest_asyncio
from aiobotocore.session import get_session
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from botocore.exceptions import ClientError

from support.platform_process import up
from support.waiting import soon

pytestmark = pytest.mark.asyncio(loop_scope="module")

REGION = "us-east-1"
IN_S3 = {
    "SIGHTLINE_API_AWS_PORT": "0",
    "SIGHTLINE_OBJECTS_BACKEND": "s3",
    "SIGHTLINE_OBJECTS_S3_ENDPOINT": "http://127.0.0.1:9",
    "SIGHTLINE_OBJECTS_S3_ACCESS_KEY_ID": "test",
    "SIGHTLINE_OBJECTS_S3_SECRET_ACCESS_KEY": "test",
}


class Platform(NamedTuple):
    api: str
    aws: str
    greeting: str
    clients: dict[str, Any]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def platform(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Platform]:
    async with (
        up(tmp_path_factory.mktemp("aws-port") / "state", **IN_S3) as running,
        AsyncExitStack() as stack,
    ):
        printed = re.search(r"AWS SDKs\s+(http://\S+)", running.greeting)
        assert printed is not None
        access = {"region_name": REGION, "aws_access_key_id": "test", "aws_secret_access_key": "test"}
        clients = {
            name: await stack.enter_async_context(get_session().create_client(name, endpoint_url=printed[1], **access))
            for name in ("sqs", "sns", "events", "scheduler", "sts", "s3")
        }
        yield Platform(running.address, printed[1], running.greeting, clients)


@pytest.mark.req(648)
async def test_the_services_of_the_bus_answer_on_their_own_port_when_objects_are_in_s3(platform: Platform):
    assert platform.aws != platform.api
    assert "(SQS, SNS, EventBridge, Scheduler, STS)" in platform.greeting
    aws = platform.clients
    assert (await aws["sts"].get_caller_identity())["Account"] == "000000000000"
    queue = (await aws["sqs"].create_queue(QueueName="own-port"))["QueueUrl"]
    assert queue == f"{platform.aws}/000000000000/own-port"
    topic = (await aws["sns"].create_topic(Name="own-port"))["TopicArn"]
    arn = "arn:aws:sqs:us-east-1:000000000000:own-port"
    await aws["sns"].subscribe(TopicArn=topic, Protocol="sqs", Endpoint=arn, Attributes={"RawMessageDelivery": "true"})
    await aws["sns"].publish(TopicArn=topic, Message="by SNS")
    (received,) = (await aws["sqs"].receive_message(QueueUrl=queue, WaitTimeSeconds=20))["Messages"]
    assert received["Body"] == "by SNS"
    assert [one["Name"] for one in (await aws["events"].list_event_buses())["EventBuses"]] == ["default"]
    assert [one["Name"] for one in (await aws["scheduler"].list_schedule_groups())["ScheduleGroups"]] == ["default"]


@pytest.mark.req(648)
async def test_neither_the_api_nor_s3_is_on_that_port(platform: Platform):
    with pytest.raises(ClientError) as refused:
        await platform.clients["s3"].list_objects_v2(Bucket="fiapx-videos")
    assert refused.value.response["ResponseMetadata"]["HTTPStatusCode"] == 501
    async with httpx.AsyncClient(timeout=None) as http:
        for path in ("/", "/api/health", "/videos", "/docs"):
            answer = await http.get(platform.aws + path)
            assert (answer.status_code, "Objects are in S3" in answer.text) == (501, True), path
        assert (await http.get(platform.api + "/api/health")).status_code == 200


async def begin_receive(address: str, queue: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection on which a receive waits for 20 seconds."""
    body = json.dumps({"QueueUrl": queue, "WaitTimeSeconds": 20}).encode()
    headers = {"X-Amz-Target": "AmazonSQS.ReceiveMessage", "Content-Type": "application/x-amz-json-1.0"}
    request = AWSRequest("POST", f"{address}/", headers=headers, data=body)
    SigV4Auth(Credentials("test", "test"), "sqs", REGION).add_auth(request)
    where = urlsplit(address)
    reader, writer = await asyncio.open_connection(where.hostname, where.port)
    lines = [f"{name}: {value}" for name, value in request.headers.items()]
    head = "\r\n".join(["POST / HTTP/1.1", f"Host: {where.netloc}", *lines, f"Content-Length: {len(body)}", "", ""])
    writer.write(head.encode() + body)
    await writer.drain()
    return reader, writer


@pytest.mark.req(649)
async def test_a_receive_whose_client_closed_the_connection_leaves_the_message_to_the_next_receiver(
    platform: Platform,
):
    sqs = platform.clients["sqs"]
    # Whatever an abandoned receive took would be hidden for the rest of the test.
    queue = (await sqs.create_queue(QueueName="abandoned", Attributes={"VisibilityTimeout": "43200"}))["QueueUrl"]
    for number in range(3):
        waiting = [await begin_receive(platform.api, queue) for _ in range(5)]
        reader, staying = waiting.pop()
        await sqs.get_queue_attributes(
            QueueUrl=queue, AttributeNames=["All"]
        )  # the server has read what was sent before
        for _, writer in waiting:
            writer.close()
        await asyncio.gather(*(writer.wait_closed() for _, writer in waiting))
        await sqs.send_message(QueueUrl=queue, MessageBody=f"for who stayed {number}")
        head = await soon(reader.readuntil(b"\r\n\r\n"))
        assert head.startswith(b"HTTP/1.1 200 ")
        length = re.search(rb"(?i)content-length: (\d+)", head)
        assert length is not None
        (received,) = json.loads(await soon(reader.readexactly(int(length[1]))))["Messages"]
        assert received["Body"] == f"for who stayed {number}"
        staying.close()
        await sqs.send_message(QueueUrl=queue, MessageBody=f"for the next {number}")
        (received,) = (await sqs.receive_message(QueueUrl=queue, WaitTimeSeconds=20))["Messages"]
        assert received["Body"] == f"for the next {number}"
