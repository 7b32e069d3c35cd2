"""SQS over the wire: what SDKs see, in both protocols."""

import asyncio
import hashlib
import json

import httpx
import pytest
from botocore.exceptions import ClientError

from support.aws_calls import AwsClients, aws_clients, signed_form


@pytest.fixture
async def aws(platform, serving):
    async with aws_clients(platform, serving) as clients:
        yield clients


class Sqs:
    def __init__(self, aws: AwsClients, queue_url: str) -> None:
        self._aws = aws
        self.url = queue_url

    async def __call__(self, action: str, **parameters):
        return await self._aws.call("sqs", action, QueueUrl=self.url, **parameters)


@pytest.fixture
def new_queue(aws: AwsClients):
    async def make(name: str, **attributes: str) -> Sqs:
        created = await aws.call("sqs", "create_queue", QueueName=name, Attributes=attributes)
        return Sqs(aws, created["QueueUrl"])

    return make


async def error_of(awaitable) -> tuple[str, str]:
    with pytest.raises(ClientError) as caught:
        await awaitable
    return caught.value.response["Error"]["Code"], caught.value.response["Error"]["Message"]


@pytest.mark.req(468)
async def test_the_life_of_a_message(aws: AwsClients, new_queue):
    queue = await new_queue("jobs")
    assert queue.url == f"{aws.address}/000000000000/jobs"
    attributes = {
        "kind": {"DataType": "String", "StringValue": "wörd"},
        "order.id": {"DataType": "Number.int", "StringValue": "7"},
        "blob": {"DataType": "Binary", "BinaryValue": b"\x00\xff"},
    }
    trace = {"AWSTraceHeader": {"DataType": "String", "StringValue": "Root=1-5759e988-bd862e3fe1be46a994272793"}}
    sent = await queue("send_message", MessageBody="héllo", MessageAttributes=attributes, MessageSystemAttributes=trace)
    assert sent["MD5OfMessageBody"] == hashlib.md5("héllo".encode()).hexdigest()
    assert {"MD5OfMessageAttributes", "MD5OfMessageSystemAttributes"} <= set(sent)
    (received,) = (await queue("receive_message", MessageSystemAttributeNames=["All"], MessageAttributeNames=["All"]))[
        "Messages"
    ]
    assert (received["Body"], received["MessageId"]) == ("héllo", sent["MessageId"])
    assert received["MessageAttributes"] == attributes
    assert received["MD5OfMessageAttributes"] == sent["MD5OfMessageAttributes"]
    assert received["Attributes"]["AWSTraceHeader"] == trace["AWSTraceHeader"]["StringValue"]
    assert received["Attributes"]["ApproximateReceiveCount"] == "1"
    assert received["Attributes"]["SenderId"] == "000000000000"
    counts = await queue("get_queue_attributes", AttributeNames=["ApproximateNumberOfMessagesNotVisible"])
    assert counts["Attributes"] == {"ApproximateNumberOfMessagesNotVisible": "1"}
    await queue("delete_message", ReceiptHandle=received["ReceiptHandle"])
    await queue("delete_message", ReceiptHandle=received["ReceiptHandle"])
    assert "Messages" not in await queue("receive_message", WaitTimeSeconds=0)


@pytest.mark.req(469)
@pytest.mark.parametrize(
    ("names", "selected"),
    [
        ([], set()),
        (["All"], {"a", "b.c", "b.d"}),
        ([".*"], {"a", "b.c", "b.d"}),
        (["b.*"], {"b.c", "b.d"}),
        (["a", "x"], {"a"}),
    ],
)
async def test_attributes_are_selected_by_name_and_prefix_and_the_digest_covers_those(new_queue, names, selected):
    queue = await new_queue("jobs", VisibilityTimeout="0")
    attributes = {name: {"DataType": "String", "StringValue": name} for name in ("a", "b.c", "b.d")}
    await queue("send_message", MessageBody="x", MessageAttributes=attributes)
    (received,) = (await queue("receive_message", MessageAttributeNames=names))["Messages"]
    assert set(received.get("MessageAttributes", {})) == selected
    assert ("MD5OfMessageAttributes" in received) == bool(selected)  # which the SDK has compared
    assert "Attributes" not in received


@pytest.mark.req(469)
async def test_a_batch_reports_each_entry_on_its_own(new_queue):
    queue = await new_queue("jobs", MaximumMessageSize="1024")
    result = await queue(
        "send_message_batch",
        Entries=[
            {"Id": "good", "MessageBody": "one"},
            {"Id": "bad", "MessageBody": "a\x01b"},
            {"Id": "large", "MessageBody": "x" * 1025},
            {"Id": "late", "MessageBody": "two", "DelaySeconds": 900},
            {"Id": "odd", "MessageBody": "x", "MessageAttributes": {"a": {"DataType": "Number", "StringValue": "x"}}},
        ],
    )
    assert [one["Id"] for one in result["Successful"]] == ["good", "late"]
    assert [(one["Id"], one["Code"], one["SenderFault"]) for one in result["Failed"]] == [
        ("bad", "InvalidMessageContents", True),
        ("large", "InvalidParameterValue", True),
        ("odd", "InvalidParameterValue", True),
    ]
    (received,) = (await queue("receive_message", MaxNumberOfMessages=10))["Messages"]
    handles = [{"Id": "1", "ReceiptHandle": received["ReceiptHandle"]}, {"Id": "2", "ReceiptHandle": "garbage"}]
    changed = await queue(
        "change_message_visibility_batch", Entries=[{**one, "VisibilityTimeout": 60} for one in handles]
    )
    deleted = await queue("delete_message_batch", Entries=handles)
    for outcome in (changed, deleted):
        assert [one["Id"] for one in outcome["Successful"]] == ["1"]
        assert [(one["Id"], one["Code"]) for one in outcome["Failed"]] == [("2", "ReceiptHandleIsInvalid")]


