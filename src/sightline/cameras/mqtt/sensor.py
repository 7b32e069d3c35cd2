"""Sensors as Home Assistant, Zigbee2MQTT and others publish them: ON and OFF, or a field of a JSON message. Pure."""

import json
from collections.abc import Callable
from typing import Any
from uuid import uuid4

from sightline.cameras.mqtt.feed import MAX_PICTURE_BYTES, WHOLE_PICTURE, FedSighting, FeedResult
from sightline.cameras.mqtt.topics import SensorTopic

SCORE = 0.5
"""A sensor says that something is there, and not how sure it is."""
FIELDS = ("occupancy", "motion", "presence", "person", "contact", "state", "value")
MAX_MESSAGE_BYTES = 256 * 1024
_ON = frozenset({"on", "true", "1", "yes", "open", "detected", "motion", "occupied", "home"})
_OFF = frozenset({"off", "false", "0", "no", "closed", "clear", "not_detected", "idle", "not_home"})


class SensorFeed:
    """A track begins when the sensor goes on, and ends when it goes off; repeated messages change nothing."""

    def __init__(self, topic: SensorTopic, *, new_id: Callable[[], str] = lambda: str(uuid4())) -> None:
        self._topic = topic
        self._new_id = new_id
        self.topics = (topic.topic,) if topic.picture_topic is None else (topic.topic, topic.picture_topic)
        self._track_id: str | None = None
        self._is_on: bool | None = None
        self._number = 0
        self._has_picture = False

    def read(self, topic: str, payload: bytes, *, is_retained: bool, now: float) -> FeedResult:
        if topic == self._topic.picture_topic:
            return self._read_picture(payload, is_retained=is_retained, now=now)
        is_on = read_state(payload, self._topic.field)
        if is_on is None or is_on == self._is_on:
            return FeedResult()
        was_on, self._is_on = self._is_on, is_on
        if is_retained:
            return FeedResult()  # how it was before we listened, and perhaps long ago
        if is_on:
            self._track_id, self._number, self._has_picture = self._new_id(), 0, False
            return FeedResult([self._sighting(now)])
        if not was_on or self._track_id is None:
            return FeedResult()
        ended = self._sighting(now, is_end=True)
        self._track_id = None
        return FeedResult([ended])

    def _read_picture(self, payload: bytes, *, is_retained: bool, now: float) -> FeedResult:
        if not payload.startswith(b"\xff\xd8") or len(payload) > MAX_PICTURE_BYTES:
            return FeedResult()
        if is_retained or self._track_id is None or self._has_picture:
            return FeedResult(picture=payload)
        self._has_picture = True
        return FeedResult([self._sighting(now, picture=payload)], payload)

    def _sighting(self, now: float, *, picture: bytes | None = None, is_end: bool = False) -> FedSighting:
        assert self._track_id is not None
        self._number += 1
        attributes: dict[str, Any] = {"track_id": self._track_id, "behaviours": [], "model": "sensor"}
        if is_end:
            attributes["ended"] = True
        return FedSighting(
            self._topic.label, SCORE, now, WHOLE_PICTURE, self._track_id, self._number, picture, attributes
        )


def read_state(payload: bytes, field: str | None) -> bool | None:
    """None for what says neither."""
    if len(payload) > MAX_MESSAGE_BYTES:
        return None
    try:
        text = payload.decode().strip()
        value: Any = json.loads(text) if text.startswith("{") else text
    except (ValueError, RecursionError):
        return None
    if isinstance(value, dict):
        names = FIELDS if field is None else (field,)
        value = next((value[name] for name in names if name in value), None)
    word = str(value).strip().strip('"').lower()
    return True if word in _ON else False if word in _OFF else None
