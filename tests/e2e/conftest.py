"""Platforms that the tests of the page share. They are stopped when the last test in this directory has run."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio

from sightline.client import AsyncSightline
from support.emulators import free_port
from support.onvif_device import onvif_camera
from support.page_site import SECRET, Site, running_site
from support.platform_process import up
from support.sample_film import sample_film

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Page

# Notes go after six seconds and finished uploads after five and a half, which a busy machine may need to look at them. Nothing else
# in the page waits just as long.
_NOTES_STAY = """
  const usual = window.setTimeout;
  window.setTimeout = (run, ms, ...rest) => [5500, 6000, 12000].includes(ms) ? 0 : usual(run, ms, ...rest);
"""


@pytest_asyncio.fixture(scope="package", loop_scope="session")
async def site(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Site]:
    """A platform without authentication, with an ONVIF camera in its network and an FTP server. Tests find what others
    left behind, and use names of their own."""
    async with onvif_camera() as device:
        discovery = {
            "SIGHTLINE_CAMERAS_DISCOVERY_ADDRESS": f"127.0.0.1:{device.udp_port}",
            "SIGHTLINE_CAMERAS_DISCOVERY_WAIT_S": "1",
            "SIGHTLINE_FTP_PORT": str(free_port()),
        }
        async with running_site(tmp_path_factory.mktemp("page") / "state", **discovery) as running:
            yield running


@pytest_asyncio.fixture(scope="package", loop_scope="session")
async def closed(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Site]:
    """A platform that wants a token. Each test has a user of its own, who finds it empty and is far from its limits."""
    state = tmp_path_factory.mktemp("closed") / "state"
    limits = {"SIGHTLINE_RETENTION_ORIGINALS_DAYS": "3650", "SIGHTLINE_UPLOADS_QUOTA_BYTES": str(10**10)}
    async with running_site(state, SIGHTLINE_AUTH_JWT_SECRET=SECRET, **limits) as running:
        yield running


@dataclass(frozen=True)
class WithSample:
    """A platform that has worked on the sample video."""

    address: str
    video_id: str


@pytest_asyncio.fixture(scope="package", loop_scope="session")
async def with_sample(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[WithSample]:
    film = await asyncio.to_thread(sample_film)
    async with (
        up(tmp_path_factory.mktemp("sample") / "state") as platform,
        AsyncSightline(platform.address) as client,
    ):
        video = await client.wait_until_searchable(await client.upload(film))
        yield WithSample(platform.address, video.video_id)


@pytest.fixture
def address(with_sample: WithSample) -> str:
    return with_sample.address


@pytest.fixture
def video_id(with_sample: WithSample) -> str:
    return with_sample.video_id


@pytest_asyncio.fixture(loop_scope="session")
async def page(context: "BrowserContext") -> "Page":
    opened = await context.new_page()
    await opened.add_init_script(_NOTES_STAY)
    return opened
