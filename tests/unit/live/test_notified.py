"""Messages in notifications: taken only as far as they follow what the process has."""

from uuid import UUID

import pytest

from sightline.live.notified import MAX_WAITING, NotifiedMessages

EPOCH = "ab12cd34"
OWNER, TEAM = UUID(int=1), UUID(int=2)


def note(number, *, stream="events", epoch=EPOCH, rest="event - 0 - - 100.0", data='{"n": 1}'):
    return f"{stream} {number} {epoch} {rest}\n{data}"


@pytest.fixture
def notified():
    return NotifiedMessages(clock=lambda: 100.5)


@pytest.mark.req(1086)
def test_messages_in_order_are_taken_whole(notified):
    notified.add(note(8, rest=f"alert.raised camera.door 1 {OWNER} {TEAM} 100.0", data='{"text": "a\\nb  c"}'))
    notified.add(note(9))
    first, second = notified.take("events", EPOCH, after=7)
    assert (first.sequence, first.type, first.topic, first.requires_ack) == (8, "alert.raised", "camera.door", True)
    assert (first.owner_id, first.team_id, first.data, first.age_s) == (OWNER, TEAM, '{"text": "a\\nb  c"}', 0.5)
    assert (second.sequence, second.topic, second.owner_id, second.is_for_all) == (9, None, None, True)
    assert notified.is_empty
    assert not notified.was_incomplete()


@pytest.mark.req(1086)
@pytest.mark.parametrize(
    ("payloads", "taken"),
    [
        ([note(8), note(10)], [8]),  # one was lost
        ([note(9)], []),
        ([note(8), "events 9"], [8]),  # too long for a notification
        ([""], []),  # the connection was lost
        ([note(8, epoch="00000000")], []),  # restored from a backup
        ([note(8), "not one of ours\n{}"], [8]),
    ],
)
def test_what_is_missing_has_to_be_read(notified, payloads, taken):
    for payload in payloads:
        notified.add(payload)
    assert [message.sequence for message in notified.take("events", EPOCH, after=7)] == taken
    assert notified.was_incomplete()
    assert not notified.was_incomplete()


@pytest.mark.req(1086)
def test_what_was_read_in_the_meantime_is_passed_over(notified):
    for number in (6, 7, 8):
        notified.add(note(number))
    assert [message.sequence for message in notified.take("events", EPOCH, after=7)] == [8]
    assert not notified.was_incomplete()


@pytest.mark.req(1086)
def test_streams_do_not_take_from_each_other(notified):
    notified.add(note(3, stream="videos"))
    assert notified.take("events", EPOCH, after=2) == []
    assert not notified.is_empty
    assert [message.sequence for message in notified.take("videos", EPOCH, after=2)] == [3]


@pytest.mark.req(1086)
def test_only_so_many_wait(notified):
    for number in range(1, MAX_WAITING + 3):
        notified.add(note(number))
    assert len(notified.take("events", EPOCH, after=0)) == MAX_WAITING
    assert notified.was_incomplete()
