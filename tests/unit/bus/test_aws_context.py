"""What travels along with a message over AWS is found again, fits, and is never taken on trust."""

import json

import pytest

from sightline.bus import Attribute
from sightline.bus.aws.context import (
    ATTRIBUTE,
    DeathRecord,
    MessageContext,
    add_to_attributes,
    add_to_resources,
    extract,
    size_bytes,
)

ID = "6f2b4a0e-3c55-4a55-9a0a-0f8b9f0e2a11"
CARRIED = MessageContext(ID, {"correlation_id": "c:1", "traceparent": "00-aa-bb-01"})


def test_attributes_carry_the_context():
    given = {"a": Attribute("String", "x")}
    carried = MessageContext(ID, {"correlation_id": "c"}, DeathRecord("work", "why \u20ac", 3, 1, 2), redrives=4)
    found, rest = extract("body", add_to_attributes(given, "body", carried))
    assert (found, rest) == (carried, given)


def test_an_envelope_carries_the_context():
    attribute = {"Type": "String", "Value": CARRIED.as_text()}
    body = json.dumps({"Type": "Notification", "Message": "x", "MessageAttributes": {ATTRIBUTE: attribute}})
    assert extract(body, {}) == (CARRIED, {})


@pytest.mark.parametrize("is_wrapped", [False, True])
def test_an_event_carries_the_context_in_its_resources(is_wrapped: bool):
    body = json.dumps({"detail": {}, "resources": add_to_resources(["arn:one"], CARRIED)})
    if is_wrapped:
        body = json.dumps({"Type": "Notification", "Message": body})
    assert extract(body, {})[0] == CARRIED


def test_it_stays_behind_where_there_is_no_room():
    ten = {f"a{number}": Attribute("String", "x") for number in range(10)}
    assert add_to_attributes(ten, "body", CARRIED) is ten
    body = "x" * (256 * 1024 - 50)
    assert add_to_attributes({}, body, CARRIED) == {}
    fits = "x" * (256 * 1024 - size_bytes("", add_to_attributes({}, "", CARRIED)))
    assert ATTRIBUTE in add_to_attributes({}, fits, CARRIED)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "[]",
        "null",
        '{"id": 5}',
        '{"id": "no"}',
        '{"dead": ["q"]}',
        '{"redrives": "x"}',
        '{"correlation_id": 1}',
    ],
)
def test_malformed_context_is_ignored(text: str):
    assert extract("body", {ATTRIBUTE: Attribute("String", text)}) == (MessageContext(), {})
    assert extract(json.dumps({"resources": [f"urn:sightline:id:{text}", 5, None]}), {})[0] == MessageContext()
    assert extract(f'{{"Type": "Notification", "MessageAttributes": {{"{ATTRIBUTE}": 5}}}}', {})[0] == MessageContext()
