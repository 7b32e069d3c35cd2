"""What one broker may occupy: packets, messages, labels and pictures are limited."""

import asyncio
import json

import pytest
from aiomqtt import Message

from sightline.cameras.mqtt import FrigateFeed, FrigateTopics, PacketLimit
from sightline.cameras.mqtt.feed import MAX_PICTURE_BYTES
from sightline.cameras.watch.mqtt_client import MAX_MESSAGE_BYTES, MAX_WAITING_BYTES, MqttClient

NOW = 1_772_000_000.0
pytestmark = pytest.mark.req(654)


def test_a_packet_that_is_too_large_is_refused_however_it_is_cut():
    small = b"\x30\x05hello" + b"\xd0\x00"
    large = b"\x30\x81\x80\x01"  # 16385 bytes follow
    for size in (1, 2, 3, 100):
        stream, limit = small * 3, PacketLimit(max_bytes=16384)
        assert all(limit.accepts(stream[at : at + size]) for at in range(0, len(stream), size))
        assert not all(limit.accepts(large[at : at + size]) for at in range(0, len(large), size))
    assert PacketLimit(max_bytes=16385).accepts(large + bytes(16385) + small)
    assert not PacketLimit().accepts(b"\x30\xff\xff\xff\xff\xff")  # a length without an end


def test_snapshots_of_many_labels_do_not_pile_up():
    feed = FrigateFeed(FrigateTopics("frigate", "yard", 1280, 720))
    for number in range(50):
        feed.read(f"frigate/yard/label{number}/snapshot", b"\xff\xd8" + bytes(1000), is_retained=False, now=NOW)
    assert held_bytes(feed) < 20_000
    feed.read("frigate/yard/person/snapshot", b"\xff\xd8", is_retained=False, now=NOW + 60)
    assert held_bytes(feed) == 2
    huge = b"\xff\xd8" + bytes(MAX_PICTURE_BYTES)
    assert feed.read("frigate/yard/person/snapshot", huge, is_retained=False, now=NOW).picture is None


def test_events_keep_no_pictures():
    feed = FrigateFeed(FrigateTopics("frigate", "yard", 1280, 720))
    feed.read("frigate/yard/person/snapshot", b"\xff\xd8" + bytes(1000), is_retained=False, now=NOW)
    for number in range(20):
        after = {"id": f"e{number}", "camera": "yard", "label": "person", "start_time": NOW, "frame_time": NOW}
        message = json.dumps({"type": "new", "after": after}).encode()
        (seen,) = feed.read("frigate/events", message, is_retained=False, now=NOW).sightings
        assert seen.picture is not None
    kept = [event.last for event in feed._events.values() if event.last is not None]
    assert [one.picture for one in kept] == [None] * 20


def held_bytes(feed: FrigateFeed) -> int:
    return sum(len(picture) for _, picture in feed._pictures.values())


async def test_messages_that_wait_are_limited_in_bytes_and_a_refused_one_is_delivered_again():
    client = MqttClient("127.0.0.1", 1, identifier="test", timeout=1)
    inbox = client._queue

    def is_asked_again() -> bool:
        return client.needs_redelivery

    def message(size: int, qos: int = 1) -> Message:
        return Message("topic", bytes(size), qos, False, 1, None)

    inbox.put_nowait(message(MAX_MESSAGE_BYTES + 1))
    assert (await inbox.get()).payload == b""
    for _ in range(MAX_WAITING_BYTES // MAX_MESSAGE_BYTES):
        inbox.put_nowait(message(MAX_MESSAGE_BYTES))
    with pytest.raises(asyncio.QueueFull):
        inbox.put_nowait(message(1, qos=0))
    assert not is_asked_again()
    with pytest.raises(asyncio.QueueFull):
        inbox.put_nowait(message(1))
    assert not is_asked_again()  # not while others can be read
    for _ in range(inbox.qsize()):
        await inbox.get()
    assert is_asked_again()
    inbox.put_nowait(message(MAX_MESSAGE_BYTES))
