"""How the live client handles each frame."""

import pytest

from sightline.client import FeedGap, FeedMessage, FeedPosition
from sightline.client.live_rules import FeedFollower

HELLO = {"type": "hello", "data": {"sequence": 10, "epoch": "e"}}


def message(sequence, **more):
    return {"type": "event", "sequence": sequence, "requires_ack": False, "data": {"n": sequence}} | more


@pytest.fixture
def follower():
    made = FeedFollower()
    made.handle(HELLO)
    return made


def test_without_a_position_the_feed_starts_at_the_position_of_the_server(follower):
    assert follower.position == FeedPosition(10, "e")
    known = FeedFollower(FeedPosition(7, "e"))
    known.handle(HELLO)
    assert known.position == FeedPosition(7, "e")


def test_the_next_message_is_passed_on_and_moves_the_position(follower):
    step = follower.handle(message(11))
    assert step.item == FeedMessage("event", 11, {"n": 11})
    assert (follower.position, step.send) == (FeedPosition(11, "e"), [])


@pytest.mark.req(211)
def test_a_missing_message_is_requested_and_nothing_is_skipped(follower):
    step = follower.handle(message(13))
    assert step.item is None
    assert step.send == [{"type": "resume", "last_sequence": 10, "epoch": "e"}]
    assert follower.position == FeedPosition(10, "e")


def test_sequence_numbers_of_other_clients_are_not_a_gap(follower):
    assert follower.handle(message(15, prev=10)).item is not None
    assert follower.handle(message(20, prev=16)).item is None


def test_a_duplicate_is_skipped_and_acknowledged_again_if_required(follower):
    assert follower.handle(message(10)).send == []
    assert follower.handle(message(9, requires_ack=True)).send == [{"type": "ack", "sequence": 9}]


@pytest.mark.req(214)
def test_a_message_is_acknowledged_once_the_caller_has_handled_it(follower):
    step = follower.handle(message(11, requires_ack=True))
    assert step.send == []
    assert follower.acknowledge(step.item) == [{"type": "ack", "sequence": 11}]
    assert follower.acknowledge(FeedMessage("event", 12, {})) == []


@pytest.mark.req(214)
def test_a_redelivery_is_passed_on_if_new_and_acknowledged_if_not(follower):
    old = message(5, requires_ack=True, redelivery=1)
    step = follower.handle(old)
    assert step.item is not None
    assert follower.position == FeedPosition(10, "e")
    follower.acknowledge(step.item)
    again = follower.handle(old)
    assert (again.item, again.send) == (None, [{"type": "ack", "sequence": 5}])


@pytest.mark.req(212)
def test_a_gap_is_reported_and_the_feed_continues_after_it(follower):
    data = {"reason": "buffer_exceeded", "resync": "/api/live/events", "sequence": 400, "epoch": "f"}
    assert follower.handle({"type": "gap", "data": data}).item == FeedGap("buffer_exceeded", "/api/live/events")
    assert follower.position == FeedPosition(400, "f")


def test_after_a_replay_the_position_is_where_the_server_says(follower):
    follower.handle({"type": "resumed", "data": {"from": 11, "to": 20, "replayed": 1}})
    assert follower.position == FeedPosition(10, "e")
    follower.handle(message(12, prev=10, replay=True))
    assert follower.position == FeedPosition(20, "e")
    follower.handle({"type": "resumed", "data": {"from": 21, "to": 30, "replayed": 0}})
    assert follower.position == FeedPosition(30, "e")


def test_a_ping_is_answered_and_reveals_missed_messages(follower):
    assert follower.handle({"type": "ping", "lastSeq": 10}).send == [{"type": "pong"}]
    assert [said["type"] for said in follower.handle({"type": "ping", "lastSeq": 11}).send] == ["pong", "resume"]


@pytest.mark.parametrize(
    "frame", [{}, {"type": "pong"}, {"type": "error", "error": "X"}, {"type": "acked", "data": None}]
)
def test_other_frames_change_nothing(follower, frame):
    step = follower.handle(frame)
    assert (step.item, step.send, follower.position) == (None, [], FeedPosition(10, "e"))
