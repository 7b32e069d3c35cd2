"""What AWS has after `create` is what the topology says, whatever was there before."""

import json
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from conformance.bus import CLIP, Places
from sightline.bus import EventRule, Names, Queue, Subscription, Topology
from sightline.bus.aws import AwsBus, AwsClients, open_clients
from sightline.db import Database
from sightline.errors import BackendUnavailable, ConfigurationError, NotFound
from support.emulators import shared

EMULATORS = ("ministack", "moto")


@pytest.fixture(params=EMULATORS)
def emulator(request: pytest.FixtureRequest):
    return shared(request.param)


@pytest.fixture
def names(emulator) -> Names:
    return Names(account_id=emulator.account_id)


@pytest.fixture
async def clients(emulator) -> AsyncIterator[AwsClients]:
    async with open_clients(emulator.settings()) as opened:
        yield opened


async def _attributes(clients: AwsClients, queue: str) -> dict[str, str]:
    url = await clients.queue_url(queue)
    answer = await clients.sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["All"])
    found: dict[str, str] = answer["Attributes"]
    return found


@pytest.mark.req(165, 166, 167, 168, 171, 173)
async def test_a_queue_has_its_numbers_and_points_to_its_dead_letters(
    database: Database, clients: AwsClients, names: Names
):
    places = Places()
    queue = Queue(places.work)
    await AwsBus(database, clients, Topology(topics=(), queues=(queue,)), names).create()
    found = await _attributes(clients, places.work)
    assert found["VisibilityTimeout"] == "300"
    assert found["MessageRetentionPeriod"] == "1209600"
    assert found["DelaySeconds"] == "0"
    assert found["ReceiveMessageWaitTimeSeconds"] == "20"
    redrive = json.loads(found["RedrivePolicy"])
    assert redrive["deadLetterTargetArn"] == names.queue_arn(f"{places.work}-dlq")
    assert int(redrive["maxReceiveCount"]) == 3
    assert (await _attributes(clients, f"{places.work}-dlq"))["MessageRetentionPeriod"] == "1209600"


async def test_numbers_that_differ_are_mended(database: Database, clients: AwsClients, names: Names):
    places = Places()
    queue = Queue(places.work)
    await AwsBus(database, clients, Topology(topics=(), queues=(queue,)), names).create()
    changed = replace(queue, visibility_s=60, retention_s=600, max_receives=5)
    await AwsBus(database, clients, Topology(topics=(), queues=(changed,)), names).create()
    found = await _attributes(clients, places.work)
    assert (found["VisibilityTimeout"], found["MessageRetentionPeriod"]) == ("60", "600")
    assert int(json.loads(found["RedrivePolicy"])["maxReceiveCount"]) == 5


async def test_only_the_topics_and_rules_of_the_topology_may_deliver(
    database: Database, clients: AwsClients, names: Names
):
    places = Places()
    bus = AwsBus(database, clients, places.topics, names)
    await bus.create()
    url = await clients.queue_url(places.raw)
    theirs = {"Sid": "Theirs", "Effect": "Deny", "Principal": "*", "Action": "sqs:*", "Resource": "*"}
    policy = json.loads((await _attributes(clients, places.raw))["Policy"])
    policy["Statement"].append(theirs)
    await clients.sqs.set_queue_attributes(QueueUrl=url, Attributes={"Policy": json.dumps(policy)})
    await bus.create()
    statements = {
        one["Sid"]: one for one in json.loads((await _attributes(clients, places.raw))["Policy"])["Statement"]
    }
    assert statements.keys() == {"SightlineTopics", "Theirs"}
    condition = statements["SightlineTopics"]["Condition"]["ArnEquals"]["aws:SourceArn"]
    assert condition == [names.topic_arn(places.news)]
    ruled = json.loads((await _attributes(clients, places.ruled))["Policy"])["Statement"]
    assert [one["Principal"] for one in ruled] == [{"Service": "events.amazonaws.com"}]
    topic = await clients.sns.get_topic_attributes(TopicArn=names.topic_arn(places.alerts))
    statements = {one["Sid"]: one for one in json.loads(topic["Attributes"]["Policy"])["Statement"]}
    assert statements["SightlineRules"]["Action"] == "sns:Publish"
    assert len(statements) > 1  # the owner's own stays


async def test_a_subscription_that_differs_is_mended(database: Database, clients: AwsClients, names: Names):
    places = Places()
    forms = [
        Subscription(places.news, places.raw),
        Subscription(places.news, places.raw, {"event_type": [CLIP]}, is_raw=True),
        Subscription(places.news, places.raw, {"video": {"state": ["ready"]}}, scope="MessageBody"),
        Subscription(places.news, places.raw, {"event_type": ["other"]}),
    ]
    for form in forms:
        topology = Topology(topics=(places.news,), queues=(Queue(places.raw),), subscriptions=(form,))
        await AwsBus(database, clients, topology, names).create()
        answer = await clients.sns.list_subscriptions_by_topic(TopicArn=names.topic_arn(places.news))
        (one,) = answer["Subscriptions"]
        answer = await clients.sns.get_subscription_attributes(SubscriptionArn=one["SubscriptionArn"])
        found = answer["Attributes"]
        assert json.loads(found.get("FilterPolicy") or "{}") == form.filter_policy
        assert found.get("FilterPolicyScope", "MessageAttributes") == form.scope
        assert found.get("RawMessageDelivery", "false") == str(form.is_raw).lower()


async def test_an_event_bus_of_ones_own_is_made(database: Database, clients: AwsClients, names: Names):
    places = Places()
    topology = Topology(
        topics=(),
        queues=(Queue(places.ruled),),
        rules=(EventRule(f"{places.ruled}-rule", {"source": [places.source]}, to_queue=places.ruled),),
    )
    bus = AwsBus(database, clients, topology, names, event_bus=f"bus-{places.ruled}")
    with pytest.raises(NotFound):
        await bus.check()
    await bus.create()
    await bus.create()
    await bus.check()
    policy = json.loads((await _attributes(clients, places.ruled))["Policy"])
    (source,) = policy["Statement"][0]["Condition"]["ArnEquals"]["aws:SourceArn"]
    assert source.endswith(f":rule/bus-{places.ruled}/{places.ruled}-rule")


async def test_an_account_that_is_not_that_of_the_settings_is_named(database: Database, clients: AwsClients):
    bus = AwsBus(database, clients, Places().queues, Names(account_id="999999999999"))
    with pytest.raises(ConfigurationError, match="SIGHTLINE_BUS_ACCOUNT_ID"):
        await bus.create()


async def test_an_endpoint_that_does_not_answer_is_an_unavailable_backend(database: Database, names: Names, emulator):
    async with open_clients(emulator.settings(endpoint="http://127.0.0.1:9")) as away:
        bus = AwsBus(database, away, Places().queues, names)
        with pytest.raises(BackendUnavailable, match="SQS does not answer"):
            await bus.check()
