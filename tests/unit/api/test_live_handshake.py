"""What a handshake says: keys in three places, and a place in the stream."""

import time

import jwt
import pytest

from sightline.api.auth.jwks import LEEWAY_S
from sightline.api.live.handshake import Credential, read_connect_request, read_credential, seconds_left
from sightline.errors import InvalidInput
from sightline.live import EVERYTHING, ConnectRequest, ResumePoint


def scope(query="", headers=(), subprotocols=()):
    return {
        "type": "websocket",
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in headers],
        "subprotocols": list(subprotocols),
    }


HEADER = [("authorization", "Bearer from-header")]


@pytest.mark.req(219)
@pytest.mark.parametrize(
    ("asked", "credential"),
    [
        (scope(), Credential(None, None)),
        (scope("token=abc"), Credential("Bearer abc", None)),
        (scope("key=abc"), Credential("Bearer abc", None)),
        (scope("token=&key=abc"), Credential("Bearer abc", None)),
        (scope(subprotocols=["bearer.a.b.c"]), Credential("Bearer a.b.c", "bearer.a.b.c")),
        (scope(subprotocols=["api-key.a", "sightline"]), Credential("Bearer a", "sightline")),
        (scope(subprotocols=["sightline"]), Credential(None, "sightline")),
        (scope("token=abc", subprotocols=["bearer.x"]), Credential("Bearer abc", "bearer.x")),
        (scope("token=abc", HEADER, ["bearer.x"]), Credential("Bearer from-header", "bearer.x")),
    ],
)
def test_the_key_is_found_wherever_it_is(asked, credential):
    assert read_credential(asked) == credential


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", ConnectRequest()),
        ("client_id=a-B_9.:", ConnectRequest("a-B_9.:")),
        ("last_sequence=0", ConnectRequest(position=ResumePoint(0))),
        ("last_sequence=42&epoch=ab12cd34", ConnectRequest(position=ResumePoint(42, "ab12cd34"))),
        ("epoch=ab12cd34", ConnectRequest()),
        ("patterns=alert.*,event", ConnectRequest(patterns=frozenset({"alert.*", "event"}))),
        ("patterns=", ConnectRequest(patterns=EVERYTHING)),
    ],
)
def test_the_resume_point_is_read_from_the_query(query, expected):
    assert read_connect_request(scope(query)) == expected


@pytest.mark.parametrize(
    "query",
    ["client_id=", "client_id=" + "x" * 65, "last_sequence=", "last_sequence=1.5", "last_sequence=٣", "patterns=*x"],
)
def test_nonsense_is_refused(query):
    with pytest.raises(InvalidInput):
        read_connect_request(scope(query))


def test_a_token_says_how_long_it_holds_and_other_keys_do_not():
    before = time.time()
    expires = int(before) + 100
    left = seconds_left("Bearer " + jwt.encode({"sub": "x", "exp": expires}, "s" * 32))
    assert left is not None
    assert expires - time.time() <= left - LEEWAY_S <= expires - before
    assert seconds_left("Bearer " + jwt.encode({"sub": "x"}, "s" * 32)) is None
    assert seconds_left("Bearer opaque-key") is None
    assert seconds_left(None) is None
