"""What clients of SQS notice beyond the calls themselves: order of groups, handles, traces, and the forms of the query protocol."""

import re
from collections.abc import Awaitable
from typing import Any

import httpx
import pytest
from botocore.exceptions import ClientError

from support.aws_calls import AwsClients, aws_clients, signed_form


@pytest.fixture
async def aws(platform, serving):
    async with aws_clients(platform, serving) as clients:
        yield clients


@pytest.fixture
async def plain():
    async with httpx.AsyncClient(timeout=None) as client:
        yield client


async def create(aws: AwsClients, name: str = "jobs", **attributes: str) -> str:
    url: str = (await aws.call("sqs", "create_queue", QueueName=name, Attributes=attributes))["QueueUrl"]
    return url


async def refusal(awaitable: Awaitable[Any]) -> tuple[int, str]:
    with pytest.raises(ClientError) as caught:
        await awaitable
    return caught.value.response["ResponseMetadata"]["HTTPStatusCode"], caught.value.response["Error"]["Code"]


async def bodies(aws: AwsClients, url: str, **parameters: Any) -> list[str]:
    received = await aws.call("sqs", "receive_message", QueueUrl=url, **parameters)
    return [one["Body"] for one in received.get("Messages", [])]


@pytest.mark.req(509)
async def test_groups_come_one_after_the_other_and_take_turns(aws: AwsClients):
    url = await create(aws, "jobs.fifo", FifoQueue="True", ContentBasedDeduplication="TRUE", VisibilityTimeout="0")
    for body in ("g1-m1", "g2-m1", "g2-m2", "g3-m1", "g1-m2"):
        await aws.call("sqs", "send_message", QueueUrl=url, MessageBody=body, MessageGroupId=body[:2])
    assert await bodies(aws, url, MaxNumberOfMessages=3) == ["g1-m1", "g1-m2", "g2-m1"]
    again = await bodies(aws, url, MaxNumberOfMessages=10)
    assert again == ["g3-m1", "g1-m1", "g1-m2", "g2-m1", "g2-m2"]


@pytest.mark.req(509)
async def test_a_group_whose_message_is_released_comes_after_those_that_waited(aws: AwsClients):
    url = await create(aws, "jobs.fifo", FifoQueue="true", ContentBasedDeduplication="true")
    for body in ("g1-m1", "g1-m2", "g2-m1"):
        await aws.call("sqs", "send_message", QueueUrl=url, MessageBody=body, MessageGroupId=body[:2])
    first, _ = (await aws.call("sqs", "receive_message", QueueUrl=url, MaxNumberOfMessages=2))["Messages"]
    await aws.call(
        "sqs",
        "change_message_visibility",
        QueueUrl=url,
        ReceiptHandle=first["ReceiptHandle"],
        VisibilityTimeout=0,
    )
    assert await bodies(aws, url, MaxNumberOfMessages=10) == ["g2-m1", "g1-m1"]


@pytest.mark.req(468)
async def test_attributes_that_are_true_or_false_are_taken_in_any_case(aws: AwsClients):
    url = await create(aws, "jobs.fifo", FifoQueue="True", ContentBasedDeduplication="False")
    assert await create(aws, "jobs.fifo", FifoQueue="true") == url
    shown = await aws.call("sqs", "get_queue_attributes", QueueUrl=url, AttributeNames=["All"])
    assert (shown["Attributes"]["FifoQueue"], shown["Attributes"]["ContentBasedDeduplication"]) == ("true", "false")
    await aws.call("sqs", "set_queue_attributes", QueueUrl=url, Attributes={"FifoQueue": "true"})
    changed = aws.call("sqs", "set_queue_attributes", QueueUrl=url, Attributes={"FifoQueue": "false"})
    assert await refusal(changed) == (400, "InvalidAttributeValue")
    standard = await create(aws, "plain")
    made_fifo = aws.call("sqs", "set_queue_attributes", QueueUrl=standard, Attributes={"FifoQueue": "true"})
    assert await refusal(made_fifo) == (400, "InvalidAttributeName")


@pytest.mark.req(469)
async def test_names_of_message_attributes_may_have_letters_of_any_language(aws: AwsClients):
    url = await create(aws)
    attributes = {"größe.ø-1": {"DataType": "String", "StringValue": "x"}}
    await aws.call("sqs", "send_message", QueueUrl=url, MessageBody="x", MessageAttributes=attributes)
    (received,) = (await aws.call("sqs", "receive_message", QueueUrl=url, MessageAttributeNames=["All"]))["Messages"]
    assert received["MessageAttributes"] == attributes
    for name in ("a!b", "a§b", ".a", "a.", "a b"):
        refused = aws.call(
            "sqs", "send_message", QueueUrl=url, MessageBody="x", MessageAttributes={name: attributes["größe.ø-1"]}
        )
        assert await refusal(refused) == (400, "InvalidParameterValue")


@pytest.mark.req(510)
async def test_the_trace_of_a_request_travels_with_its_message(aws: AwsClients, plain: httpx.AsyncClient):
    url = await create(aws, VisibilityTimeout="0")
    trace = "Root=1-5759e988-bd862e3fe1be46a994272793;Sampled=1"
    request = signed_form(url, Action="SendMessage", MessageBody="x")
    request.headers["X-Amzn-Trace-Id"] = trace
    sent = await plain.send(request)
    assert "MD5OfMessageSystemAttributes" not in sent.text
    (received,) = (await aws.call("sqs", "receive_message", QueueUrl=url, AttributeNames=["AWSTraceHeader"]))[
        "Messages"
    ]
    assert received["Attributes"] == {"AWSTraceHeader": trace}


