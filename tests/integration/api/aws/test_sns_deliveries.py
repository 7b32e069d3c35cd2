"""Deliveries of topics: to queues, to web addresses that confirmed, to mailboxes."""

import base64
import json

import httpx
import pytest
from botocore.exceptions import ClientError
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa

from sightline.bootstrap import Platform
from sightline.bus.notification_signature import string_to_sign
from support.aws_calls import AwsClients, aws_clients
from support.event_rig import delivering
from support.waiting import until

ACCOUNT = "000000000000"
QUEUE_ARN = f"arn:aws:sqs:us-east-1:{ACCOUNT}:video-split-queue"


@pytest.fixture
async def aws(platform, serving):
    async with aws_clients(platform, serving) as clients, delivering(platform):
        yield clients


async def new_topic(aws: AwsClients, name: str = "orders", **parameters) -> str:
    return (await aws.call("sns", "create_topic", Name=name, **parameters))["TopicArn"]


@pytest.mark.req(482)
async def test_a_message_reaches_matching_queues_wrapped_or_raw(aws: AwsClients, platform: Platform):
    topic = await new_topic(aws)
    given = {"TopicArn": topic, "Protocol": "sqs", "Endpoint": QUEUE_ARN}
    await aws.call("sns", "subscribe", **given, Attributes={"FilterPolicy": json.dumps({"kind": ["wanted"]})})
    for kind in ("other", "wanted"):
        await aws.call(
            "sns",
            "publish",
            TopicArn=topic,
            Message=f"body of {kind}",
            Subject="Hello",
            MessageAttributes={"kind": {"DataType": "String", "StringValue": kind}},
        )
    (received,) = await platform.bus.receive("video-split-queue", limit=10, wait_s=0)
    envelope = json.loads(received.body)
    assert envelope["Message"] == "body of wanted"
    assert (envelope["TopicArn"], envelope["Subject"]) == (topic, "Hello")
    assert envelope["MessageAttributes"] == {"kind": {"Type": "String", "Value": "wanted"}}


async def test_a_batch_is_published_whole_or_not_at_all_and_a_structure_chooses_the_body(
    aws: AwsClients, platform: Platform
):
    topic = await new_topic(aws)
    await aws.call(
        "sns",
        "subscribe",
        TopicArn=topic,
        Protocol="sqs",
        Endpoint=QUEUE_ARN,
        Attributes={"RawMessageDelivery": "true"},
    )
    good = {"Id": "a", "Message": '{"default": "d", "sqs": "for queues"}', "MessageStructure": "json"}
    bad = {"Id": "b", "Message": "{}", "MessageStructure": "json"}
    with pytest.raises(ClientError, match="No default entry in JSON message body"):
        await aws.call("sns", "publish_batch", TopicArn=topic, PublishBatchRequestEntries=[good, bad])
    found = await aws.call("sns", "publish_batch", TopicArn=topic, PublishBatchRequestEntries=[good])
    assert ([one["Id"] for one in found["Successful"]], found["Failed"]) == (["a"], [])
    (received,) = await platform.bus.receive("video-split-queue", limit=10, wait_s=0)
    assert received.body == "for queues"


@pytest.mark.req(481)
async def test_a_web_address_confirms_then_receives_signed_messages_and_ends_by_its_link(aws: AwsClients, local_http):
    topic = await new_topic(aws, Attributes={"SignatureVersion": "2"})
    endpoint = f"{local_http.url}/hook"
    subscribed = await aws.call("sns", "subscribe", TopicArn=topic, Protocol="http", Endpoint=endpoint)
    assert subscribed["SubscriptionArn"] == "pending confirmation"
    await aws.call("sns", "publish", TopicArn=topic, Message="before it confirmed")
    async with httpx.AsyncClient(timeout=None) as web:
        confirmation = json.loads(await until_request(local_http, 1))
        assert confirmation["Type"] == "SubscriptionConfirmation"
        await check_signature(web, aws, confirmation)
        answer = await web.get(at(aws, confirmation["SubscribeURL"]))
        assert (answer.status_code, "<SubscriptionArn>arn:aws:sns" in answer.text) == (200, True)
        await aws.call("sns", "publish", TopicArn=topic, Message="after it confirmed", Subject="Now")
        notification = json.loads(await until_request(local_http, 2))
        assert notification["Type"] == "Notification"
        assert (notification["Message"], notification["Subject"]) == ("after it confirmed", "Now")
        await check_signature(web, aws, notification)
        assert (await web.get(at(aws, notification["UnsubscribeURL"]))).status_code == 200
    assert json.loads(await until_request(local_http, 3))["Type"] == "UnsubscribeConfirmation"
    assert (await aws.call("sns", "list_subscriptions_by_topic", TopicArn=topic))["Subscriptions"] == []


