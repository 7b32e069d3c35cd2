"""The whole path in a browser: a person walks into the picture of a network camera, and somebody takes care of it."""

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import asyncpg
import pytest

from sightline.timing import iso_utc, utc_now
from sightline.vision import VisionSettings, detector_status
from support.browser import ON_ITS_LOOP
from support.camera_watch import somebody_at
from support.page_site import Site
from support.platform_process import database_url
from support.rtsp_server import RtspCamera
from support.waiting import until
from support.walk import WIDTH, still_and_walk

if TYPE_CHECKING:
    from playwright.async_api import Locator, Page

pytestmark = [
    ON_ITS_LOOP,
    pytest.mark.time_limit(300),
    pytest.mark.skipif(not detector_status(VisionSettings()).is_installed, reason="not installed: make vision"),
]

_HAS_PICTURE = "video => video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA"
_IS_LOADED = "image => image.complete && image.naturalWidth > 0"
_PLAYS = """async video => {
  video.muted = true;
  await video.play();
  await new Promise(done => video.addEventListener("timeupdate", () => video.currentTime > 0.5 && done()));
  return [video.videoWidth, video.currentTime];
}"""


async def until_loaded(picture: "Locator", holds: str = _IS_LOADED) -> None:
    async def is_loaded() -> bool:
        return bool(await picture.evaluate(holds))

    await until(is_loaded)


class Alerts:
    """The alerts of the test's rule, whose clock the test moves on."""

    def __init__(self, site: Site, rule_id: int) -> None:
        self._site = site
        self.rule_id = rule_id

    async def later(self, seconds: float) -> None:
        """The alerts are so much older."""
        connection = await asyncpg.connect(await database_url(self._site.state))
        try:
            await connection.execute(
                "UPDATE alerts SET created_at = created_at - make_interval(secs => $2),"
                " next_step_at = next_step_at - make_interval(secs => $2) WHERE rule_id = $1",
                *(self.rule_id, seconds),
            )
        finally:
            await connection.close()

    async def steps_of(self, event_id: int) -> list[int]:
        """The steps that were taken and announced to the page."""
        feed = await self._site.ask("GET", "/api/live/events", params={"after": 0, "limit": 1000})
        return [
            one["data"]["step"]
            for one in feed["messages"]
            if one["type"] == "event.escalated" and one["data"]["id"] == event_id
        ]

    async def until_step(self, event_id: int, step: int) -> None:
        async def is_taken() -> bool:
            return step in await self.steps_of(event_id)

        await until(is_taken)


@pytest.mark.req(666, 681)
async def test_a_person_before_a_camera_is_an_event_with_picture_and_clip_and_escalates_until_it_is_acknowledged(
    site: Site, page: "Page"
) -> None:
    still, walk = await asyncio.to_thread(still_and_walk)
    rule: dict[str, Any] = {
        "name": "Walkers",
        "cooldown_s": 0,
        "conditions": {"camera_ids": ["walked_by", "beside_the_walk"]},
        "escalation": [{"after_s": 600}, {"after_s": 1200}],
    }
    alerts = Alerts(site, (await site.ask("POST", "/api/alert-rules", json=rule))["rule_id"])
    async with RtspCamera() as camera:
        camera.clip = still
        source = {"address": camera.address, "looks_per_s": 5, "record_mode": "continuous"}
        await site.ask("POST", "/api/cameras", json={"name": "Walked By", "source": source})
        await site.ask_until("/api/cameras/walked_by", lambda one: one["state"]["state"] == "live")
        now = utc_now()
        day = {"since": iso_utc(now - timedelta(hours=1)), "until": iso_utc(now + timedelta(hours=1))}
        await site.ask_until("/api/cameras/walked_by/recordings", lambda found: bool(found["recordings"]), params=day)
        await page.goto(f"{site.address}/ui/events?camera=walked_by")
        await page.wait_for_selector(".live-line.live")

        camera.clip = (*walk, *still)  # again and again: a busy machine may take long over its first look
        row = page.get_by_role("listitem").filter(has_text="Walked By")
        await row.filter(has_text="person").wait_for()
        await until_loaded(row.locator(".event-thumbnail img"))

        await row.get_by_role("link").last.click()
        opened = page.get_by_role("region", name="Event details")
        await opened.get_by_role("button", name="Create clip").click()
        clip = opened.get_by_label("Clip of the event")
        await clip.wait_for()
        width, seconds = await clip.evaluate(_PLAYS)
        assert (width, seconds > 0.5) == (WIDTH, True)
        await row.locator(".event-thumbnail").hover()
        await until_loaded(row.locator(".event-thumbnail video"), _HAS_PICTURE)

        (event,) = (await site.ask("GET", "/api/events", params={"camera_id": "walked_by"}))["events"]
        witness = await somebody_at(site, "Beside the Walk")  # of the same rule, and nobody acknowledges it
        await alerts.later(601)
        await alerts.until_step(event["id"], 1)
        await opened.get_by_role("button", name="Acknowledge").click()
        await opened.get_by_text("Acknowledged by owner@localhost").wait_for()
        await alerts.later(601)
        await alerts.until_step(witness["id"], 2)
        assert await alerts.steps_of(event["id"]) == [1]
        history = (await site.ask("GET", f"/api/events/{event['id']}/history"))["history"]
        assert [one["action"] for one in history].count("escalated") == 1
    await site.ask("DELETE", "/api/cameras/walked_by")
    await site.ask("DELETE", f"/api/alert-rules/{alerts.rule_id}")
