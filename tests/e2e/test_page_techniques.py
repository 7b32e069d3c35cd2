"""From an upload to corrected and published techniques, in a real browser; the messages arrive at a consumer written with boto3."""

import asyncio
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import av
import pytest
from playwright.async_api import expect

from support import installed
from support.aws_platform import AwsPlatform
from support.browser import ON_ITS_LOOP
from support.emulators import Emulator
from support.page_site import DESK, Site, check_every_look
from support.sample_film import make_film

if TYPE_CHECKING:
    from playwright.async_api import Page

pytestmark = [ON_ITS_LOOP]

FILM_S = (2, 10)
IS_AT = """ms => {
  const video = document.querySelector('video');
  return video.readyState >= 2 && !video.seeking && Math.abs(video.currentTime * 1000 - ms) < 30;
}"""
CLIP = {"role": "athlete in white gi", "confidence": 0.8}
CLIPS = [
    {**CLIP, "start": 0.5, "end": 1.5, "category": "STANDUP_GAME", "technique": "Double Leg Takedown"},
    {**CLIP, "start": 2, "end": 3, "category": "GUARD_PLAY", "technique": "Sweep"},
    {**CLIP, "start": 3.5, "end": 4.5, "category": "GUARD_PLAY", "technique": "Nothing at all"},
]


@pytest.mark.req(880, 881, 883, 886, 887, 888, 889, 1094)
async def test_techniques_go_from_an_upload_through_a_review_to_a_consumer(
    site: Site, page: "Page", tmp_path: Path
) -> None:
    await asyncio.to_thread(installed.wait_for, installed.EMULATORS)
    film = tmp_path / "rolling.mp4"
    await asyncio.to_thread(make_film, film, *FILM_S)
    await page.emulate_media(reduced_motion="reduce")  # colours are looked at right after they change
    await page.set_viewport_size(DESK)
    await page.goto(f"{site.address}/ui/videos")
    await page.locator("header.head input[type=file]").set_input_files(film)
    card = page.locator(".video-card[data-status=COMPLETED]", has_text="rolling.mp4")
    await card.wait_for()
    await card.get_by_role("link").first.click()
    await page.get_by_role("tab", name="Techniques").click()
    await page.get_by_text("press i where one starts and o where it ends").wait_for()
    await page.get_by_text("No vision model is set.").wait_for()
    await check_every_look(page)
    await page.set_viewport_size(DESK)
    video_id = re.search(r"/ui/videos/([0-9a-f-]+)", page.url)
    assert video_id is not None
    address = f"/videos/{video_id[1]}"

    await site.ask("PUT", f"{address}/annotations", json={"clips": CLIPS})
    await page.reload()
    await page.get_by_role("button", name="Find techniques: Annotation file").click()
    rows = page.locator(".mark-row")
    await page.get_by_text("Annotation file: the last analysis found 3 techniques.").wait_for()
    await expect(rows).to_have_count(3)
    await expect(rows.locator(".badge", has_text="Candidate")).to_have_count(3)

    # The first is right, the last is wrong, the one between has another name; all of it with the keyboard.
    await page.keyboard.press("n")
    await page.wait_for_function(IS_AT, arg=500)
    await page.keyboard.press("a")
    await expect(rows.nth(0).locator(".badge")).to_have_text("Accepted")
    await page.wait_for_function(IS_AT, arg=2000)
    await page.keyboard.press("x")
    await expect(rows.nth(1).locator(".badge")).to_have_text("Rejected")
    await page.keyboard.press("u")
    await expect(rows.nth(1).locator(".badge")).to_have_text("Candidate")
    await page.wait_for_function(IS_AT, arg=3500)
    await page.keyboard.press("x")
    await expect(rows.nth(2).locator(".badge")).to_have_text("Rejected")
    await page.wait_for_function(IS_AT, arg=2000)
    await page.keyboard.press("e")
    form = page.get_by_role("form", name="Edit technique")
    await form.get_by_role("combobox", name="Technique").fill("arml guard")
    await form.get_by_role("option", name="Armbar from Guard").wait_for()
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await expect(form.get_by_label("Category")).to_have_value("SUBMISSION_OFFENSE")
    await form.get_by_label("Outcome").select_option(label="Finished")
    await form.get_by_role("button", name="Save and accept").click()
    await expect(rows.nth(1)).to_contain_text("Armbar from Guard")
    await expect(rows.nth(1)).to_contain_text("edited")

    # One more that nothing has found, marked with i, o and s under a name of one's own.
    await page.keyboard.press("ArrowRight")
    await page.wait_for_function(IS_AT, arg=7000)
    await page.get_by_text(re.compile(r"^0:07 / 0:08")).wait_for()
    await page.keyboard.press("i")
    span = page.locator(".clip-editor [role=status]")
    await expect(span).to_contain_text("0:07.000 –")
    await page.keyboard.press("o")
    await expect(span).to_contain_text("0:07.000 – 0:07.0")
    await page.keyboard.press("s")
    form = page.get_by_role("form", name="New technique")
    await expect(form.get_by_role("combobox", name="Technique")).to_be_focused()
    await page.keyboard.type("House special")
    await form.get_by_label("Category").select_option("DEFENSE_ESCAPES")
    await form.get_by_label("Athlete").fill("athlete in blue gi")
    await check_every_look(page)
    await page.set_viewport_size(DESK)
    await form.get_by_role("button", name="Save").click()
    await expect(rows).to_have_count(4)
    await expect(page.locator(".lane-track button.accepted")).to_have_count(3)

    endpoint = Emulator("sightline", site.address, "000000000000")
    consumer = AwsPlatform(endpoint, site.address, site.state, site.client)
    topic = consumer.arn("video_analysis_events")
    async with consumer.listening("technique_consumer.py", site.address, topic, "coach-consumer") as listening:
        await page.get_by_role("button", name="Publish 3 techniques").click()
        seen = await listening.result()
    assert seen["finalized"] == [video_id[1]]
    bodies = [json.loads(one["Message"]) for one in seen["envelopes"]]
    (complete,) = [body for body in bodies if "total_event_count" in body]
    assert (len(bodies), complete["total_event_count"]) == (4, 3)
    assert sorted(
        (
            one["start_time"],
            one["end_time"],
            one["event_candidates"][0]["skill_name"],
            one["event_candidates"][0]["role"],
        )
        for one in seen["events"]
    ) == [
        ("00:00:00", "00:00:01", "Double Leg Takedown", "athlete in white gi"),
        ("00:00:02", "00:00:03", "Armbar from Guard", "athlete in white gi"),
        ("00:00:07", "00:00:07", "House special", "athlete in blue gi"),
    ]
    await page.locator(".badge.good", has_text="Published: 3 techniques").wait_for()

    summary = page.get_by_role("region", name="Summary")
    await expect(summary.locator("tr", has_text="Armbar from Guard").locator("td").nth(3)).to_have_text("1")
    await check_every_look(page)
    await page.set_viewport_size(DESK)

    await page.get_by_role("button", name="Choose all accepted").click()
    await page.get_by_role("button", name=re.compile("Create reel: 3 techniques")).click()
    dialog = page.get_by_role("dialog", name="Create a reel")
    await dialog.get_by_label("Name").fill("Best of rolling")
    await dialog.get_by_role("button", name="Create reel").click()
    reel = page.locator(".clips li").filter(has_text="Best of rolling")
    await reel.locator(".badge", has_text="Ready").wait_for()
    async with page.expect_download() as download:
        await reel.get_by_role("link", name="Download").click()
    with av.open(str(await (await download.value).path())) as container:
        assert container.duration is not None
        assert container.duration / av.time_base == pytest.approx(1.5 + 0.5 + 2.0 + 1.0 + 1 / 30, abs=0.2)


