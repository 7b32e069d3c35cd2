"""An upload from the page while the server is killed and started again: it resumes by itself."""

import asyncio
import filecmp
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import httpx
import pytest

from support import installed
from support.browser import ON_ITS_LOOP
from support.cable import Cable
from support.page_site import check_accessible
from support.platform_process import kill, up
from support.waiting import until

if TYPE_CHECKING:
    from playwright.async_api import Page

pytestmark = [ON_ITS_LOOP]

MIB = 1024 * 1024
SIZE = 4 * 8 * MIB + 3 * MIB  # five parts
PART_2 = r"PUT /objects/.*[?&]partNumber=2&"


async def stored_parts(address: str) -> int:
    async with httpx.AsyncClient(base_url=address, timeout=None) as client:
        found = (await client.get("/uploads")).json()["uploads"]
    return int(found[0]["uploadedParts"]) if found else 0


@pytest.mark.req(425, 426)
async def test_when_the_server_is_back_the_page_sends_the_lost_part_without_the_person(
    page: "Page", tmp_path: Path
) -> None:
    await asyncio.to_thread(installed.wait_for, installed.PAGE)
    film, state, cable = tmp_path / "match.mp4", tmp_path / "state", Cable()
    film.write_bytes(os.urandom(MIB) * (SIZE // MIB))
    cable.hold(PART_2)
    sent: list[str] = []

    def note(url: str) -> None:
        if found := re.search(r"/objects/.*partNumber=(\d+)", url):
            sent.append(found[1])

    page.on("request", lambda request: note(request.url) if request.method == "PUT" else None)
    row = page.locator(".uploads .upload")
    async with cable.laid():
        async with up(state, SIGHTLINE_API_PUBLIC_URL=cable.address) as running:
            cable.leads_to = urlsplit(running.address).port or 0
            await page.goto(f"{cable.address}/ui/videos")
            await page.locator("header.head input[type=file]").set_input_files(film)

            async def are_stored() -> bool:
                return await stored_parts(running.address) == 4

            await until(are_stored)
            await cable.held(PART_2)
            kill(running.tree())
            cable.cut()
        await row.get_by_text("Can't reach the server. Resumes by itself · 28.3 MB of 36.7 MB kept").wait_for()
        await check_accessible(page)
        sent.clear()
        async with up(state, SIGHTLINE_API_PUBLIC_URL=cable.address) as running:
            cable.leads_to = urlsplit(running.address).port or 0
            cable.mend()
            await row.get_by_text("Uploaded", exact=False).wait_for()
            (stored,) = (state / "objects" / "videos" / "original").glob("*/master.mp4")
            assert await asyncio.to_thread(filecmp.cmp, stored, film, shallow=False)
    assert set(sent) == {"2"}, "what had arrived is not sent again"
