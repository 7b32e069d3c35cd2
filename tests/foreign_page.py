"""A page of somebody else, served from an origin of its own, and the hand that drives it."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import parse_qs, urlsplit

from node import WEB, bundle
from waiting import until

if TYPE_CHECKING:
    from playwright.async_api import CDPSession, Page

GENERATIONS = ("uppy5", "uppy6")


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass


@contextmanager
def serving(directory: Path) -> Iterator[str]:
    """The pages of both generations of Uppy; yields their origin."""
    for generation in GENERATIONS:
        script = bundle(WEB / "testing" / generation / "page.ts", directory)
        page = f'<!doctype html><meta charset="utf-8"><body><script type="module" src="{script.name}"></script>'
        (directory / f"{generation}.html").write_text(page)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=directory))
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
    network: "CDPSession"
    _held: dict[int, str] = field(default_factory=dict)

    @classmethod
    async def open(cls, page: "Page", address: str, wishes: dict[str, Any]) -> "ForeignPage":
        await page.add_init_script(f"window.wishes = {json.dumps(wishes)}")
        await page.goto(address)
        opened = cls(page, await page.context.new_cdp_session(page))
        opened.network.on("Fetch.requestPaused", opened._keep)
        return opened

    async def choose(self, file: Path) -> None:
        """Begins the upload, or goes on with it."""
        await self.page.set_input_files("input", file)

    async def parts(self, *numbers: int) -> None:
        """Waits until these parts have arrived."""
        await self.page.wait_for_function("wanted => wanted.every(one => shown.parts.includes(one))", arg=list(numbers))

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

    # Holding parts up. Playwright's own routes would carry every body through two more processes. -----------------

    async def hold(self, *parts: int) -> None:
        """Returns at once; these parts will not get through until they are let go or forgotten."""
        patterns = [{"urlPattern": f"*partNumber={part}&*"} for part in parts]
        await self.network.send("Fetch.enable", {"patterns": patterns})

    async def held(self, *parts: int) -> None:
        """Waits until the page is sending all these parts."""
        await until(lambda: self._held.keys() >= set(parts), within_s=30)

    async def let_go(self, *parts: int) -> None:
        for part in parts:
            await self.network.send("Fetch.continueRequest", {"requestId": self._held.pop(part)})
        await self.forget()

    async def forget(self) -> None:
        """After the page has given them up itself: it may send them again."""
        self._held.clear()
        await self.network.send("Fetch.disable")

    async def _keep(self, paused: dict[str, Any]) -> None:
        if paused["request"]["method"] == "PUT":
            (part,) = parse_qs(urlsplit(paused["request"]["url"]).query)["partNumber"]
            self._held[int(part)] = paused["requestId"]
        else:  # the question whether it may
            await self.network.send("Fetch.continueRequest", {"requestId": paused["requestId"]})
