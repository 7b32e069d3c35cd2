"""Queues of clients: created, changed and deleted as on SQS."""

import json

import pytest

from sightline.bus import Account, Attribute, BusRefusal, NewQueueMessage
from support.sqs_rig import OTHER, SqsRig
from support.waiting import until

MIB = 1024 * 1024


def redrive_to(sqs: SqsRig, name: str, count: object = 2) -> str:
    arn = sqs.queues.names.queue_arn(f"{sqs.account.account_id}/{name}")
    return json.dumps({"deadLetterTargetArn": arn, "maxReceiveCount": count})


@pytest.mark.req(468)
async def test_creating_a_queue_again_returns_it_unless_an_attribute_differs(sqs: SqsRig):
    first = await sqs.queue("jobs", DelaySeconds="5")
    assert await sqs.queue("jobs", DelaySeconds="5", VisibilityTimeout="30") == first
    assert await sqs.queue("jobs") == first
    with pytest.raises(BusRefusal, match="different value for attribute DelaySeconds") as refused:
        await sqs.queue("jobs", DelaySeconds="6")
    assert refused.value.code == "QueueNameExists"


@pytest.mark.req(468)
@pytest.mark.parametrize(
    ("name", "attributes", "code", "text"),
    [
        ("a b", {}, "InvalidParameterValue", "alphanumeric"),
        ("x" * 81, {}, "InvalidParameterValue", "1 to 80"),
        ("x.fifo", {}, "InvalidParameterValue", "alphanumeric"),
        ("x", {"FifoQueue": "true"}, "InvalidParameterValue", "must end with .fifo"),
        ("x", {"FifoQueue": "false"}, "InvalidAttributeName", "Unknown Attribute FifoQueue."),
        ("x", {"Nonsense": "1"}, "InvalidAttributeName", "Unknown Attribute Nonsense."),
        ("x", {"QueueArn": "1"}, "InvalidAttributeName", "Unknown Attribute QueueArn."),
        ("x", {"ContentBasedDeduplication": "true"}, "InvalidAttributeName", "Unknown Attribute"),
        ("x", {"DeduplicationScope": "queue"}, "InvalidAttributeName", "only when FifoQueue is set to true"),
        ("x", {"DelaySeconds": "901"}, "InvalidAttributeValue", "DelaySeconds"),
        ("x", {"VisibilityTimeout": "-1"}, "InvalidAttributeValue", "VisibilityTimeout"),
        ("x", {"MessageRetentionPeriod": "59"}, "InvalidAttributeValue", "MessageRetentionPeriod"),
        ("x", {"MaximumMessageSize": "1048577"}, "InvalidAttributeValue", "MaximumMessageSize"),
        ("x", {"ReceiveMessageWaitTimeSeconds": "x"}, "InvalidAttributeValue", "ReceiveMessageWaitTimeSeconds"),
        ("x", {"KmsMasterKeyId": "k", "SqsManagedSseEnabled": "true"}, "InvalidAttributeName", "one type of"),
        ("x", {"RedrivePolicy": "{"}, "InvalidParameterValue", "RedrivePolicy"),
        ("x", {"RedrivePolicy": '{"maxReceiveCount": 1}'}, "InvalidParameterValue", "deadLetterTargetArn"),
        ("x", {"RedriveAllowPolicy": '{"redrivePermission": "some"}'}, "InvalidParameterValue", "RedriveAllowPolicy"),
    ],
)
async def test_a_queue_cannot_be_created_with(sqs: SqsRig, name: str, attributes: dict[str, str], code: str, text: str):
    with pytest.raises(BusRefusal, match=text) as refused:
        await sqs.queue(name, **attributes)
    assert refused.value.code == code


@pytest.mark.req(468)
async def test_queues_of_other_accounts_do_not_exist(sqs: SqsRig):
    await sqs.queue("jobs")
    with pytest.raises(BusRefusal, match="does not exist"):
        await sqs.queues.control.find(OTHER, "jobs")
    with pytest.raises(BusRefusal, match="does not exist"):
        await sqs.queues.control.find(OTHER, f"{sqs.account.account_id}/jobs")
    assert sqs.queues.control.queues_of(OTHER) == []
    with pytest.raises(BusRefusal, match="does not exist"):
        await sqs.queues.control.delete(OTHER, "jobs")


