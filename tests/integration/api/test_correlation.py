"""The correlation id: accepted or made, given back with every answer, and in every log line."""

import uuid

import pytest

from sightline.api import create_app
from sightline.config import ApiSettings
from sightline.observability import correlation_id
from support.live_rig import http_client

HEADER = "x-correlation-id"


@pytest.fixture
def crashing_app(app):
    async def crash() -> None:
        raise RuntimeError("the inside")

    app.add_api_route("/crash", crash)
    return app


@pytest.mark.req(296)
async def test_an_offered_id_is_given_back(client):
    answer = await client.get("/api/health", headers={HEADER: "order-66:a/b"})
    assert answer.headers.get_list(HEADER) == ["order-66:a/b"]


@pytest.mark.req(296)
async def test_without_one_an_id_is_made(client):
    first, second = [(await client.get("/api/health")).headers[HEADER] for _ in range(2)]
    assert first != second
    assert uuid.UUID(first).version == 4


@pytest.mark.req(296)
async def test_an_unfit_id_is_replaced(client):
    for offered in (b"a b", b"\xff\xfe", b"x" * 129, b"", b"id\r\nset-cookie: a=b", b"<script>", b"id\x00"):
        answer = await client.get("/api/health", headers=[(b"x-correlation-id", offered)])
        assert uuid.UUID(answer.headers[HEADER]).version == 4, offered
        assert "set-cookie" not in answer.headers, offered


@pytest.mark.req(296)
async def test_of_two_offered_ids_one_is_given_back(client):
    answer = await client.get("/api/health", headers=[(HEADER, "one"), (HEADER, "two")])
    assert answer.headers.get_list(HEADER) == ["one"]


@pytest.mark.req(296)
async def test_every_answer_carries_the_id(crashing_app, client_for):
    client = client_for(crashing_app)
    for method, path, status in (
        ("GET", "/no/such/path", 404),
        ("DELETE", "/videos", 405),
        ("GET", "/videos?limit=x", 422),
        ("GET", "/api/health?deep=x", 400),
        ("GET", "/crash", 500),
        ("GET", "/docs", 200),
        ("GET", "/videos/", 404),
    ):
        answer = await client.request(method, path, headers={HEADER: "c-1"})
        assert (answer.status_code, answer.headers.get_list(HEADER)) == (status, ["c-1"]), path


@pytest.mark.req(296)
async def test_a_refusal_of_the_outer_layers_carries_the_id_too(client):
    foreign = await client.get("/api/health", headers={HEADER: "c-1", "host": "evil.example"})
    large = await client.post("/videos", headers={HEADER: "c-2"}, content=b"x" * 2_000_000)
    assert [(answer.status_code, answer.headers[HEADER]) for answer in (foreign, large)] == [(403, "c-1"), (413, "c-2")]


@pytest.mark.req(296)
async def test_a_preflight_carries_an_id(client_with):
    client = await client_with(api=ApiSettings(cors_origins=("https://app.example",)))
    asked = {"origin": "https://app.example", "access-control-request-method": "GET", HEADER: "c-1"}
    assert (await client.options("/videos", headers=asked)).headers[HEADER] == "c-1"


@pytest.mark.req(296)
async def test_the_line_of_a_request_carries_its_id(client, log_lines):
    await client.get("/videos", headers={HEADER: "c-1"})
    (line,) = [line for line in log_lines() if line["event"] == "request.completed"]
    assert (line["correlation_id"], line["method"], line["path"], line["status"], line["level"]) == (
        "c-1",
        "GET",
        "/videos",
        200,
        "info",
    )


@pytest.mark.req(296)
async def test_the_lines_of_a_crash_carry_its_id(crashing_app, client_for, log_lines):
    await client_for(crashing_app).get("/crash", headers={HEADER: "c-1"})
    lines = {line["event"]: line for line in log_lines()}
    assert lines["request.crashed"]["correlation_id"] == lines["request.completed"]["correlation_id"] == "c-1"
    assert lines["request.crashed"]["exception"].endswith("RuntimeError: the inside")


@pytest.mark.req(296)
async def test_what_runs_inside_a_request_knows_its_id(app, client_for):
    async def tell() -> str | None:
        return correlation_id()

    app.add_api_route("/tell", tell)
    assert (await client_for(app).get("/tell", headers={HEADER: "c-1"})).json() == "c-1"


@pytest.mark.req(296)
async def test_the_id_does_not_stay_behind_for_the_next_request(client, log_lines):
    await client.get("/videos", headers={HEADER: "c-1"})
    await client.get("/videos")
    ids = [line["correlation_id"] for line in log_lines() if line["event"] == "request.completed"]
    assert len(set(ids)) == 2
    assert correlation_id() is None


async def test_a_question_about_health_is_no_news(client, log_lines):
    await client.get("/api/health")
    assert [line["level"] for line in log_lines() if line["event"] == "request.completed"] == ["debug"]


async def test_a_token_does_not_reach_the_log(client_with, auth_on, signed_in, log_lines):
    client = await client_with(auth=auth_on)
    headers = signed_in("ann")
    await client.get("/videos", headers=headers)
    await client.get("/videos", headers={"authorization": headers["authorization"] + "x"})
    token = headers["authorization"].split(".")[2]
    assert not any(token in str(line) for line in log_lines())


@pytest.mark.req(296)
async def test_the_id_comes_back_over_a_real_socket(platform, serving):
    async with serving(create_app(platform)) as port, http_client(port) as client:
        answer = await client.get("/no/such/path", headers={HEADER: "c-1"})
    assert answer.headers.get_list(HEADER) == ["c-1"]
