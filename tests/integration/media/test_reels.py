"""Reels: parts of a video one after another, exact to the picture and to the sound, with captions."""

import os
from dataclasses import asdict

import av
import numpy as np
import pytest

from sightline.media.clips.clip import CLIP_FILE
from sightline.media.clips.clip_work import cut_clip
from support.asking import is_error
from support.coded_clip import make_clip, read_numbers
from support.media_rig import MEDIA_LIMITS, decoded_info

PARTS = [(4000, 4500), (1010, 1200), (2500, 3500)]
RATE = 48_000


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    path = tmp_path_factory.mktemp("reel") / "clip.mp4"
    make_clip(path, frames=150, sound="aac")
    return path


def cut(path, directory, **more):
    """In the test's own process, for speed."""
    before = os.getcwd()
    os.chdir(directory)
    try:
        cut_clip({"readable": str(path), "media_limits": asdict(MEDIA_LIMITS), "parts": PARTS, **more}, lambda *_: None)
    finally:
        os.chdir(before)
    return directory / CLIP_FILE


@pytest.mark.req(887)
def test_parts_follow_each_other_in_the_order_that_was_asked_for(source, tmp_path):
    reel = cut(source, tmp_path)
    shown = read_numbers(reel)
    first, second, third = list(range(120, 135)), list(range(30, 36)), list(range(75, 105))
    assert [number for _, number in shown] == first + second + third
    assert shown[15][0] == pytest.approx(0.5, abs=0.001)
    assert shown[16][0] == pytest.approx(0.5 + 31 / 30 - 1.010, abs=0.001)
    assert shown[21][0] == pytest.approx(0.69, abs=0.001)
    assert decoded_info(reel)["duration_s"] == pytest.approx(1.69, abs=0.002)


@pytest.mark.req(887)
def test_the_sound_of_each_part_stays_with_its_pictures(source, tmp_path):
    """The tone rises by 100 Hz every second."""
    with av.open(str(cut(source, tmp_path))) as container:
        sound = container.streams.audio[0]
        wave = np.concatenate([frame.to_ndarray()[0] for frame in container.decode(sound)])
    assert len(wave) / RATE == pytest.approx(1.69, abs=0.03)
    for start_s, end_s, tone in ((0.05, 0.45, 800), (0.53, 0.66, 500), (0.75, 1.15, 600), (1.23, 1.65, 700)):
        part = wave[int(start_s * RATE) : int(end_s * RATE)]
        spectrum = np.abs(np.fft.rfft(part * np.hanning(len(part)), 65536))
        assert spectrum.argmax() * RATE / 65536 == pytest.approx(tone, abs=15)


@pytest.mark.req(887)
async def test_a_reel_is_a_clip_with_a_caption_for_each_part(use, client, source, tmp_path):
    video_id = await use.add(source)
    await use.sql("UPDATE videos SET duration_ms = 5000, s3_proxy_path = 'x' WHERE id = $1", video_id)
    parts = [
        {"t_start": 3000, "t_end": 3500, "caption": "Armbar · athlete in blue"},
        {"t_start": 1000, "t_end": 1200, "caption": ""},
        {"t_start": 4900, "t_end": 6000, "caption": "Mount"},
    ]
    body = {"parts": parts, "captions": "soft", "name": "Best of", "padding_ms": 100}
    asked = await client.post(f"/videos/{video_id}/reels", json=body)
    assert asked.status_code == 202, asked.text
    (job,) = await use.jobs_of(video_id, "clip_generate")
    async with use.working(use.handler("clip_generate")):
        settled = await use.settled(job["id"])
    assert settled.status == "done", settled.error
    found = (await client.get(f"/clips/{asked.json()['clip_id']}")).json()
    assert (found["status"], found["parts"], found["name"]) == ("done", 3, "Best of")
    assert (found["start_ms"], found["end_ms"]) == (900, 5000)
    path = tmp_path / "reel.mp4"
    path.write_bytes(await use.platform.objects.get(found["s3_path"]))
    with av.open(str(path)) as container:
        texts = [
            (float(packet.pts * packet.time_base), bytes(packet)[2:].decode())
            for packet in container.demux(container.streams.subtitles[0])
            if packet.size > 2 and packet.pts is not None
        ]
    assert texts == [(0.0, "Armbar · athlete in blue"), (pytest.approx(1.1), "Mount")]
    assert decoded_info(path)["duration_s"] == pytest.approx(0.7 + 0.4 + 0.2, abs=0.01)


@pytest.mark.req(887)
async def test_a_reel_that_cannot_be_cut_is_refused(use, client, source):
    video_id = await use.add(source)
    await use.sql("UPDATE videos SET duration_ms = 5000, s3_proxy_path = 'x' WHERE id = $1", video_id)
    whole = {"t_start": 0, "t_end": 5000}
    for parts in ([], [{"t_start": 2, "t_end": 2}], [{"t_start": 5000, "t_end": 6000}], [whole] * 201):
        answer = await client.post(f"/videos/{video_id}/reels", json={"parts": parts})
        is_error(answer, 422, "VALIDATION_ERROR")
    long = [{"t_start": 0, "t_end": 5000}] * 200
    use.platform.settings.media.clip_max_s = 900.0
    error = is_error(await client.post(f"/videos/{video_id}/reels", json={"parts": long}), 422, "VALIDATION_ERROR")
    assert "1000.0 s long" in error["message"]
    assert await use.jobs_of(video_id, "clip_generate") == []