@pytest.mark.req(464)
async def test_declared_queues_are_used_but_not_changed_by_the_platforms_account(sqs: SqsRig):
    operator = Account(sqs.queues.names.account_id, OTHER.owner_id, is_operator=True)
    control = sqs.queues.control
    work = await control.find(operator, "work")
    await sqs.send(work, "hello")
    assert await sqs.bodies(work) == ["hello"]
    for refused in (
        control.delete(operator, "work"),
        control.set_attributes(operator, "work", {"DelaySeconds": "1"}),
        control.begin_purge(operator, "work"),
        control.tag(operator, "work", {"a": "b"}),
    ):
        with pytest.raises(BusRefusal, match="belongs to the platform"):
            await refused


@pytest.mark.req(465)
async def test_a_deleted_queue_can_be_created_again_after_a_minute(sqs: SqsRig):
    queue = await sqs.queue("jobs")
    await sqs.send(queue, "old")
    await sqs.queues.control.delete(sqs.account, "jobs")
    with pytest.raises(BusRefusal, match="wait 60 seconds") as refused:
        await sqs.queue("jobs")
    assert refused.value.code == "AWS.SimpleQueueService.QueueDeletedRecently"
    async with sqs.database.transaction() as tx:
        await tx.execute("UPDATE sightline.bus_removals SET removed_at = removed_at - interval '60 seconds'")
    again = await sqs.queue("jobs")
    assert again.id != queue.id
    assert await sqs.bodies(again) == []


@pytest.mark.req(468)
async def test_changed_attributes_apply_at_once_and_empty_policies_are_removed(sqs: SqsRig):
    await sqs.queue("dead")
    queue = await sqs.queue("jobs", RedrivePolicy=redrive_to(sqs, "dead"), KmsMasterKeyId="key")
    assert queue.attributes["SqsManagedSseEnabled"] == "false"
    control = sqs.queues.control
    await control.set_attributes(
        sqs.account, "jobs", {"VisibilityTimeout": "0", "RedrivePolicy": "", "KmsMasterKeyId": ""}
    )
    changed = await control.find(sqs.account, "jobs")
    assert (changed.settings.visibility_s, changed.settings.dead_letter_queue) == (0, None)
    assert "KmsMasterKeyId" not in changed.attributes
    await sqs.send(changed, "one")
    assert [await sqs.bodies(changed) for _ in range(2)] == [["one"], ["one"]]
    with pytest.raises(BusRefusal, match="Unknown Attribute FifoQueue"):
        await control.set_attributes(sqs.account, "jobs", {"FifoQueue": "true"})


@pytest.mark.req(472)
async def test_a_dead_letter_queue_must_exist_be_of_the_same_kind_and_allow_it(sqs: SqsRig):
    await sqs.fifo("dead.fifo")
    await sqs.queue("closed", RedriveAllowPolicy='{"redrivePermission": "denyAll"}')
    allowed = sqs.queues.names.queue_arn(f"{sqs.account.account_id}/first")
    by_queue = json.dumps({"redrivePermission": "byQueue", "sourceQueueArns": [allowed]})
    await sqs.queue("picky", RedriveAllowPolicy=by_queue)
    for target, count, text in (
        ("none", 1, "does not exist"),
        ("dead.fifo", 1, "same type"),
        ("closed", 1, "does not allow"),
        ("picky", 1, "does not allow"),
        ("picky", 0, "from 1 to 1000"),
        ("picky", 1001, "from 1 to 1000"),
        ("picky", "many", "from 1 to 1000"),
    ):
        with pytest.raises(BusRefusal, match=text):
            await sqs.queue("second", RedrivePolicy=redrive_to(sqs, target, count))
    first = await sqs.queue("first", RedrivePolicy=redrive_to(sqs, "picky", "3"))
    assert first.settings.max_receives == 3
    picky = await sqs.queues.control.find(sqs.account, "picky")
    assert sqs.queues.control.sources(picky) == [first]


