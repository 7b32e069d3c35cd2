"""Routers that cannot be meant are passed over; whatever can be meant is found as before."""

import httpx
import pytest
from fastapi import APIRouter, FastAPI

from sightline.api.serving.routing import QuickRouter, pass_over_quickly


def _app(*, is_quick: bool) -> FastAPI:
    things, parts, free = APIRouter(prefix="/things"), APIRouter(prefix="/things/{thing_id}/parts"), APIRouter()

    @things.get("")
    async def all_things() -> str:
        return "all"

    @things.get("/{thing_id}")
    async def one_thing(thing_id: str) -> str:
        return f"thing {thing_id}"

    @parts.post("")
    async def add_part(thing_id: str) -> str:
        return f"part of {thing_id}"

    @free.get("/{anything:path}")
    async def the_rest(anything: str) -> str:
        return f"rest {anything}"

    app = FastAPI(redirect_slashes=False)
    for router in (things, parts, free):
        app.include_router(QuickRouter(router) if is_quick else router)
    if is_quick:
        pass_over_quickly(app.router.routes)
    return app


async def _ask(app: FastAPI, method: str, path: str, *, root_path: str = "") -> httpx.Response:
    transport = httpx.ASGITransport(app=app, root_path=root_path)
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
        return await client.request(method, path)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/things"),
        ("GET", "/things/7"),
        ("POST", "/things/7/parts"),
        ("GET", "/things/7/parts"),
        ("DELETE", "/things/7"),
        ("GET", "/thing"),
        ("GET", "/thingsandmore"),
        ("GET", "/"),
        ("POST", "/nowhere"),
    ],
)
async def test_every_request_is_answered_as_without_it(method: str, path: str):
    quick, plain = [await _ask(_app(is_quick=is_quick), method, path) for is_quick in (True, False)]
    assert (quick.status_code, quick.content) == (plain.status_code, plain.content)


async def test_below_a_root_path_nothing_is_passed_over():
    answer = await _ask(_app(is_quick=True), "GET", "/below/things/7", root_path="/below")
    assert answer.json() == "thing 7"
