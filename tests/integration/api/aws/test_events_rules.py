"""Event buses, rules, targets and PutEvents over the AWS endpoint."""

import json

import pytest

from sightline.bootstrap import Platform
from sightline.bus import BusEvent
from support.aws_calls import aws_clients
from support.event_rig import Events, arn, delivering, error_of

PATTERN = {"source": ["shop"], "detail": {"amount": [{"numeric": [">", 10]}]}}


@pytest.fixture
async def events(platform, serving):
    async with aws_clients(platform, serving) as clients:
        yield Events(clients)


@pytest.mark.req(490)
async def test_the_life_of_an_event_bus(events: Events):
    made = await events("create_event_bus", Name="orders", Description="d", Tags=[{"Key": "team", "Value": "a"}])
    assert made["EventBusArn"] == arn("events", "event-bus/orders")
    found = await events("describe_event_bus", Name=made["EventBusArn"])
    assert (found["Name"], found["Description"]) == ("orders", "d")
    assert [one["Name"] for one in (await events("list_event_buses"))["EventBuses"]] == ["default", "orders"]
    await events("update_event_bus", Name="orders", Description="e")
    assert (await events("describe_event_bus", Name="orders"))["Description"] == "e"
    first = await events("list_event_buses", Limit=1)
    assert [one["Name"] for one in first["EventBuses"]] == ["default"]
    second = await events("list_event_buses", Limit=1, NextToken=first["NextToken"])
    assert ([one["Name"] for one in second["EventBuses"]], "NextToken" in second) == (["orders"], False)
    await events("tag_resource", ResourceARN=made["EventBusArn"], Tags=[{"Key": "env", "Value": "b"}])
    await events("untag_resource", ResourceARN=made["EventBusArn"], TagKeys=["team"])
    tags = (await events("list_tags_for_resource", ResourceARN=made["EventBusArn"]))["Tags"]
    assert tags == [{"Key": "env", "Value": "b"}]
    await events("delete_event_bus", Name="orders")
    await events("delete_event_bus", Name="orders")
    code, message = await error_of(events("describe_event_bus", Name="orders"))
    assert (code, message) == ("ResourceNotFoundException", "Event bus orders does not exist.")


@pytest.mark.req(490)
async def test_a_policy_of_an_event_bus_is_built_statement_by_statement(events: Events):
    for sid, principal in (("one", "111111111111"), ("all", "*")):
        await events("put_permission", Action="events:PutEvents", Principal=principal, StatementId=sid)
    statements = json.loads((await events("describe_event_bus"))["Policy"])["Statement"]
    assert [(one["Sid"], one["Principal"]) for one in statements] == [
        ("one", {"AWS": "arn:aws:iam::111111111111:root"}),
        ("all", "*"),
    ]
    await events("remove_permission", StatementId="one")
    assert (await error_of(events("remove_permission", StatementId="one")))[1] == (
        "Statement with the provided id does not exist."
    )
    await events("remove_permission", RemoveAllPermissions=True)
    assert "Policy" not in await events("describe_event_bus")


@pytest.mark.req(524)
async def test_targets_are_listed_in_the_order_in_which_they_were_put(events: Events):
    await events.rule("big", PATTERN)
    queue = await events.queue("orders")
    for name in ("zebra", "ape", "mole"):
        await events("put_targets", Rule="big", Targets=[{"Id": name, "Arn": queue}])
    await events("put_targets", Rule="big", Targets=[{"Id": "ape", "Arn": queue, "InputPath": "$.detail"}])
    first = await events("list_targets_by_rule", Rule="big", Limit=2)
    rest = await events("list_targets_by_rule", Rule="big", Limit=2, NextToken=first["NextToken"])
    assert [one["Id"] for one in first["Targets"] + rest["Targets"]] == ["zebra", "ape", "mole"]
    assert "NextToken" not in rest


