"""What clients of the live feed may say, and the frames they are answered with."""

import json

import pytest

from sightline.contracts.live import (
    AckRequest,
    BadRequest,
    Gap,
    Hello,
    Ping,
    PingRequest,
    Pong,
    PongAnswer,
    Problem,
    Resumed,
    ResumeRequest,
    ResyncAck,
    ResyncRequest,
    SubscribeRequest,
    UnsubscribeRequest,
    parse_request,
)


@pytest.mark.req(221)
@pytest.mark.parametrize(
    ("said", "read"),
    [
        ({"type": "ping"}, PingRequest()),
        ({"type": "PING"}, PingRequest()),
        ({"type": "pong", "anything": 1}, PongAnswer()),
        ({"type": "ack", "sequence": 42}, AckRequest(sequence=42)),
        ({"type": "ack", "data": {"sequence": 42}}, AckRequest(sequence=42)),
        ({"type": "resume", "data": {"last_sequence": 0}}, ResumeRequest(last_sequence=0)),
        (
            {"type": "resync", "data": {"channel": "events", "last_sequence": 5}},
            ResyncRequest(last_sequence=5, channel="events"),
        ),
        ({"type": "subscribe", "patterns": ["*"]}, SubscribeRequest(patterns=["*"])),
        ({"type": "subscribe", "data": {"events": ["alert.*"]}}, SubscribeRequest(patterns=["alert.*"])),
        ({"type": "unsubscribe", "channels": ["event"]}, UnsubscribeRequest(patterns=["event"])),
    ],
)
def test_requests_are_parsed_in_every_form_that_clients_use(said, read):
    found = parse_request(json.dumps(said))
    assert (type(found), found) == (type(read), read)


def test_a_bare_ping_is_understood():
    assert parse_request("ping") == PingRequest()


@pytest.mark.req(222)
@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "INVALID_JSON"),
        ("{", "INVALID_JSON"),
        ("[" * 100_000, "INVALID_JSON"),
        ("9" * 10_000, "INVALID_JSON"),
        (None, "INVALID_MESSAGE_FORMAT"),
        ("[]", "INVALID_MESSAGE_FORMAT"),
        ("42", "INVALID_MESSAGE_FORMAT"),
        ("null", "INVALID_MESSAGE_FORMAT"),
        ("{}", "INVALID_MESSAGE_FORMAT"),
        ('{"type": 1}', "INVALID_MESSAGE_FORMAT"),
        ('{"type": ""}', "INVALID_MESSAGE_FORMAT"),
        ('{"type": "ack", "data": 5}', "INVALID_MESSAGE_FORMAT"),
        ('{"type": "sing"}', "UNKNOWN_MESSAGE_TYPE"),
        ('{"type": "ack"}', "VALIDATION_ERROR"),
        ('{"type": "ack", "sequence": 0}', "VALIDATION_ERROR"),
        ('{"type": "ack", "sequence": "42"}', "VALIDATION_ERROR"),
        ('{"type": "ack", "sequence": true}', "VALIDATION_ERROR"),
        ('{"type": "ack", "sequence": 9223372036854775808}', "VALIDATION_ERROR"),
        ('{"type": "resume", "last_sequence": -1}', "VALIDATION_ERROR"),
        ('{"type": "subscribe"}', "VALIDATION_ERROR"),
        ('{"type": "subscribe", "patterns": []}', "VALIDATION_ERROR"),
        ('{"type": "subscribe", "patterns": [1]}', "VALIDATION_ERROR"),
    ],
)
def test_a_malformed_request_has_an_error_code(text, code):
    with pytest.raises(BadRequest) as found:
        parse_request(text)
    answer = json.loads(found.value.problem.encode())
    assert (answer["type"], answer["error"]) == ("error", code)
    assert answer["message"]


@pytest.mark.parametrize(
    ("frame", "shown"),
    [
        (
            Hello(
                channel="events", epoch="ab12cd34", sequence=57, buffer_size=100, heartbeat_seconds=30, client_id="c"
            ),
            {
                "type": "hello",
                "data": {
                    "protocol": 1,
                    "channel": "events",
                    "epoch": "ab12cd34",
                    "sequence": 57,
                    "buffer_size": 100,
                    "heartbeat_seconds": 30.0,
                    "client_id": "c",
                },
            },
        ),
        (
            Resumed(channel="events", epoch="ab12cd34", from_=43, to=57, replayed=15),
            {
                "type": "resumed",
                "data": {
                    "channel": "events",
                    "epoch": "ab12cd34",
                    "from": 43,
                    "to": 57,
                    "replayed": 15,
                    "recovered": True,
                },
            },
        ),
        (
            Gap(
                channel="events",
                epoch="e",
                reason="ahead",
                last_sequence=None,
                oldest_available=158,
                sequence=257,
                resync="/x",
            ),
            {
                "type": "gap",
                "data": {
                    "channel": "events",
                    "epoch": "e",
                    "reason": "ahead",
                    "oldest_available": 158,
                    "sequence": 257,
                    "resync": "/x",
                    "recovered": False,
                },
            },
        ),
        (Ping(lastSeq=57, epoch="e"), {"type": "ping", "lastSeq": 57, "epoch": "e"}),
        (Pong(), {"type": "pong"}),
        (
            ResyncAck(channel="events", last_sequence=5, replayed_count=3),
            {"type": "resync_ack", "channel": "events", "last_sequence": 5, "replayed_count": 3},
        ),
        (
            Problem(error="INVALID_JSON", message="no"),
            {"type": "error", "error": "INVALID_JSON", "message": "no", "details": {}},
        ),
    ],
)
def test_frames_have_the_form_that_the_protocol_sets_out_and_no_number_of_their_own(frame, shown):
    assert json.loads(frame.encode()) == shown
    assert "sequence" not in shown
