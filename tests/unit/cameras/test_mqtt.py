"""Messages of Frigate and of sensors, read as sightings."""

import json

import pytest

from sightline.cameras.mqtt import FrigateFeed, FrigateTopics, SensorFeed, SensorTopic, read_topics
from sightline.cameras.mqtt.sensor import read_state
from sightline.errors import InvalidInput

NOW = 1_800_000_000.0
JPEG = b"\xff\xd8 a picture"


def event(kind="new", event_id="1800000000.5-abc", *, frame=0.5, camera="yard", **after):
    usual = {
        "id": event_id,
        "camera": camera,
        "label": "person",
        "start_time": NOW,
        "frame_time": NOW + frame,
        "end_time": None,
        "top_score": 0.8,
        "false_positive": False,
        "box": [320, 180, 640, 720],
        "entered_zones": [],
        "stationary": False,
    }
    return json.dumps({"type": kind, "before": {}, "after": usual | after}).encode()


@pytest.fixture
def frigate():
    return FrigateFeed(FrigateTopics("frigate", "yard", 1280, 720))


def read(feed, payload, topic="frigate/events", *, is_retained=False, now=NOW + 1):
    return list(feed.read(topic, payload, is_retained=is_retained, now=now).sightings)


@pytest.mark.req(635)
def test_an_event_is_a_track_with_its_id_box_and_score(frigate):
    assert frigate.topics == ("frigate/events", "frigate/yard/+/snapshot")
    (seen,) = read(frigate, event(entered_zones=["porch"], sub_label=["Ann", 0.9]))
    assert (seen.label, seen.score, seen.at, seen.track_id) == ("person", 0.8, NOW + 0.5, "1800000000.5-abc")
    assert seen.box == (0.25, 0.25, 0.25, 0.75)
    assert seen.attributes["frigate_zones"] == ["porch"]
    assert (seen.attributes["sub_label"], seen.attributes["track_id"]) == ("Ann", "1800000000.5-abc")
    (ended,) = read(frigate, event("end", frame=20, end_time=NOW + 21), now=NOW + 22)
    assert ended.attributes["ended"]
    assert ended.at == NOW + 21
    assert read(frigate, event("update", frame=40), now=NOW + 41) == []


@pytest.mark.req(635)
def test_messages_that_come_twice_have_the_same_number(frigate):
    again = FrigateFeed(FrigateTopics("frigate", "yard", 1280, 720))
    for payload in (event(), event("end", end_time=NOW + 3)):
        first, second = read(frigate, payload, now=NOW + 9), read(again, payload, now=NOW + 30)
        assert [(one.track_id, one.number) for one in first] == [(one.track_id, one.number) for one in second] != []


@pytest.mark.req(635)
def test_updates_are_reported_when_they_say_something_new(frigate):
    assert len(read(frigate, event())) == 1
    assert read(frigate, event("update", frame=1)) == []
    assert len(read(frigate, event("update", frame=2, top_score=0.95))) == 1
    assert len(read(frigate, event("update", frame=3, entered_zones=["porch"]))) == 1
    assert len(read(frigate, event("update", frame=14, entered_zones=["porch"]), now=NOW + 15)) == 1
    assert read(frigate, event("update", frame=40, stationary=True, entered_zones=["porch"]), now=NOW + 41) == []


@pytest.mark.req(636)
def test_a_snapshot_joins_its_event_whichever_comes_first(frigate):
    assert read(frigate, JPEG, "frigate/yard/person/snapshot") == []
    (seen,) = read(frigate, event())
    assert seen.picture == JPEG
    (late,) = read(frigate, event(event_id="2", label="car"))
    assert late.picture is None
    (pictured,) = read(frigate, JPEG, "frigate/yard/car/snapshot")
    assert (pictured.track_id, pictured.picture) == ("2", JPEG)
    assert pictured.number != late.number
    assert read(frigate, JPEG, "frigate/yard/car/snapshot") == []