@pytest.mark.req(491)
async def test_the_life_of_a_rule_and_its_targets(events: Events):
    queue = await events.queue("orders")
    made = await events.rule("big", PATTERN, {"Arn": queue}, {"Arn": queue, "InputPath": "$.detail"})
    assert made == arn("events", "rule/big")
    found = await events("describe_rule", Name="big")
    assert (json.loads(found["EventPattern"]), found["State"], found["CreatedBy"]) == (
        PATTERN,
        "ENABLED",
        "000000000000",
    )
    assert [one["Id"] for one in (await events("list_targets_by_rule", Rule="big"))["Targets"]] == ["0", "1"]
    assert (await events("list_rule_names_by_target", TargetArn=queue))["RuleNames"] == ["big"]
    await events("disable_rule", Name="big")
    await events.put({"amount": 20})
    assert await events.bodies("orders") == []
    await events("enable_rule", Name="big")
    await events("put_rule", Name="big", EventPattern=json.dumps({"source": ["shop"]}))  # keeps its targets
    event_id = await events.put({"amount": 1}, Resources=["arn:x"], Time=1_700_000_000)
    whole, part = sorted(await events.bodies("orders"), key=len, reverse=True)
    assert part == {"amount": 1}
    assert whole == {
        "version": "0",
        "id": event_id,
        "detail-type": "Order",
        "source": "shop",
        "account": "000000000000",
        "time": "2023-11-14T22:13:20Z",
        "region": "us-east-1",
        "resources": ["arn:x"],
        "detail": {"amount": 1},
    }
    assert await error_of(events("delete_rule", Name="big")) == (
        "ValidationException",
        "Rule can't be deleted since it has targets.",
    )
    await events("remove_targets", Rule="big", Ids=["0", "1"])
    await events("delete_rule", Name="big")
    await events("delete_rule", Name="big")
    assert (await error_of(events("describe_rule", Name="big")))[1] == "Rule big does not exist on EventBus default."


@pytest.mark.req(492)
async def test_an_event_reaches_fifo_queues_topics_and_other_event_buses(events: Events):
    fifo = await events.queue("ordered.fifo", FifoQueue="true", ContentBasedDeduplication="true")
    plain = await events.queue("by-topic")
    topic = (await events.aws.call("sns", "create_topic", Name="news"))["TopicArn"]
    await events.aws.call(
        "sns", "subscribe", TopicArn=topic, Protocol="sqs", Endpoint=plain, Attributes={"RawMessageDelivery": "true"}
    )
    other = (await events("create_event_bus", Name="other"))["EventBusArn"]
    everything = {"source": [{"prefix": ""}]}
    await events.rule("forward", everything, {"Arn": other}, {"Arn": topic, "Input": '{"fixed":1}'})
    ordered = {"Arn": fifo, "SqsParameters": {"MessageGroupId": "g"}}
    # The way back to the default event bus would be a circle.
    await events.rule("back", everything, ordered, {"Arn": arn("events", "event-bus/default")}, bus="other")
    trace = "Root=1-5759e988-bd862e3fe1be46a994272793"
    event_id = await events.put({"n": 1}, TraceHeader=trace)
    (message,) = await events.received("ordered.fifo", MessageSystemAttributeNames=["All"])
    assert json.loads(message["Body"])["id"] == event_id
    assert message["Attributes"]["MessageGroupId"] == "g"
    assert message["Attributes"]["AWSTraceHeader"] == trace
    assert await events.bodies("by-topic") == [{"fixed": 1}]


