"""What holds of the whole API: exact paths, HEAD for probes, how to sign in."""

import json

import httpx

from sightline.api import create_app
from support.api_description import served_description


async def test_a_path_with_a_slash_too_many_is_no_path(client):
    answer = await client.get("/api/queues/")
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "NOT_FOUND")


async def test_head_on_health_is_answered_like_get_but_bare(platform, serving):
    async with serving(create_app(platform)) as port, httpx.AsyncClient(timeout=None) as client:
        for query in ("", "?deep=true"):
            answer = await client.head(f"http://localhost:{port}/api/health{query}")
            assert (answer.status_code, answer.content) == (200, b"")
            assert int(answer.headers["content-length"]) > 0
        whole = await client.get(f"http://localhost:{port}/api/health")
        bare = await client.head(f"http://localhost:{port}/api/health")
        assert bare.headers["content-length"] == whole.headers["content-length"] == str(len(whole.content))


def test_the_schema_shows_bearer_tokens_only_where_they_are_needed(databases, tmp_path_factory):
    directory = tmp_path_factory.getbasetemp()
    local = served_description(databases, directory)
    assert "securitySchemes" not in local["components"]
    assert '"security"' not in json.dumps(local)
    schema = served_description(databases, directory, with_authentication=True)
    assert [one["scheme"] for one in schema["components"]["securitySchemes"].values()] == ["bearer"]
    protected = {path for path, item in schema["paths"].items() for one in item.values() if one.get("security")}
    assert set(schema["paths"]) - protected == {
        "/api/health",
        *("/api/session", "/api/session/options", "/api/session/oidc/start", "/api/session/oidc/callback"),
    }  # signing in needs no sign-in
