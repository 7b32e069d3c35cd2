"""What AWS has after `create` is what the topology says, whatever was there before."""

import json
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from conformance.bus import CLIP, BusNames
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
    bus_names = BusNames()
    queue = Queue(bus_names.work)
    await AwsBus(database, clients, Topology(topics=(), queues=(queue,)), names).create()
    found = await _attributes(clients, bus_names.work)
    assert found["VisibilityTimeout"] == "300"
    assert found["MessageRetentionPeriod"] == "1209600"
    assert found["DelaySeconds"] == "0"
    assert found["ReceiveMessageWaitTimeSeconds"] == "20"
    redrive = json.loads(found["RedrivePolicy"])
    assert redrive["deadLetterTargetArn"] == names.queue_arn(f"{bus_names.work}-dlq")
    assert int(redrive["maxReceiveCount"]) == 3
    assert (await _attributes(clients, f"{bus_names.work}-dlq"))["MessageRetentionPeriod"] == "1209600"


async def test_numbers_that_differ_are_corrected(database: Database, clients: AwsClients, names: Names):
    bus_names = BusNames()
    queue = Queue(bus_names.work)
    await AwsBus(database, clients, Topology(topics=(), queues=(queue,)), names).create()
    changed = replace(queue, visibility_s=60, retention_s=600, max_receives=5)
    await AwsBus(database, clients, Topology(topics=(), queues=(changed,)), names).create()
    found = await _attributes(clients, bus_names.work)
    assert (found["VisibilityTimeout"], found["MessageRetentionPeriod"]) == ("60", "600")
    assert int(json.loads(found["RedrivePolicy"])["maxReceiveCount"]) == 5


async def test_only_the_topics_and_rules_of_the_topology_may_deliver(
    database: Database, clients: AwsClients, names: Names
):
    bus_names = BusNames()
    bus = AwsBus(database, clients, bus_names.topics, names)
    await bus.create()
    url = await clients.queue_url(bus_names.raw)
    theirs = {"Sid": "Theirs", "Effect": "Deny", "Principal": "*", "Action": "sqs:*", "Resource": "*"}
    policy = json.loads((await _attributes(clients, bus_names.raw))["Policy"])
    policy["Statement"].append(theirs)
    await clients.sqs.set_queue_attributes(QueueUrl=url, Attributes={"Policy": json.dumps(policy)})
    await bus.create()
    statements = {
        one["Sid"]: one for one in json.loads((await _attributes(clients, bus_names.raw))["Policy"])["Statement"]
    }
    assert statements.keys() == {"SightlineTopics", "Theirs"}
    condition = statements["SightlineTopics"]["Condition"]["ArnEquals"]["aws:SourceArn"]
    assert condition == [names.topic_arn(bus_names.news)]
    ruled = json.loads((await _attributes(clients, bus_names.ruled))["Policy"])["Statement"]
    assert [one["Principal"] for one in ruled] == [{"Service": "events.amazonaws.com"}]
    topic = await clients.sns.get_topic_attributes(TopicArn=names.topic_arn(bus_names.alerts))
    statements = {one["Sid"]: one for one in json.loads(topic["Attributes"]["Policy"])["Statement"]}
    assert statements["SightlineRules"]["Action"] == "sns:Publish"
    assert len(statements) > 1  # the owner's own stays


async def test_a_subscription_that_differs_is_corrected(database: Database, clients: AwsClients, names: Names):
    bus_names = BusNames()
    forms = [
        Subscription(bus_names.news, bus_names.raw),
        Subscription(bus_names.news, bus_names.raw, {"event_type": [CLIP]}, is_raw=True),
        Subscription(bus_names.news, bus_names.raw, {"video": {"state": ["ready"]}}, scope="MessageBody"),
        Subscription(bus_names.news, bus_names.raw, {"event_type": ["other"]}),
    ]
    for form in forms:
        topology = Topology(topics=(bus_names.news,), queues=(Queue(bus_names.raw),), subscriptions=(form,))
        await AwsBus(database, clients, topology, names).create()
        answer = await clients.sns.list_subscriptions_by_topic(TopicArn=names.topic_arn(bus_names.news))
        (one,) = answer["Subscriptions"]
        answer = await clients.sns.get_subscription_attributes(SubscriptionArn=one["SubscriptionArn"])
        found = answer["Attributes"]
        assert json.loads(found.get("FilterPolicy") or "{}") == form.filter_policy
        assert found.get("FilterPolicyScope", "MessageAttributes") == form.scope
        assert found.get("RawMessageDelivery", "false") == str(form.is_raw).lower()


async def test_a_custom_event_bus_is_created(database: Database, clients: AwsClients, names: Names):
    bus_names = BusNames()
    topology = Topology(
        topics=(),
        queues=(Queue(bus_names.ruled),),
        rules=(EventRule(f"{bus_names.ruled}-rule", {"source": [bus_names.source]}, to_queue=bus_names.ruled),),
    )
    bus = AwsBus(database, clients, topology, names, event_bus=f"bus-{bus_names.ruled}")
    with pytest.raises(NotFound):
        await bus.check()
    await bus.create()
    await bus.create()
    await bus.check()
    policy = json.loads((await _attributes(clients, bus_names.ruled))["Policy"])
    (source,) = policy["Statement"][0]["Condition"]["ArnEquals"]["aws:SourceArn"]
    assert source.endswith(f":rule/bus-{bus_names.ruled}/{bus_names.ruled}-rule")


async def test_an_account_that_differs_from_the_settings_is_named(database: Database, clients: AwsClients):
    bus = AwsBus(database, clients, BusNames().queues, Names(account_id="999999999999"))
    with pytest.raises(ConfigurationError, match="SIGHTLINE_BUS_ACCOUNT_ID"):
        await bus.create()


async def test_an_endpoint_that_does_not_answer_is_an_unavailable_backend(database: Database, names: Names, emulator):
    async with open_clients(emulator.settings(endpoint="http://127.0.0.1:9")) as away:
        bus = AwsBus(database, away, BusNames().queues, names)
        with pytest.raises(BackendUnavailable, match="SQS does not respond"):
            await bus.check()
