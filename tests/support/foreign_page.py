"""A page of another site, served from an origin of its own, and the hand that drives it."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from support.node import WEB, bundle

if TYPE_CHECKING:
    from playwright.async_api import Page

GENERATIONS = ("uppy5", "uppy6")


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass


class _Server(ThreadingHTTPServer):
    request_queue_size = 128  # the usual five are soon too few on a busy machine


@contextmanager
def serving(directory: Path) -> Iterator[str]:
    """The pages of both generations of Uppy; yields their origin."""
    for generation in GENERATIONS:
        script = bundle(WEB / "testing" / generation / "page.ts", directory)
        page = f'<!doctype html><meta charset="utf-8"><body><script type="module" src="{script.name}"></script>'
        (directory / f"{generation}.html").write_text(page)
    server = _Server(("127.0.0.1", 0), partial(_Quiet, directory=directory))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://localhost:{server.server_port}"  # another name than the platform's: another site, not only a port
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@dataclass
class ForeignPage:
    page: "Page"

    @classmethod
    async def open(cls, page: "Page", address: str, wishes: dict[str, Any]) -> "ForeignPage":
        await page.add_init_script(f"window.wishes = {json.dumps(wishes)}")
        await page.goto(address)
        return cls(page)

    async def choose(self, file: Path) -> None:
        """Begins the upload, or goes on with it."""
        await self.page.set_input_files("input", file)

    async def parts(self, *numbers: int) -> None:
        """Waits until these parts have arrived."""
        arrived = "wanted.every(one => shown.parts.includes(one))"
        await self.page.wait_for_function(f"wanted => {arrived} || shown.outcome === 'failed'", arg=list(numbers))
        assert await self.page.evaluate(f"wanted => {arrived}", list(numbers)), await self.page.evaluate("shown.error")

    async def sent(self) -> list[int]:
        """Parts that this load of the page has sent."""
        found: list[int] = await self.page.evaluate("shown.parts.toSorted()")
        return found

    async def outcome(self) -> tuple[str, str]:
        """Waits for the end: `done` or `failed`, and what went wrong."""
        await self.page.wait_for_function("['done', 'failed'].includes(shown.outcome)")
        outcome, error = await self.page.evaluate("[shown.outcome, shown.error]")
        return outcome, error

    async def does(self, what: Literal["pause", "resume", "cancel"]) -> None:
        await self.page.evaluate(f"shown.uploader.{what}()")

    async def retry(self) -> None:
        await self.page.evaluate("shown.retry()")
