"""Recordings, live view and clips in a real browser, with the player that the page uses."""

import asyncio
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from sightline.timing import iso_utc, utc_now
from support.browser import ON_ITS_LOOP
from support.node import WEB
from support.page_site import Site
from support.waiting import soon

if TYPE_CHECKING:
    from playwright.async_api import Page

pytestmark = [ON_ITS_LOOP]

PLAYER = WEB / "node_modules" / "hls.js" / "dist" / "hls.light.js"
PLAY = """async address => {
  document.body.innerHTML = '<video muted></video>';
  const video = document.querySelector('video');
  const hls = new Hls({ maxBufferLength: 60, enableWorker: false });
  const trouble = [];
  hls.on(Hls.Events.ERROR, (_, data) => trouble.push(data.details));
  hls.loadSource(address);
  hls.attachMedia(video);
  await new Promise((done, fail) => {
    video.addEventListener('playing', done, { once: true });
    hls.on(Hls.Events.ERROR, (_, data) => data.fatal && fail(new Error(data.details)));
    video.play().catch(fail);
  });
  const began = video.currentTime;
  await new Promise(done => video.addEventListener('timeupdate', () => video.currentTime > began + 1 && done()));
  const ranges = [];
  for (let one = 0; one < video.buffered.length; one++) ranges.push([video.buffered.start(one), video.buffered.end(one)]);
  const found = { width: video.videoWidth, began, ranges, trouble, date: hls.playingDate && hls.playingDate.toISOString() };
  hls.destroy();
  return found;
}"""
SHOW = """async address => {
  document.body.innerHTML = '<img>';
  const picture = document.querySelector('img');
  picture.src = address;
  while (!picture.naturalWidth) await new Promise(done => setTimeout(done, 50));
  const width = picture.naturalWidth;
  picture.src = '';
  return width;
}"""


@pytest.mark.req(589, 593)
@pytest.mark.time_limit(240)
async def test_the_player_of_the_page_plays_recordings_and_live_view(closed: Site, page: "Page") -> None:
    user = closed.user()
    await user.ask("POST", "/api/cameras/sample")
    await user.ask("PATCH", "/api/cameras/sample_camera", json={"source": {"record_mode": "continuous"}})
    now = utc_now()
    window = {"since": iso_utc(now - timedelta(minutes=5)), "until": iso_utc(now + timedelta(minutes=5))}

    def is_long(answer: dict[str, Any]) -> bool:
        return any(
            datetime.fromisoformat(one["ended_at"]) - datetime.fromisoformat(one["started_at"]) > timedelta(seconds=7)
            for one in answer["recordings"][:1]
        )

    await user.ask_until("/api/cameras/sample_camera/recordings", is_long, params=window, within_s=90)
    await user.let_in(page)
    await page.goto(f"{user.address}/")
    await page.evaluate(await asyncio.to_thread(PLAYER.read_text, "utf-8"))

    base = "/api/cameras/sample_camera"
    recorded = await soon(
        page.evaluate(PLAY, f"{base}/recording/index.m3u8?since={window['since']}&until={window['until']}"), within_s=60
    )
    assert recorded["width"] > 0
    assert len(recorded["ranges"]) == 1, recorded  # no hole between segments
    assert recorded["ranges"][0][1] - recorded["ranges"][0][0] > 6
    # A player that waited for its turn on a busy machine tells of that too, and goes on.
    assert [one for one in recorded["trouble"] if not one.startswith("buffer")] == []
    assert recorded["date"] >= window["since"]

    live = await soon(page.evaluate(PLAY, f"{base}/live/index.m3u8"), within_s=60)
    assert len(live["ranges"]) == 1, live
    assert await soon(page.evaluate(SHOW, f"{base}/live.mjpeg"), within_s=60) > 0
    await user.ask("DELETE", "/api/cameras/sample_camera")