@pytest.mark.req(469)
async def test_a_batch_that_is_wrong_as_a_whole_is_refused(new_queue):
    queue = await new_queue("jobs")

    def entries(*ids: str) -> list[dict[str, str]]:
        return [{"Id": one, "MessageBody": "x"} for one in ids]

    prefix = "AWS.SimpleQueueService."
    for given, code in (
        ([], "EmptyBatchRequest"),
        (entries(*map(str, range(11))), "TooManyEntriesInBatchRequest"),
        (entries("a", "a"), "BatchEntryIdsNotDistinct"),
        (entries("a b"), "InvalidBatchEntryId"),
        ([{"Id": str(n), "MessageBody": "x" * 600_000} for n in range(2)], "BatchRequestTooLong"),
    ):
        assert (await error_of(queue("send_message_batch", Entries=given)))[0] == prefix + code


@pytest.mark.req(468)
async def test_errors_have_the_codes_and_words_of_aws(aws: AwsClients, new_queue):
    queue = await new_queue("jobs")
    missing = Sqs(aws, f"{aws.address}/000000000000/none")
    assert await error_of(missing("receive_message")) == (
        "AWS.SimpleQueueService.NonExistentQueue",
        "The specified queue does not exist.",
    )
    assert await error_of(aws.call("sqs", "get_queue_url", QueueName="none")) == (
        "AWS.SimpleQueueService.NonExistentQueue",
        "The specified queue does not exist.",
    )
    assert await error_of(aws.call("sqs", "create_queue", QueueName="jobs", Attributes={"DelaySeconds": "1"})) == (
        "QueueAlreadyExists",
        "A queue already exists with the same name and a different value for attribute DelaySeconds",
    )
    assert await error_of(queue("send_message", MessageBody="")) == (
        "MissingParameter",
        "The request must contain the parameter MessageBody.",
    )
    assert await error_of(queue("receive_message", MaxNumberOfMessages=11)) == (
        "InvalidParameterValue",
        "Value 11 for parameter MaxNumberOfMessages is invalid. Reason: Must be between 1 and 10, if provided.",
    )
    assert (await error_of(queue("delete_message", ReceiptHandle="garbage")))[0] == "ReceiptHandleIsInvalid"
    assert (await error_of(queue("get_queue_attributes", AttributeNames=["Nonsense"])))[0] == "InvalidAttributeName"
    assert (await error_of(queue("set_queue_attributes", Attributes={"DelaySeconds": "x"})))[
        0
    ] == "InvalidAttributeValue"
    await queue("purge_queue")
    assert (await error_of(queue("purge_queue")))[0] == "AWS.SimpleQueueService.PurgeQueueInProgress"
    await queue("delete_queue")
    again = await error_of(aws.call("sqs", "create_queue", QueueName="jobs"))
    assert again[0] == "AWS.SimpleQueueService.QueueDeletedRecently"


@pytest.mark.req(468)
async def test_queues_are_listed_by_prefix_and_page(aws: AwsClients, new_queue):
    for number in range(5):
        await new_queue(f"page-{number}")
    everything = await aws.call("sqs", "list_queues", QueueNamePrefix="page-")
    names = [url.rpartition("/")[2] for url in everything["QueueUrls"]]
    assert names == [f"page-{number}" for number in range(5)]
    first = await aws.call("sqs", "list_queues", QueueNamePrefix="page-", MaxResults=3)
    rest = await aws.call("sqs", "list_queues", QueueNamePrefix="page-", MaxResults=3, NextToken=first["NextToken"])
    assert first["QueueUrls"] + rest["QueueUrls"] == everything["QueueUrls"]
    assert "NextToken" not in rest
    assert "QueueUrls" not in await aws.call("sqs", "list_queues", QueueNamePrefix="other")


