"""Clips: exact to the picture at both ends, from any container, at any place."""

import os
from dataclasses import asdict
from fractions import Fraction

import av
import numpy as np
import pytest

from sightline.media.clips.clip import CLIP_FILE
from sightline.media.clips.clip_work import cut_clip
from sightline.media.input import MediaUnreadable
from support.coded_clip import Form, make_clip, read_numbers
from support.media_rig import MEDIA_LIMITS, decoded_info, in_process

LENGTH = 150
FORMS = {
    "plain.mp4": Form(frames=LENGTH, sound="aac"),
    "open_gop.mp4": Form(frames=LENGTH, gop=30, options={"bf": "3", "x264-params": "open-gop=1"}),
    "one_key_frame.mp4": Form(frames=LENGTH, gop=1000, options={"sc_threshold": "0"}),
    "turned.mp4": Form(frames=LENGTH, rotation=270),
    "anamorphic.mkv": Form(frames=LENGTH, pixel_aspect=Fraction(4, 3)),
    "late.ts": Form(frames=LENGTH, start_s=7.5),
    "late.mkv": Form(frames=LENGTH, start_s=7.5, sound="libopus"),
    "program.mpg": Form(frames=LENGTH, codec="mpeg2video"),
    "no_index.webm": Form(frames=LENGTH, codec="libvpx-vp9", container="webm", container_options={"live": "1"}),
    "flash.flv": Form(frames=LENGTH),
    "fast.mp4": Form(frames=480, fps=120),
}


def cut(path, directory, start_ms, end_ms):
    """In the test's own process, for speed."""
    directory.mkdir()
    before = os.getcwd()
    os.chdir(directory)
    try:
        argument = {"readable": str(path), "media_limits": asdict(MEDIA_LIMITS), "start_ms": start_ms, "end_ms": end_ms}
        cut_clip(argument, lambda *_: None)
    finally:
        os.chdir(before)
    return directory / CLIP_FILE


@pytest.mark.req(128)
@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize(("start_ms", "end_ms"), [(1500, 2500), (2033, 2101), (0, 300)])
def test_the_first_and_the_last_picture_are_those_of_the_times(name, start_ms, end_ms, tmp_path):
    form = make_clip(tmp_path / name, FORMS[name])
    clip = cut(tmp_path / name, tmp_path / "out", start_ms, end_ms)
    expected = [number for number, at_s in enumerate(form.shown_at) if start_ms - 0.5 <= at_s * 1000 < end_ms - 0.5]
    shown = read_numbers(clip)
    assert [number for _, number in shown] == expected
    assert shown[0][0] == pytest.approx(0, abs=0.0006)
    assert decoded_info(clip)["duration_s"] == pytest.approx((end_ms - start_ms) / 1000, abs=0.002)


def test_the_frame_on_screen_at_the_start_of_a_clip_is_its_first(tmp_path):
    make_clip(tmp_path / "slides.mp4", times=[0.0, 2.0, 6.0, 9.0], fps=1)
    clip = cut(tmp_path / "slides.mp4", tmp_path / "out", 3000, 7000)
    assert read_numbers(clip) == [(0.0, 1), (pytest.approx(3.0), 2)]
    assert decoded_info(clip)["duration_s"] == pytest.approx(4.0, abs=0.001)
    within = cut(tmp_path / "slides.mp4", tmp_path / "within", 3000, 4000)
    assert read_numbers(within) == [(0.0, 1)]
    assert decoded_info(within)["duration_s"] == pytest.approx(1.0, abs=0.001)


def test_a_time_between_two_pictures_begins_with_the_one_on_screen(tmp_path):
    make_clip(tmp_path / "a.mp4", frames=60)
    shown = read_numbers(cut(tmp_path / "a.mp4", tmp_path / "out", 1010, 1200))
    assert [number for _, number in shown] == [30, 31, 32, 33, 34, 35]
    assert shown[1][0] == pytest.approx(31 / 30 - 1.010, abs=0.001)


def test_sound_is_cut_at_the_same_times(tmp_path):
    """The tone rises by 100 Hz every second."""
    make_clip(tmp_path / "a.mp4", frames=150, sound="aac")
    clip = cut(tmp_path / "a.mp4", tmp_path / "out", 1500, 3500)
    with av.open(str(clip)) as container:
        sound = container.streams.audio[0]
        assert sound.duration
        assert sound.time_base
        assert float(sound.duration * sound.time_base) == pytest.approx(2.0, abs=0.03)
        wave = np.concatenate([frame.to_ndarray()[0] for frame in container.decode(sound)])
    rate = 48_000
    assert _pitch(wave[int(0.1 * rate) : int(0.4 * rate)]) == pytest.approx(500, abs=10)
    assert _pitch(wave[int(0.6 * rate) : int(1.4 * rate)]) == pytest.approx(600, abs=10)
    assert _pitch(wave[int(1.6 * rate) : int(1.9 * rate)]) == pytest.approx(700, abs=10)


def _pitch(wave):
    spectrum = np.abs(np.fft.rfft(wave * np.hanning(len(wave)), 65536))
    return float(spectrum.argmax() * 48_000 / 65536)


def test_pictures_are_upright_with_square_pixels_and_without_location(tmp_path):
    make_clip(tmp_path / "a.mov", frames=30, rotation=90, metadata={"location": "+48.8577+002.295/"})
    assert b"+48.8577" in (tmp_path / "a.mov").read_bytes()
    clip = cut(tmp_path / "a.mov", tmp_path / "out", 0, 500)
    found = decoded_info(clip)
    assert (found["size"], found["rotation"], found["pixel_aspect"]) == ((96, 160), 0, 1)
    assert b"+48.8577" not in clip.read_bytes()


def test_it_can_be_played_while_it_loads(tmp_path):
    make_clip(tmp_path / "a.mp4", frames=30)
    content = cut(tmp_path / "a.mp4", tmp_path / "out", 0, 500).read_bytes()
    assert content.index(b"moov") < content.index(b"mdat")


async def test_in_a_process_with_limits(tmp_path):
    make_clip(tmp_path / "a.mp4", frames=60, sound="aac")
    (tmp_path / "work").mkdir()
    await in_process(cut_clip, tmp_path / "work", readable=str(tmp_path / "a.mp4"), start_ms=500, end_ms=1000)
    assert [number for _, number in read_numbers(tmp_path / "work" / CLIP_FILE)] == list(range(15, 30))


async def test_a_clip_of_a_damaged_video_says_so(tmp_path):
    (tmp_path / "a.mp4").write_bytes(b"\0\0\0\x20ftypisom" + b"\0" * 1000)
    with pytest.raises(MediaUnreadable, match="cut off|damaged"):
        await in_process(cut_clip, None, readable=str(tmp_path / "a.mp4"), start_ms=500, end_ms=1000)
