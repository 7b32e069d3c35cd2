"""A registry on this machine that serves the package of one language, as npm's does."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from aiohttp import web

from support.installed import LANGUAGES, ROOT, wait_for

PATH = "/@tesseract.js-data/por/-/por-1.0.0.tgz"


def portuguese_package() -> Path:
    wait_for(LANGUAGES)
    return ROOT / ".venv" / "languages" / "tesseract.js-data-por-1.0.0.tgz"


@dataclass
class LanguageRegistry:
    archive: bytes
    url: str = ""
    ranges: list[str | None] = field(default_factory=list)
    """The ranges that were requested, one per request."""
    cut_after: int | None = None
    """Bytes after which the next response breaks off."""
    knows_ranges: bool = True

    async def serve(self, request: web.Request) -> web.StreamResponse:
        self.ranges.append(request.headers.get("range"))
        if request.path != PATH:
            return web.Response(status=404)
        start = (request.http_range.start or 0) if self.knows_ranges else 0
        body = self.archive[start:]
        response = web.StreamResponse(status=206 if start else 200)
        response.content_length = len(body)
        await response.prepare(request)
        cut, self.cut_after = self.cut_after, None
        await response.write(body[:cut])
        if cut is not None:
            assert request.transport is not None
            request.transport.close()
        return response


@asynccontextmanager
async def language_registry() -> AsyncIterator[LanguageRegistry]:
    registry = LanguageRegistry(portuguese_package().read_bytes())
    app = web.Application()
    app.router.add_get("/{path:.*}", registry.serve)
    runner = web.AppRunner(app, shutdown_timeout=0)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        registry.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        yield registry
    finally:
        await runner.cleanup()
