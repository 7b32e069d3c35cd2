"""Publishing over the AWS endpoint: what is refused in which words, and what queues see of the publisher."""

from typing import Any

import pytest
from botocore.exceptions import ClientError

from support.aws_calls import AwsClients, aws_clients

ACCOUNT = "000000000000"


@pytest.fixture
async def aws(platform, serving):
    async with aws_clients(platform, serving) as clients:
        yield clients


async def new_topic(aws: AwsClients) -> str:
    return str((await aws.call("sns", "create_topic", Name="orders"))["TopicArn"])


def string(value: str, data_type: str = "String") -> dict[str, str]:
    return {"DataType": data_type, "StringValue": value}


async def refusal(aws: AwsClients, method: str, **parameters: Any) -> tuple[str, str]:
    with pytest.raises(ClientError) as caught:
        await aws.call("sns", method, **parameters)
    error = caught.value.response["Error"]
    assert "Detail" not in error
    return error["Code"], error["Message"]


@pytest.mark.req(483)
@pytest.mark.parametrize(
    ("attributes", "message"),
    [
        ({"a": string("")}, "must contain non-empty message attribute value for message attribute type 'String'"),
        ({"a": {"DataType": "Binary", "StringValue": "x"}}, "with type 'Binary' must use field 'Binary'"),
        ({"a": {"DataType": "Number", "BinaryValue": b"1"}}, "with type 'Number' must use field 'String'"),
        ({"a": string("x", "Text")}, "has an invalid message attribute type"),
        ({"a": string("x", "String.")}, "has an invalid message attribute type"),
        ({"a" * 257: string("x")}, "must be less than 256 bytes"),
        ({"a^": string("x")}, "Invalid non-alphanumeric character '#x5E'"),
        ({".a": string("x")}, "starting with character '.'"),
        ({"a.": string("x")}, "ending with character '.'"),
        ({"a..b": string("x")}, "successive '.'"),
    ],
)
async def test_an_invalid_message_attribute_is_named(aws: AwsClients, attributes, message):
    code, text = await refusal(aws, "publish", TopicArn=await new_topic(aws), Message="m", MessageAttributes=attributes)
    assert (code, message in text) == ("ParameterValueInvalid", True)


@pytest.mark.req(483)
@pytest.mark.parametrize(
    ("entries", "code", "message"),
    [
        ([{"Id": "a.b", "Message": "m"}], "InvalidBatchEntryId", "impermissible character: a.b"),
        ([{"Id": "a" * 81, "Message": "m"}], "InvalidBatchEntryId", "too long"),
        ([{"Id": "a", "Message": "m"}] * 2, "BatchEntryIdsNotDistinct", "same Id"),
        ([{"Id": str(n), "Message": "m"} for n in range(11)], "TooManyEntriesInBatchRequest", "more entries"),
        ([{"Id": str(n), "Message": "m" * 131_073} for n in range(2)], "BatchRequestTooLong", "more than the limit"),
    ],
)
async def test_a_batch_is_refused_as_a_whole_in_the_words_of_sns(aws: AwsClients, entries, code, message):
    topic = await new_topic(aws)
    found = await refusal(aws, "publish_batch", TopicArn=topic, PublishBatchRequestEntries=entries)
    assert (found[0], message in found[1]) == (code, True)


@pytest.mark.req(483)
@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"TopicArn": ""}, "TopicArn Reason: An ARN must have at least 6 elements, not 1"),
        ({"TargetArn": f"arn:aws:sns:us-east-1:{ACCOUNT}:endpoint/APNS/a/b"}, "TargetArn Reason: No endpoint found"),
        ({"TopicArn": f"arn:aws:sns:eu-west-1:{ACCOUNT}:orders"}, "in the region us-east-1, not eu-west-1"),
        ({"TopicArn": f"arn:aws:sns:us-east-1:{ACCOUNT}:orders", "Subject": ""}, "Invalid parameter: Subject"),
        ({"PhoneNumber": "+4912345"}, "text messages are not offered here"),
    ],
)
async def test_a_publish_that_cannot_be_is_refused(aws: AwsClients, parameters, message):
    await new_topic(aws)
    code, text = await refusal(aws, "publish", Message="m", **parameters)
    assert (code, message in text) == ("InvalidParameter", True)


@pytest.mark.req(482)
async def test_a_queue_shows_the_group_and_the_trace_of_the_publisher(aws: AwsClients):
    topic = await new_topic(aws)
    url = (await aws.call("sqs", "create_queue", QueueName="q"))["QueueUrl"]
    endpoint = f"arn:aws:sqs:us-east-1:{ACCOUNT}:q"
    await aws.call("sns", "subscribe", TopicArn=topic, Protocol="sqs", Endpoint=endpoint)
    trace = "Root=1-3152b799-8954dae64eda91bc9a23a7e8;Parent=7fa8c0f79203be72;Sampled=1"
    events = aws.client("sns").meta.events
    events.register("before-send.sns.Publish", lambda request, **_: request.headers.update({"X-Amzn-Trace-Id": trace}))
    await aws.call("sns", "publish", TopicArn=topic, Message="m", MessageGroupId="tenant-1")
    (message,) = (await aws.call("sqs", "receive_message", QueueUrl=url, AttributeNames=["All"]))["Messages"]
    assert (message["Attributes"]["MessageGroupId"], message["Attributes"]["AWSTraceHeader"]) == ("tenant-1", trace)


@pytest.mark.req(480)
async def test_a_call_signed_for_another_region_works_on_the_one_region_there_is(aws: AwsClients):
    topic = await new_topic(aws)
    elsewhere = AwsClients(aws.address, region="eu-west-1")
    assert (await elsewhere.call("sns", "create_topic", Name="orders"))["TopicArn"] == topic
    assert (await elsewhere.call("sns", "publish", TopicArn=topic, Message="m"))["MessageId"]


@pytest.mark.req(489)
@pytest.mark.parametrize(
    ("method", "parameters", "message"),
    [
        ("subscribe", {"Protocol": "sms", "Endpoint": "+4912345"}, "sms is not offered here"),
        (
            "subscribe",
            {"Protocol": "lambda", "Endpoint": "arn:aws:lambda:us-east-1:0:function:f"},
            "lambda is not offered",
        ),
        ("publish", {"Message": "m", "PhoneNumber": "+4912345"}, "text messages are not offered here"),
    ],
)
async def test_what_is_not_offered_is_refused_by_name(aws: AwsClients, method, parameters, message):
    code, text = await refusal(aws, method, TopicArn=await new_topic(aws), **parameters)
    assert (code, message in text) == ("InvalidParameter", True)


@pytest.mark.req(489)
@pytest.mark.parametrize(
    ("method", "parameters"),
    [
        ("create_platform_application", {"Name": "a", "Platform": "GCM", "Attributes": {}}),
        ("set_sms_attributes", {"attributes": {"DefaultSMSType": "Promotional"}}),
        ("put_data_protection_policy", {"ResourceArn": "arn", "DataProtectionPolicy": "{}"}),
    ],
)
async def test_an_action_that_is_not_offered_is_named(aws: AwsClients, method, parameters):
    code, text = await refusal(aws, method, **parameters)
    assert (code, "is not valid for this endpoint" in text) == ("InvalidAction", True)