@pytest.mark.req(472)
async def test_a_message_keeps_its_id_count_age_and_attributes_among_the_dead_letters(sqs: SqsRig):
    dead = await sqs.queue("dead")
    queue = await sqs.queue("jobs", RedrivePolicy=redrive_to(sqs, "dead"), VisibilityTimeout="0")
    trace = {"AWSTraceHeader": Attribute("String", "Root=1")}
    (sent,) = await sqs.send(queue, NewQueueMessage("poison", {"a": Attribute("Number", "1")}, system_attributes=trace))
    assert [await sqs.bodies(queue) for _ in range(3)] == [["poison"], ["poison"], []]
    (letter,) = await sqs.receive(dead)
    assert (letter.message_id, letter.receive_count, letter.source_queue) == (sent.message_id, 3, queue.name)
    assert letter.attributes == {"a": Attribute("Number", "1")}
    assert letter.system_attributes == {"AWSTraceHeader": "Root=1"}
    async with sqs.database.transaction() as tx:
        assert await tx.fetchval("SELECT entered_at = sent_at FROM sightline.bus_messages")
    await sqs.queues.control.delete(sqs.account, "dead")
    await sqs.send(queue, "stays")
    assert [await sqs.bodies(queue) for _ in range(4)] == [["stays"]] * 4


@pytest.mark.req(473)
async def test_a_message_may_have_1_mib_and_no_more_than_its_queue_allows(sqs: SqsRig):
    queue, small = await sqs.queue("jobs"), await sqs.queue("small", MaximumMessageSize="1024")
    await sqs.send(queue, "x" * MIB)
    outcomes = await sqs.queues.messages.send(small, [NewQueueMessage("x" * 1025), NewQueueMessage("x" * 1024)])
    assert "shorter than 1024 bytes" in str(outcomes[0])
    assert await sqs.sizes(small) == (1, 0, 0)
    with pytest.raises(BusRefusal, match="shorter than 1048576 bytes"):
        await sqs.send(queue, NewQueueMessage("x" * MIB, {"a": Attribute("String", "b")}))


@pytest.mark.req(468)
async def test_a_queue_is_purged_once_a_minute(sqs: SqsRig):
    queue = await sqs.queue("jobs")
    await sqs.send(queue, "one", NewQueueMessage("late", delay_s=900))
    await sqs.queues.messages.purge(await sqs.queues.control.begin_purge(sqs.account, "jobs"))
    assert await sqs.sizes(queue) == (0, 0, 0)
    with pytest.raises(BusRefusal, match="Only one PurgeQueue operation on jobs is allowed every 60 seconds"):
        await sqs.queues.control.begin_purge(sqs.account, "jobs")


async def test_permissions_are_kept_in_the_policy(sqs: SqsRig):
    await sqs.queue("jobs")
    control, account = sqs.queues.control, sqs.account
    await control.add_permission(account, "jobs", "friends", ["333333333333"], ["SendMessage", "ReceiveMessage"])
    policy = json.loads((await control.find(account, "jobs")).attributes["Policy"])
    (statement,) = policy["Statement"]
    assert (statement["Sid"], statement["Action"]) == ("friends", ["SQS:SendMessage", "SQS:ReceiveMessage"])
    with pytest.raises(BusRefusal, match="Already exists"):
        await control.add_permission(account, "jobs", "friends", ["333333333333"], ["SendMessage"])
    with pytest.raises(BusRefusal, match="can't find label"):
        await control.remove_permission(account, "jobs", "foes")
    await control.remove_permission(account, "jobs", "friends")
    assert "Policy" not in (await control.find(account, "jobs")).attributes


@pytest.mark.req(464)
async def test_an_account_stores_no_more_than_its_quota(sqs: SqsRig):
    small = SqsRig.of(sqs.bus, sqs.database, max_messages=3, max_message_bytes=100)
    queue = await small.queue("jobs")
    await small.send(queue, "1", "2")
    with pytest.raises(BusRefusal, match="may store 3 messages") as refused:
        await small.send(queue, "3", "4")
    assert refused.value.code == "OverLimit"
    with pytest.raises(BusRefusal, match="100 bytes"):
        await small.send(queue, "x" * 99)
    await small.delete(queue, *await small.receive(queue))
    await small.queues.quota.measure()
    await small.send(queue, "3", "4")


