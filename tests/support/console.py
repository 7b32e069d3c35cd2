"""What the browser's console says: a page that works says no error."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, ConsoleMessage, WebError


# What the tests' own browser says of itself.
_OF_PLAYWRIGHT = "Service Worker registration blocked by Playwright"


class ConsoleErrors:
    """Errors of all pages of a context, from now on: of scripts, of requests that failed, of what the content policy forbids."""

    def __init__(self, context: "BrowserContext") -> None:
        self.found: list[str] = []
        context.on("console", self._note)
        context.on("weberror", self._note_uncaught)

    def _note(self, message: "ConsoleMessage") -> None:
        if message.type in ("error", "warning") and message.text != _OF_PLAYWRIGHT:
            self.found.append(f"{message.text} ({message.location['url']})")

    def _note_uncaught(self, error: "WebError") -> None:
        self.found.append(str(error.error))

    def check(self) -> None:
        assert self.found == [], self.found
