"""Messages as entries of a Redis stream, and back."""

import time
import uuid
from dataclasses import replace

import pytest

from sightline.live.message import FeedRecord
from sightline.live.redis.entries import entry_id, from_fields, key_of, sequence_of, to_fields

OWNER, TEAM = uuid.uuid4(), uuid.uuid4()
PLAIN = FeedRecord(42, "event", None, False, '{"text":"Grüße 🎥"}')


@pytest.mark.parametrize(
    "message",
    [
        PLAIN,
        replace(PLAIN, topic="camera.front_door", requires_ack=True),
        replace(PLAIN, owner_id=OWNER),
        replace(PLAIN, team_id=TEAM),
        replace(PLAIN, owner_id=OWNER, team_id=TEAM, data="{}"),
    ],
)
def test_a_message_comes_back_as_it_was(message):
    back = from_fields(entry_id(message.sequence), to_fields(message))
    assert replace(back, age_s=0.0) == message


def test_its_age_goes_on_meanwhile():
    began = time.time()
    back = from_fields("42-0", to_fields(replace(PLAIN, age_s=3.0)))
    assert 2.99 < back.age_s < 3.01 + time.time() - began


def test_the_id_is_the_number_and_the_key_tells_stream_and_epoch():
    assert (entry_id(42), sequence_of("42-0")) == ("42-0", 42)
    assert len({key_of("events", "aa"), key_of("videos", "aa"), key_of("events", "bb")}) == 3
