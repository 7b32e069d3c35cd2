"""/docs and /openapi.json: the API explained, from files in the wheel, so that it works without the internet.

Where people sign in, strangers need not know the API; the files of the page tell nothing of it.
"""

from importlib.util import find_spec
from pathlib import Path

from fastapi import Depends, FastAPI
from fastapi.openapi.docs import get_swagger_ui_html
from fastapi.responses import HTMLResponse, JSONResponse
from starlette.staticfiles import StaticFiles

from sightline.api.dependencies import get_caller

_ASSETS = "/docs/assets"
_SCHEMA = "/openapi.json"


def install_docs(app: FastAPI) -> None:
    spec = find_spec("fastapi_swagger")
    assert spec is not None
    assert spec.submodule_search_locations
    folder = Path(spec.submodule_search_locations[0]) / "resources"
    app.mount(_ASSETS, StaticFiles(directory=folder), name="docs-assets")

    signed_in = [Depends(get_caller)]

    @app.get(_SCHEMA, include_in_schema=False, dependencies=signed_in)
    async def schema() -> JSONResponse:
        return JSONResponse(app.openapi())

    @app.get("/docs", include_in_schema=False, dependencies=signed_in)
    async def docs() -> HTMLResponse:
        return get_swagger_ui_html(
            openapi_url=_SCHEMA,
            title=f"{app.title}: API",
            swagger_js_url=f"{_ASSETS}/swagger-ui-bundle.js",
            swagger_css_url=f"{_ASSETS}/swagger-ui.css",
            swagger_favicon_url=f"{_ASSETS}/favicon-32x32.png",
        )
