"""The API with routes that fail in the ways that its own do not, or not yet."""

import pytest
from fastapi import Request
from fastapi.responses import StreamingResponse
from pydantic import BaseModel

from sightline.errors import BackendUnavailable, Conflict, PermanentFailure, TransientFailure


class Thing(BaseModel):
    name: str
    size: int = 0


@pytest.fixture
def wider_app(app):
    """The API with routes that fail in the ways that its own do not, or not yet."""

    async def crash() -> None:
        raise RuntimeError("the password is hunter2")

    async def fail(kind: str) -> None:
        raise {
            "conflict": Conflict("it is done already", details={"status": "COMPLETED"}),
            "permanent": PermanentFailure("the password is hunter2", details={"inside": 1}),
            "transient": TransientFailure("later"),
            "unavailable": BackendUnavailable("bus", "not listening"),
        }[kind]

    async def take(thing: Thing) -> Thing:
        return thing

    async def take_stream(request: Request) -> int:
        return sum([len(part) async for part in request.stream()])

    async def echo(scope, receive, send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        while (message := await receive())["type"] == "http.request":
            await send({"type": "http.response.body", "body": message["body"], "more_body": message["more_body"]})

    async def half() -> StreamingResponse:
        async def parts():
            yield b"half"
            raise RuntimeError("the password is hunter2")

        return StreamingResponse(parts())

    app.add_api_route("/crash", crash)
    app.add_api_route("/fail/{kind}", fail)
    app.add_api_route("/things", take, methods=["POST"])
    app.add_api_route("/api/things", take, methods=["POST"])
    app.add_api_route("/streams", take_stream, methods=["POST"])
    app.mount("/echo", echo)
    app.add_api_route("/half", half)
    return app


@pytest.fixture
def wider(wider_app, client_for):
    return client_for(wider_app)
