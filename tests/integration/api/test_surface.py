"""What holds of the whole API: exact paths, HEAD for probes, how to sign in."""

import json

import httpx

from sightline.api import create_app


async def test_a_path_with_a_slash_too_many_is_no_path(client):
    answer = await client.get("/api/queues/")
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "NOT_FOUND")


async def test_head_on_health_is_answered_like_get_but_bare(platform, serving):
    async with serving(create_app(platform)) as port, httpx.AsyncClient() as client:
        for query in ("", "?deep=true"):
            answer = await client.head(f"http://localhost:{port}/api/health{query}")
            assert (answer.status_code, answer.content) == (200, b"")
            assert int(answer.headers["content-length"]) > 0
        whole = await client.get(f"http://localhost:{port}/api/health")
        bare = await client.head(f"http://localhost:{port}/api/health")
        assert bare.headers["content-length"] == whole.headers["content-length"] == str(len(whole.content))


async def test_the_schema_tells_of_bearer_tokens_only_where_they_are_needed(client, client_with, auth_on):
    local = (await client.get("/openapi.json")).json()
    assert "securitySchemes" not in local["components"]
    assert '"security"' not in json.dumps(local)
    schema = (await (await client_with(auth=auth_on)).get("/openapi.json")).json()
    assert [one["scheme"] for one in schema["components"]["securitySchemes"].values()] == ["bearer"]
    protected = {path for path, item in schema["paths"].items() for one in item.values() if one.get("security")}
    assert set(schema["paths"]) - protected == {"/api/health"}
