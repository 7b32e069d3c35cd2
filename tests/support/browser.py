"""A headless Chromium from npm: unpacked once, one per test process, a context of its own for each test. A plug-in of pytest.

Playwright belongs to the event loop it was started on, so tests that use it run on the session's: `pytestmark = ON_ITS_LOOP`.
"""

import asyncio
import fcntl
import json
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

import pytest
import pytest_asyncio

from support import installed
from support.browser_witness import save_screenshots
from support.emulators import free_port
from support.node import WEB, run_node
from support.watchdog import add_witness

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, Page

ON_ITS_LOOP = pytest.mark.asyncio(loop_scope="session")
OTHER_CHROMIUM = "TEST_CHROMIUM"
_NEVER_MS = 24 * 3600 * 1000  # the watchdog is earlier

_PACKAGE = WEB / "node_modules" / "@sparticuz" / "chromium" / "package.json"
_KEPT = Path(__file__).resolve().parents[2] / ".venv" / "browser"


@dataclass(frozen=True, slots=True)
class Chromium:
    executable: Path
    environment: dict[str, str] = field(default_factory=dict)


@pytest.fixture(scope="session")
def debugging_port() -> int:
    """Where the browser can be asked what it shows, past playwright."""
    return free_port()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chromium(debugging_port: int) -> "AsyncIterator[Browser]":
    from playwright.async_api import async_playwright, expect  # here, because most test processes never need it

    found = await asyncio.to_thread(find_chromium)
    add_witness(partial(save_screenshots, debugging_port))
    expect.set_options(timeout=_NEVER_MS)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=found.executable,
            env={**os.environ, **found.environment},
            args=[f"--remote-debugging-port={debugging_port}"],
            chromium_sandbox=False,  # root cannot have it, and nothing but our own pages is shown
            timeout=0,
        )
        yield browser
        await browser.close()


@asynccontextmanager
async def new_context(chromium: "Browser", **options: Any) -> "AsyncIterator[BrowserContext]":
    """Nothing of others: no cookies, no storage, no cache. No time limits: the watchdog has them, and knows how busy it is."""
    # Without motion: what fades from one colour to another has neither while a test looks at it. Only tests of the service worker
    # have one: it would answer requests that others watch or hold up.
    opened = await chromium.new_context(**({"reduced_motion": "reduce", "service_workers": "block"} | options))
    opened.set_default_timeout(0)
    try:
        yield opened
    finally:
        await opened.close()


@pytest_asyncio.fixture(loop_scope="session")
async def context(chromium: "Browser") -> "AsyncIterator[BrowserContext]":
    async with new_context(chromium) as opened:
        yield opened


@pytest_asyncio.fixture(loop_scope="session")
async def page(context: "BrowserContext") -> "Page":
    return await context.new_page()


def find_chromium() -> Chromium:
    """The browser of the variable, or else the one of npm, unpacked by the first test process that needs it."""
    if other := os.environ.get(OTHER_CHROMIUM):
        return Chromium(Path(other))
    if (sys.platform, platform.machine()) != ("linux", "x86_64"):
        raise RuntimeError(f"npm has no browser for this machine: set {OTHER_CHROMIUM} to one that is installed")
    installed.wait_for(installed.NODE_PACKAGES)
    version = json.loads(_PACKAGE.read_text())["version"]
    directory = _KEPT / f"chromium-{version}"
    if not directory.exists():
        _unpack(directory)
    return Chromium(
        directory / "chromium",
        # Its own libraries and fonts: the same on every machine, and there on a machine that has none.
        {"LD_LIBRARY_PATH": str(directory / "al2023" / "lib"), "FONTCONFIG_PATH": str(directory / "fonts")},
    )


def _unpack(directory: Path) -> None:
    """Appears whole or not at all; other test processes wait for it."""
    _KEPT.mkdir(parents=True, exist_ok=True)
    with (_KEPT / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if directory.exists():
            return
        for old in _KEPT.iterdir():  # other versions, and what a killed process left behind
            if old.is_dir():
                shutil.rmtree(old)
        staging = Path(tempfile.mkdtemp(dir=_KEPT))
        run_node(WEB / "testing" / "browser" / "unpack.mjs", environment={"TMPDIR": str(staging)})
        (staging / "fonts" / "fonts.conf").write_text(_fonts_of(directory / "fonts"))
        staging.rename(directory)


def _fonts_of(directory: Path) -> str:
    """The package's own file names directories of the machine that it is meant for."""
    fonts, cache = (escape(str(directory / name)) for name in ("fonts", "cache"))
    return f"<?xml version='1.0'?><fontconfig><dir>{fonts}</dir><cachedir>{cache}</cachedir></fontconfig>"
