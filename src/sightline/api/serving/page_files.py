"""The web page: index.html at `/` and below `/ui`, and its files, which never change under their names."""

from mimetypes import add_type, guess_type
from pathlib import Path
from urllib.parse import urlsplit

from fastapi import FastAPI
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from sightline.config import Settings

add_type("application/manifest+json", ".webmanifest")

FOLDER = Path(__file__).parents[1] / "page"
_NOT_BUILT = "The page was not built: `make page` builds it. The API is described at /docs.\n"


def install_page(app: FastAPI, settings: Settings, folder: Path = FOLDER) -> None:
    """Routes of its own that no path of the API begins with; whatever stands below `/ui` is the page's to understand."""
    headers = {
        "cache-control": "no-cache",
        "content-security-policy": content_policy(settings),
        "referrer-policy": "same-origin",
        "x-content-type-options": "nosniff",
        "cross-origin-opener-policy": "same-origin",
    }

    async def page(request: Request) -> Response:
        index = folder / "index.html"
        if not index.is_file():
            return PlainTextResponse(_NOT_BUILT, status_code=503)
        return FileResponse(index, headers=headers, content_disposition_type="inline")

    async def service_worker(request: Request) -> Response:
        """Below /ui, and yet for the whole page: `/` is a page, too."""
        file = folder / "service_worker.js"
        if not file.is_file():
            return PlainTextResponse(_NOT_BUILT, status_code=503)
        more = {"service-worker-allowed": "/", "content-type": "text/javascript; charset=utf-8"}
        return FileResponse(file, headers=headers | more, content_disposition_type="inline")

    app.add_api_route("/ui/service_worker.js", service_worker, methods=["GET", "HEAD"], include_in_schema=False)
    app.mount("/ui/assets", _Assets(directory=folder / "assets", check_dir=False), name="page-assets")
    for path in ("/", "/ui", "/ui/{rest:path}"):
        app.add_api_route(path, page, methods=["GET", "HEAD"], include_in_schema=False)


def content_policy(settings: Settings) -> str:
    """Scripts and styles of ours alone. Pictures, streams and uploads may go to the store, wherever that is."""
    store = " ".join(_store_origins(settings))
    rules = {
        "default-src": "'self'",
        "script-src": "'self' 'wasm-unsafe-eval'",  # parts are hashed by WebAssembly
        "style-src": "'self'",
        "style-src-attr": "'unsafe-inline'",  # mails are styled so; they are shown in a frame without scripts
        "img-src": f"'self' data: blob: {store}",
        "media-src": f"'self' blob: {store}",
        "connect-src": f"'self' {store}",
        "worker-src": "'self'",
        "object-src": "'none'",
        "base-uri": "'none'",
        "form-action": "'self'",
        "frame-ancestors": "'none'",
    }
    return "; ".join(f"{name} {value}".rstrip() for name, value in rules.items())


def _store_origins(settings: Settings) -> list[str]:
    objects = settings.objects
    if objects.backend == "disk":
        addresses = [settings.api.public_url]
    else:
        addresses = [objects.s3_public_endpoint or objects.s3_endpoint or "https://*.amazonaws.com"]
    return [_origin(address) for address in addresses if address]


def _origin(address: str) -> str:
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}"


class _Assets(StaticFiles):
    """Packed as they were built. Their names hold their content's hash, so a browser need never ask twice; those of
    the icons and the manifest do not."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        is_packed = "gzip" in Headers(scope=scope).get("accept-encoding", "") and self.lookup_path(f"{path}.gz")[1]
        answer = await super().get_response(f"{path}.gz" if is_packed else path, scope)
        if is_packed and answer.status_code == 200:
            answer.headers["content-encoding"] = "gzip"
            answer.headers["content-type"] = guess_type(path)[0] or "application/octet-stream"
        answer.headers["vary"] = "accept-encoding"
        is_hashed = answer.status_code == 200 and "-" in path
        answer.headers["cache-control"] = "public, max-age=31536000, immutable" if is_hashed else "no-cache"
        return answer