@pytest.mark.req(636)
def test_a_retained_snapshot_is_shown_and_joins_no_event(frigate):
    result = frigate.read("frigate/yard/person/snapshot", JPEG, is_retained=True, now=NOW)
    assert (result.picture, list(result.sightings)) == (JPEG, [])
    (seen,) = read(frigate, event())
    assert seen.picture is None


@pytest.mark.req(637)
@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"not JSON",
        b"[]",
        b"{}",
        b"[" * 100_000,
        event(camera="other"),
        event(false_positive=True),
        event(event_id=""),
        event(event_id="a\x00b"),
        event(label="<b>"),
        event(start_time="never"),
        event(start_time=float("inf")),
        event(box=[float("nan"), 0, 1, 1]),
        event(box=["a", 0, 1, 1]),
    ],
)
def test_what_has_another_form_is_passed_over(frigate, payload):
    assert read(frigate, payload) == []
    assert read(frigate, b"GIF89a", "frigate/yard/person/snapshot") == []
    assert len(read(frigate, event(event_id="good"))) == 1


@pytest.mark.req(637)
def test_a_wrong_clock_and_a_box_outside_are_mended(frigate):
    (seen,) = read(frigate, event(frame_time=NOW + 9999, box=[-50, 0, 5000, 720]))
    assert seen.at == NOW + 1
    assert seen.box == (0.0, 0.0, 1.0, 1.0)


@pytest.mark.req(638)
@pytest.mark.parametrize(
    ("payload", "state"),
    [
        (b"ON", True),
        (b"off", False),
        (b'{"occupancy": true, "battery": 97}', True),
        (b'{"motion": "OFF"}', False),
        (b'{"state": "detected"}', True),
        (b"true", True),
        (b"0", False),
        (b"unavailable", None),
        (b"\xff\xfe", None),
        (b'{"battery": 97}', None),
        (b"{" * 1000, None),
    ],
)
def test_states_of_sensors_are_understood(payload, state):
    assert read_state(payload, None) is state


@pytest.mark.req(638)
def test_a_named_field_is_the_one_that_counts():
    assert read_state(b'{"occupancy": false, "tamper": true}', "tamper") is True


@pytest.mark.req(638)
def test_a_sensor_is_one_track_from_on_to_off():
    ids = iter("abc")
    feed = SensorFeed(SensorTopic("porch/motion", "person", None, "porch/picture"), new_id=lambda: next(ids))

    def say(text, **options):
        return read(feed, text, "porch/motion", **options)

    assert say(b"ON", is_retained=True) == []  # how it was before
    assert say(b"ON") == []
    assert say(b"OFF") == []
    (began,) = say(b"ON")
    assert (began.label, began.track_id, began.number) == ("person", "a", 1)
    assert say(b"ON") == []
    (pictured,) = read(feed, JPEG, "porch/picture")
    assert (pictured.track_id, pictured.number, pictured.picture) == ("a", 2, JPEG)
    (ended,) = say(b"OFF")
    assert (ended.track_id, ended.attributes["ended"]) == ("a", True)
    (again,) = say(b"ON")
    assert again.track_id == "b"


@pytest.mark.req(638)
def test_an_address_says_which_topics_are_read():
    assert read_topics("mqtt://b/frigate/events?camera=yard&width=640&height=480") == FrigateTopics(
        "frigate", "yard", 640, 480
    )
    assert read_topics("mqtt://b/home/frigate/events?camera=yard") == FrigateTopics("home/frigate", "yard", 1280, 720)
    assert read_topics("mqtts://b/zigbee2mqtt/front%20door?label=Person") == SensorTopic(
        "zigbee2mqtt/front door", "person", None, None
    )
    for wrong in (
        "mqtt://b",
        "mqtt://b/frigate/events",
        "mqtt://b/frigate/%23",
        "mqtt://b/x?labl=person",
        "mqtt://b/x?label=%3Cb%3E",
        "mqtt://b/frigate/events?camera=yard&width=wide",
    ):
        with pytest.raises(InvalidInput):
            read_topics(wrong)
