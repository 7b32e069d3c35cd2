"""Who sees which message: rights first, then patterns."""

import uuid

import pytest

from sightline.contracts import Caller
from sightline.errors import InvalidInput
from sightline.live.message import FeedRecord
from sightline.live.viewer import Viewer, check_patterns

ME, OTHER, TEAM = uuid.uuid4(), uuid.uuid4(), uuid.uuid4()


def message(kind="event", topic=None, **whose):
    return FeedRecord(1, kind, topic, False, "{}", **whose)


@pytest.mark.parametrize(
    ("whose", "is_seen"),
    [
        ({}, True),
        ({"owner_id": ME}, True),
        ({"owner_id": OTHER}, False),
        ({"owner_id": OTHER, "team_id": TEAM}, True),
        ({"team_id": TEAM}, True),
        ({"team_id": uuid.uuid4()}, False),
    ],
)
def test_people_see_their_own_their_teams_and_what_is_for_all(whose, is_seen):
    assert Viewer.of(Caller(ME, team_ids=(TEAM,))).sees(message(**whose)) is is_seen


@pytest.mark.req(221)
@pytest.mark.parametrize(
    ("patterns", "kind", "topic", "is_wanted"),
    [
        ({"*"}, "event", None, True),
        ({"event"}, "event", None, True),
        ({"event"}, "event.resolved", None, False),
        ({"event.*"}, "event.resolved", None, True),
        ({"event.*"}, "event", None, False),
        ({"event.*"}, "eventful", None, False),
        ({"alert.*"}, "event", "alert.raised", True),
        ({"alert.*"}, "event", "camera.front_door", False),
        ({"alert.*", "camera.front_door"}, "event", "camera.front_door", True),
        (set(), "event", None, False),
    ],
)
def test_patterns_name_a_type_or_a_topic(patterns, kind, topic, is_wanted):
    assert Viewer(ME, patterns=frozenset(patterns)).wants(message(kind, topic)) is is_wanted


@pytest.mark.parametrize("pattern", ["", "**", "*.alert", "alert*", "a..b", ".a", "a.*.b", "a b", "x" * 101])
def test_what_is_no_pattern_is_refused_by_name(pattern):
    with pytest.raises(InvalidInput, match="is not a valid pattern"):
        check_patterns([pattern])


def test_too_many_patterns_are_refused():
    with pytest.raises(InvalidInput, match="51 patterns"):
        check_patterns(f"p{number}" for number in range(51))
