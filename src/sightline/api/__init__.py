"""The HTTP API, one file per resource. FastAPI is imported only here."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sightline.api.app import create_app, create_probe_app
    from sightline.api.serving.server import HttpServer, bind

__all__ = ["HttpServer", "bind", "create_app", "create_probe_app"]


def __getattr__(name: str) -> Any:
    """Loads the application on first use: commands that need only a response model do not build every route."""
    if name in ("create_app", "create_probe_app"):
        from sightline.api import app

        return getattr(app, name)
    if name in ("HttpServer", "bind"):
        from sightline.api.serving import server

        return getattr(server, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
