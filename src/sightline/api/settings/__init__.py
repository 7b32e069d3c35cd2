"""Settings of the installation over HTTP."""

from sightline.api.settings.routes import router

__all__ = ["router"]