@pytest.mark.req(881, 884)
async def test_two_people_do_not_overwrite_each_other_and_files_come_back(
    site: Site, page: "Page", tmp_path: Path
) -> None:
    film = tmp_path / "two.mp4"
    await asyncio.to_thread(make_film, film, 2, 4)
    content = film.read_bytes()
    started = await site.ask("POST", "/videos", json={"totalSize": len(content), "filename": film.name})
    address = f"/videos/{started['videoId']}"
    mark = {"t_start": 0, "t_end": 900, "category": "GUARD_PLAY", "name": "Sweep", "role": "athlete in blue"}
    made = await site.ask("POST", f"{address}/marks", json=mark)
    await page.goto(f"{site.address}/ui{address}?tab=techniques")
    row = page.locator(".mark-row")
    await row.get_by_role("button", name="Edit").click()
    form = page.get_by_role("form", name="Edit technique")
    await form.get_by_role("combobox", name="Technique").fill("Armbar")
    await site.ask("PATCH", f"{address}/marks/{made['id']}", json={"version": 1, "role": "athlete in red"})
    await form.get_by_role("button", name="Save").click()
    await page.get_by_text("The mark was changed since you opened it. Review it and try again.").wait_for()
    assert [one["name"] for one in (await site.ask("GET", f"{address}/marks"))["marks"]] == ["Sweep"]
    await form.get_by_role("button", name="Cancel").click()
    await expect(row).to_contain_text("athlete in red")

    await page.locator(".publish-bar summary").click()
    async with page.expect_download() as download:
        await page.get_by_role("link", name="Export CSV").click()
    exported = await asyncio.to_thread((await (await download.value).path()).read_text, "utf-8")
    changed = tmp_path / "marks.csv"
    changed.write_text(exported.replace("Sweep", "Kimura"), encoding="utf-8")
    await page.locator(".publish-bar input[type=file]").set_input_files(changed)
    await page.get_by_text("Imported: 0 new, 1 changed, 0 unchanged.").wait_for()
    await expect(row).to_contain_text("Kimura")
    changed.write_text(exported.replace("GUARD_PLAY", "COOKING"), encoding="utf-8")
    await page.locator(".publish-bar input[type=file]").set_input_files(changed)
    await page.get_by_text(re.compile("line 2: category: 'COOKING' is none of")).wait_for()
