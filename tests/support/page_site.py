"""A running platform with its page, for tests in the browser. A plug-in of pytest: `site`, one per test file."""

import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest
import pytest_asyncio

from support.node import WEB
from support.platform_process import up

if TYPE_CHECKING:
    from playwright.async_api import Page, ViewportSize

AXE = WEB / "node_modules" / "axe-core" / "axe.min.js"
_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
PHONE: "ViewportSize" = {"width": 375, "height": 740}


@dataclass
class Site:
    address: str
    state: Path

    async def ask(self, method: str, path: str, **more: Any) -> Any:
        """What the API answers; anything but success fails the test."""
        async with httpx.AsyncClient(base_url=self.address, timeout=30) as client:
            answer = await client.request(method, path, **more)
            assert answer.is_success, f"{method} {path}: {answer.status_code} {answer.text}"
            return answer.json() if answer.content else None

    async def put(self, url: str, content: bytes) -> str:
        """The ETag."""
        async with httpx.AsyncClient(timeout=60) as client:
            answer = await client.put(url, content=content)
            answer.raise_for_status()
            return str(answer.headers["etag"])


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def site(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Site]:
    state = tmp_path_factory.mktemp("page") / "state"
    async with up(state) as platform:
        yield Site(platform.address, state)


async def check_accessible(page: "Page") -> None:
    """axe finds nothing to complain of: no rule of WCAG 2.2 AA, none of its own best practices."""
    # Through the debugger, which the page's content policy does not bind.
    await page.evaluate(AXE.read_text(encoding="utf-8"))
    found = await page.evaluate(f"axe.run({{runOnly: {_RULES}}})")
    told = [f"{one['id']}: {one['help']}: {[node['target'] for node in one['nodes']]}" for one in found["violations"]]
    assert told == []


async def check_fits(page: "Page") -> None:
    """Nothing sticks out to the right."""
    widths = await page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert widths[0] <= widths[1], widths


def seconds_of(clock: str) -> float:
    """1:23.500 is 83.5."""
    parts = [float(one) for one in re.findall(r"[\d.]+", clock)]
    return sum(value * 60**power for power, value in enumerate(reversed(parts)))
