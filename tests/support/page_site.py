"""A running platform with its page, for tests in the browser, and what is looked at on every page."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

import httpx
import jwt

from sightline.contracts import LOCAL_OWNER_ID
from support import installed
from support.node import WEB
from support.platform_process import up
from support.waiting import USUAL_LIMIT_S, until

if TYPE_CHECKING:
    from playwright.async_api import Page, ViewportSize

DESK: "ViewportSize" = {"width": 1280, "height": 720}
PHONE: "ViewportSize" = {"width": 375, "height": 740}
SECRET = "what the issuer of tokens signs with, long enough for HS256"

AXE = WEB / "node_modules" / "axe-core" / "axe.min.js"
_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
_RUN_AXE = """async rules => {
  const found = await axe.run({runOnly: rules, resultTypes: ['violations'], preload: false});
  // Marks on a day line lie where the time is; the list below has the same links in full size, which WCAG 2.5.8 accepts.
  const counts = (rule, node) => rule.id !== 'target-size' || !node.html.includes('day-mark');
  return found.violations
    .map(one => [one, one.nodes.filter(node => counts(one, node))])
    .filter(([, nodes]) => nodes.length > 0)
    .map(([one, nodes]) => `${one.id}: ${one.help}: ${nodes.map(node => node.target)}`);
}"""

# Events of tests come at once; a batch that closed by itself would bring another one in the middle of a later test.
_NO_BATCH_CLOSES = {"SIGHTLINE_SECURITY_BATCH_IDLE_S": "100000", "SIGHTLINE_SECURITY_BATCH_AGE_S": "100000"}
_ASK_EVERY_S = 0.1


@dataclass(frozen=True)
class Site:
    """The platform as one user sees it."""

    address: str
    state: Path
    client: httpx.AsyncClient
    user_id: UUID = LOCAL_OWNER_ID
    token: str | None = None

    def user(self, *, is_operator: bool = False, **more_claims: Any) -> "Site":
        """A new user of a platform that wants a token: owns nothing yet."""
        user_id = uuid4()
        claims = {"sub": str(user_id), "exp": int(time.time()) + 86_400, **more_claims}
        token = jwt.encode(claims | ({"sightline_role": "operator"} if is_operator else {}), SECRET, "HS256")
        return replace(self, user_id=user_id, token=token)

    async def let_in(self, page: "Page") -> None:
        """Signed in from the first address that the page goes to, by the cookies that signing in sets."""
        async with httpx.AsyncClient(base_url=self.address, timeout=None) as browser:
            answer = await browser.post("/api/session", json={"token": self.token})
            assert answer.status_code == 201, answer.text
            cookies = dict(browser.cookies)
        await page.context.add_cookies(
            [{"name": name, "value": value, "url": self.address} for name, value in cookies.items()]
        )

    async def ask(self, method: str, path: str, **more: Any) -> Any:
        """What the API answers; anything but success fails the test."""
        headers = {} if self.token is None else {"authorization": f"Bearer {self.token}"}
        answer = await self.client.request(method, path, headers=headers, **more)
        assert answer.is_success, f"{method} {path}: {answer.status_code} {answer.text}"
        return answer.json() if answer.content else None

    async def ask_until(
        self, path: str, holds: Callable[[Any], bool], *, within_s: float = USUAL_LIMIT_S, **more: Any
    ) -> Any:
        """The first answer that the condition holds for. Asked a few times a second: the platform has other work to do."""
        answers: list[Any] = []

        async def has_come() -> bool:
            if answers:
                await asyncio.sleep(_ASK_EVERY_S)
            answers[:] = [await self.ask("GET", path, **more)]
            return holds(answers[0])

        await until(has_come, within_s=within_s)
        return answers[0]

    async def put(self, url: str, content: bytes) -> str:
        """The ETag."""
        answer = await self.client.put(url, content=content)
        answer.raise_for_status()
        return str(answer.headers["etag"])


@asynccontextmanager
async def running_site(state: Path, **settings: str) -> AsyncIterator[Site]:
    await asyncio.to_thread(installed.wait_for, installed.PAGE)
    async with (
        up(state, **_NO_BATCH_CLOSES, **settings) as platform,
        httpx.AsyncClient(base_url=platform.address, timeout=None) as client,  # the watchdog has the limits
    ):
        yield Site(platform.address, state, client)


async def check_accessible(page: "Page") -> None:
    """axe finds nothing to complain of: no rule of WCAG 2.2 AA, none of its own best practices."""
    if not await page.evaluate("'axe' in window"):
        await page.evaluate(_axe())  # through the debugger, which the page's content policy does not bind
    found = await page.evaluate(_RUN_AXE, _RULES)
    assert found == [], found


@cache
def _axe() -> str:
    return AXE.read_text(encoding="utf-8")


async def check_fits(page: "Page") -> None:
    """Nothing sticks out to the right."""
    widths = await page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert widths[0] <= widths[1], widths


async def check_every_look(page: "Page") -> None:
    """Accessible in light, in dark and on a phone, which it fits. Leaves the page dark and narrow."""
    await check_accessible(page)
    await page.emulate_media(color_scheme="dark")
    await check_accessible(page)
    await page.set_viewport_size(PHONE)
    await check_fits(page)
    await check_accessible(page)
