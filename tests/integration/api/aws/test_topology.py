"""What clients created over the AWS endpoint, as people see it over HTTP, and trying a policy before it is used."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest

from sightline.access import owner_caller
from sightline.bootstrap import Platform
from sightline.bus import TECHNIQUE_QUEUE
from support.asking import is_error
from support.aws_calls import AwsClients, aws_clients
from support.emulators import shared

PLATFORM_ACCOUNT = "000000000000"
PATTERN = '{"source": ["shop"]}'


@dataclass
class Owner:
    """Somebody with a key of their own."""

    aws: AwsClients
    header: dict[str, str]
    user_id: UUID


@dataclass
class Endpoint:
    platform: Platform
    aws: AwsClients
    http: httpx.AsyncClient
    signed_in: Callable[..., dict[str, str]]

    async def owner(self, *, is_operator: bool = False) -> Owner:
        user_id = uuid4()
        scopes = ("bus:use", "operator") if is_operator else ("bus:use",)
        async with self.platform.database.transaction() as tx:
            key, text = await self.platform.api_keys.create(tx, owner_caller(user_id), name="shop", scopes=scopes)
        aws = self.aws.with_key(key.key_id, self.platform.access_keys.secret_of(text))
        role = {"sightline_role": "operator"} if is_operator else {}
        return Owner(aws, self.signed_in(user_id, **role), user_id)

    async def topology(self, header: dict[str, str]) -> dict[str, Any]:
        answer = await self.http.get("/api/bus/topology", headers=header)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found


@pytest.fixture
async def endpoint(
    platform_with: Callable[..., Awaitable[Platform]], auth_on: Any, serving: Any, signed_in: Any
) -> AsyncIterator[Endpoint]:
    platform = await platform_with(auth=auth_on)
    async with (
        aws_clients(platform, serving) as aws,
        httpx.AsyncClient(base_url=aws.address, timeout=None) as http,
    ):
        yield Endpoint(platform, aws, http, signed_in)


def _by_name(resources: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {one["name"]: one for one in resources}


@pytest.mark.req(504)
async def test_queues_topics_and_subscriptions_of_clients_are_shown_with_what_connects_to_them(endpoint: Endpoint):
    shop = await endpoint.owner()
    dead = await shop.aws.call("sqs", "create_queue", QueueName="orders-dead")
    dead_arn = (
        await shop.aws.call("sqs", "get_queue_attributes", QueueUrl=dead["QueueUrl"], AttributeNames=["QueueArn"])
    )["Attributes"]["QueueArn"]
    orders = await shop.aws.call(
        "sqs",
        "create_queue",
        QueueName="orders",
        tags={"team": "blue"},
        Attributes={
            "VisibilityTimeout": "45",
            "RedrivePolicy": json.dumps({"deadLetterTargetArn": dead_arn, "maxReceiveCount": 4}),
        },
    )
    await shop.aws.call("sqs", "create_queue", QueueName="steps.fifo", Attributes={"FifoQueue": "true"})
    for body in ("a", "b"):
        await shop.aws.call("sqs", "send_message", QueueUrl=orders["QueueUrl"], MessageBody=body)
    await shop.aws.call("sqs", "receive_message", QueueUrl=orders["QueueUrl"])
    topic = (await shop.aws.call("sns", "create_topic", Name="order-events"))["TopicArn"]
    orders_arn = dead_arn.removesuffix("-dead")
    await shop.aws.call(
        "sns",
        "subscribe",
        TopicArn=topic,
        Protocol="sqs",
        Endpoint=orders_arn,
        Attributes={"FilterPolicy": '{"status": ["paid"]}', "RawMessageDelivery": "true"},
    )

    found = await endpoint.topology(shop.header)

    account_id = topic.split(":")[4]
    assert (found["account_id"], found["region"], found["endpoint_url"]) == (
        account_id,
        "us-east-1",
        endpoint.aws.address,
    )
    assert found["accepts_test_key"] is False
    queues = _by_name(found["queues"])
    assert set(queues) == {"orders", "orders-dead", "steps.fifo"}
    shown = queues["orders"]
    assert (shown["visible"], shown["in_flight"]) == (1, 1)
    assert (shown["url"], shown["arn"], shown["dead_letter_arn"]) == (orders["QueueUrl"], orders_arn, dead_arn)
    assert (shown["max_receives"], shown["visibility_timeout_s"], shown["retention_s"]) == (4, 45, 345600)
    assert (shown["is_declared"], shown["is_fifo"], shown["tags"]) == (False, False, {"team": "blue"})
    assert (shown["account_id"], shown["owner_id"]) == (account_id, str(shop.user_id))
    assert queues["steps.fifo"]["is_fifo"] is True
    [events] = found["topics"]
    assert (events["name"], events["arn"]) == ("order-events", topic)
    [subscription] = events["subscriptions"]
    assert subscription["arn"].startswith(f"{topic}:")
    assert (subscription["protocol"], subscription["endpoint"]) == ("sqs", orders_arn)
    assert (subscription["filter_policy"], subscription["filter_scope"]) == (
        '{"status": ["paid"]}',
        "MessageAttributes",
    )
    assert (subscription["is_raw"], subscription["is_pending"]) == (True, False)
    assert found["event_buses"] == []


@pytest.mark.req(504)
async def test_people_see_their_own_account_and_operators_see_everything(endpoint: Endpoint):
    shop, other = await endpoint.owner(), await endpoint.owner()
    operator = await endpoint.owner(is_operator=True)
    for one in (shop, other, operator):
        await one.aws.call("sqs", "create_queue", QueueName="orders")
    seen = await endpoint.topology(other.header)
    assert [(one["name"], one["owner_id"]) for one in seen["queues"]] == [("orders", str(other.user_id))]
    assert seen["topics"] == []

    everything = await endpoint.topology(operator.header)

    assert everything["account_id"] == PLATFORM_ACCOUNT
    owners = {one["owner_id"] for one in everything["queues"] if one["name"] == "orders"}
    assert owners == {str(shop.user_id), str(other.user_id), None}
    declared = _by_name(everything["queues"])[TECHNIQUE_QUEUE]
    assert (declared["is_declared"], declared["account_id"]) == (True, PLATFORM_ACCOUNT)
    assert declared["dead_letter_arn"].endswith(":video_analysis_events_dlq")
    techniques = _by_name(everything["topics"])["video_analysis_events"]
    assert techniques["subscriptions"][0]["endpoint"] == declared["arn"]
    [default] = everything["event_buses"]
    rule = _by_name(default["rules"])["video-upload-completed"]
    assert (rule["is_declared"], rule["is_enabled"]) == (True, True)
    assert json.loads(rule["pattern"])["source"] == ["aws.s3"]
    assert rule["targets"][0]["arn"].endswith(":video-storage-events")


@pytest.mark.req(504)
async def test_rules_of_clients_are_shown_with_pattern_schedule_and_targets(endpoint: Endpoint):
    shop = await endpoint.owner()
    queue = await shop.aws.call("sqs", "create_queue", QueueName="orders")
    account_id = queue["QueueUrl"].split("/")[-2]
    queue_arn = f"arn:aws:sqs:us-east-1:{account_id}:orders"
    target = {"Id": "1", "Arn": queue_arn, "InputPath": "$.detail", "DeadLetterConfig": {"Arn": f"{queue_arn}-dead"}}
    await shop.aws.call("events", "create_event_bus", Name="shop")
    await shop.aws.call("events", "put_rule", Name="paid", EventBusName="shop", EventPattern=PATTERN)
    await shop.aws.call("events", "put_targets", Rule="paid", EventBusName="shop", Targets=[target])
    await shop.aws.call("events", "put_rule", Name="hourly", ScheduleExpression="rate(1 hour)", State="DISABLED")
    buses = _by_name((await endpoint.topology(shop.header))["event_buses"])
    assert buses["shop"]["arn"] == f"arn:aws:events:us-east-1:{account_id}:event-bus/shop"
    [paid] = buses["shop"]["rules"]
    assert (paid["pattern"], paid["schedule"], paid["is_enabled"]) == (PATTERN, None, True)
    assert paid["targets"] == [
        {
            "id": "1",
            "arn": queue_arn,
            "dead_letter_arn": f"{queue_arn}-dead",
            "parameters": {"InputPath": "$.detail"},
        }
    ]
    assert paid["arn"].endswith(":rule/shop/paid")
    [hourly] = buses["default"]["rules"]
    assert (hourly["pattern"], hourly["schedule"], hourly["is_enabled"]) == (None, "rate(1 hour)", False)


async def test_a_subscription_that_nobody_confirmed_is_pending(endpoint: Endpoint):
    shop = await endpoint.owner()
    topic = (await shop.aws.call("sns", "create_topic", Name="news"))["TopicArn"]
    await shop.aws.call("sns", "subscribe", TopicArn=topic, Protocol="email", Endpoint="ann@example.com")
    [news] = (await endpoint.topology(shop.header))["topics"]
    assert [(one["endpoint"], one["is_pending"]) for one in news["subscriptions"]] == [("ann@example.com", True)]


async def test_where_nobody_signs_in_the_local_owner_sees_everything(client: httpx.AsyncClient):
    found = (await client.get("/api/bus/topology")).json()
    assert (found["endpoint_url"], found["accepts_test_key"]) == ("http://localhost:8400", True)
    assert TECHNIQUE_QUEUE in _by_name(found["queues"])
    assert _by_name(found["queues"])[TECHNIQUE_QUEUE]["url"] == (
        f"http://localhost:8400/{PLATFORM_ACCOUNT}/{TECHNIQUE_QUEUE}"
    )


async def _try(client: httpx.AsyncClient, policy: Any, message: Any, scope: str = "MessageAttributes") -> Any:
    body = {"policy": policy, "message": message, "scope": scope}
    return await client.post("/api/bus/try-policy", json=body)


@pytest.mark.req(505)
@pytest.mark.parametrize(
    ("scope", "policy", "message", "matched", "key"),
    [
        ("MessageAttributes", '{"price": [{"numeric": [">=", 100]}]}', '{"price": 99}', False, "price"),
        ("MessageAttributes", {"price": [{"numeric": [">=", 100]}]}, {"price": 100}, True, "price"),
        ("MessageAttributes", "{}", '{"a": "x"}', True, None),
        ("MessageBody", '{"order": {"state": ["paid"]}}', '{"order": {"state": "paid"}}', True, "order.state"),
        ("Event", '{"source": [{"prefix": "fiapx."}]}', '{"source": "fiapx.video"}', True, "source"),
        ("Event", '{"source": ["aws.s3"]}', {"source": "fiapx.video"}, False, "source"),
    ],
)
async def test_a_policy_is_tried_and_the_key_that_decided_is_named(
    client: httpx.AsyncClient, scope: str, policy: Any, message: Any, matched: bool, key: str | None
):
    found = (await _try(client, policy, message, scope)).json()
    assert (found["matched"], found["key"]) == (matched, key)
    assert found["reason"]


@pytest.mark.req(505)
async def test_an_invalid_policy_gets_the_words_of_aws_and_names_the_field(client: httpx.AsyncClient):
    answer = await _try(client, '{"price": 100}', '{"price": 100}')
    error = is_error(answer, 400, "VALIDATION_ERROR")
    assert error["message"].startswith('Invalid parameter: Attributes Reason: FilterPolicy: "price" must be')
    assert error["details"]["errors"][0]["field"] == "policy"
    pattern = is_error(await _try(client, '{"source": "x"}', "{}", "Event"), 400, "VALIDATION_ERROR")
    assert pattern["message"].startswith("Event pattern is not valid. Reason: ")
    assert pattern["details"]["aws_code"] == "InvalidEventPatternException"


async def test_a_message_that_cannot_be_read_is_named_as_the_wrong_field(client: httpx.AsyncClient):
    error = is_error(await _try(client, "{}", "no json"), 400, "VALIDATION_ERROR")
    assert error["message"].startswith("the message is not JSON")
    assert error["details"]["errors"][0]["field"] == "message"


@pytest.mark.req(504)
async def test_with_aws_as_the_backend_only_declared_resources_are_known(client_with: Any):
    client = await client_with(bus=shared("ministack").settings())
    found = (await client.get("/api/bus/topology")).json()
    assert (found["backend"], found["endpoint_url"], found["accepts_test_key"]) == ("aws", None, False)
    queue = _by_name(found["queues"])[TECHNIQUE_QUEUE]
    assert (queue["arn"], queue["url"]) == (f"arn:aws:sqs:us-east-1:{PLATFORM_ACCOUNT}:{TECHNIQUE_QUEUE}", None)
    assert {one["is_declared"] for one in (*found["queues"], *found["topics"])} == {True}
