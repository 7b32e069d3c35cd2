"""Videos in a store that is far away: read by range through a signed address, and through no other."""

import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from sightline.errors import TransientFailure
from sightline.media.clips.clip import CLIP_FILE
from sightline.media.clips.clip_work import cut_clip
from sightline.media.input import MediaUnreadable
from sightline.media.sampling.sample_work import sample_range
from sightline.media.stream.proxy_work import make_proxy
from support.coded_clip import make_clip, read_numbers
from support.media_rig import in_process, probed
from support.objects_server import serving_disk

KEY = "videos/original/x/master.mp4"


@pytest.fixture
async def stored(tmp_path):
    """Stores a file and gives a signed address of it."""
    async with serving_disk(tmp_path / "objects") as served:

        async def put(path):
            await served.objects.put_file(KEY, path)
            return await served.objects.sign_get(KEY, expires_s=600)

        yield put


@pytest.mark.req(291)
@pytest.mark.parametrize("name", ["x.mp4", "x.mkv", "x.ts"])
async def test_streams_and_clips_are_made_from_an_address(name, stored, tmp_path):
    make_clip(tmp_path / name, frames=90, sound="aac")
    url = await stored(tmp_path / name)
    work = tmp_path / "work"
    work.mkdir()
    made = await in_process(make_proxy, work, readable=url, max_height=720, segment_s=6.0)
    assert made["was_copied"]
    shown = read_numbers(work / "stream" / "index.m3u8", options={"allowed_extensions": "ALL"})
    assert [number for _, number in shown] == list(range(90))
    cut = tmp_path / "cut"
    cut.mkdir()
    await in_process(cut_clip, cut, readable=url, start_ms=1000, end_ms=2000)
    expected = list(range(30, 60))
    assert [number for _, number in read_numbers(cut / CLIP_FILE)][-29:] == expected[-29:]


@pytest.mark.req(291)
async def test_frames_are_taken_from_an_address_as_from_the_file(stored, tmp_path):
    make_clip(tmp_path / "x.mp4", frames=60)
    sources = {"here": str(tmp_path / "x.mp4"), "there": await stored(tmp_path / "x.mp4")}
    taken = {}
    for name, readable in sources.items():
        work = tmp_path / name
        work.mkdir()
        order: dict[str, Any] = {
            "target_fps": 10,
            "threshold": 0.95,
            "duration_s": 2.0,
            "range": [0, None],
            "threads": 1,
        }
        found = await in_process(sample_range, work, readable=readable, **order)
        taken[name] = {at_ms: (work / f"{at_ms}.jpg").read_bytes() for at_ms in found["kept"]}
    assert taken["here"] == taken["there"]
    assert len(taken["here"]) > 10


async def test_a_hostile_file_behind_an_address_is_refused_all_the_same(stored, tmp_path):
    (tmp_path / "x.mp4").write_text("ffconcat version 1.0\nfile /etc/passwd\n")
    with pytest.raises(MediaUnreadable, match="concat script"):
        await probed(await stored(tmp_path / "x.mp4"))


async def test_a_store_that_does_not_answer_is_tried_again(tmp_path):
    with pytest.raises(TransientFailure):
        await probed("http://127.0.0.1:9/videos/x.mp4")


@contextmanager
def redirecting(to):
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(302)
            self.send_header("location", to)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/x.mp4"
    finally:
        server.shutdown()
        server.server_close()


async def test_redirects_to_elsewhere_are_not_followed(stored, tmp_path):
    make_clip(tmp_path / "x.mp4", frames=10)
    elsewhere = await stored(tmp_path / "x.mp4")
    assert (await probed(elsewhere)).width == 160
    with redirecting(elsewhere) as url, pytest.raises(TransientFailure):
        await probed(url)
