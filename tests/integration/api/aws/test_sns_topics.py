"""Topics and subscriptions over the AWS endpoint."""

import json

import pytest
from botocore.exceptions import ClientError

from support.aws_calls import AwsClients, aws_clients

ACCOUNT = "000000000000"


@pytest.fixture
async def aws(platform, serving):
    async with aws_clients(platform, serving) as clients:
        yield clients


async def error_of(awaitable) -> tuple[str, str]:
    with pytest.raises(ClientError) as caught:
        await awaitable
    error = caught.value.response["Error"]
    return error["Code"], error["Message"]


async def new_topic(aws: AwsClients, name: str = "orders", **parameters) -> str:
    return (await aws.call("sns", "create_topic", Name=name, **parameters))["TopicArn"]


@pytest.mark.req(479)
async def test_a_topic_is_created_described_and_deleted(aws: AwsClients):
    arn = await new_topic(aws, Attributes={"DisplayName": "Orders"}, Tags=[{"Key": "team", "Value": "a"}])
    assert arn == f"arn:aws:sns:us-east-1:{ACCOUNT}:orders"
    assert await new_topic(aws) == arn
    attributes = (await aws.call("sns", "get_topic_attributes", TopicArn=arn))["Attributes"]
    assert attributes["DisplayName"] == "Orders"
    assert attributes["SubscriptionsConfirmed"] == "0"
    assert json.loads(attributes["Policy"])["Statement"][0]["Resource"] == arn
    assert json.loads(attributes["EffectiveDeliveryPolicy"])["http"]["defaultHealthyRetryPolicy"]["numRetries"] == 3
    listed = (await aws.call("sns", "list_topics"))["Topics"]
    assert {"TopicArn": arn} in listed
    assert (await aws.call("sns", "list_tags_for_resource", ResourceArn=arn))["Tags"] == [{"Key": "team", "Value": "a"}]
    await aws.call("sns", "delete_topic", TopicArn=arn)
    await aws.call("sns", "delete_topic", TopicArn=arn)
    assert await error_of(aws.call("sns", "get_topic_attributes", TopicArn=arn)) == ("NotFound", "Topic does not exist")


@pytest.mark.req(479)
async def test_the_platforms_own_topics_are_topics_like_others_but_cannot_be_changed(aws: AwsClients):
    listed = [one["TopicArn"] for one in (await aws.call("sns", "list_topics"))["Topics"]]
    arn = f"arn:aws:sns:us-east-1:{ACCOUNT}:video_analysis_events"
    assert arn in listed
    assert (
        int((await aws.call("sns", "get_topic_attributes", TopicArn=arn))["Attributes"]["SubscriptionsConfirmed"]) >= 1
    )
    for method, parameters in (
        ("delete_topic", {}),
        ("set_topic_attributes", {"AttributeName": "DisplayName", "AttributeValue": "x"}),
    ):
        code, message = await error_of(aws.call("sns", method, TopicArn=arn, **parameters))
        assert (code, "platform's own" in message) == ("AuthorizationError", True)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"Name": "a b"}, "Invalid parameter: Topic Name"),
        ({"Name": "x.fifo"}, "Invalid parameter: Topic Name"),
        ({"Name": "x", "Attributes": {"FifoTopic": "true"}}, "Invalid parameter: Topic Name"),
        ({"Name": "a b.fifo", "Attributes": {"FifoTopic": "true"}}, "Fifo Topic names must end with .fifo"),
        ({"Name": "x", "Attributes": {"DeliveryPolicy": '{"http": 1}'}}, "DeliveryPolicy: http must be an object"),
        ({"Name": "x", "Attributes": {"DataProtectionPolicy": "{}"}}, "Unknown attribute DataProtectionPolicy"),
        ({"Name": "orders", "Tags": [{"Key": "a", "Value": "b"}]}, "Topic already exists with different tags"),
        ({"Name": "orders", "Attributes": {"DisplayName": "y"}}, "Topic already exists with different attributes"),
        ({"Name": "x", "Tags": [{"Key": "a", "Value": "b"}] * 2}, "Duplicated keys are not allowed."),
        ({"Name": "x", "Attributes": {"SignatureVersion": "3"}}, "SignatureVersion"),
    ],
)
async def test_what_sns_refuses_is_refused_in_its_words(aws: AwsClients, parameters, message):
    await new_topic(aws)
    code, text = await error_of(aws.call("sns", "create_topic", **parameters))
    assert code == "InvalidParameter"
    assert message in text