@pytest.mark.req(472)
async def test_dead_letters_move_back_to_where_they_came_from(sqs: SqsRig):
    dead = await sqs.queue("dead")
    sources = [
        await sqs.queue(name, RedrivePolicy=redrive_to(sqs, "dead", 1), VisibilityTimeout="0")
        for name in ("one", "two")
    ]
    for queue in sources:
        await sqs.send(queue, f"of {queue.name}")
        await sqs.receive(queue)
        assert await sqs.receive(queue) == []
    moves, names = sqs.queues.moves, sqs.queues.names
    task = await moves.start(sqs.account, names.queue_arn(dead.name), None, None)
    with pytest.raises(BusRefusal, match="already a task running"):
        await moves.start(sqs.account, names.queue_arn(dead.name), None, None)
    for claimed in await moves.claim():
        await moves.run(claimed)
    (done,) = await moves.list_tasks(sqs.account, task.source_arn, None)
    assert (done.status, done.moved, done.to_move) == ("COMPLETED", 2, 2)
    assert [await sqs.bodies(queue) for queue in sources] == [[f"of {queue.name}"] for queue in sources]


@pytest.mark.req(472)
async def test_a_move_is_limited_in_speed_cancelled_and_fails_when_its_destination_is_gone(sqs: SqsRig):
    dead, names = await sqs.queue("dead"), sqs.queues.names
    await sqs.queue("jobs", RedrivePolicy=redrive_to(sqs, "dead", 1))
    other = await sqs.queue("other")
    await sqs.send(dead, *map(str, range(5)))
    moves, source, target = sqs.queues.moves, names.queue_arn(dead.name), names.queue_arn(other.name)
    pauses: list[float] = []
    task = await moves.start(sqs.account, source, target, 2)

    async def pause(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 1:
            assert await moves.cancel(sqs.account, task.handle) == 2

    moves._sleep = pause
    for claimed in await moves.claim():
        await moves.run(claimed)
    (cancelled,) = await moves.list_tasks(sqs.account, source, 1)
    assert cancelled.status == "CANCELLED"
    assert 2 <= cancelled.moved <= 4
    assert set(pauses) == {1.0}

    await moves.start(sqs.account, source, target, None)
    await sqs.queues.control.delete(sqs.account, "other")
    for claimed in await moves.claim():
        await moves.run(claimed)
    failed, _ = await moves.list_tasks(sqs.account, source, 10)
    assert (failed.status, failed.failure_reason) == ("FAILED", "AWS.SimpleQueueService.NonExistentQueue")

    await moves.start(sqs.account, source, None, None)
    for claimed in await moves.claim():
        await moves.run(claimed)
    (failed,) = await moves.list_tasks(sqs.account, source, 1)
    assert (failed.status, failed.failure_reason) == ("FAILED", "CouldNotDetermineMessageSource")


@pytest.mark.req(472)
async def test_moves_that_are_refused(sqs: SqsRig):
    queue, names, moves = await sqs.queue("jobs"), sqs.queues.names, sqs.queues.moves
    arn = names.queue_arn(queue.name)
    for refused, text in (
        (moves.start(sqs.account, arn, None, None), "must be configured as a Dead Letter Queue"),
        (moves.start(sqs.account, f"{arn}x", None, None), "SourceArn parameter doesn't exist"),
        (moves.start(OTHER, arn, None, None), "SourceArn parameter doesn't exist"),
        (moves.start(sqs.account, "jobs", None, None), "You must use this format"),
        (moves.start(sqs.account, arn, None, 501), "MaxNumberOfMessagesPerSecond"),
        (moves.cancel(sqs.account, "nonsense"), "TaskHandle is invalid"),
        (moves.list_tasks(sqs.account, arn, 11), "between 1 and 10"),
    ):
        with pytest.raises(BusRefusal, match=text):
            await refused


@pytest.mark.req(472)
async def test_a_running_service_works_off_a_move_as_soon_as_it_is_started(sqs: SqsRig, use):
    dead = await sqs.queue("dead")
    await sqs.queue("jobs", RedrivePolicy=redrive_to(sqs, "dead", 1))
    other = await sqs.queue("other")
    await sqs.send(dead, "one")
    names, moves = sqs.queues.names, sqs.queues.moves
    async with use.consuming(moves.service(use.listener)):
        await moves.start(sqs.account, names.queue_arn(dead.name), names.queue_arn(other.name), None)
        assert await sqs.bodies(other, wait_s=20) == ["one"]

        async def is_done() -> bool:
            return (await moves.list_tasks(sqs.account, names.queue_arn(dead.name), 1))[0].status == "COMPLETED"

        await until(is_done)
