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
@pytest.mark.parametrize("limit", ["0", "101", "x", "", "1e3", "9" * 5000, "%00"])
async def test_a_bad_request_elsewhere_is_422(client, limit):
    error = is_error(await client.get(f"/videos?limit={limit}"), 422, "VALIDATION_ERROR")
    assert [(problem["in"], problem["field"]) for problem in error["details"]["errors"]] == [("query", "limit")]


@pytest.mark.req(184)
@pytest.mark.parametrize("video", ["1", "%00", "%FF%FE", "..%2f..%2fetc%2fpasswd", "é", "a" * 5000, "%0d%0aa:b"])
async def test_an_id_that_is_none_is_refused(client, video):
    answer = await client.get(f"/videos/{video}")
    assert answer.status_code in (404, 422)
    is_error(answer, answer.status_code, "VALIDATION_ERROR" if answer.status_code == 422 else "NOT_FOUND")


@pytest.mark.req(184)
@pytest.mark.parametrize(("path", "status"), [("/things", 422), ("/api/things", 400)])
@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"null", b"[]", b'"x"', b"{}", b'{"name": 1}', b"\x00", b'{"name": "a", "size": 1e999}'],
)
async def test_a_bad_body_is_refused_by_the_same_rule(wider, path, status, body):
    answer = await wider.post(path, content=body, headers={"content-type": "application/json"})
    is_error(answer, status, "VALIDATION_ERROR")


@pytest.mark.req(184)
@pytest.mark.parametrize("body", [b"\xff\xfe", b'{"name": "\xff"}', b"[" * 100_000])
async def test_a_body_that_cannot_be_read_at_all_is_the_callers_fault(wider, body):
    answer = await wider.post("/things", content=body, headers={"content-type": "application/json"})
    assert answer.status_code in (400, 422)
    is_error(answer, answer.status_code, "VALIDATION_ERROR")


@pytest.mark.req(184)
async def test_a_wrong_value_is_not_echoed(wider):
    answer = await wider.post("/things", json={"name": ["hunter2"], "size": "hunter2"})
    error = is_error(answer, 422, "VALIDATION_ERROR")
    assert [problem["field"] for problem in error["details"]["errors"]] == ["name", "size"]
    assert "hunter2" not in answer.text


@pytest.mark.req(184)
async def test_nobody_known_is_401_and_told_how_to_sign_in(client_with, auth_on):
    answer = await (await client_with(auth=auth_on)).get("/videos")
    is_error(answer, 401, "UNAUTHORIZED")
    assert answer.headers["www-authenticate"] == "Bearer"


@pytest.mark.req(184)
async def test_nobody_known_is_told_so_before_what_else_is_wrong(client_with, auth_on):
    client = await client_with(auth=auth_on)
    is_error(await client.get("/videos/x"), 401, "UNAUTHORIZED")


@pytest.mark.req(184)
async def test_somebody_who_may_not_is_403(client_with, auth_on, signed_in):
    client = await client_with(auth=auth_on)
    is_error(await client.get("/api/status", headers=signed_in("ann")), 403, "FORBIDDEN")


@pytest.mark.req(184)
async def test_an_unknown_video_is_404_with_its_own_code(client):
    error = is_error(await client.get(f"/videos/{NOBODYS}"), 404, "VIDEO_NOT_FOUND")
    assert NOBODYS in error["message"]


@pytest.mark.req(184)
@pytest.mark.parametrize(
    "path", ["/nope", "/videos/a/b", "/%2e%2e/x", "/api", "/api/%00", "/%FF", "/Videos", "/docs/assets/nope"]
)
async def test_an_unknown_path_is_404(client, path):
    is_error(await client.get(path), 404, "NOT_FOUND")


@pytest.mark.req(184)
@pytest.mark.parametrize(
    "path",
    [
        "/docs/assets/../__init__.py",
        "/docs/assets/..%2f__init__.py",
        "/docs/assets/%2e%2e/%2e%2e/fastapi/__init__.py",
        "/docs/assets//etc/passwd",
        "/docs/assets/%00",
        "/docs/assets/" + "a" * 3000,
        "/docs/assets/",
    ],
)
async def test_no_path_leads_out_of_the_assets(client, path):
    is_error(await client.get(path), 404, "NOT_FOUND")


@pytest.mark.req(184)
@pytest.mark.parametrize("method", ["DELETE", "PUT", "PATCH", "OPTIONS", "TRACE", "BREW"])
async def test_a_wrong_method_is_405_and_told_the_right_one(client, method):
    answer = await client.request(method, "/videos")
    is_error(answer, 405, "METHOD_NOT_ALLOWED")
    assert answer.headers["allow"] == "GET"


@pytest.mark.req(184)
async def test_a_state_that_does_not_allow_it_is_409(wider):
    error = is_error(await wider.get("/fail/conflict"), 409, "CONFLICT")
    assert error["details"] == {"status": "COMPLETED"}


@pytest.mark.req(184)
async def test_whoever_asks_too_often_is_429_and_told_when_to_come_back(client_with):
    client = await client_with(api=ApiSettings(rate_limit_per_minute=10))
    assert (await client.get("/videos")).status_code == 200
    answer = await client.get("/videos")
    is_error(answer, 429, "RATE_LIMIT_EXCEEDED")
    assert 1 <= int(answer.headers["retry-after"]) <= 6


async def test_the_limit_of_one_caller_is_not_anothers(client_with, auth_on, signed_in):
    client = await client_with(api=ApiSettings(rate_limit_per_minute=10), auth=auth_on)
    statuses = [(await client.get("/videos", headers=signed_in(who))).status_code for who in ("ann", "ann", "ben")]
    assert statuses == [200, 429, 200]


async def test_health_is_answered_to_whoever_asks_too_often(client_with):
    client = await client_with(api=ApiSettings(rate_limit_per_minute=10))
    await client.get("/videos")
    await client.get("/videos")
    assert (await client.get("/api/health")).status_code == 200


@pytest.mark.req(184)
@pytest.mark.parametrize("path", ["/crash", "/fail/permanent"])
async def test_a_failure_on_our_side_is_500_and_tells_nothing_of_the_inside(wider, path):
    answer = await wider.get(path)
    error = is_error(answer, 500, "INTERNAL_SERVER_ERROR")
    assert error["details"] == {}
    assert "hunter2" not in answer.text
    assert "RuntimeError" not in answer.text


@pytest.mark.req(184)
@pytest.mark.parametrize("path", ["/fail/transient", "/fail/unavailable"])
async def test_what_may_work_later_is_503(wider, path):
    is_error(await wider.get(path), 503, "SERVICE_UNAVAILABLE")


@pytest.mark.req(184)
async def test_a_database_that_is_gone_is_503_and_named(client_with, database_wire):
    client = await client_with(url=database_wire.url)
    await database_wire.cut()
    error = is_error(await client.get("/videos"), 503, "SERVICE_UNAVAILABLE")
    assert error["details"] == {"part": "database"}


async def test_a_database_that_came_back_answers_again(client_with, database_wire):
    client = await client_with(url=database_wire.url)
    await database_wire.cut()
    assert (await client.get("/videos")).status_code == 503
    await database_wire.mend()
    assert (await client.get("/videos")).status_code == 200