@pytest.mark.req(468)
async def test_attributes_tags_and_dead_letter_sources_are_shown(aws: AwsClients, new_queue):
    dead = await new_queue("dead")
    arn = (await dead("get_queue_attributes", AttributeNames=["QueueArn"]))["Attributes"]["QueueArn"]
    policy = json.dumps({"deadLetterTargetArn": arn, "maxReceiveCount": "2"})
    queue = await new_queue("jobs", RedrivePolicy=policy, VisibilityTimeout="20")
    shown = (await queue("get_queue_attributes", AttributeNames=["All"]))["Attributes"]
    assert {"CreatedTimestamp", "LastModifiedTimestamp"} <= set(shown)
    assert {name: value for name, value in shown.items() if not name.endswith("Timestamp")} == {
        "ApproximateNumberOfMessages": "0",
        "ApproximateNumberOfMessagesDelayed": "0",
        "ApproximateNumberOfMessagesNotVisible": "0",
        "DelaySeconds": "0",
        "MaximumMessageSize": "1048576",
        "MessageRetentionPeriod": "345600",
        "QueueArn": "arn:aws:sqs:us-east-1:000000000000:jobs",
        "ReceiveMessageWaitTimeSeconds": "0",
        "RedrivePolicy": policy,
        "SqsManagedSseEnabled": "true",
        "VisibilityTimeout": "20",
    }
    assert "Attributes" not in await queue("get_queue_attributes")
    assert (await dead("list_dead_letter_source_queues"))["queueUrls"] == [queue.url]
    await queue("tag_queue", Tags={"team": "blue", "env": "dev"})
    await queue("untag_queue", TagKeys=["env", "none"])
    assert (await queue("list_queue_tags"))["Tags"] == {"team": "blue"}
    await queue("add_permission", Label="friends", AWSAccountIds=["333333333333"], Actions=["SendMessage"])
    await queue("remove_permission", Label="friends")


@pytest.mark.req(470)
async def test_fifo_queues_number_their_messages(new_queue):
    queue = await new_queue("jobs.fifo", FifoQueue="true", ContentBasedDeduplication="true")
    sent = [await queue("send_message", MessageBody=body, MessageGroupId="g") for body in ("one", "two", "one")]
    assert sent[0]["MessageId"] == sent[2]["MessageId"]
    assert len(sent[0]["SequenceNumber"]) == 20
    assert sent[0]["SequenceNumber"] < sent[1]["SequenceNumber"]
    first, second = (await queue("receive_message", MaxNumberOfMessages=10, AttributeNames=["All"]))["Messages"]
    assert first["Attributes"]["SequenceNumber"] == sent[0]["SequenceNumber"]
    assert first["Attributes"]["MessageGroupId"] == "g"
    assert first["Attributes"]["MessageDeduplicationId"] == hashlib.sha256(b"one").hexdigest()
    assert second["Body"] == "two"
    batch = queue("send_message_batch", Entries=[{"Id": "1", "MessageBody": "x"}])
    assert await error_of(batch) == ("InvalidParameterValue", "The request must contain the parameter MessageGroupId.")


async def test_a_standard_queue_shows_the_group_of_a_message(new_queue):
    queue = await new_queue("jobs")
    await queue("send_message", MessageBody="x", MessageGroupId="tenant-1")
    (received,) = (await queue("receive_message", AttributeNames=["MessageGroupId"]))["Messages"]
    assert received["Attributes"] == {"MessageGroupId": "tenant-1"}


@pytest.mark.req(474)
async def test_a_long_poll_returns_when_a_message_arrives(new_queue):
    queue = await new_queue("jobs")
    waiting = asyncio.ensure_future(queue("receive_message", WaitTimeSeconds=20))
    done, _ = await asyncio.wait((waiting,), timeout=0.2)
    assert not done
    await queue("send_message", MessageBody="wake up")
    assert (await waiting)["Messages"][0]["Body"] == "wake up"


@pytest.mark.req(475)
async def test_older_clients_speak_the_query_protocol(aws: AwsClients, new_queue):
    queue = await new_queue("jobs")
    attribute = "MessageAttribute.1"
    async with httpx.AsyncClient(timeout=None) as plain:
        sent = await plain.send(
            signed_form(
                queue.url,
                Action="SendMessage",
                MessageBody="from before <&>",
                **{
                    f"{attribute}.Name": "a",
                    f"{attribute}.Value.DataType": "String",
                    f"{attribute}.Value.StringValue": "b",
                },
            )
        )
        assert f"<MD5OfMessageBody>{hashlib.md5(b'from before <&>').hexdigest()}</MD5OfMessageBody>" in sent.text
        (received,) = (await queue("receive_message", MessageAttributeNames=["All"]))["Messages"]
        assert received["MessageAttributes"]["a"]["StringValue"] == "b"
        await queue("change_message_visibility", ReceiptHandle=received["ReceiptHandle"], VisibilityTimeout=0)
        again = await plain.send(
            signed_form(
                aws.address,
                Action="ReceiveMessage",
                QueueUrl=queue.url,
                MaxNumberOfMessages="10",
                **{"AttributeName.1": "All", "MessageAttributeName.1": "a"},
            )
        )
        assert "<Body>from before &lt;&amp;&gt;</Body>" in again.text
        assert "<Name>ApproximateReceiveCount</Name><Value>2</Value>" in again.text
        missing = await plain.send(signed_form(f"{queue.url}x", Action="PurgeQueue"))
        assert missing.status_code == 400
        assert "<Code>AWS.SimpleQueueService.NonExistentQueue</Code>" in missing.text
