"""Which web pages may read answers."""

import pytest

from sightline.api import create_app
from sightline.config import ApiSettings

APP = "https://app.example"
EVIL = "https://evil.example"
ASKS = {"access-control-request-method": "GET", "access-control-request-headers": "authorization,x-correlation-id"}


def _grants(answer):
    return {name for name in answer.headers if name.startswith("access-control-")}


@pytest.fixture
async def open_to_app(client_with, auth_on):
    return await client_with(api=ApiSettings(cors_origins=(APP,)), auth=auth_on)


async def test_by_default_no_page_of_elsewhere_may_read_and_a_preflight_is_refused(client_with, auth_on):
    client = await client_with(auth=auth_on)
    answer = await client.get("/api/health", headers={"origin": EVIL})
    assert _grants(answer) == set()
    answer = await client.options("/videos", headers=ASKS | {"origin": EVIL})
    assert (answer.status_code, _grants(answer)) == (405, set())


async def test_a_named_origin_may_read(open_to_app, signed_in):
    answer = await open_to_app.get("/videos", headers={"origin": APP} | signed_in("ann"))
    assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (200, APP)


async def test_a_named_origin_passes_the_preflight_without_signing_in(open_to_app):
    answer = await open_to_app.options("/videos", headers=ASKS | {"origin": APP})
    assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (200, APP)
    allowed = answer.headers["access-control-allow-headers"].lower()
    assert "authorization" in allowed
    assert "x-correlation-id" in allowed
    assert "access-control-allow-credentials" not in answer.headers  # cookies are never asked for


async def test_another_origin_may_not_although_one_is_named(open_to_app):
    for origin in (EVIL, "https://app.example.evil.example", "http://app.example", "null", APP + ":8443"):
        answer = await open_to_app.get("/api/health", headers={"origin": origin})
        assert "access-control-allow-origin" not in answer.headers, origin
        preflight = await open_to_app.options("/videos", headers=ASKS | {"origin": origin})
        assert (preflight.status_code, preflight.headers.get("access-control-allow-origin")) == (400, None), origin


async def test_an_answer_to_one_origin_is_not_cached_for_another(open_to_app):
    answer = await open_to_app.get("/api/health", headers={"origin": APP})
    assert "origin" in answer.headers["vary"].lower()


@pytest.mark.req(296)
async def test_a_page_may_read_the_correlation_id_and_when_to_come_back(open_to_app):
    answer = await open_to_app.get("/api/health", headers={"origin": APP})
    exposed = {name.strip() for name in answer.headers["access-control-expose-headers"].lower().split(",")}
    assert {"x-correlation-id", "retry-after", "etag"} <= exposed


async def test_a_page_may_read_why_it_was_refused(open_to_app):
    for path, status in (("/videos", 401), ("/nope", 404), ("/api/health?deep=x", 400)):
        answer = await open_to_app.get(path, headers={"origin": APP})
        assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (status, APP)


async def test_a_page_may_read_that_we_failed(platform_with, client_for):
    app = create_app(await platform_with(api=ApiSettings(cors_origins=(APP,))))

    async def crash() -> None:
        raise RuntimeError("boom")

    app.add_api_route("/crash", crash)
    answer = await client_for(app).get("/crash", headers={"origin": APP})
    assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (500, APP)
    assert answer.json()["error"]["code"] == "INTERNAL_SERVER_ERROR"