@pytest.mark.req(492)
async def test_the_platforms_own_events_reach_clients_rules_on_its_default_event_bus(
    events: Events, platform: Platform
):
    queue = await events.queue("uploads")
    await events.rule("uploads", {"source": ["aws.s3"], "detail-type": ["Object Created"]}, {"Arn": queue})
    async with platform.database.transaction() as tx:
        await platform.bus.put_events(tx, BusEvent("aws.s3", "Object Created", {"object": {"key": "a.mp4"}}))
    assert [one["detail"] for one in await events.bodies("uploads")] == [{"object": {"key": "a.mp4"}}]
    declared = [one for one in (await events("list_rules"))["Rules"] if one.get("ManagedBy") == "sightline"]
    assert declared
    code, _ = await error_of(events("disable_rule", Name=declared[0]["Name"]))
    assert code == "ManagedRuleException"


@pytest.mark.req(493)
async def test_what_cannot_be_delivered_goes_to_the_dead_letters_and_tells_why(events: Events, platform: Platform):
    dead = {"DeadLetterConfig": {"Arn": await events.queue("dead")}}
    template = {"InputPathsMap": {"whole": "$.detail"}, "InputTemplate": '{"quoted": "<whole>"}'}
    targets = {
        "missing": {"Arn": arn("sqs", "no-such-queue"), **dead},
        "lambda": {"Arn": arn("lambda", "function:f"), **dead},
        "bad-json": {"Arn": await events.queue("fine"), "InputTransformer": template, **dead},
    }
    for name, target in targets.items():
        await events.rule(name, {"source": [name]}, target)
    async with delivering(platform):
        for name, code in (("missing", "NO_RESOURCE"), ("lambda", "NO_RESOURCE"), ("bad-json", "INVALID_JSON")):
            await events.put({"a": "b"}, source=name)
            message = await events.arrival("dead", MessageAttributeNames=["All"])
            told = {key: value["StringValue"] for key, value in message["MessageAttributes"].items()}
            assert told["RULE_ARN"] == arn("events", f"rule/{name}")
            assert (told["TARGET_ARN"], told["ERROR_CODE"]) == (targets[name]["Arn"], code)
            assert told["ERROR_MESSAGE"]
            assert json.loads(message["Body"])["source"] == name


@pytest.mark.req(494)
async def test_refused_entries_are_reported_one_by_one_and_the_others_are_put(events: Events):
    await events.rule("all", {"source": ["shop"]}, {"Arn": await events.queue("q")})
    good = {"Source": "shop", "DetailType": "Order", "Detail": "{}"}
    entries = [
        good,
        {**good, "Source": ""},
        {**good, "DetailType": ""},
        {**good, "Detail": ""},
        {**good, "Detail": "[]"},
        {**good, "Detail": '{"n": NaN}'},
        {**good, "Source": "aws.s3"},
        {**good, "EventBusName": "gone"},
        {**good, "Detail": '{"odd": "\\uffff\\ud800"}'},
    ]
    result = await events("put_events", Entries=entries)
    codes = [one.get("ErrorCode") for one in result["Entries"]]
    assert codes == [
        None,
        *["InvalidArgument"] * 3,
        "MalformedDetail",
        "MalformedDetail",
        "NotAuthorizedForSourceException",
        None,
        None,
    ]
    assert result["FailedEntryCount"] == 6
    assert result["Entries"][1]["ErrorMessage"] == (
        "Parameter Source is not valid. Reason: Source is a required argument."
    )
    assert [one["detail"] for one in await events.bodies("q")] == [{}, {"odd": "\uffff\ud800"}]
    code, message = await error_of(events("put_events", Entries=[good] * 11))
    assert (code, message.endswith("Member must have length less than or equal to 10")) == ("ValidationException", True)
    large = {**good, "Detail": json.dumps({"x": "p" * 256 * 1024})}
    assert (await error_of(events("put_events", Entries=[large])))[1] == (
        "Total size of the entries in the request is over the limit."
    )
    nearly = {**good, "Detail": json.dumps({"x": "p" * (256 * 1024 - 50)})}
    assert (await events("put_events", Entries=[nearly]))["FailedEntryCount"] == 0
    assert len((await events.bodies("q"))[0]["detail"]["x"]) == 256 * 1024 - 50


