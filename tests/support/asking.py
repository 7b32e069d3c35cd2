"""Asking the API in ways that tests share: what an error must look like, and requests below HTTP."""

from typing import Any


def is_error(answer, status: int, code: str) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/json"
    body: dict[str, Any] = answer.json()
    assert set(body) == {"error"}
    assert set(body["error"]) == {"code", "message", "details"}
    assert body["error"]["code"] == code
    assert body["error"]["message"]
    found: dict[str, Any] = body["error"]
    return found


async def ask(app, method="GET", path="/videos", headers=(), body=(b"",), host=b"localhost") -> list[dict[str, Any]]:
    """Asks below HTTP, for what no decent client would send; a body of None is a client that hung up."""
    left = list(body)
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        if not left or left[0] is None:
            return {"type": "http.disconnect"}
        return {"type": "http.request", "body": left.pop(0), "more_body": bool(left)}

    async def send(message) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(errors="surrogateescape"),
        "query_string": b"",
        "root_path": "",
        "headers": [(b"host", host), *headers],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 8400),
    }
    await app(scope, receive, send)
    return sent


def status_of(sent: list[dict[str, Any]]) -> int:
    (start,) = [message for message in sent if message["type"] == "http.response.start"]
    return int(start["status"])
