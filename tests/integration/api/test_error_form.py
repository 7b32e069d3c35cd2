"""Every code of the one error form, through real requests."""

import pytest

from sightline.config import ApiSettings
from support.asking import is_error

NOBODYS = "00000000-0000-0000-0000-0000000000ff"


@pytest.mark.req(184)
async def test_a_bad_request_below_api_is_400(client):
    error = is_error(await client.get("/api/health?deep=maybe"), 400, "VALIDATION_ERROR")
    assert error["details"]["errors"][0]["field"] == "deep"


@pytest.mark.req(184)
async def test_a_bad_request_elsewhere_is_422(client):
    for limit in ("0", "101", "x", "", "1e3", "9" * 5000, "%00"):
        error = is_error(await client.get(f"/videos?limit={limit}"), 422, "VALIDATION_ERROR")
        problems = [(problem["in"], problem["field"]) for problem in error["details"]["errors"]]
        assert problems == [("query", "limit")], limit


@pytest.mark.req(184)
async def test_an_id_that_is_none_is_refused(client):
    for video in ("1", "%00", "%FF%FE", "..%2f..%2fetc%2fpasswd", "é", "a" * 5000, "%0d%0aa:b"):
        answer = await client.get(f"/videos/{video}")
        assert answer.status_code in (404, 422), video
        is_error(answer, answer.status_code, "VALIDATION_ERROR" if answer.status_code == 422 else "NOT_FOUND")


@pytest.mark.req(184)
@pytest.mark.parametrize(("path", "status"), [("/things", 422), ("/api/things", 400)])
async def test_a_bad_body_is_refused_by_the_same_rule(wider, path, status):
    for body in (b"", b"{", b"null", b"[]", b'"x"', b"{}", b'{"name": 1}', b"\x00", b'{"name": "a", "size": 1e999}'):
        answer = await wider.post(path, content=body, headers={"content-type": "application/json"})
        is_error(answer, status, "VALIDATION_ERROR")


@pytest.mark.req(184)
async def test_a_body_that_cannot_be_read_at_all_is_the_callers_fault(wider):
    for body in (b"\xff\xfe", b'{"name": "\xff"}', b"[" * 100_000):
        answer = await wider.post("/things", content=body, headers={"content-type": "application/json"})
        assert answer.status_code in (400, 422), body[:20]
        is_error(answer, answer.status_code, "VALIDATION_ERROR")


@pytest.mark.req(184)
async def test_a_wrong_value_is_not_echoed(wider):
    answer = await wider.post("/things", json={"name": ["hunter2"], "size": "hunter2"})
    error = is_error(answer, 422, "VALIDATION_ERROR")
    assert [problem["field"] for problem in error["details"]["errors"]] == ["name", "size"]
    assert "hunter2" not in answer.text


@pytest.mark.req(1160)
async def test_a_wrong_value_is_named_by_kind_and_limit_for_programs_that_say_it_in_another_language(client):
    error = is_error(await client.get("/videos?limit=101"), 422, "VALIDATION_ERROR")
    (problem,) = error["details"]["errors"]
    assert (problem["kind"], problem["limit"]) == ("less_than_equal", "100")
    error = is_error(await client.get("/api/health?deep=maybe"), 400, "VALIDATION_ERROR")
    (problem,) = error["details"]["errors"]
    assert problem["kind"] == "bool_parsing"
    assert "limit" not in problem


@pytest.mark.req(184)
async def test_an_unknown_caller_is_401_with_the_way_to_sign_in_whatever_else_is_wrong(client_with, auth_on):
    client = await client_with(auth=auth_on)
    for path in ("/videos", "/videos/x"):
        answer = await client.get(path)
        is_error(answer, 401, "UNAUTHORIZED")
        assert answer.headers["www-authenticate"] == "Bearer"


