"""Frames as Server-Sent Events: which of them move the client on."""

import json

import pytest

from sightline.api.live.handshake import read_event_id
from sightline.api.live.sse import EventWriter, event_id
from sightline.errors import InvalidInput
from sightline.live import ResumePoint

HELLO = {"type": "hello", "data": {"epoch": "ab12cd34", "sequence": 57}}


def ids(*frames, is_return=False):
    writer = EventWriter(is_return=is_return)
    text = writer.events([json.dumps(frame).encode() for frame in (HELLO, *frames)]).decode()
    events = [dict(line.split(": ", 1) for line in event.splitlines()) for event in text.split("\n\n") if event]
    assert [json.loads(event["data"]) for event in events] == [HELLO, *frames]
    return [event.get("id") for event in events]


def message(sequence, **marks):
    return {"type": "event", "sequence": sequence, **marks, "data": {}}


def test_whoever_is_new_stands_where_the_greeting_says_and_whoever_returns_does_not_yet():
    assert ids() == ["ab12cd34.57"]
    assert ids(is_return=True) == [None]


def test_messages_move_the_client_and_those_offered_again_do_not():
    assert ids(message(58), message(12, redelivery=1), message(60, prev=58)) == [
        *("ab12cd34.57", "ab12cd34.58", None, "ab12cd34.60")
    ]


def test_after_a_gap_the_client_stands_at_its_end_in_its_epoch():
    gap = {"type": "gap", "data": {"epoch": "ffff0000", "sequence": 9}}
    assert ids(gap, message(10), is_return=True) == [None, "ffff0000.9", "ffff0000.10"]


def test_a_replay_moves_the_client_with_its_messages_and_an_empty_one_at_once():
    def resumed(count):
        return {"type": "resumed", "data": {"to": 57, "replayed": count}}

    assert ids(resumed(1), message(55, replay=True), is_return=True) == [None, None, "ab12cd34.55"]
    assert ids(resumed(0), is_return=True) == [None, "ab12cd34.57"]


def test_other_frames_leave_the_client_where_it_is():
    assert ids({"type": "ping", "lastSeq": 40, "epoch": "ab12cd34"}, {"type": "error"})[1:] == [None, None]


def test_what_a_browser_returns_with_is_read_as_it_was_told():
    assert read_event_id(event_id("ab12cd34", 57)) == ResumePoint(57, "ab12cd34")
    assert read_event_id("57") == ResumePoint(57, None)
    for wrong in ("ab12cd34", "ab12cd34.", "ab.-1", "ab.٣", "ab." + "9" * 19):
        with pytest.raises(InvalidInput, match="Last-Event-ID"):
            read_event_id(wrong)
