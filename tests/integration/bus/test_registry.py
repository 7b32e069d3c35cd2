"""Resources of clients: what one process creates, every process routes to."""

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from uuid import UUID, uuid4

import pytest
from prometheus_client import CollectorRegistry

from sightline.bus import (
    Account,
    Attribute,
    BusEvent,
    BusMetrics,
    BusRefusal,
    EventRule,
    Names,
    PostgresBus,
    Queue,
    QueueMessage,
    QueueWatch,
    Quotas,
    RegisteredEventBus,
    RegisteredQueue,
    RegisteredRule,
    RegisteredSubscription,
    RegisteredTopic,
    Registry,
    Subscription,
    TopicMessage,
    Topology,
    queue_overview,
)
from sightline.db import Database
from sightline.errors import NotFound
from support.postgres import DatabaseAddresses
from support.services import listening, running
from support.waiting import until

NAMES = Names()
OWNER = UUID("11111111-1111-1111-1111-111111111111")
TOPOLOGY = Topology(
    topics=("news",),
    queues=(Queue("work", visibility_s=600, wait_s=0),),
    subscriptions=(Subscription("news", "work", {"kind": ["work"]}),),
    rules=(EventRule("ready-to-work", {"source": ["test"], "detail-type": ["ready"]}, to_queue="work"),),
)


@pytest.fixture
async def bus(fresh_database: DatabaseAddresses, database: Database) -> AsyncIterator[PostgresBus]:
    async with listening(fresh_database.url) as listener:
        bus = PostgresBus(database, listener, TOPOLOGY, NAMES)
        await bus.create()
        yield bus


def queue_of(account_id: str, name: str, **attributes: str) -> RegisteredQueue:
    local = NAMES.local_name(account_id, name)
    return RegisteredQueue(local, account_id, Queue(local, is_declared=False, max_receives=None), attributes=attributes)


def subscription_of(topic: str, endpoint: str, **more) -> RegisteredSubscription:
    return RegisteredSubscription(uuid4(), topic, NAMES.account_id, more.pop("protocol", "sqs"), endpoint, **more)


async def put(registry: Registry, *resources) -> None:
    async with registry.changing() as change:
        for resource in resources:
            await change.put(resource)


async def publish(bus: PostgresBus, database: Database, message: TopicMessage) -> None:
    async with database.transaction() as tx:
        await bus.publish(tx, message)


async def bodies(bus: PostgresBus, queue: str) -> list[str]:
    return sorted(one.body for one in await bus.receive(queue, limit=10, wait_s=0))


@pytest.mark.req(463)
async def test_every_owner_has_an_account_and_operators_share_the_platforms(bus: PostgresBus, database: Database):
    first = await bus.registry.account(OWNER, is_operator=False)
    assert len(first.account_id) == 12
    assert first.account_id != NAMES.account_id
    assert await Registry(database, NAMES).account(OWNER, is_operator=False) == first
    assert (await bus.registry.account(uuid4(), is_operator=False)).account_id != first.account_id
    assert await bus.registry.account(OWNER, is_operator=True) == Account(NAMES.account_id, OWNER, is_operator=True)


@pytest.mark.req(463)
async def test_two_accounts_may_have_queues_of_one_name(bus: PostgresBus, database: Database):
    await put(bus.registry, queue_of("111111111111", "jobs"), queue_of("222222222222", "jobs"))
    async with database.transaction() as tx:
        await bus.send(tx, "111111111111/jobs", QueueMessage("mine"))
    assert await bodies(bus, "222222222222/jobs") == []
    assert await bodies(bus, "111111111111/jobs") == ["mine"]
    assert NAMES.queue_arn("111111111111/jobs") == "arn:aws:sqs:us-east-1:111111111111:jobs"
    assert NAMES.local_name_of("arn:aws:sqs:us-east-1:111111111111:jobs") == "111111111111/jobs"
    assert NAMES.local_name_of(NAMES.queue_arn("work")) == "work"
    for other in ("arn:aws:sqs:eu-west-1:000000000000:work", "arn:work", "arn:", "arn:aws:sqs:us-east-1:work"):
        assert NAMES.local_name_of(other) not in bus.registry.snapshot.queues