@pytest.mark.req(511)
async def test_handles_are_equally_long_and_those_that_were_cut_or_are_of_another_queue_are_refused(aws: AwsClients):
    url, other = await create(aws, VisibilityTimeout="0"), await create(aws, "other")
    await aws.call("sqs", "send_message", QueueUrl=url, MessageBody="x")
    handles = set()
    for _ in range(12):
        (received,) = (await aws.call("sqs", "receive_message", QueueUrl=url))["Messages"]
        handles.add(received["ReceiptHandle"])
    assert len(handles) == 12
    assert len({len(one) for one in handles}) == 1
    newest = received["ReceiptHandle"]
    for queue_url, handle in ((url, newest[:-4]), (url, f"{newest[:8]}zzzz{newest[12:]}"), (other, newest)):
        deleted = aws.call("sqs", "delete_message", QueueUrl=queue_url, ReceiptHandle=handle)
        assert await refusal(deleted) == (400, "ReceiptHandleIsInvalid")
    await aws.call("sqs", "delete_message", QueueUrl=url, ReceiptHandle=newest)
    assert await bodies(aws, url) == []


@pytest.mark.req(512)
async def test_a_purge_forgets_what_was_sent_before_and_a_second_one_has_to_wait(aws: AwsClients):
    url = await create(aws, "jobs.fifo", FifoQueue="true")
    message = {"QueueUrl": url, "MessageGroupId": "g", "MessageDeduplicationId": "same"}
    await aws.call("sqs", "send_message", MessageBody="before", **message)
    await aws.call("sqs", "purge_queue", QueueUrl=url)
    await aws.call("sqs", "send_message", MessageBody="after", **message)
    await aws.call("sqs", "send_message", MessageBody="again", **message)
    assert await bodies(aws, url, MaxNumberOfMessages=10) == ["after"]
    second = aws.call("sqs", "purge_queue", QueueUrl=url)
    assert await refusal(second) == (403, "AWS.SimpleQueueService.PurgeQueueInProgress")


@pytest.mark.req(475)
async def test_the_query_protocol_has_texts_and_forms_of_its_own(aws: AwsClients, plain: httpx.AsyncClient):
    url = await create(aws)
    empty = await plain.send(signed_form(url, method="GET", Action="ReceiveMessage"))
    assert "<ReceiveMessageResult/>" in empty.text
    missing = await plain.send(signed_form(f"{url}x", method="GET", Action="GetQueueAttributes"))
    assert missing.status_code == 400
    assert "<Message>The specified queue does not exist for this wsdl version.</Message>" in missing.text
    json_protocol = aws.call("sqs", "receive_message", QueueUrl=f"{url}x")
    with pytest.raises(ClientError, match=re.escape("The specified queue does not exist.")):
        await json_protocol


@pytest.mark.req(513)
async def test_the_address_of_a_queue_offers_only_actions_on_it(aws: AwsClients, plain: httpx.AsyncClient):
    url = await create(aws)
    for action in ("CreateQueue", "ListQueues"):
        answer = await plain.send(signed_form(url, method="GET", Action=action, QueueName="another"))
        assert answer.status_code == 400
        assert "<Code>InvalidAction</Code>" in answer.text
        assert f"The action {action} is not valid for this endpoint." in answer.text
    for accept in (None, "application/json"):
        nameless = await plain.send(signed_form(url, method="GET", accept=accept))
        assert (nameless.status_code, nameless.text) == (404, "<UnknownOperationException/>\n")


@pytest.mark.req(513)
async def test_the_query_protocol_answers_in_json_to_those_who_accept_it(aws: AwsClients, plain: httpx.AsyncClient):
    url = await create(aws)
    body = '{"a": "b\rc", "d": "&quot;"}'

    async def call(address: str, **form: str) -> Any:
        answer = await plain.send(signed_form(address, accept="application/json", **form))
        assert answer.headers["content-type"] == "application/json"
        return answer.json()

    sent = await call(url, Action="SendMessage", MessageBody=body)
    message_id = sent["SendMessageResponse"]["SendMessageResult"]["MessageId"]
    received = await call(url, Action="ReceiveMessage", **{"AttributeName.1": "SenderId"})
    (shown,) = received["ReceiveMessageResponse"]["ReceiveMessageResult"]["messages"]
    assert (shown["Body"], shown["MessageId"]) == (body, message_id)
    assert shown["Attributes"] == [{"Name": "SenderId", "Value": "000000000000"}]
    empty = await call(url, Action="ReceiveMessage")
    assert empty["ReceiveMessageResponse"]["ReceiveMessageResult"] == {"messages": None}
    listed = await call(aws.address, Action="ListQueues", QueueNamePrefix="jobs")
    assert listed["ListQueuesResponse"]["ListQueuesResult"] == {"queueUrls": [url]}
    missing = await call(f"{url}x", Action="ReceiveMessage")
    assert missing["Error"] == {
        "Code": "AWS.SimpleQueueService.NonExistentQueue",
        "Message": "The specified queue does not exist for this wsdl version.",
        "Type": "Sender",
    }
