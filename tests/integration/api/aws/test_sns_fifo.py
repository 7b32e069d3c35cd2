"""FIFO topics: order, deduplication on the level of the topic, and what queues see of it."""

import asyncio
import json
from typing import Any

import pytest
from botocore.exceptions import ClientError

from support.aws_calls import AwsClients, aws_clients

ACCOUNT = "000000000000"
FIFO = {"FifoTopic": "true"}


@pytest.fixture
async def aws(platform, serving):
    async with aws_clients(platform, serving) as clients:
        yield clients


async def new_topic(aws: AwsClients, **attributes: str) -> str:
    created = await aws.call("sns", "create_topic", Name="orders.fifo", Attributes={**FIFO, **attributes})
    return str(created["TopicArn"])


async def subscribed_queue(aws: AwsClients, topic: str, name: str, **attributes: str) -> str:
    """The URL of a new queue that the topic delivers to."""
    given = {"FifoQueue": "true"} if name.endswith(".fifo") else {}
    url = (await aws.call("sqs", "create_queue", QueueName=name, Attributes=given))["QueueUrl"]
    arn = f"arn:aws:sqs:us-east-1:{ACCOUNT}:{name}"
    await aws.call("sns", "subscribe", TopicArn=topic, Protocol="sqs", Endpoint=arn, Attributes=attributes)
    return str(url)


async def received(aws: AwsClients, url: str) -> list[dict[str, Any]]:
    """In order: a FIFO queue gives a group's messages to one receiver at a time."""
    found = await aws.call("sqs", "receive_message", QueueUrl=url, MaxNumberOfMessages=10, AttributeNames=["All"])
    return list(found.get("Messages", []))


@pytest.mark.req(485)
async def test_a_repeated_message_has_the_id_and_number_of_the_first_and_is_delivered_once(aws: AwsClients):
    topic = await new_topic(aws, ContentBasedDeduplication="true")
    fifo, standard = [await subscribed_queue(aws, topic, name) for name in ("a.fifo", "b")]
    first, again = [
        await aws.call("sns", "publish", TopicArn=topic, Message="same", MessageGroupId=group) for group in ("g1", "g2")
    ]
    assert (again["MessageId"], again["SequenceNumber"]) == (first["MessageId"], first["SequenceNumber"])
    (in_fifo,) = await received(aws, fifo)
    assert in_fifo["Attributes"]["MessageGroupId"] == "g1"
    assert len(in_fifo["Attributes"]["MessageDeduplicationId"]) == 64
    (in_standard,) = await received(aws, standard)
    assert "MessageGroupId" not in in_standard["Attributes"]
    for one in (in_fifo, in_standard):
        envelope = json.loads(one["Body"])
        assert (envelope["MessageId"], envelope["SequenceNumber"]) == (first["MessageId"], first["SequenceNumber"])
        assert "Signature" not in envelope
        assert one["MessageId"] != first["MessageId"]


@pytest.mark.req(485)
async def test_deduplication_is_per_group_where_the_topic_says_so(aws: AwsClients):
    topic = await new_topic(aws, ContentBasedDeduplication="true", FifoThroughputScope="MessageGroup")
    ids = [
        (await aws.call("sns", "publish", TopicArn=topic, Message="same", MessageGroupId=group))["MessageId"]
        for group in ("g1", "g2", "g1")
    ]
    assert ids[0] != ids[1]
    assert ids[0] == ids[2]


@pytest.mark.req(485)
async def test_a_new_topic_of_the_same_name_knows_nothing_of_the_old_ones_messages(aws: AwsClients):
    given = {"Message": "same", "MessageGroupId": "g", "MessageDeduplicationId": "d"}
    topic = await new_topic(aws)
    first = await aws.call("sns", "publish", TopicArn=topic, **given)
    await aws.call("sns", "delete_topic", TopicArn=topic)
    await new_topic(aws)
    assert (await aws.call("sns", "publish", TopicArn=topic, **given))["MessageId"] != first["MessageId"]


@pytest.mark.req(486)
async def test_every_queue_gets_the_messages_in_the_order_of_their_numbers(aws: AwsClients):
    topic = await new_topic(aws)
    urls = [await subscribed_queue(aws, topic, name, RawMessageDelivery="true") for name in ("a.fifo", "b.fifo")]
    published = await asyncio.gather(
        *(
            aws.call(
                "sns",
                "publish",
                TopicArn=topic,
                Message=str(number),
                MessageGroupId="g",
                MessageDeduplicationId=str(number),
            )
            for number in range(8)
        )
    )
    numbers = {str(message): one["SequenceNumber"] for message, one in enumerate(published)}
    for url in urls:
        bodies = [one["Body"] for one in await received(aws, url)]
        assert bodies == sorted(numbers, key=numbers.__getitem__)


@pytest.mark.req(486)
async def test_a_batch_keeps_its_order_and_drops_its_own_repetitions(aws: AwsClients):
    topic = await new_topic(aws)
    url = await subscribed_queue(aws, topic, "a.fifo", RawMessageDelivery="true")
    entries = [
        {"Id": f"e{place}", "Message": name, "MessageGroupId": "g", "MessageDeduplicationId": name}
        for place, name in enumerate(("c", "a", "c", "b"))
    ]
    sent = (await aws.call("sns", "publish_batch", TopicArn=topic, PublishBatchRequestEntries=entries))["Successful"]
    assert sent[0]["MessageId"] == sent[2]["MessageId"]
    assert [one["Body"] for one in await received(aws, url)] == ["c", "a", "b"]


@pytest.mark.req(487)
async def test_a_fifo_subscription_has_a_fifo_queue_for_its_dead_letters_and_uses_it_when_its_own_is_gone(
    aws: AwsClients,
):
    topic = await new_topic(aws)
    url = await subscribed_queue(aws, topic, "a.fifo")
    dead = await aws.call("sqs", "create_queue", QueueName="dead.fifo", Attributes={"FifoQueue": "true"})
    (subscription,) = (await aws.call("sns", "list_subscriptions_by_topic", TopicArn=topic))["Subscriptions"]

    async def set_dead_letters(name: str) -> None:
        await aws.call(
            "sns",
            "set_subscription_attributes",
            SubscriptionArn=subscription["SubscriptionArn"],
            AttributeName="RedrivePolicy",
            AttributeValue=json.dumps({"deadLetterTargetArn": f"arn:aws:sqs:us-east-1:{ACCOUNT}:{name}"}),
        )

    with pytest.raises(ClientError, match="must use a FIFO queue as DLQ"):
        await set_dead_letters("standard")
    await set_dead_letters("dead.fifo")
    await aws.call("sqs", "delete_queue", QueueUrl=url)
    await aws.call("sns", "publish", TopicArn=topic, Message="m", MessageGroupId="g", MessageDeduplicationId="d")
    (letter,) = await received(aws, dead["QueueUrl"])
    assert letter["Attributes"]["MessageGroupId"] == "g"
    assert json.loads(letter["Body"])["UnsubscribeURL"].endswith(subscription["SubscriptionArn"])