@pytest.mark.req(491)
@pytest.mark.parametrize(
    ("action", "parameters", "code", "message"),
    [
        ("put_rule", {"Name": "a b", "EventPattern": "{}"}, "ValidationException", "regular expression pattern"),
        ("put_rule", {"Name": "x"}, "ValidationException", "EventPattern or ScheduleExpression must be specified"),
        (
            "put_rule",
            {"Name": "x", "EventPattern": '{"source": "a"}'},
            "InvalidEventPatternException",
            "Event pattern is not valid. Reason:",
        ),
        (
            "put_rule",
            {"Name": "x", "ScheduleExpression": "rate(1 minutes)"},
            "ValidationException",
            "Parameter ScheduleExpression is not valid.",
        ),
        (
            "put_rule",
            {"Name": "x", "EventBusName": "other", "ScheduleExpression": "rate(1 minute)"},
            "ResourceNotFoundException",
            "Event bus other does not exist.",
        ),
        (
            "put_targets",
            {"Rule": "big", "Targets": [{"Id": "!", "Arn": "arn:aws:sqs:us-east-1:000000000000:q"}]},
            "ValidationException",
            "Value '!' at 'targets.1.member.id' failed to satisfy constraint",
        ),
        (
            "put_targets",
            {"Rule": "big", "Targets": [{"Id": "t", "Arn": "queue"}]},
            "ValidationException",
            "Provided Arn is not in correct format",
        ),
        (
            "put_targets",
            {"Rule": "big", "Targets": [{"Id": "t", "Arn": "arn:aws:sqs:us-east-1:111111111111:q"}]},
            "ValidationException",
            "The target is not one of your account",
        ),
        (
            "put_targets",
            {"Rule": "big", "Targets": [{"Id": "t", "Arn": "arn:aws:sqs:us-east-1:000000000000:q.fifo"}]},
            "ValidationException",
            "Parameter(s) SqsParameters must be specified for target: t.",
        ),
        (
            "put_targets",
            {"Rule": "big", "Targets": [{"Id": "t", "Arn": "arn:aws:sqs:us-east-1:000000000000:q", "Input": '"\0"'}]},
            "ValidationException",
            "NUL or half a character",
        ),
        (
            "create_event_bus",
            {"Name": "default"},
            "ResourceAlreadyExistsException",
            "Event bus default already exists.",
        ),
        ("delete_event_bus", {"Name": "default"}, "ValidationException", "Cannot delete event bus default."),
    ],
)
async def test_what_eventbridge_refuses_is_refused_in_its_words(events: Events, action, parameters, code, message):
    if action == "put_targets":
        await events.rule("big", PATTERN)
    found = await error_of(events(action, **parameters))
    assert found[0] == code
    assert message in found[1]


@pytest.mark.req(491)
async def test_a_rule_has_five_targets_at_most(events: Events):
    queue = await events.queue("q")
    await events.rule("big", PATTERN, *[{"Arn": queue}] * 5)
    assert await error_of(events("put_targets", Rule="big", Targets=[{"Id": "six", "Arn": queue}])) == (
        "LimitExceededException",
        "The requested resource exceeds the maximum number allowed.",
    )


@pytest.mark.req(494)
async def test_patterns_are_tested_as_rules_match(events: Events):
    event = {
        "id": "1",
        "account": "1",
        "source": "shop",
        "time": "2026-01-01T00:00:00Z",
        "region": "us-east-1",
        "detail-type": "Order",
        "detail": {"amount": 11},
    }
    for pattern, expected in ((PATTERN, True), ({"source": ["other"]}, False)):
        result = await events("test_event_pattern", Event=json.dumps(event), EventPattern=json.dumps(pattern))
        assert result["Result"] is expected
    code, message = await error_of(events("test_event_pattern", Event="[]", EventPattern=json.dumps(PATTERN)))
    assert (code, message) == ("ValidationException", "Parameter Event is not valid.")
