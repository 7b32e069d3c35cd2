"""What the bus does with topics, filter policies, event rules and transactions."""

import asyncio
import json
from datetime import datetime
from typing import Any

import pytest

from conformance.bus import CLIP, DONE, LONG_S, BusHarness, BusNames, Suite
from sightline.bus import (
    Attribute,
    BusEvent,
    BusRefusal,
    MessageTooLarge,
    Received,
    TopicMessage,
    TopicRefused,
    Topology,
    event_type_of,
    unwrap,
)
from sightline.errors import NotFound
from sightline.observability import work_context

LIMIT = 256 * 1024


class TopicSuite(Suite):
    @staticmethod
    def topology(names: BusNames) -> Topology:
        return names.topics

    @pytest.mark.req(19, 20, 149)
    async def test_a_wrapped_subscription_delivers_the_envelope(self, harness: BusHarness):
        ids = await _publish(harness, TopicMessage(harness.names.news, '{"a": 1}', _kind(CLIP), subject="Olá"))
        (received,) = await harness.drain(harness.names.wrapped, 1)
        envelope = json.loads(received.body)
        assert envelope["Type"] == "Notification"
        assert envelope["TopicArn"].endswith(f":{harness.names.news}")
        assert envelope["Message"] == '{"a": 1}'
        assert envelope["MessageAttributes"]["event_type"] == {"Type": "String", "Value": CLIP}
        assert envelope["Subject"] == "Olá"
        assert envelope["MessageId"]
        assert envelope["Timestamp"].endswith("Z")
        assert datetime.fromisoformat(envelope["Timestamp"]).microsecond % 1000 == 0
        assert {"SignatureVersion", "Signature", "SigningCertURL", "UnsubscribeURL"} <= envelope.keys()
        assert received.message_id == ids[0]

    @pytest.mark.req(21)
    async def test_a_raw_subscription_delivers_the_bare_message(self, harness: BusHarness):
        attributes = {**_kind(CLIP), "n": Attribute("Number", "7"), "list": Attribute("String.Array", '["a"]')}
        await _publish(harness, TopicMessage(harness.names.news, "bare \u20ac", attributes))
        (received,) = await harness.drain(harness.names.raw, 1)
        assert received.body == "bare \u20ac"
        assert received.attributes == attributes

    @pytest.mark.req(21)
    async def test_bytes_reach_a_raw_subscription(self, harness: BusHarness):
        attributes = {"bytes": Attribute("Binary", b"\x00\x01")}
        await _publish(harness, TopicMessage(harness.names.news, "one", attributes))
        (received,) = await harness.drain(harness.names.raw, 1)
        assert received.attributes == attributes

    @pytest.mark.req(22)
    async def test_the_event_type_is_found_in_all_three_forms(self, harness: BusHarness):
        body = json.dumps({"event_type": CLIP})
        await _publish(
            harness, TopicMessage(harness.names.news, body, _kind(CLIP)), TopicMessage(harness.names.news, body)
        )
        found = [*await harness.drain(harness.names.wrapped, 2), *await harness.drain(harness.names.raw, 2)]
        assert [event_type_of(unwrap(one)) for one in found] == [CLIP] * 4

    @pytest.mark.req(23, 24, 25, 26, 27)
    async def test_each_subscriber_gets_the_messages_that_its_filter_matches(self, harness: BusHarness):
        news = harness.names.news
        await _publish(
            harness,
            TopicMessage(news, "submission", _kind(CLIP, "SUBMISSION_OFFENSE")),
            TopicMessage(news, "guard", _kind(CLIP, "GUARD_PLAY")),
            TopicMessage(news, "done", _kind(DONE)),
            TopicMessage(news, "other", _kind("other", "STANDUP_GAME")),
        )
        expected = {
            harness.names.wrapped: ["done", "guard", "other", "submission"],
            harness.names.clips: ["guard", "submission"],
            harness.names.dones: ["done"],
            harness.names.chosen: ["done", "submission"],
        }
        for queue, bodies in expected.items():
            assert sorted(unwrap(one).body for one in await harness.drain(queue, len(bodies))) == bodies

    async def test_a_filter_can_match_the_body(self, harness: BusHarness):
        for state in ("ready", "failed"):
            await _publish(harness, TopicMessage(harness.names.news, json.dumps({"video": {"state": state}})))
        await _publish(harness, TopicMessage(harness.names.news, "not JSON"))
        assert len(await harness.drain(harness.names.raw, 3)) == 3
        (received,) = await harness.drain(harness.names.by_body, 1)
        assert json.loads(unwrap(received).body) == {"video": {"state": "ready"}}

    @pytest.mark.req(29)
    async def test_every_subscriber_has_a_copy_of_its_own(self, harness: BusHarness):
        ids = await _publish(harness, TopicMessage(harness.names.news, "one", _kind(CLIP)))
        failing = await harness.next(harness.names.wrapped, visibility_s=LONG_S)
        (other,) = await harness.drain(harness.names.raw, 1)
        assert await harness.count(harness.names.wrapped) == (0, 1, 0)
        assert failing.message_id == other.message_id == ids[0]

    @pytest.mark.req(268)
    async def test_a_rule_passes_matching_events_to_a_queue(self, harness: BusHarness):
        source, names = harness.names.source, harness.names
        ids = await _put(
            harness,
            BusEvent(source, "to-queue", {"state": {"name": "ready", "at": 1.5}}, resources=("arn:one",)),
            BusEvent(source, "to-queue", {"state": {"name": "failed"}}),
            BusEvent(source, "to-queue", {"state": {"name": "unknown"}}),
            BusEvent(source, "other", {"state": {"name": "ready"}}),
            BusEvent("elsewhere", "to-queue", {"state": {"name": "ready"}}),
        )
        found = {one.message_id: json.loads(one.body) for one in await harness.drain(names.ruled, 2)}
        events = {event["detail"]["state"]["name"]: event for event in found.values()}
        assert events.keys() == {"ready", "failed"}
        ready = events["ready"]
        assert (ready["source"], ready["detail-type"]) == (source, "to-queue")
        assert ready["detail"] == {"state": {"name": "ready", "at": 1.5}}
        assert ready["resources"][0] == "arn:one"
        assert ready["version"] == "0"
        assert datetime.fromisoformat(ready["time"]).microsecond == 0
        assert {"id", "region"} <= ready.keys()
        assert len(ids) == 5

    @pytest.mark.req(268)
    async def test_a_rule_passes_matching_events_to_a_topic(self, harness: BusHarness):
        await _put(
            harness,
            BusEvent(harness.names.source, "to-topic", {"state": {"name": "ready"}}),
            BusEvent(harness.names.source, "to-topic", {"state": {"name": "unknown"}}),
        )
        (received,) = await harness.drain(harness.names.alerted, 1)
        event = json.loads(unwrap(received).body)
        assert (event["source"], event["detail"]) == (harness.names.source, {"state": {"name": "ready"}})

    async def test_the_correlation_id_arrives_on_every_route(self, harness: BusHarness):
        with work_context(correlation_id="c-7"):
            await _publish(harness, TopicMessage(harness.names.news, "one", _kind(CLIP)))
            await _put(harness, BusEvent(harness.names.source, "to-queue", {"state": {"name": "ready"}}))
        found: list[Received] = []
        for queue in (harness.names.wrapped, harness.names.raw, harness.names.ruled):
            found += await harness.drain(queue, 1)
        assert [one.context.get("correlation_id") for one in found] == ["c-7"] * 3

    @pytest.mark.req(296)
    async def test_a_message_may_have_its_own_correlation_id(self, harness: BusHarness):
        with work_context(correlation_id="at hand"):
            own = TopicMessage(harness.names.news, "own", context={"correlation_id": "its own"})
            await _publish(harness, own, TopicMessage(harness.names.news, "other"))
        found = {one.body: one.context["correlation_id"] for one in await harness.drain(harness.names.raw, 2)}
        assert found == {"own": "its own", "other": "at hand"}

    @pytest.mark.req(302)
    async def test_nothing_is_sent_by_a_transaction_that_does_not_commit(self, harness: BusHarness):
        with pytest.raises(ZeroDivisionError):
            async with harness.transaction() as tx:
                await harness.bus.publish(tx, TopicMessage(harness.names.news, "never"))
                await harness.bus.put_events(
                    tx, BusEvent(harness.names.source, "to-queue", {"state": {"name": "ready"}})
                )
                raise ZeroDivisionError
        await _publish(harness, TopicMessage(harness.names.news, "said"))
        (received,) = await harness.drain(harness.names.raw, 1)
        assert received.body == "said"
        assert await harness.count(harness.names.ruled) == (0, 0, 0)

    async def test_an_unknown_topic_is_named_and_nothing_is_sent(self, harness: BusHarness):
        async with harness.transaction() as tx:
            with pytest.raises(NotFound, match="nowhere"):
                await harness.bus.publish(tx, TopicMessage(harness.names.news, "x"), TopicMessage("nowhere", "x"))
        await harness.settle()
        assert await harness.count(harness.names.raw) == (0, 0, 0)

    async def test_a_topic_may_be_given_by_its_arn(self, harness: BusHarness):
        await _publish(harness, TopicMessage(await _arn(harness), "one"))
        assert len(await harness.drain(harness.names.raw, 1)) == 1

    @pytest.mark.req(453)
    async def test_the_bus_says_whether_a_topic_exists(self, harness: BusHarness):
        arn = await _arn(harness)
        await harness.bus.check_topic(harness.names.news)
        await harness.bus.check_topic(arn)
        for unknown in ("nowhere", f"{arn}-2", arn.replace("us-east-1", "eu-west-1")):
            with pytest.raises(TopicRefused, match=r"(?i)topic does not exist|not found|invalid"):
                await harness.bus.check_topic(unknown)

    @pytest.mark.req(457)
    @pytest.mark.parametrize("wrapped", [True, False])
    async def test_a_message_has_the_attributes_that_were_published_and_no_other(
        self, harness: BusHarness, wrapped: bool
    ):
        attributes = {**_kind(CLIP, "GUARD_PLAY"), "event_index": Attribute("Number", "3")}
        with work_context(correlation_id="c-9"):
            ids = await _publish(harness, TopicMessage(harness.names.news, '{"id": "exactly"}', attributes))
        (received,) = await harness.drain(harness.names.wrapped if wrapped else harness.names.raw, 1)
        assert unwrap(received).attributes == attributes
        assert unwrap(received).body == '{"id": "exactly"}'
        assert (received.message_id, received.context.get("correlation_id")) == (ids[0], "c-9")
        if wrapped:
            assert received.attributes == {}

    async def test_a_sender_can_wait_until_its_publication_is_accepted(self, harness: BusHarness):
        async with harness.transaction() as tx:
            messages = [TopicMessage(harness.names.news, str(number), publication="together") for number in range(25)]
            await harness.bus.publish(tx, *messages)
        await harness.bus.wait_until_accepted("together")
        await harness.bus.wait_until_accepted("nothing of this name")
        assert len(await harness.drain(harness.names.raw, 25)) == 25

    @pytest.mark.req(169)
    async def test_256_kb_are_published_and_a_byte_more_is_rejected(self, harness: BusHarness):
        await _publish(harness, TopicMessage(harness.names.news, "x" * LIMIT))
        (received,) = await harness.drain(harness.names.wrapped, 1)
        assert len(unwrap(received).body) == LIMIT
        async with harness.transaction() as tx:
            with pytest.raises(MessageTooLarge):
                await harness.bus.publish(tx, TopicMessage(harness.names.news, "x" * (LIMIT + 1)))
            with pytest.raises(MessageTooLarge):
                await harness.bus.put_events(tx, BusEvent("s", "t", {"x": "x" * LIMIT}))
            with pytest.raises(BusRefusal):
                await harness.bus.publish(tx, TopicMessage(harness.names.news, ""))

    @pytest.mark.req(178)
    async def test_creating_everything_again_changes_nothing(self, harness: BusHarness):
        await harness.send(harness.names.work, "one", "two")
        await harness.next(harness.names.work, visibility_s=0)
        await asyncio.gather(*(harness.bus.create() for _ in range(3)))
        async with harness.backend.open(harness.names.topics) as another:
            await another.create()
            await another.check()
            found = await BusHarness(harness.backend, another, harness.names).take(harness.names.work, 2)
        assert sorted(one.receive_count or 0 for one in found) == [1, 2]


def _kind(event_type: str, category: str | None = None) -> dict[str, Attribute]:
    found: dict[str, Any] = {"event_type": Attribute("String", event_type)}
    return found if category is None else {**found, "category": Attribute("String", category)}


async def _publish(harness: BusHarness, *messages: TopicMessage) -> list[str]:
    async with harness.transaction() as tx:
        ids = await harness.bus.publish(tx, *messages)
    await harness.settle()
    return ids


async def _arn(harness: BusHarness) -> str:
    """The ARN of the topic in the account that the backend uses."""
    await _publish(harness, TopicMessage(harness.names.news, "which account?"))
    (received,) = await harness.drain(harness.names.wrapped, 1)
    await harness.drain(harness.names.raw, 1)
    return str(unwrap(received).topic_arn)


async def _put(harness: BusHarness, *events: BusEvent) -> list[str]:
    async with harness.transaction() as tx:
        ids = await harness.bus.put_events(tx, *events)
    await harness.settle()
    return ids