@pytest.mark.req(464)
async def test_declared_resources_are_listed_beside_those_of_clients(bus: PostgresBus):
    await put(bus.registry, queue_of(NAMES.account_id, "mine"))
    snapshot = bus.registry.snapshot
    assert {name: one.is_declared for name, one in snapshot.queues.items()} == {
        "work": True,
        "work-dlq": True,
        "mine": False,
    }
    assert json.loads(snapshot.queues["work"].attributes["RedrivePolicy"])["maxReceiveCount"] == 3
    (subscription,) = snapshot.subscriptions.values()
    assert (subscription.topic, subscription.endpoint) == ("news", NAMES.queue_arn("work"))
    (rule,) = snapshot.rules.values()
    assert [target["Arn"] for target in rule.targets] == [NAMES.queue_arn("work")]


@pytest.mark.req(464)
async def test_a_publish_in_any_process_reaches_a_new_subscription(
    bus: PostgresBus, database: Database, fresh_database
):
    async with listening(fresh_database.url) as listener:
        other = PostgresBus(database, listener, TOPOLOGY, NAMES)
        await other.create()
        async with running(other.registry.service(listener)):
            mine = queue_of(NAMES.account_id, "mine")
            wanted = subscription_of("news", NAMES.queue_arn("mine"), filter_policy='{"kind": ["mine"]}', is_raw=True)
            await put(bus.registry, mine, wanted)
            await until(lambda: "mine" in other.registry.snapshot.queues)
            for kind in ("mine", "work", "none"):
                await publish(other, database, TopicMessage("news", kind, {"kind": Attribute("String", kind)}))
            assert await bodies(bus, "mine") == ["mine"]
            assert [one.stored_notification() is not None for one in await bus.receive("work", limit=10)] == [True]
            async with bus.registry.changing() as change:
                await change.remove(wanted)
            await until(lambda: not other.registry.snapshot.client_subscriptions)
            await publish(other, database, TopicMessage("news", "mine", {"kind": Attribute("String", "mine")}))
            assert await bodies(bus, "mine") == []


async def test_a_subscription_delivers_nothing_before_it_is_confirmed(bus: PostgresBus, database: Database):
    pending = subscription_of("own", NAMES.queue_arn("mine"), is_confirmed=False, is_raw=True)
    await put(bus.registry, queue_of(NAMES.account_id, "mine"), RegisteredTopic("own", NAMES.account_id), pending)
    await publish(bus, database, TopicMessage("own", "early"))
    await put(bus.registry, replace(pending, is_confirmed=True))
    await publish(bus, database, TopicMessage(NAMES.topic_arn("own"), "late"))
    assert await bodies(bus, "mine") == ["late"]


async def test_removing_a_topic_removes_its_subscriptions(bus: PostgresBus, database: Database):
    topic = RegisteredTopic("own", NAMES.account_id)
    await put(bus.registry, queue_of(NAMES.account_id, "mine"), topic, subscription_of("own", NAMES.queue_arn("mine")))
    async with bus.registry.changing() as change:
        await change.remove(topic)
    assert [one.topic for one in bus.registry.snapshot.subscriptions.values()] == ["news"]
    with pytest.raises(NotFound, match="Topic does not exist"):
        await publish(bus, database, TopicMessage("own", "late"))
    await put(bus.registry, topic)
    await publish(bus, database, TopicMessage("own", "again"))
    assert await bodies(bus, "mine") == []


@pytest.mark.req(465)
async def test_a_deleted_queue_takes_its_messages_with_it_even_those_sent_too_late(
    bus: PostgresBus, database: Database, fresh_database
):
    mine = queue_of(NAMES.account_id, "mine")
    await put(bus.registry, mine)
    async with listening(fresh_database.url) as listener:
        late = PostgresBus(database, listener, TOPOLOGY, NAMES)
        await late.create()  # and learns of no change after this
    async with bus.registry.changing() as change:
        await change.remove(mine)
    async with database.transaction() as tx:
        await late.send(tx, "mine", QueueMessage("too late"))
    with pytest.raises(NotFound):
        await bus.receive("mine")
    await put(bus.registry, mine)
    assert await bodies(bus, "mine") == []
    assert await bus.sweep() == 1
    assert [one.visible for one in await bus.counts() if one.queue == "mine"] == [0]


