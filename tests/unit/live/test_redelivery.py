"""When a message that nobody acknowledged is sent again."""

import pytest

from sightline.live import FeedRecord, Numbered
from sightline.live.redelivery import PendingAcks

FIRST = Numbered(1, FeedRecord(1, "event", None, True, "{}"))
SECOND = Numbered(2, FeedRecord(2, "event", None, True, "{}"))


@pytest.mark.req(214)
def test_it_is_sent_again_after_5_15_and_45_seconds_and_then_waits_for_the_next_connection():
    pending = PendingAcks()
    pending.add(FIRST, 100.0)
    assert {now: pending.due(now) for now in (104.9, 105.0, 105.1, 114.9, 115.0, 144.9, 145.0, 1000.0)} == {
        104.9: [],
        105.0: [(FIRST, 1)],
        105.1: [],
        114.9: [],
        115.0: [(FIRST, 2)],
        144.9: [],
        145.0: [(FIRST, 3)],
        1000.0: [],
    }
    assert len(pending) == 0


def test_an_acknowledged_message_is_not_sent_again_and_others_are():
    pending = PendingAcks()
    pending.add(FIRST, 0.0)
    pending.add(SECOND, 1.0)
    pending.remove(1)
    pending.remove(99)
    assert pending.due(6.0) == [(SECOND, 1)]


def test_a_late_look_sends_once_not_once_per_missed_time():
    pending = PendingAcks()
    pending.add(SECOND, 0.0)
    pending.add(FIRST, 0.0)
    assert pending.due(20.0) == [(FIRST, 1), (SECOND, 1)]
    assert pending.due(44.0) == []
    assert pending.due(45.0) == [(FIRST, 2), (SECOND, 2)]


def test_on_a_new_connection_counting_goes_on():
    pending = PendingAcks()
    pending.add(FIRST, 0.0, redeliveries=1)
    assert pending.due(5.0) == [(FIRST, 2)]