async def test_a_wrong_token_confirms_nothing(aws: AwsClients, local_http):
    topic = await new_topic(aws)
    await aws.call("sns", "subscribe", TopicArn=topic, Protocol="http", Endpoint=f"{local_http.url}/hook")
    async with httpx.AsyncClient(base_url=aws.address, timeout=None) as web:
        answer = await web.get("/", params={"Action": "ConfirmSubscription", "TopicArn": topic, "Token": "guess"})
    assert (answer.status_code, "Invalid parameter: Token" in answer.text) == (400, True)
    (listed,) = (await aws.call("sns", "list_subscriptions_by_topic", TopicArn=topic))["Subscriptions"]
    assert listed["SubscriptionArn"] == "PendingConfirmation"


async def test_links_end_no_subscription_of_a_queue(aws: AwsClients):
    topic = await new_topic(aws)
    arn = (await aws.call("sns", "subscribe", TopicArn=topic, Protocol="sqs", Endpoint=QUEUE_ARN))["SubscriptionArn"]
    async with httpx.AsyncClient(base_url=aws.address, timeout=None) as web:
        answer = await web.get("/", params={"Action": "Unsubscribe", "SubscriptionArn": arn})
    assert answer.status_code == 403


async def confirmed_hook(aws: AwsClients, local_http, topic: str, **attributes: str) -> str:
    """The ARN of a confirmed subscription of the local service."""
    given = {"TopicArn": topic, "Protocol": "http", "Endpoint": f"{local_http.url}/hook"}
    await aws.call("sns", "subscribe", **given, Attributes=attributes)
    token = json.loads(await until_request(local_http, 1))["Token"]
    return str((await aws.call("sns", "confirm_subscription", TopicArn=topic, Token=token))["SubscriptionArn"])


@pytest.mark.req(484)
async def test_a_delivery_policy_sets_the_content_type_of_messages(aws: AwsClients, local_http):
    topic = await new_topic(aws)
    policy = {"requestPolicy": {"headerContentType": "application/json"}}
    arn = await confirmed_hook(aws, local_http, topic, DeliveryPolicy=json.dumps(policy))
    shown = (await aws.call("sns", "get_subscription_attributes", SubscriptionArn=arn))["Attributes"]
    effective = json.loads(shown["EffectiveDeliveryPolicy"])
    assert (effective["requestPolicy"]["headerContentType"], effective["healthyRetryPolicy"]["numRetries"]) == (
        "application/json",
        3,
    )
    await aws.call("sns", "publish", TopicArn=topic, Message="{}")
    await until_request(local_http, 2)
    assert "Content-Type: text/plain; charset=UTF-8\r\n" in local_http.heads[0]
    assert "Content-Type: application/json\r\n" in local_http.heads[1]


