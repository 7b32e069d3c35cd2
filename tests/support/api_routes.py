"""Every route of an application, however its routers are nested."""

from typing import Any

from fastapi import FastAPI
from fastapi.routing import APIRoute


def all_routes(app: FastAPI) -> list[APIRoute]:
    found = list(_below(app.routes))
    assert len(found) > 50  # otherwise a new way of nesting hides them
    return found


def _below(routes: Any) -> Any:
    for route in routes:
        inner = getattr(route, "original_router", None) or getattr(route, "router", None) or route
        if isinstance(route, APIRoute):
            yield route
        else:
            yield from _below(getattr(inner, "routes", None) or ())