async def test_a_message_for_a_deleted_queue_goes_to_the_dead_letters_of_its_subscription(
    bus: PostgresBus, database: Database
):
    lost = subscription_of("news", NAMES.queue_arn("gone"), is_raw=True, dead_letter_arn=NAMES.queue_arn("lost"))
    await put(bus.registry, queue_of(NAMES.account_id, "lost"), lost, subscription_of("news", NAMES.queue_arn("gone")))
    await publish(bus, database, TopicMessage("news", "one"))
    assert await bodies(bus, "lost") == ["one"]


async def test_rules_of_clients_send_events_to_queues_and_through_topics(bus: PostgresBus, database: Database):
    account = "111111111111"
    orders = NAMES.local_name(account, "orders")
    rule = RegisteredRule(
        orders,
        "to-all",
        account,
        '{"source": ["shop"]}',
        targets=(
            {"Id": "1", "Arn": NAMES.queue_arn(f"{account}/mine")},
            {"Id": "2", "Arn": NAMES.queue_arn(f"{account}/mine"), "Input": '"constant"'},
            {"Id": "3", "Arn": NAMES.topic_arn(f"{account}/own")},
        ),
    )
    await put(
        bus.registry,
        queue_of(account, "mine"),
        RegisteredTopic(f"{account}/own", account),
        subscription_of(f"{account}/own", NAMES.queue_arn(f"{account}/mine")),
        RegisteredEventBus(orders, account),
        rule,
        replace(rule, name="disabled", is_enabled=False),
    )
    async with database.transaction() as tx:
        await bus.put_events(tx, BusEvent("shop", "Sold", {"n": 1}, event_bus=orders))
        await bus.put_events(tx, BusEvent("other", "Sold", {"n": 2}, event_bus=orders))
    constant, *others = sorted(await bodies(bus, f"{account}/mine"), key=len)
    event, wrapped = (json.loads(one) for one in others)
    assert constant == '"constant"'
    assert (event["account"], event["detail"]) == (account, {"n": 1})
    assert (wrapped["TopicArn"], json.loads(wrapped["Message"])["detail"]) == (
        f"arn:aws:sns:us-east-1:{account}:own",
        {"n": 1},
    )
    with pytest.raises(NotFound, match="does not exist"):
        async with database.transaction() as tx:
            await bus.put_events(tx, BusEvent("shop", "Sold", {}, event_bus="nowhere"))


@pytest.mark.req(464)
async def test_an_account_creates_no_more_than_its_quota_and_may_still_change_what_it_has(database: Database):
    registry = Registry(database, NAMES, Quotas(queues=1))
    mine = queue_of("111111111111", "first")
    await put(registry, mine)
    with pytest.raises(BusRefusal, match="maximum number of queues") as refused:
        await put(registry, queue_of("111111111111", "second"))
    assert refused.value.code == "OverLimit"
    await put(registry, replace(mine, attributes={"VisibilityTimeout": "7"}))
    await put(registry, queue_of("222222222222", "first"))
    assert registry.snapshot.queues["111111111111/first"].settings.visibility_s == 7
    assert sorted(registry.snapshot.queues) == ["111111111111/first", "222222222222/first"]


@pytest.mark.req(466)
async def test_queues_of_clients_are_counted_and_share_one_metric(bus: PostgresBus, database: Database):
    redrive = json.dumps({"deadLetterTargetArn": NAMES.queue_arn("1/dead"), "maxReceiveCount": 1})
    await put(bus.registry, *(queue_of("1", name) for name in ("a", "dead")), queue_of("1", "b", RedrivePolicy=redrive))
    async with database.transaction() as tx:
        await bus.send(tx, "1/a", QueueMessage("one"))
        await bus.send(tx, "1/b", QueueMessage("two"))
    await bus.receive("1/b", visibility_s=0)
    await bus.receive("1/b")
    overview = {row.counts.queue: row for row in queue_overview(TOPOLOGY, await bus.counts())}
    assert list(overview) == ["work", "1/a", "1/b", "1/dead"]
    assert (overview["1/b"].dead_letter_queue, overview["1/b"].dead_letters) == ("1/dead", 1)
    metrics = CollectorRegistry()
    await QueueWatch(bus, BusMetrics(metrics)).measure()
    depth = {"queue": "(client)", "state": "visible"}
    assert metrics.get_sample_value("sightline_bus_queue_depth", depth) == 2
    labels = {sample.labels["queue"] for one in metrics.collect() for sample in one.samples if "queue" in sample.labels}
    assert labels == {"work", "work-dlq", "(client)"}
