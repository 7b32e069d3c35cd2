"""Which dead letters are meant, and what can be read of them."""

import json
from datetime import timedelta

import pytest

from sightline.bus import (
    Attribute,
    DeadLetterFilter,
    Names,
    TopicMessage,
    message_type_of,
    notification_in,
    parse_attributes,
    parse_message_ids,
)
from sightline.bus.envelope import wrap
from sightline.errors import InvalidInput
from support.dead_letter import NOW, id_of, letter

ALL = DeadLetterFilter()


@pytest.mark.parametrize(
    ("wanted", "meant"),
    [
        (ALL, {1, 2, 3, 4}),
        (DeadLetterFilter(source_queue="other"), {2}),
        (DeadLetterFilter(reason="not json"), {1}),
        (DeadLetterFilter(event_type="clip"), {3, 4}),
        (DeadLetterFilter(attributes={"team": "7"}), {4}),
        (DeadLetterFilter(attributes={"team": "7", "event_type": "other"}), set()),
        (DeadLetterFilter(older_than=timedelta(hours=2)), {3, 4}),
        (DeadLetterFilter(contains='"video": "v1"'), {3}),
        (DeadLetterFilter(redrives_at_most=0), {1, 3, 4}),
        (DeadLetterFilter(ids=frozenset({id_of(2), id_of(9)})), {2}),
        (DeadLetterFilter(event_type="clip", reason="not json"), set()),
    ],
)
def test_a_letter_is_meant_if_everything_that_is_set_holds(wanted: DeadLetterFilter, meant: set[int]):
    letters = {
        1: letter(1, "not json at all", reason="the message is Not JSON: …"),
        2: letter(2, source="other", redrives=1),
        3: letter(3, '{"event_type": "clip", "video": "v1"}', hours=2),
        4: letter(4, "{}", attributes={"event_type": "clip", "team": "7"}, hours=None),  # then the sending counts
    }
    assert {number for number, one in letters.items() if wanted.matches(one, now=NOW)} == meant


def test_contents_are_matched_inside_the_envelope():
    message = TopicMessage("topic", '{"video": "v1"}', {"event_type": Attribute("String", "clip")})
    wrapped = letter(1, wrap(message, message_id=id_of(1), at=NOW, names=Names()))
    assert DeadLetterFilter(contains='{"video": "v1"}', event_type="clip").matches(wrapped, now=NOW)


@pytest.mark.parametrize(
    "body",
    [
        "",
        "[" * 100_000,
        '{"Type": "Notification", "TopicArn": "a", "Message": 1}',
        '{"Type": "Notification", "TopicArn": "a", "Message": "m", "MessageAttributes": {"a": 1}}',
        '{"Type": "Notification", "TopicArn": "a", "Message": "m", "MessageAttributes": {"a": {"Type": "Binary", "Value": "é"}}}',
    ],
)
def test_a_malformed_letter_is_returned_as_it_is(body: str):
    assert notification_in(letter(1, body)).body == body
    assert message_type_of(notification_in(letter(1, body))) is None


@pytest.mark.parametrize(
    ("body", "attributes", "kind"),
    [
        ({"event_type": "in_body"}, {"event_type": "in_attributes"}, "in_attributes"),
        ({"event_type": "in_body"}, {}, "in_body"),
        ({}, {"message_type": "alert_notification"}, "alert_notification"),
        ({"detail-type": "Object Created"}, {}, "Object Created"),
        ({"event_type": 7}, {}, None),
    ],
)
def test_the_type_is_found_wherever_its_family_puts_it(body: object, attributes: dict[str, str], kind: str | None):
    assert message_type_of(notification_in(letter(1, json.dumps(body), attributes=attributes))) == kind


def test_ids_and_attributes_are_parsed_or_rejected_by_name():
    assert parse_message_ids([id_of(1).upper()]) == {id_of(1)}
    assert parse_attributes(["a=b=c", "d="]) == {"a": "b=c", "d": ""}
    with pytest.raises(InvalidInput, match="'x' is not a message id"):
        parse_message_ids(["x"])
    with pytest.raises(InvalidInput, match="'team' is not of the form name=value"):
        parse_attributes(["team"])
