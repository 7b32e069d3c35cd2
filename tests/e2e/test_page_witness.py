"""What is kept of a page whose test hangs."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image

from support.browser import ON_ITS_LOOP
from support.browser_witness import save_screenshots

if TYPE_CHECKING:
    from playwright.async_api import Page

pytestmark = [ON_ITS_LOOP]

RED = "data:text/html,<title>red</title><body style='background: rgb(255, 0, 0)'>"


async def test_a_picture_and_the_address_of_an_open_page_are_saved_past_its_event_loop(
    page: "Page", debugging_port: int, tmp_path: Path
) -> None:
    await page.goto(RED)
    await asyncio.to_thread(save_screenshots, debugging_port, tmp_path)
    assert colour_of(tmp_path, page.url) == (255, 0, 0)


def colour_of(directory: Path, address: str) -> object:
    """In the middle of the picture that was saved of the page at this address."""
    [written] = [one for one in directory.glob("*.txt") if one.read_text() == address]
    with Image.open(written.with_suffix(".png")) as picture:
        return picture.convert("RGB").getpixel((picture.width // 2, picture.height // 2))