@pytest.mark.req(484)
@pytest.mark.parametrize("is_raw", [True, False])
async def test_what_the_retries_of_the_policy_do_not_deliver_is_a_dead_letter(aws: AwsClients, local_http, is_raw):
    topic = await new_topic(aws)
    dead = (await aws.call("sqs", "create_queue", QueueName="dead"))["QueueUrl"]
    retries = {"numRetries": 1, "numNoDelayRetries": 1, "minDelayTarget": 1, "maxDelayTarget": 1}
    arn = await confirmed_hook(
        aws,
        local_http,
        topic,
        DeliveryPolicy=json.dumps({"healthyRetryPolicy": retries}),
        RedrivePolicy=json.dumps({"deadLetterTargetArn": f"arn:aws:sqs:us-east-1:{ACCOUNT}:dead"}),
        RawMessageDelivery=str(is_raw).lower(),
    )
    local_http.status = 500
    attributes = {"kind": {"DataType": "String", "StringValue": "x"}}
    sent = await aws.call("sns", "publish", TopicArn=topic, Message="lost", MessageAttributes=attributes)
    (letter,) = (
        await aws.call("sqs", "receive_message", QueueUrl=dead, WaitTimeSeconds=20, MessageAttributeNames=["All"])
    )["Messages"]
    assert len(local_http.asked) == 3  # the confirmation, the message and its one retry
    assert "500" in letter["MessageAttributes"]["ERROR_MESSAGE"]["StringValue"]
    if is_raw:
        assert (letter["Body"], letter["MessageAttributes"]["kind"]["StringValue"]) == ("lost", "x")
    else:
        envelope = json.loads(letter["Body"])
        assert (envelope["Type"], envelope["MessageId"], envelope["Message"]) == (
            "Notification",
            sent["MessageId"],
            "lost",
        )
        assert envelope["UnsubscribeURL"].endswith(arn)


@pytest.mark.req(481)
async def test_a_token_confirms_twice_but_not_for_a_topic_of_another_region(aws: AwsClients, local_http):
    topic = await new_topic(aws)
    arn = await confirmed_hook(aws, local_http, topic)
    token = json.loads(local_http.bodies[0])["Token"]
    again = await aws.call("sns", "confirm_subscription", TopicArn=topic, Token=token)
    assert again["SubscriptionArn"] == arn
    with pytest.raises(ClientError, match="Invalid parameter: Topic"):
        elsewhere = topic.replace("us-east-1", "eu-west-1")
        await aws.call("sns", "confirm_subscription", TopicArn=elsewhere, Token=token)


def at(aws: AwsClients, link: str) -> str:
    """The link at the port that the test serves on; the platform names the one of its settings."""
    return f"{aws.address}/?{link.partition('/?')[2]}"


async def until_request(local_http, number: int) -> bytes:
    async def has_come() -> bool:
        return len(local_http.asked) >= number

    await until(has_come)
    return local_http.bodies[number - 1]


async def check_signature(web: httpx.AsyncClient, aws: AwsClients, notification: dict[str, str]) -> None:
    path = "/" + notification["SigningCertURL"].rpartition("/")[2]
    certificate = x509.load_pem_x509_certificate((await web.get(aws.address + path)).content)
    algorithm = hashes.SHA256() if notification["SignatureVersion"] == "2" else hashes.SHA1()
    public_key = certificate.public_key()
    assert isinstance(public_key, rsa.RSAPublicKey)
    public_key.verify(
        base64.b64decode(notification["Signature"]), string_to_sign(notification), padding.PKCS1v15(), algorithm
    )


async def test_a_consumer_of_a_queue_reads_a_signed_envelope_that_names_its_subscription(aws: AwsClients):
    topic = await new_topic(aws)
    url = (await aws.call("sqs", "create_queue", QueueName="consumer"))["QueueUrl"]
    endpoint = f"arn:aws:sqs:us-east-1:{ACCOUNT}:consumer"
    subscribed = await aws.call("sns", "subscribe", TopicArn=topic, Protocol="sqs", Endpoint=endpoint)
    published = await aws.call("sns", "publish", TopicArn=topic, Message="hello")
    received = await aws.call("sqs", "receive_message", QueueUrl=url, WaitTimeSeconds=5, VisibilityTimeout=0)
    envelope = json.loads(received["Messages"][0]["Body"])
    assert envelope["MessageId"] == published["MessageId"] != received["Messages"][0]["MessageId"]
    assert envelope["UnsubscribeURL"].endswith(subscribed["SubscriptionArn"])
    assert "Subject" not in envelope
    assert "MessageAttributes" not in envelope
    async with httpx.AsyncClient(timeout=None) as web:
        await check_signature(web, aws, envelope)
    again = await aws.call("sqs", "receive_message", QueueUrl=url, WaitTimeSeconds=5)
    assert again["Messages"][0]["Body"] == received["Messages"][0]["Body"]