async def test_subscriptions_keep_their_attributes_and_repeat_harmlessly(aws: AwsClients):
    topic = await new_topic(aws)
    endpoint = f"arn:aws:sqs:us-east-1:{ACCOUNT}:video-split-queue"
    attributes = {"RawMessageDelivery": "true", "FilterPolicy": '{"kind": ["a"]}'}
    given = {"TopicArn": topic, "Protocol": "sqs", "Endpoint": endpoint}
    arn = (await aws.call("sns", "subscribe", **given, Attributes=attributes))["SubscriptionArn"]
    assert (await aws.call("sns", "subscribe", **given))["SubscriptionArn"] == arn
    code, message = await error_of(aws.call("sns", "subscribe", **given, Attributes={"RawMessageDelivery": "false"}))
    assert (code, message) == (
        "InvalidParameter",
        "Invalid parameter: Attributes Reason: Subscription already exists with different attributes",
    )
    shown = (await aws.call("sns", "get_subscription_attributes", SubscriptionArn=arn))["Attributes"]
    assert shown["RawMessageDelivery"] == "true"
    assert json.loads(shown["FilterPolicy"]) == {"kind": ["a"]}
    await aws.call(
        "sns", "set_subscription_attributes", SubscriptionArn=arn, AttributeName="FilterPolicy", AttributeValue=""
    )
    shown = (await aws.call("sns", "get_subscription_attributes", SubscriptionArn=arn))["Attributes"]
    assert "FilterPolicy" not in shown
    listed = (await aws.call("sns", "list_subscriptions_by_topic", TopicArn=topic))["Subscriptions"]
    assert [one["SubscriptionArn"] for one in listed] == [arn]
    await aws.call("sns", "unsubscribe", SubscriptionArn=arn)
    await aws.call("sns", "unsubscribe", SubscriptionArn=arn)
    assert (await error_of(aws.call("sns", "get_subscription_attributes", SubscriptionArn=arn)))[0] == "NotFound"


@pytest.mark.parametrize(
    ("protocol", "endpoint", "attributes", "message"),
    [
        ("sqs", "queue", {}, "SQS endpoint ARN"),
        (
            "sqs",
            f"arn:aws:sqs:us-east-1:{ACCOUNT}:q.fifo",
            {},
            "FIFO SQS Queues can not be subscribed to standard SNS topics",
        ),
        ("http", "https://example.org", {}, "Endpoint must match the specified protocol"),
        ("email", "nobody", {}, "Email address"),
        ("sms", "+491", {}, "is not offered here"),
        ("pigeon", "x", {}, "Amazon SNS does not support this protocol string: pigeon"),
        ("sqs", f"arn:aws:sqs:us-east-1:{ACCOUNT}:q", {"FilterPolicy": "{"}, "Attributes Reason: FilterPolicy"),
        ("sqs", f"arn:aws:sqs:us-east-1:{ACCOUNT}:q", {"RawMessageDelivery": "x"}, "Must be true or false."),
        ("sqs", f"arn:aws:sqs:us-east-1:{ACCOUNT}:q", {"RedrivePolicy": '{"deadLetterTargetArn": "x"}'}, "invalid arn"),
    ],
)
async def test_a_subscription_that_sns_refuses_is_refused(aws: AwsClients, protocol, endpoint, attributes, message):
    topic = await new_topic(aws)
    code, text = await error_of(
        aws.call("sns", "subscribe", TopicArn=topic, Protocol=protocol, Endpoint=endpoint, Attributes=attributes)
    )
    assert code == "InvalidParameter"
    assert message in text


async def test_a_queue_of_another_account_cannot_be_subscribed(aws: AwsClients):
    topic = await new_topic(aws)
    endpoint = "arn:aws:sqs:us-east-1:123456789012:q"
    found = await error_of(aws.call("sns", "subscribe", TopicArn=topic, Protocol="sqs", Endpoint=endpoint))
    assert found[0] == "AuthorizationError"


async def test_permissions_are_kept_as_statements_of_the_policy(aws: AwsClients):
    topic = await new_topic(aws)
    given = {"TopicArn": topic, "Label": "partner", "AWSAccountId": ["123456789012"], "ActionName": ["Publish"]}
    await aws.call("sns", "add_permission", **given)
    policy = json.loads((await aws.call("sns", "get_topic_attributes", TopicArn=topic))["Attributes"]["Policy"])
    assert policy["Statement"][1]["Sid"] == "partner"
    assert (await error_of(aws.call("sns", "add_permission", **given)))[
        1
    ] == "Invalid parameter: Statement already exists"
    await aws.call("sns", "remove_permission", TopicArn=topic, Label="partner")
    policy = json.loads((await aws.call("sns", "get_topic_attributes", TopicArn=topic))["Attributes"]["Policy"])
    assert len(policy["Statement"]) == 1
