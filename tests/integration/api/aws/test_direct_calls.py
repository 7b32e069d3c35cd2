"""Calls of AWS SDKs that the server answers without the framework: on the wire they are like any other."""

import asyncio
import json
from typing import Any

import pytest
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

from support.aws_calls import AwsClients, aws_clients
from support.waiting import soon, until

Reader = asyncio.StreamReader
Writer = asyncio.StreamWriter


@pytest.fixture
async def aws(platform, serving):
    async with aws_clients(platform, serving) as clients:
        yield clients


@pytest.fixture
async def connected(aws: AwsClients):
    host, _, port = aws.address.removeprefix("http://").partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    yield reader, writer
    writer.close()


def signed(aws: AwsClients, action: str, parameters: dict[str, Any], *, chunked: bool = False, **more: str) -> bytes:
    body = json.dumps(parameters).encode()
    request = AWSRequest("POST", f"{aws.address}/", data=body)
    request.headers["Content-Type"] = "application/x-amz-json-1.0"
    request.headers["X-Amz-Target"] = f"AmazonSQS.{action}"
    SigV4Auth(Credentials("test", "test"), "sqs", "us-east-1").add_auth(request)
    prepared = request.prepare()
    headers = {**prepared.headers, "Host": aws.address.removeprefix("http://"), **more}
    headers.pop("Content-Length", None)
    if chunked:
        headers["Transfer-Encoding"], body = "chunked", b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)
    else:
        headers["Content-Length"] = str(len(body))
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"POST / HTTP/1.1\r\n{lines}\r\n".encode() + body


async def response(reader: Reader) -> tuple[int, dict[str, str], Any]:
    head = (await soon(reader.readuntil(b"\r\n\r\n"))).decode()
    status, *lines = head.strip().split("\r\n")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
    body = await soon(reader.readexactly(int(headers["content-length"])))
    return int(status.split()[1]), headers, json.loads(body)


@pytest.mark.req(830)
@pytest.mark.parametrize("name", ["known", "unknown"])
async def test_a_direct_call_gets_the_response_of_one_through_the_framework(
    aws: AwsClients, connected: tuple[Reader, Writer], name: str
):
    reader, writer = connected
    await aws.call("sqs", "create_queue", QueueName="known")
    answers = []
    for is_chunked in (False, True):  # a body without a length goes through the framework
        writer.write(signed(aws, "GetQueueUrl", {"QueueName": name}, chunked=is_chunked))
        status, headers, body = await response(reader)
        headers.pop("date")
        answers.append((status, {**headers, "x-amzn-requestid": ""}, body))
    assert answers[0] == answers[1]
    assert answers[0][0] == (200 if name == "known" else 400)


@pytest.mark.req(830)
async def test_calls_that_are_sent_before_the_response_are_answered_in_their_order(
    aws: AwsClients, connected: tuple[Reader, Writer]
):
    reader, writer = connected
    names = [f"queue-{n}" for n in range(5)]
    writer.write(b"".join(signed(aws, "CreateQueue", {"QueueName": name}) for name in names))
    urls = [(await response(reader))[2]["QueueUrl"] for _ in names]
    assert [url.rpartition("/")[2] for url in urls] == names


@pytest.mark.req(830)
async def test_a_call_may_arrive_byte_by_byte_and_the_connection_ends_when_the_client_says_so(
    aws: AwsClients, connected: tuple[Reader, Writer]
):
    reader, writer = connected
    for byte in signed(aws, "CreateQueue", {"QueueName": "slow"}, Connection="close"):
        writer.write(bytes((byte,)))
        await writer.drain()
    status, headers, _ = await response(reader)
    assert (status, headers["connection"]) == (200, "close")
    assert await soon(reader.read()) == b""


