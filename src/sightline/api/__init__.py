"""Owns the HTTP side, one file per resource; FastAPI lives only here."""

from sightline.api.app import create_app, create_probe_app
from sightline.api.server import HttpServer, bind

__all__ = ["HttpServer", "bind", "create_app", "create_probe_app"]
