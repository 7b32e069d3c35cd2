"""Pictures as only some cameras and recorders make them."""

import av
import numpy as np
import pytest

from sightline.media.input.orientation import Orientation
from sightline.media.input.probe import probe_container
from sightline.media.input.source import open_media
from sightline.media.stream.proxy import PLAYLIST_FILE
from sightline.media.stream.stream_work import StreamRequest, make_stream
from sightline.media.stream.video_filters import VideoFilters
from support.coded_clip import draw, make_clip, number_of, read_numbers
from support.media_rig import MEDIA_LIMITS


def test_interlaced_pictures_are_made_whole(tmp_path):
    make_clip(tmp_path / "x.mp4", frames=50, fps=25, height=128, options={"x264-params": "tff=1"})
    with open_media(str(tmp_path / "x.mp4"), MEDIA_LIMITS) as container:
        info = probe_container(container, MEDIA_LIMITS)
    assert info.is_interlaced
    (tmp_path / "out").mkdir()
    made = make_stream(
        StreamRequest(str(tmp_path / "x.mp4"), MEDIA_LIMITS, 720, 6.0, tmp_path / "out"), info, lambda *_: None
    )
    assert made.plan.reasons == ("interlaced",)
    with av.open(str(tmp_path / "out" / PLAYLIST_FILE), options={"allowed_extensions": "ALL"}) as container:
        assert not any(frame.interlaced_frame for frame in container.decode(video=0))
    shown = read_numbers(tmp_path / "out" / PLAYLIST_FILE, options={"allowed_extensions": "ALL"})
    assert len(shown) == 50
    assert [at_s for at_s, _ in shown] == pytest.approx([number / 25 for number in range(50)], abs=0.002)


def test_a_video_may_change_its_size_and_format_half_way():
    graph = VideoFilters(width=160, height=96, orientation=Orientation.UPRIGHT, is_interlaced=False, is_hdr=False)
    sizes = [(320, 192, "gray"), (320, 192, "yuv420p"), (640, 384, "yuv444p"), (160, 96, "rgb24")]
    found = []
    for number, (width, height, form) in enumerate(sizes):
        frame = av.VideoFrame.from_ndarray(draw(number, width, height), format="gray").reformat(format=form)
        found += graph.push(frame, number * 3000)
    found += graph.end()
    assert [(frame.width, frame.height, frame.format.name) for frame in found] == [(160, 96, "yuv420p")] * 4
    assert [frame.pts for frame in found] == [0, 3000, 6000, 9000]
    assert [number_of(frame.to_ndarray(format="gray")) for frame in found] == [0, 1, 2, 3]


def test_full_range_colours_become_those_that_players_expect(tmp_path):
    make_clip(tmp_path / "x.mp4", frames=30, pixel_format="yuvj420p")
    with open_media(str(tmp_path / "x.mp4"), MEDIA_LIMITS) as container:
        info = probe_container(container, MEDIA_LIMITS)
    (tmp_path / "out").mkdir()
    made = make_stream(
        StreamRequest(str(tmp_path / "x.mp4"), MEDIA_LIMITS, 720, 6.0, tmp_path / "out"), info, lambda *_: None
    )
    assert "pixel format yuvj420p" in made.plan.reasons
    with (
        av.open(str(tmp_path / "x.mp4")) as source,
        av.open(str(tmp_path / "out" / PLAYLIST_FILE), options={"allowed_extensions": "ALL"}) as stream,
    ):
        given = next(source.decode(video=0)).to_ndarray(format="rgb24").astype(int)
        shown = next(stream.decode(video=0)).to_ndarray(format="rgb24").astype(int)
    assert np.abs(given - shown).mean() < 6
