"""Owns the HTTP side, one file per resource; FastAPI lives only here."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sightline.api.app import create_app, create_probe_app
    from sightline.api.serving.server import HttpServer, bind

__all__ = ["HttpServer", "bind", "create_app", "create_probe_app"]


def __getattr__(name: str) -> Any:
    """Loaded when asked for: commands that only borrow the form of an answer need not wait for every route to be built."""
    if name in ("create_app", "create_probe_app"):
        from sightline.api import app

        return getattr(app, name)
    if name in ("HttpServer", "bind"):
        from sightline.api.serving import server

        return getattr(server, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
