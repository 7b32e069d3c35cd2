"""Browsers: headers of every response, and requests that a foreign page makes them send."""

from uuid import uuid4

import pytest
from pydantic import SecretStr

from sightline.api import create_app
from sightline.config import ApiSettings
from sightline.observability import ObservabilitySettings
from support.raw_http import raw_client, request

NOSNIFF, POLICY = "x-content-type-options", "cross-origin-resource-policy"


@pytest.mark.req(330)
@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/api/health",
        "/videos",
        "/nope",
        "/docs",
        "/docs/assets/swagger-ui.css",
        "/openapi.json",
        "/metrics",
        "/ui/x",
    ],
)
async def test_every_answer_says_that_its_type_is_not_to_be_guessed_and_whose_it_is(client, path):
    headers = (await client.get(path)).headers
    assert (headers[NOSNIFF], headers[POLICY]) == ("nosniff", "same-origin")
    assert len(headers.get_list(NOSNIFF)) == len(headers.get_list(POLICY)) == 1


@pytest.mark.req(330)
async def test_errors_and_refusals_say_it_too(client, wider):
    for answer in (
        await wider.get("/crash"),
        await wider.post("/things", content=b"x" * (1024 * 1024 + 1)),
        await client.get("/videos", headers={"host": "evil.example"}),
        await client.get("/videos", headers={"sec-fetch-site": "cross-site"}),
        await client.request("OPTIONS", "/videos"),
    ):
        assert answer.status_code >= 400
        assert (answer.headers[NOSNIFF], answer.headers[POLICY]) == ("nosniff", "same-origin")


@pytest.mark.req(330)
async def test_a_signed_address_may_be_embedded_by_any_page(client):
    for method in ("GET", "OPTIONS"):
        headers = (await client.request(method, "/objects/fiapx-videos/x")).headers
        assert (headers[NOSNIFF], headers[POLICY]) == ("nosniff", "cross-origin")


@pytest.mark.req(330)
async def test_what_the_server_answers_by_itself_says_it_too(app, serving):
    handshake = ("connection: Upgrade", "upgrade: websocket", "sec-websocket-version: 13", "sec-websocket-key: short")
    async with serving(app) as port:
        for sent in (b"nonsense\r\n\r\n", request("GET", "/ws/events", *handshake)):
            async with raw_client(port, sent) as client:
                answer = await client.answer()
                assert answer.status == 400
                assert (answer.headers[NOSNIFF], answer.headers[POLICY]) == ("nosniff", "same-origin")


def fetched(site: str, mode: str = "no-cors", dest: str = "image", **more: str) -> dict[str, str]:
    return {"sec-fetch-site": site, "sec-fetch-mode": mode, "sec-fetch-dest": dest} | more


@pytest.mark.req(331)
@pytest.mark.parametrize("is_signed_in", [False, True])
async def test_a_foreign_page_cannot_have_its_browser_get_anything(client_with, auth_on, signed_in, is_signed_in):
    client = await client_with(**({"auth": auth_on} if is_signed_in else {}))
    caller = signed_in("ann") if is_signed_in else {}
    for path in ("/videos", "/api/health", "/api/events", "/metrics", "/docs/assets/swagger-ui.css", "/"):
        for site in ("cross-site", "same-site"):
            for headers in (fetched(site), fetched(site, "navigate", "iframe"), fetched(site, "cors", "empty")):
                answer = await client.get(path, headers=headers | caller)
                assert (answer.status_code, answer.json()["error"]["code"]) == (403, "FORBIDDEN"), (path, headers)


@pytest.mark.req(331)
async def test_our_own_pages_typed_addresses_and_links_are_served(client):
    for headers in (
        fetched("same-origin", "cors", "empty"),
        fetched("same-origin"),
        fetched("none", "navigate", "document"),
        fetched("cross-site", "navigate", "document"),
        {},
    ):
        assert (await client.get("/videos", headers=headers)).status_code == 200, headers


@pytest.mark.req(331)
async def test_a_link_may_only_read(client):
    headers = fetched("cross-site", "navigate", "document")
    answer = await client.post("/api/cameras", headers=headers, json={"name": "Yard"})
    assert answer.status_code == 403


@pytest.mark.req(331)
async def test_an_origin_that_may_call_is_served_and_signed_addresses_are_for_all(client_with):
    client = await client_with(api=ApiSettings(cors_origins=("https://app.example",)))
    allowed = fetched("cross-site", "cors", "empty", origin="https://app.example")
    assert (await client.get("/videos", headers=allowed)).status_code == 200
    other = fetched("cross-site", "cors", "empty", origin="https://evil.example")
    assert (await client.get("/videos", headers=other)).status_code == 403
    unsigned = await client.get("/objects/fiapx-videos/x", headers=fetched("cross-site"))
    assert b"<Code>" in unsigned.content, "refused by its signature, not by where the page is from"


@pytest.mark.req(332)
async def test_strangers_do_not_see_the_description_and_the_parts(client_with, auth_on, signed_in):
    client = await client_with(auth=auth_on)
    for path in ("/docs", "/openapi.json", "/api/health?deep=true"):
        answer = await client.get(path)
        assert (answer.status_code, answer.json()["error"]["code"]) == (401, "UNAUTHORIZED"), path
        assert (await client.get(path, headers=signed_in("ann"))).status_code == 200, path
    assert (await client.get("/api/health")).status_code == 200


@pytest.mark.req(332)
async def test_a_probe_may_use_the_metrics_token_for_deep_health(client_with, auth_on):
    client = await client_with(auth=auth_on, observability=ObservabilitySettings(metrics_token=SecretStr("for probes")))
    headers = {"authorization": "Bearer for probes"}
    assert (await client.get("/api/health?deep=true", headers=headers)).status_code == 200
    assert (await client.get("/docs", headers=headers)).status_code == 401


@pytest.mark.req(333)
@pytest.mark.parametrize("character", ["\x1b", "\n", "\x7f", "\x85", "\u2028", "\u202e", "\u2066"])
async def test_names_have_no_control_characters(client, character):
    name = f"front{character}door"
    for path, body in (
        ("/api/cameras", {"name": name}),
        ("/api/alert-rules", {"name": name}),
        ("/videos", {"filename": f"{name}.mp4", "totalSize": 10}),
        ("/s3/multipart", {"filename": f"{name}.mp4", "type": "video/mp4"}),
        ("/api/detections", {"camera_id": name, "object_type": "person", "confidence": 0.5}),
    ):
        answer = await client.post(path, json=body)
        assert answer.status_code in (400, 422), (path, answer.text)
    emoji = await client.post("/api/cameras", json={"name": "👩‍👩‍👧 Straße"})
    assert emoji.status_code == 201


@pytest.mark.req(334)
async def test_the_priority_of_a_job_is_bounded_for_users_and_not_for_operators(
    platform_with, client_for, auth_on, signed_in, video_of
):
    ann = uuid4()
    video = await video_of(ann)
    client = client_for(create_app(await platform_with(auth=auth_on)))
    for roles, priority, is_accepted in (
        ({}, 10, True),
        ({}, -10, True),
        ({}, 11, False),
        ({}, 1000, False),
        ({"sightline_role": "operator"}, 1000, True),
        ({"sightline_role": "operator"}, 1001, False),
    ):
        body = {"video_id": str(video), "priority": priority}
        answer = await client.post("/jobs", json=body, headers=signed_in(ann, **roles))
        assert (answer.status_code < 300) is is_accepted, (roles, priority, answer.text)
        assert is_accepted or "priority" in answer.json()["error"]["message"]
