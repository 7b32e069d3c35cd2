"""Frames that any WebSocket client reads, of every length class; messages in document 003's form."""

import json
import uuid

import pytest
from websockets.frames import Frame, Opcode
from websockets.protocol import CLIENT, OPEN, Protocol

from sightline.errors import InvalidInput
from sightline.live import FeedRecord, LiveMessage, close_frame
from sightline.live.frames import Frames
from sightline.live.message import CONTROL_TYPES

EVENT = FeedRecord(42, "event", None, True, '{"id":1,"risk_score":85}')


def read(wire):
    """What a real client makes of the bytes."""
    client = Protocol(CLIENT, state=OPEN, max_size=None)
    client.receive_data(wire)
    assert client.parser_exc is None
    return [event for event in client.events_received() if isinstance(event, Frame)]


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 65535, 65536, 200_000])
def test_a_client_reads_a_frame_of_any_length(size):
    (frame,) = read(Frames([b"x" * size]).wire)
    assert (frame.opcode, frame.fin, bytes(frame.data)) == (Opcode.TEXT, True, b"x" * size)


def test_frames_that_go_out_together_are_read_one_by_one():
    found = read(Frames([b"one", b"", b"three"]).wire)
    assert [bytes(frame.data) for frame in found] == [b"one", b"", b"three"]


def test_a_close_frame_says_code_and_reason_and_never_half_a_character():
    (frame,) = read(close_frame(4008, "ü" * 100))
    assert frame.opcode == Opcode.CLOSE
    assert frame.data[:2] == (4008).to_bytes(2, "big")
    assert frame.data[2:].decode() == "ü" * 61


@pytest.mark.req(206)
def test_a_message_has_exactly_the_form_of_document_003():
    assert EVENT.payload(42) == b'{"type":"event","sequence":42,"requires_ack":true,"data":{"id":1,"risk_score":85}}'
    assert EVENT.payload(42, prev=41) == EVENT.payload(42)


@pytest.mark.parametrize(
    ("marks", "shown"),
    [
        ({"replay": True}, {"replay": True}),
        ({"prev": 40}, {"prev": 40}),
        ({"redelivery": 2}, {"redelivery": 2}),
        ({"prev": 3, "replay": True}, {"prev": 3, "replay": True}),
    ],
)
def test_marks_are_added_only_where_there_is_something_to_say(marks, shown):
    bare = json.loads(EVENT.payload(42))
    assert json.loads(EVENT.payload(42, **marks)) == bare | shown


def test_data_goes_out_as_it_came_in():
    data = {"z": 1, "a": ["ü", None, {"quote": '"\n\u2028'}], "big": 2**70}
    text = LiveMessage("events", "event", data).encode()
    assert json.loads(FeedRecord(1, "event", None, False, text).payload(1))["data"] == data
    assert list(json.loads(text)) == ["z", "a", "big"]


@pytest.mark.parametrize(
    ("message", "complaint"),
    [
        (LiveMessage("events", "Event!", {}), "cannot be the type"),
        (LiveMessage("events", 'x","sequence":1', {}), "cannot be the type"),
        (LiveMessage("events", "event", {}, topic="a b"), "cannot be the topic"),
        (LiveMessage("events", "event", {"x": float("nan")}), "is not JSON"),
        (LiveMessage("events", "event", {"x": uuid.uuid4()}), "is not JSON"),
        (LiveMessage("events", "event", {"x": "\ud800"}), "is not JSON"),
        (LiveMessage("events", "event", {"x": "y" * 65536}), "the limit is"),
    ],
)
def test_what_could_not_be_sent_is_refused_before_it_is_stored(message, complaint):
    with pytest.raises(InvalidInput, match=complaint):
        message.encode()


@pytest.mark.parametrize("word", sorted(CONTROL_TYPES))
def test_no_message_can_be_taken_for_a_frame_of_the_protocol(word):
    with pytest.raises(InvalidInput, match="the protocol itself"):
        LiveMessage("events", word, {}).encode()
