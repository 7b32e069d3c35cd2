"""MQTT: events of Frigate and sensors of Home Assistant, read as sightings. Pure; the connection is in `watch`."""

from sightline.cameras.mqtt.feed import Feed, FeedResult
from sightline.cameras.mqtt.frigate import FrigateFeed
from sightline.cameras.mqtt.packet_limit import PacketLimit
from sightline.cameras.mqtt.sensor import SensorFeed
from sightline.cameras.mqtt.topics import FrigateTopics, MqttTopics, SensorTopic, read_topics

__all__ = [
    "Feed",
    "FeedResult",
    "FrigateFeed",
    "FrigateTopics",
    "MqttTopics",
    "PacketLimit",
    "SensorFeed",
    "SensorTopic",
    "read_topics",
]
