"""Frames that are not decoded because they are neither sampled nor referenced."""

import numpy as np
import pytest

from sightline.media.input.source import open_media, video_stream
from sightline.media.sampling import sample_frames
from sightline.media.sampling.ranges import WHOLE_VIDEO, TickRange
from sightline.media.sampling.unreferenced_frames import is_unreferenced, length_bytes
from support.clip_maker import make_clip
from support.clip_maker.kinds import uneven_times
from support.media_rig import MEDIA_LIMITS

WITH_B_FRAMES = {"preset": "veryfast", "bf": "3", "g": "20"}


def unit(kind: int, importance: int, size: int = 6) -> bytes:
    return size.to_bytes(4, "big") + bytes([importance << 5 | kind]) + bytes(size - 1)


def test_a_picture_is_known_by_its_first_part_whatever_comes_before_it():
    assert is_unreferenced(unit(6, 0) + unit(1, 0), 4)
    assert not is_unreferenced(unit(6, 0) + unit(1, 2), 4)
    assert not is_unreferenced(unit(9, 0) + unit(5, 3), 4)


@pytest.mark.parametrize("content", [b"", b"\0", b"\0\0\0\0", unit(6, 0), b"\xff" * 40])
def test_what_cannot_be_read_counts_as_needed(content):
    assert not is_unreferenced(content, 4)


def test_only_streams_with_length_fields_are_examined():
    header = bytes([1, 100, 0, 40, 0xFF, 0xE1, 0, 0])
    assert length_bytes("h264", header) == 4
    assert length_bytes("hevc", header) is None
    assert length_bytes("h264", b"\0\0\0\1\x67\0\0\0") is None
    assert length_bytes("h264", None) is None


def seen(path, wanted, fps=10.0):
    with open_media(str(path), MEDIA_LIMITS) as container:
        found = sample_frames.candidates(container, video_stream(container), wanted, fps)
        return [(tick, at_ms, bytes(frame.planes[0])[::31]) for tick, at_ms, frame in found]


@pytest.mark.req(98, 100)
@pytest.mark.parametrize("times", [None, uneven_times(2000)], ids=["even", "uneven"])
def test_skipping_unreferenced_frames_changes_neither_pictures_nor_times(tmp_path, monkeypatch, times):
    path = tmp_path / "clip.mp4"
    make_clip(path, "thirds", seconds=2, fps=60, size=(320, 180), options=WITH_B_FRAMES, frame_times_ms=times)
    decoded = []
    decode = sample_frames._unless_unreferenced

    def counted(*arguments):
        kept = list(decode(*arguments))
        decoded.append(len(kept))
        return kept

    monkeypatch.setattr(sample_frames, "_unless_unreferenced", counted)
    fewer = seen(path, WHOLE_VIDEO)
    assert sum(decoded) < len(decoded)  # some were left out
    monkeypatch.setattr(sample_frames, "length_bytes", lambda codec, header: None)
    assert fewer == seen(path, WHOLE_VIDEO)


@pytest.mark.req(290, 293)
@pytest.mark.parametrize("name", ["clip.mp4", "clip.mkv", "clip.ts"])
def test_a_range_shows_what_a_run_from_the_beginning_shows(tmp_path, name):
    path = tmp_path / name
    make_clip(path, "thirds", seconds=3, fps=25, size=(320, 180), options=WITH_B_FRAMES, start_ms=4000)
    whole = seen(path, WHOLE_VIDEO)
    assert [tick for tick, _, _ in whole] == list(range(30))
    parts = [seen(path, one) for one in (TickRange(0, 7), TickRange(7, 22), TickRange(22, None))]
    assert [one for part in parts for one in part] == whole


def test_frames_within_one_millisecond_are_one(tmp_path):
    path = tmp_path / "quick.mkv"
    make_clip(path, "thirds", seconds=0.1, size=(320, 180), frame_times_ms=[0, 1, 2, 3])
    assert [at_ms for _, at_ms, _ in seen(path, WHOLE_VIDEO, fps=5000.0)] == [0, 1, 2, 3]


def test_the_index_shows_where_decoding_can_start(tmp_path):
    make_clip(tmp_path / "clip.mp4", "thirds", seconds=2, fps=25, size=(320, 180), options=WITH_B_FRAMES)
    with open_media(str(tmp_path / "clip.mp4"), MEDIA_LIMITS) as container:
        found = sample_frames.keyframes_s(container, video_stream(container))
    assert np.all(np.diff(found) <= 0.8 + 1e-6)
    assert found[0] >= 0
