"""What a follower does with each frame."""

import pytest

from sightline.client import FeedGap, FeedMessage, FeedPosition
from sightline.client.live_rules import FeedFollower

HELLO = {"type": "hello", "data": {"sequence": 10, "epoch": "e"}}


def message(sequence, **more):
    return {"type": "event", "sequence": sequence, "requires_ack": False, "data": {"n": sequence}} | more


@pytest.fixture
def follower():
    made = FeedFollower()
    made.take(HELLO)
    return made


def test_without_a_position_the_feed_starts_where_the_server_stands(follower):
    assert follower.position == FeedPosition(10, "e")
    known = FeedFollower(FeedPosition(7, "e"))
    known.take(HELLO)
    assert known.position == FeedPosition(7, "e")


def test_the_next_message_is_given_and_moves_the_position(follower):
    step = follower.take(message(11))
    assert step.item == FeedMessage("event", 11, {"n": 11})
    assert (follower.position, step.send) == (FeedPosition(11, "e"), [])


@pytest.mark.req(211)
def test_a_hole_is_asked_for_and_nothing_is_passed_over(follower):
    step = follower.take(message(13))
    assert step.item is None
    assert step.send == [{"type": "resume", "last_sequence": 10, "epoch": "e"}]
    assert follower.position == FeedPosition(10, "e")


def test_numbers_that_are_not_for_us_are_no_hole(follower):
    assert follower.take(message(15, prev=10)).item is not None
    assert follower.take(message(20, prev=16)).item is None


def test_a_double_is_passed_over_and_confirmed_again_if_it_wants_that(follower):
    assert follower.take(message(10)).send == []
    assert follower.take(message(9, requires_ack=True)).send == [{"type": "ack", "sequence": 9}]


@pytest.mark.req(214)
def test_what_needs_it_is_confirmed_once_the_caller_is_done(follower):
    step = follower.take(message(11, requires_ack=True))
    assert step.send == []
    assert follower.used(step.item) == [{"type": "ack", "sequence": 11}]
    assert follower.used(FeedMessage("event", 12, {})) == []


@pytest.mark.req(214)
def test_a_redelivery_is_given_if_it_is_new_and_confirmed_if_it_is_not(follower):
    old = message(5, requires_ack=True, redelivery=1)
    step = follower.take(old)
    assert step.item is not None
    assert follower.position == FeedPosition(10, "e")
    follower.used(step.item)
    again = follower.take(old)
    assert (again.item, again.send) == (None, [{"type": "ack", "sequence": 5}])


@pytest.mark.req(212)
def test_a_gap_is_told_and_the_feed_goes_on_behind_it(follower):
    data = {"reason": "buffer_exceeded", "resync": "/api/live/events", "sequence": 400, "epoch": "f"}
    assert follower.take({"type": "gap", "data": data}).item == FeedGap("buffer_exceeded", "/api/live/events")
    assert follower.position == FeedPosition(400, "f")


def test_after_a_replay_the_position_is_where_the_server_says(follower):
    follower.take({"type": "resumed", "data": {"from": 11, "to": 20, "replayed": 1}})
    assert follower.position == FeedPosition(10, "e")
    follower.take(message(12, prev=10, replay=True))
    assert follower.position == FeedPosition(20, "e")
    follower.take({"type": "resumed", "data": {"from": 21, "to": 30, "replayed": 0}})
    assert follower.position == FeedPosition(30, "e")


def test_a_ping_is_answered_and_tells_of_what_was_missed(follower):
    assert follower.take({"type": "ping", "lastSeq": 10}).send == [{"type": "pong"}]
    assert [said["type"] for said in follower.take({"type": "ping", "lastSeq": 11}).send] == ["pong", "resume"]


@pytest.mark.parametrize(
    "frame", [{}, {"type": "pong"}, {"type": "error", "error": "X"}, {"type": "acked", "data": None}]
)
def test_other_frames_change_nothing(follower, frame):
    step = follower.take(frame)
    assert (step.item, step.send, follower.position) == (None, [], FeedPosition(10, "e"))