@pytest.mark.req(184)
async def test_a_caller_who_may_not_is_403(client_with, auth_on, signed_in):
    client = await client_with(auth=auth_on)
    is_error(await client.get("/api/status", headers=signed_in("ann")), 403, "FORBIDDEN")


@pytest.mark.req(184)
async def test_an_unknown_video_is_404_with_its_own_code(client):
    error = is_error(await client.get(f"/videos/{NOBODYS}"), 404, "VIDEO_NOT_FOUND")
    assert NOBODYS in error["message"]


@pytest.mark.req(184)
async def test_an_unknown_path_is_404(client):
    for path in ("/nope", "/videos/a/b", "/%2e%2e/x", "/api", "/api/%00", "/%FF", "/Videos", "/docs/assets/nope"):
        is_error(await client.get(path), 404, "NOT_FOUND")


@pytest.mark.req(184)
async def test_no_path_leads_out_of_the_assets(client):
    for path in (
        "/docs/assets/../__init__.py",
        "/docs/assets/..%2f__init__.py",
        "/docs/assets/%2e%2e/%2e%2e/fastapi/__init__.py",
        "/docs/assets//etc/passwd",
        "/docs/assets/%00",
        "/docs/assets/" + "a" * 3000,
        "/docs/assets/",
    ):
        is_error(await client.get(path), 404, "NOT_FOUND")


@pytest.mark.req(184)
async def test_a_wrong_method_is_405_with_the_right_one(client):
    for method in ("DELETE", "PUT", "PATCH", "OPTIONS", "TRACE", "BREW"):
        answer = await client.request(method, "/videos")
        is_error(answer, 405, "METHOD_NOT_ALLOWED")
        assert answer.headers["allow"] == "GET"


@pytest.mark.req(184)
async def test_a_state_that_does_not_allow_it_is_409(wider):
    error = is_error(await wider.get("/fail/conflict"), 409, "CONFLICT")
    assert error["details"] == {"status": "COMPLETED"}


@pytest.mark.req(184)
async def test_a_caller_who_asks_too_often_is_429_until_the_time_that_is_named(client_with, still_limits):
    client = await client_with(api=ApiSettings(rate_limit_per_minute=10))
    assert (await client.get("/videos")).status_code == 200
    answer = await client.get("/videos")
    is_error(answer, 429, "RATE_LIMIT_EXCEEDED")
    assert answer.headers["retry-after"] == "6"
    assert (await client.get("/api/health")).status_code == 200  # which is not limited
    still_limits.now += 6
    assert (await client.get("/videos")).status_code == 200


@pytest.mark.usefixtures("still_limits")
async def test_the_limit_of_one_caller_is_not_anothers(client_with, auth_on, signed_in):
    client = await client_with(api=ApiSettings(rate_limit_per_minute=10), auth=auth_on)
    statuses = [(await client.get("/videos", headers=signed_in(who))).status_code for who in ("ann", "ann", "ben")]
    assert statuses == [200, 429, 200]


@pytest.mark.req(184)
async def test_a_failure_on_our_side_is_500_and_shows_nothing_of_the_inside(wider):
    for path in ("/crash", "/fail/permanent"):
        answer = await wider.get(path)
        error = is_error(answer, 500, "INTERNAL_SERVER_ERROR")
        assert error["details"] == {}
        assert "hunter2" not in answer.text
        assert "RuntimeError" not in answer.text


@pytest.mark.req(184)
async def test_what_may_work_later_is_503(wider):
    for path in ("/fail/transient", "/fail/unavailable"):
        is_error(await wider.get(path), 503, "SERVICE_UNAVAILABLE")


@pytest.mark.req(184)
async def test_a_database_that_is_gone_is_503_and_named_until_it_is_back(client_with, database_wire):
    client = await client_with(url=database_wire.url)
    await database_wire.cut()
    error = is_error(await client.get("/videos"), 503, "SERVICE_UNAVAILABLE")
    assert error["details"] == {"part": "database"}
    await database_wire.mend()
    assert (await client.get("/videos")).status_code == 200
