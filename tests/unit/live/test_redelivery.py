"""When a message that nobody acknowledged is sent again."""

import pytest

from sightline.live import StoredMessage
from sightline.live.redelivery import Owed

FIRST = StoredMessage(1, "event", None, True, "{}")
SECOND = StoredMessage(2, "event", None, True, "{}")


@pytest.mark.req(214)
def test_it_is_sent_again_after_5_15_and_45_seconds_and_then_waits_for_the_next_connection():
    owed = Owed()
    owed.owe(FIRST, 100.0)
    assert {now: owed.due(now) for now in (104.9, 105.0, 105.1, 114.9, 115.0, 144.9, 145.0, 1000.0)} == {
        104.9: [],
        105.0: [(FIRST, 1)],
        105.1: [],
        114.9: [],
        115.0: [(FIRST, 2)],
        144.9: [],
        145.0: [(FIRST, 3)],
        1000.0: [],
    }
    assert len(owed) == 0


def test_an_acknowledged_message_is_not_sent_again_and_others_are():
    owed = Owed()
    owed.owe(FIRST, 0.0)
    owed.owe(SECOND, 1.0)
    owed.settle(1)
    owed.settle(99)
    assert owed.due(6.0) == [(SECOND, 1)]


def test_a_late_look_sends_once_not_once_per_missed_time():
    owed = Owed()
    owed.owe(SECOND, 0.0)
    owed.owe(FIRST, 0.0)
    assert owed.due(20.0) == [(FIRST, 1), (SECOND, 1)]
    assert owed.due(44.0) == []
    assert owed.due(45.0) == [(FIRST, 2), (SECOND, 2)]


def test_on_a_new_connection_counting_goes_on():
    owed = Owed()
    owed.owe(FIRST, 0.0, redeliveries=1)
    assert owed.due(5.0) == [(FIRST, 2)]
