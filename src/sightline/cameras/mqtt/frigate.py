"""Events of Frigate as sightings: the event's id is the track, and its snapshot the picture. Pure."""

import json
import math
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from typing import Any

from sightline.cameras.mqtt.feed import MAX_PICTURE_BYTES, WHOLE_PICTURE, FedSighting, FeedResult
from sightline.cameras.mqtt.topics import FrigateTopics, read_label
from sightline.errors import InvalidInput
from sightline.geometry import Box

MAX_EVENTS = 200
MAX_EVENT_BYTES = 1024**2
MAX_PICTURES = 8
"""Snapshots that wait for the message of their event, of one label each."""
MAX_ZONES = 50
REPORT_EVERY_S = 10.0
BETTER_BY = 0.1
MAX_AGE_S = 7 * 86400.0
_LOOK, _PICTURE, _END = 0, 1, 2


@dataclass(slots=True)
class _Event:
    label: str
    last: FedSighting | None = None
    reported_at: float = float("-inf")
    score: float = 0.0
    zones: set[str] = field(default_factory=set)
    has_picture: bool = False
    is_over: bool = False


class FrigateFeed:
    """One camera of Frigate."""

    def __init__(self, topics: FrigateTopics) -> None:
        self._where = topics
        self._events_topic = f"{topics.prefix}/events"
        self._snapshots = f"{topics.prefix}/{topics.camera}/"
        self.topics = (self._events_topic, f"{self._snapshots}+/snapshot")
        self._events: OrderedDict[str, _Event] = OrderedDict()
        self._pictures: OrderedDict[str, tuple[float, bytes]] = OrderedDict()

    def read(self, topic: str, payload: bytes, *, is_retained: bool, now: float) -> FeedResult:
        if topic == self._events_topic:
            return FeedResult(self._read_event(payload, now))
        label = topic.removeprefix(self._snapshots).removesuffix("/snapshot")
        if not payload.startswith(b"\xff\xd8") or len(payload) > MAX_PICTURE_BYTES or "/" in label:
            return FeedResult()
        if is_retained:
            return FeedResult(picture=payload)  # of an event that may be days old
        return FeedResult(self._read_snapshot(label.lower(), payload, now), payload)

    def _read_event(self, payload: bytes, now: float) -> list[FedSighting]:
        if len(payload) > MAX_EVENT_BYTES:
            return []
        try:
            message = json.loads(payload)
            after = message["after"]
            if after["camera"] != self._where.camera or after.get("false_positive") is True:
                return []
            return self._see(message["type"] == "end", after, now)
        except (ValueError, KeyError, TypeError, RecursionError, OverflowError, InvalidInput):
            return []

    def _see(self, is_end: bool, after: dict[str, Any], now: float) -> list[FedSighting]:
        track_id = _track_id(after["id"])
        event = self._events.setdefault(track_id, _Event(read_label(after["label"])))
        self._events.move_to_end(track_id)
        while len(self._events) > MAX_EVENTS:
            self._events.popitem(last=False)
        started = _time(after["start_time"])
        frame = _time((after.get("end_time") if is_end else None) or after.get("frame_time") or started)
        score = min(1.0, max(0.0, float(after.get("top_score") or after.get("score") or 0.0)))
        zones = {str(zone)[:100] for zone in (after.get("entered_zones") or ())[:MAX_ZONES]}
        if event.is_over or not (is_end or self._is_due(event, frame, score, zones, after)):
            return []
        picture_at, picture = self._pictures.get(event.label, (float("-inf"), None))
        if picture_at < now - REPORT_EVERY_S or event.has_picture:
            picture = None
        sighting = FedSighting(
            event.label,
            score,
            _clock(frame, now),
            _box(after.get("box"), self._where),
            track_id,
            _number(started, frame, _END if is_end else _LOOK),
            picture,
            _attributes(track_id, after, zones, is_end=is_end),
        )
        event.last, event.reported_at, event.is_over = replace(sighting, picture=None), frame, is_end
        event.score, event.zones = max(event.score, score), zones
        event.has_picture = event.has_picture or picture is not None
        return [sighting]

    def _is_due(self, event: _Event, frame: float, score: float, zones: set[str], after: dict[str, Any]) -> bool:
        if event.last is None or zones - event.zones:
            return True
        if after.get("stationary") is True:
            return False
        return frame - event.reported_at >= REPORT_EVERY_S or score >= event.score + BETTER_BY

    def _read_snapshot(self, label: str, payload: bytes, now: float) -> list[FedSighting]:
        """The picture comes shortly before or after the event's message; the event gets it either way."""
        self._keep_picture(label, payload, now)
        for event in reversed(self._events.values()):
            if event.label == label and event.last is not None and not event.has_picture and not event.is_over:
                event.has_picture = True
                return [replace(event.last, number=event.last.number + _PICTURE, picture=payload)]
        return []

    def _keep_picture(self, label: str, payload: bytes, now: float) -> None:
        """Only while it may belong to an event to come: a broker with many labels must not fill the memory."""
        self._pictures[label] = (now, payload)
        self._pictures.move_to_end(label)
        while len(self._pictures) > MAX_PICTURES or next(iter(self._pictures.values()))[0] < now - REPORT_EVERY_S:
            self._pictures.popitem(last=False)


def _number(started: float, frame: float, kind: int) -> int:
    return max(0, round((frame - started) * 1000)) * 3 + kind


def _track_id(value: Any) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= 100 or not value.isprintable():
        raise ValueError("an event needs an id")
    return value


def _time(value: Any) -> float:
    moment = float(value)
    if not math.isfinite(moment):
        raise ValueError("not a time")
    return moment


def _clock(at: float, now: float) -> float:
    """Messages wait at the broker while we are away; a clock that is ahead, or years behind, is wrong."""
    return at if now - MAX_AGE_S <= at <= now + 1 else now


def _box(value: Any, size: FrigateTopics) -> Box:
    """Frigate has corners in pixels."""
    if not isinstance(value, list) or len(value) != 4:
        return WHOLE_PICTURE
    left, top, right, bottom = (float(part) for part in value)
    x, y = _share(left / size.width), _share(top / size.height)
    width, height = _share(right / size.width) - x, _share(bottom / size.height) - y
    return (x, y, width, height) if width > 0 and height > 0 else WHOLE_PICTURE


def _share(value: float) -> float:
    if not math.isfinite(value):
        raise ValueError("not a place in a picture")
    return round(min(1.0, max(0.0, value)), 5)


def _attributes(track_id: str, after: dict[str, Any], zones: set[str], *, is_end: bool) -> dict[str, Any]:
    found: dict[str, Any] = {"track_id": track_id, "behaviours": [], "model": "frigate"}
    if zones:
        found["frigate_zones"] = sorted(zones)
    name = after.get("sub_label")
    name = name[0] if isinstance(name, list) and name else name
    if isinstance(name, str) and name:
        found["sub_label"] = "".join(char for char in name if char.isprintable())[:100]
    if is_end:
        found["ended"] = True
    return found