@pytest.mark.req(830)
async def test_a_receive_whose_client_goes_away_leaves_the_message_to_others(
    aws: AwsClients, connected: tuple[Reader, Writer]
):
    _, writer = connected
    url = (await aws.call("sqs", "create_queue", QueueName="left"))["QueueUrl"]
    writer.write(signed(aws, "ReceiveMessage", {"QueueUrl": url, "WaitTimeSeconds": 20}))
    await writer.drain()
    writer.close()
    await writer.wait_closed()
    await aws.call("sqs", "send_message", QueueUrl=url, MessageBody="for another")

    async def received() -> bool:
        found = await aws.call("sqs", "receive_message", QueueUrl=url, WaitTimeSeconds=1)
        return [one["Body"] for one in found.get("Messages", [])] == ["for another"]

    await until(received)


async def outcome(aws: AwsClients, action: str, url: str, entries: list[dict[str, Any]]) -> tuple[Any, Any]:
    """What is the same each time: entries that succeeded, with their digests, and those that failed, or the refusal of all."""
    try:
        found = await aws.call("sqs", action, QueueUrl=url, Entries=entries)
    except aws.client("sqs").exceptions.ClientError as error:
        return error.response["Error"]["Code"], error.response["Error"]["Message"]
    done = [{k: v for k, v in one.items() if k != "MessageId"} for one in found.get("Successful", [])]
    return done, found.get("Failed")


@pytest.mark.req(831)
@pytest.mark.parametrize(
    "bodies",
    [
        ["a", "b"],
        ['{"é": "ñ €"}', "tab\tand\nlines\r\n"],
        ["fine", ""],
        ["fine", "bell \x07"],
        ["fine", "\ufffe"],
        ["fine", "x" * 2000],
    ],
)
async def test_plain_batches_have_the_outcome_of_any_other(aws: AwsClients, bodies: list[str]):
    attributes = {"MaximumMessageSize": "1024"}
    url = (await aws.call("sqs", "create_queue", QueueName="plain", Attributes=attributes))["QueueUrl"]
    plain = [{"Id": str(n), "MessageBody": body} for n, body in enumerate(bodies)]
    described = [{**one, "DelaySeconds": 0} for one in plain]
    assert await outcome(aws, "send_message_batch", url, plain) == await outcome(
        aws, "send_message_batch", url, described
    )


@pytest.mark.req(831)
async def test_plain_receives_and_deletes_have_the_outcome_of_any_other(aws: AwsClients):
    url = (await aws.call("sqs", "create_queue", QueueName="plain"))["QueueUrl"]
    other = (await aws.call("sqs", "create_queue", QueueName="other"))["QueueUrl"]
    for target in (url, url, other):
        await aws.call("sqs", "send_message", QueueUrl=target, MessageBody="the same")
    (plain,) = (await aws.call("sqs", "receive_message", QueueUrl=url))["Messages"]
    (full,) = (await aws.call("sqs", "receive_message", QueueUrl=url, AttributeNames=["All"]))["Messages"]
    (foreign,) = (await aws.call("sqs", "receive_message", QueueUrl=other))["Messages"]
    assert plain.keys() == full.keys() - {"Attributes"}
    assert (plain["Body"], plain["MD5OfBody"]) == (full["Body"], full["MD5OfBody"])
    assert int(full["Attributes"]["SentTimestamp"]) <= int(full["Attributes"]["ApproximateFirstReceiveTimestamp"])
    receipts = [plain["ReceiptHandle"], foreign["ReceiptHandle"], plain["ReceiptHandle"][:-4], full["ReceiptHandle"]]
    entries = [{"Id": str(n), "ReceiptHandle": one} for n, one in enumerate(receipts)]
    done, failed = await outcome(aws, "delete_message_batch", url, entries)
    assert [one["Id"] for one in done] == ["0", "3"]
    assert [(one["Id"], one["Code"]) for one in failed] == [
        ("1", "ReceiptHandleIsInvalid"),
        ("2", "ReceiptHandleIsInvalid"),
    ]
    repeated = [{"Id": "same", "ReceiptHandle": one} for one in receipts[:2]]
    assert (await outcome(aws, "delete_message_batch", url, repeated))[0].endswith("BatchEntryIdsNotDistinct")
