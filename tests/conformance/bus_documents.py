"""The queues, topics and rules of the contract documents, on every backend."""

import json

import pytest

from conformance.bus import BusHarness, BusNames, Suite
from sightline.bus import (
    NOTIFICATION_QUEUE,
    STORAGE_QUEUE,
    Attribute,
    BusEvent,
    TopicMessage,
    Topology,
    alert_queue,
    default_topology,
    message_queue,
    message_topic,
    unwrap,
)
from sightline.bus.topology import DAY_S


class DocumentSuite(Suite):
    @staticmethod
    def topology(names: BusNames) -> Topology:
        return default_topology(stage="dev", bucket="videos")

    @pytest.mark.req(28, 149)
    async def test_alerts_and_other_messages_go_to_queues_of_their_own_in_envelopes(self, harness: BusHarness):
        kinds = ["scheduled_hello", "manual_notification", "alert_notification", "of_tomorrow"]
        async with harness.transaction() as tx:
            for kind in kinds:
                attributes = {"message_type": Attribute("String", kind)}
                await harness.bus.publish(tx, TopicMessage(message_topic("dev"), kind, attributes))
        await harness.settle()
        others = await harness.drain(message_queue("dev"), 3)
        assert sorted(unwrap(one).body for one in others) == ["manual_notification", "of_tomorrow", "scheduled_hello"]
        assert all(json.loads(one.body)["Type"] == "Notification" for one in others)
        (alert,) = await harness.drain(alert_queue("dev"), 1)
        assert unwrap(alert).body == "alert_notification"

    @pytest.mark.req(268)
    async def test_only_finished_uploads_to_the_bucket_reach_the_storage_queue(self, harness: BusHarness):
        def created(bucket: str, reason: str) -> BusEvent:
            return BusEvent("aws.s3", "Object Created", {"bucket": {"name": bucket}, "reason": reason})

        async with harness.transaction() as tx:
            await harness.bus.put_events(
                tx,
                created("videos", "PutObject"),
                created("other", "CompleteMultipartUpload"),
                created("videos", "CompleteMultipartUpload"),
            )
        await harness.settle()
        (received,) = await harness.drain(STORAGE_QUEUE, 1)
        detail = json.loads(received.body)["detail"]
        assert detail == {"bucket": {"name": "videos"}, "reason": "CompleteMultipartUpload"}

    async def test_a_status_that_sends_an_email_reaches_the_notification_queue(self, harness: BusHarness):
        async with harness.transaction() as tx:
            for status in ("UPLOADING", "COMPLETED"):
                await harness.bus.put_events(tx, BusEvent("fiapx.video", "Video Status Changed", {"status": status}))
        await harness.settle()
        (received,) = await harness.drain(NOTIFICATION_QUEUE, 1)
        assert json.loads(unwrap(received).body)["detail"] == {"status": "COMPLETED"}

    @pytest.mark.req(165, 166, 167, 168, 170, 171, 173)
    async def test_the_numbers_are_those_of_the_document(self, harness: BusHarness):
        queues = {queue.name: queue for queue in harness.bus.topology.all_queues}
        for name in (message_queue("dev"), alert_queue("dev")):
            queue = queues[name]
            assert (queue.visibility_s, queue.retention_s, queue.delay_s) == (300, 14 * DAY_S, 0)
            assert (queue.wait_s, queue.batch, queue.max_receives) == (20, 10, 3)
            assert queues[queue.dead_letter_queue or ""].retention_s == 14 * DAY_S
