"""Values that cannot be stored or computed with are refused by every route, and never answered with 500."""

import json
from datetime import UTC
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sightline.api.serving.value_rules import InvalidValue, check_body, check_query
from sightline.errors import InvalidInput
from sightline.paging import Cursor
from support.route_walk import BadValue, operations

JSON = {"content-type": "application/json"}
TOO_LARGE = (507, "/s3/multipart")  # starts an upload: a size that no disk has is refused as such
ENDLESS = "live.mjpeg"
LIVE = "/api/live"  # 503 here: no test of this file runs the hub

NUL = BadValue("NUL", rb'"a\u0000b"', "a%00b", is_always_refused=True)
HALF = BadValue("half a character", rb'"\ud83d"', None, is_always_refused=True)
RAW_HALF = BadValue("half a character in UTF-8", b'"\xed\xa0\xbd"', "%ED%A0%BD")
NAN = BadValue("NaN", b"NaN", "NaN")
NOT_A_NUMBER = (
    NAN,
    BadValue("-Infinity", b"-Infinity", "-Infinity"),
    BadValue("1e999", b"1e999", "1e999"),
    BadValue("-1E+999", b"-1E+999", "-1E%2B999"),
    BadValue("400 digits", b"9" * 400, "9" * 400),
    BadValue("400 digits and a point", b"9" * 400 + b".5", "9" * 400 + ".5"),
    BadValue("2**63", str(2**63).encode(), str(2**63)),
)
TIMES = tuple(
    BadValue(text, json.dumps(text).encode(), text.replace("+", "%2B"))
    for text in ("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "9999-12-31T23:59:59.999999Z")
)
CURSORS = tuple(
    BadValue(text, json.dumps(text).encode(), text.replace("+", "%2B"))
    for text in (
        "0001-01-01T00:00:00+14:00_1",
        f"9999-12-31T23:59:59Z_{10**30}",
        f"9999-12-31T23:59:59-14:00_{'f' * 32}",
    )
)
VALUES = (NUL, HALF, RAW_HALF, *NOT_A_NUMBER, *TIMES, *CURSORS)
REFUSED_IN_JSON = {NUL, HALF, RAW_HALF, NAN, *NOT_A_NUMBER[:4], NOT_A_NUMBER[5]}


async def _status(client, operation, place, value):
    address, body = operation.request(place, value)
    answer = await client.request(operation.method, address, content=body, headers=JSON if body else {})
    return answer.status_code


@pytest.mark.req(328)
@pytest.mark.time_limit(600)
async def test_no_route_answers_500_whatever_stands_where_a_value_is_expected(app, client):
    # Live pictures first, while there is no camera yet: those of a camera never end.
    routes = sorted(operations(app.openapi()), key=lambda one: not one.path.endswith(ENDLESS))
    assert len(routes) > 60
    wrong, requests = [], 0
    for operation in routes:
        for place in operation.places():
            for value in VALUES:
                if (value.in_json if place[0] == "body" else value.in_address) is None:
                    continue
                status = await _status(client, operation, place, value)
                requests += 1
                is_expected = (status, operation.path) == TOO_LARGE or (
                    status == 503 and operation.path.startswith(LIVE)
                )
                if status >= 500 and not is_expected:
                    wrong.append((operation.name, place, value.name, status))
                is_refused = value.is_always_refused or (place[0] == "body" and value in REFUSED_IN_JSON)
                # A path with such a value may also just lead nowhere.
                if is_refused and status not in ((400, 404, 422) if place[0] == "path" else (400, 422)):
                    wrong.append((operation.name, place, value.name, status))
    assert wrong == []
    assert requests > 1000


NASTY = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(), max_size=20)
    | st.sampled_from(["\0", "\ud800", "😀", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", 10**400, 2**63])
)
DOCUMENTS = st.recursive(
    NASTY,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.req(328)
@pytest.mark.time_limit(600)
@settings(
    max_examples=150,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(data=st.data())
async def test_no_body_that_can_be_thought_of_is_answered_with_500(app, client, data):
    with_body = [one for one in operations(app.openapi()) if one.body is not None]
    operation = data.draw(st.sampled_from(with_body), label="operation")
    body = operation.body
    if isinstance(body, dict) and data.draw(st.booleans()):
        body = body | {name: data.draw(DOCUMENTS) for name in data.draw(st.sets(st.sampled_from(sorted(body))))}
    else:
        body = data.draw(DOCUMENTS)
    address, _ = operation.request()
    answer = await client.request(operation.method, address, content=json.dumps(body).encode(), headers=JSON)
    assert answer.status_code < 500 or operation.path.startswith(LIVE), (operation.name, body)


@pytest.mark.req(329)
async def test_emoji_in_attributes_come_back_as_they_were_sent(client):
    await client.post("/api/cameras", json={"name": "Front Door"})
    sent = rb'{"camera_id": "front_door", "object_type": "person", "confidence": 0.5, "attributes": '
    for written, text in (
        (rb'{"text": "\ud83d\ude00 caf\u00e9"}', "😀 café"),
        ('{"text": "😀 𝔘nicode"}'.encode(), "😀 𝔘nicode"),
        (rb'{"text": "C:\\ud\\u0000"}', "C:\\ud\\u0000"),
    ):
        answer = await client.post("/api/detections", content=sent + written + b"}", headers=JSON)
        assert answer.status_code == 201, answer.text
        listed = (await client.get("/api/detections")).json()["detections"]
        assert listed[0]["attributes"] == {"text": text}


@pytest.mark.req(328)
async def test_the_refusal_says_what_is_wrong_in_the_form_of_its_path(client):
    for path, status in (("/api/cameras", 400), ("/videos", 422)):
        answer = await client.post(path, content=rb'{"name": "a\u0000b"}', headers=JSON)
        assert (answer.status_code, answer.json()["error"]["code"]) == (status, "VALIDATION_ERROR")
        problem = {"field": "name", "in": "body", "message": "contains a NUL character"}
        assert answer.json()["error"]["details"]["errors"] == [problem]


@pytest.mark.req(328)
@given(st.datetimes(timezones=st.timezones()), st.uuids())
def test_a_cursor_of_any_time_is_read_or_refused_and_nothing_else(moment, item):
    try:
        found = Cursor.parse(f"{moment.isoformat()}_{item}", UUID)
    except InvalidInput:
        return
    assert (found.at.tzinfo, found.id) == (UTC, item)


@pytest.mark.req(329)
@given(st.recursive(st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=5))
def test_text_without_half_characters_and_nul_passes_however_it_is_written(value):
    for body in (json.dumps(value), json.dumps(value, ensure_ascii=False)):
        if "\\u0000" in json.dumps(value).replace("\\\\", ""):
            with pytest.raises(InvalidValue):
                check_body(body.encode("utf-8", "surrogatepass"))
        else:
            check_body(body.encode("utf-8", "surrogatepass"))


@pytest.mark.req(328)
@pytest.mark.parametrize(
    "body", [b"[NaN]", b"[1e400]", b'{"a": -Infinity}', b"[" + b"1" * 310 + b".0]", rb'["\udc00"]']
)
def test_numbers_without_end_and_half_characters_are_refused(body):
    with pytest.raises(InvalidValue):
        check_body(body)


@pytest.mark.parametrize("body", [b"", b"{", b"[" * 100_000 + b"NaN", b'"1e999 NaN"', b"[1e99, 0.1e-400]"])
def test_what_is_no_json_is_left_to_the_route_and_what_is_harmless_passes(body):
    check_body(body)


@pytest.mark.req(328)
def test_a_query_with_nul_is_refused_however_it_is_written():
    for query in (b"a=1&x=%00", b"x=\x00", b"x%00=1"):
        with pytest.raises(InvalidValue) as refused:
            check_query(query)
        assert (refused.value.where, refused.value.field) == ("query", "x")
    check_query(b"x=%2500&y=%0")
