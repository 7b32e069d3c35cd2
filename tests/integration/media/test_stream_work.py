"""The stream that browsers play, of every kind of video: each picture at its time, upright, for the whole length."""

from fractions import Fraction
from itertools import pairwise

import av
import numpy as np
import pytest

from sightline.media.input.probe import probe_container
from sightline.media.input.source import open_media
from sightline.media.stream.proxy import PLAYLIST_FILE
from sightline.media.stream.proxy_work import make_proxy
from sightline.media.stream.stream_work import StreamRequest, make_stream
from support.coded_clip import Form, make_clip, read_numbers
from support.media_rig import MEDIA_LIMITS, decoded_info, in_process, playlist_length_s

FRAME = 1 / 30
QUIET = {"x265-params": "log-level=none"}

COPIED = {
    "plain.mp4": Form(frames=60, sound="aac"),
    "silent.mp4": Form(frames=60),
    "b_frames.mkv": Form(frames=60, options={"bf": "3"}, sound="libopus"),
    "late.ts": Form(frames=60, start_s=7.5, sound="aac"),
    "flash.flv": Form(frames=60, sound="aac"),
    "old.avi": Form(frames=60, options={"bf": "0"}),
}
ENCODED = {
    "turned.mp4": Form(frames=30, rotation=90),
    "other_way.mp4": Form(frames=30, rotation=270, sound="aac"),
    "upside_down.mp4": Form(frames=30, rotation=180),
    "odd.mkv": Form(frames=30, width=161, height=97, codec="ffv1", pixel_format="yuv444p"),
    "anamorphic.mp4": Form(frames=30, pixel_aspect=Fraction(4, 3)),
    "two_streams.mp4": Form(frames=30, pictures=2),
    "ten_bits.mp4": Form(frames=30, codec="libx265", pixel_format="yuv420p10le", options=QUIET),
    "webm.webm": Form(frames=30, codec="libvpx-vp9", sound="libopus"),
    "late.mkv": Form(frames=30, codec="ffv1", start_s=7.5),
    "program.mpg": Form(frames=30, fps=25, codec="mpeg2video"),
    "rare_key_frames.ts": Form(frames=330, gop=1000, options={"sc_threshold": "0"}),
}


def stream_of(path, directory, max_height=720):
    with open_media(str(path), MEDIA_LIMITS) as container:
        info = probe_container(container, MEDIA_LIMITS)
    into = directory / f"{path.name}.stream"
    into.mkdir()
    request = StreamRequest(str(path), MEDIA_LIMITS, max_height, 1.0, into)
    return info, make_stream(request, info, lambda *_: None), into / PLAYLIST_FILE


@pytest.mark.req(94)
@pytest.mark.parametrize("name", [*COPIED, *ENCODED])
def test_every_picture_is_shown_at_its_time_for_the_whole_length(name, tmp_path):
    form = (COPIED | ENCODED)[name]
    make_clip(tmp_path / name, form)
    _, made, playlist = stream_of(tmp_path / name, tmp_path)
    assert made.plan.copies_picture == (name in COPIED), made.plan.reasons
    shown = read_numbers(playlist, options={"allowed_extensions": "ALL"})
    assert [number for _, number in shown] == list(range(len(form.shown_at)))
    for (at_s, _), wanted_s in zip(shown, form.shown_at, strict=True):
        assert at_s == pytest.approx(wanted_s, abs=0.025)
    assert playlist_length_s(playlist) == pytest.approx(form.duration_s, abs=0.04)
    assert made.duration_s == pytest.approx(form.duration_s, abs=0.05)
    found = decoded_info(playlist)
    assert (found["codec"], found["pixel_format"], found["rotation"]) == ("h264", "yuv420p", 0)
    assert found["sound"] == ("aac" if form.sound else None)
    if name in ENCODED:
        assert found["b_frames"] == 0


def test_what_is_copied_is_the_same_to_the_bit(tmp_path):
    make_clip(tmp_path / "a.mp4", COPIED["plain.mp4"])
    _, _, playlist = stream_of(tmp_path / "a.mp4", tmp_path)
    assert np.array_equal(_pictures(tmp_path / "a.mp4"), _pictures(playlist))


def _pictures(path):
    options = {"allowed_extensions": "ALL"} if path.suffix == ".m3u8" else {}
    with av.open(str(path), options=options) as container:
        return np.stack([frame.to_ndarray() for frame in container.decode(video=0)])


@pytest.mark.parametrize(
    ("name", "size"), [("turned.mp4", (96, 160)), ("anamorphic.mp4", (214, 96)), ("odd.mkv", (162, 98))]
)
def test_pictures_come_upright_with_square_pixels_and_even_sides(name, size, tmp_path):
    make_clip(tmp_path / name, ENCODED[name])
    info, made, playlist = stream_of(tmp_path / name, tmp_path)
    found = decoded_info(playlist)
    assert found["size"] == size == (made.plan.width, made.plan.height)
    assert found["pixel_aspect"] == 1
    assert abs(info.shown_size[0] - size[0]) <= 1


def test_large_pictures_are_made_smaller_and_small_ones_are_not_made_larger(tmp_path):
    make_clip(tmp_path / "a.mkv", frames=30, width=640, height=480, codec="ffv1")
    _, _, playlist = stream_of(tmp_path / "a.mkv", tmp_path, max_height=240)
    assert decoded_info(playlist)["size"] == (320, 240)


def test_variable_frame_times_are_kept_and_long_frames_are_repeated(tmp_path):
    times = [0.0, 0.1, 0.5, 2.0, 2.05, 4.0]
    make_clip(tmp_path / "vfr.mp4", times=times, fps=10)
    _, made, playlist = stream_of(tmp_path / "vfr.mp4", tmp_path)
    shown = read_numbers(playlist, options={"allowed_extensions": "ALL"})
    first: dict[int, float] = {}
    for at_s, number in shown:
        first.setdefault(number, at_s)
    assert [first[number] for number in range(len(times))] == pytest.approx(times, abs=0.002)
    gaps = [later - earlier for (earlier, _), (later, _) in pairwise(shown)]
    assert max(gaps) <= 0.51
    assert "stands for" in made.plan.reasons[0]


def test_a_long_last_frame_is_played_to_the_end(tmp_path):
    """The audio lasts two seconds longer than the last frame."""
    make_clip(tmp_path / "tail.mp4", frames=30, sound="aac", sound_s=3.0)
    _, made, playlist = stream_of(tmp_path / "tail.mp4", tmp_path)
    assert made.duration_s == pytest.approx(3.0, abs=0.05)
    assert playlist_length_s(playlist) == pytest.approx(3.0, abs=0.06)
    shown = read_numbers(playlist, options={"allowed_extensions": "ALL"})
    assert shown[-1][1] == 29
    assert shown[-1][0] > 2.4


def test_more_than_sixty_pictures_a_second_become_sixty(tmp_path):
    make_clip(tmp_path / "fast.mp4", frames=120, fps=120)
    _, made, playlist = stream_of(tmp_path / "fast.mp4", tmp_path)
    shown = read_numbers(playlist, options={"allowed_extensions": "ALL"})
    assert [number for _, number in shown] == list(range(0, 120, 2))
    assert made.duration_s == pytest.approx(1.0, abs=0.02)


def test_pictures_brighter_than_a_screen_are_brought_into_its_range(tmp_path):
    """HDR: black, something dark, and ten times as bright as white paper."""
    tags = "log-level=none:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc"
    with av.open(str(tmp_path / "hdr.mp4"), "w") as output:
        stream = output.add_stream("libx265", rate=25, options={"preset": "ultrafast", "x265-params": tags})
        stream.width, stream.height, stream.pix_fmt = 192, 64, "yuv420p10le"
        for number in range(5):
            frame = av.VideoFrame(192, 64, "yuv420p10le")
            luma = np.repeat(np.array([64, 327, 896], np.uint16), 64)
            row = np.pad(luma, (0, frame.planes[0].line_size // 2 - 192)).tobytes()
            frame.planes[0].update(row * 64)
            for plane in frame.planes[1:]:
                plane.update(np.array([512], np.uint16).tobytes() * (plane.buffer_size // 2))
            frame.pts, frame.time_base = number, Fraction(1, 25)
            output.mux(stream.encode(frame))
        output.mux(stream.encode(None))
    info, _, playlist = stream_of(tmp_path / "hdr.mp4", tmp_path)
    assert info.is_hdr
    with av.open(str(playlist), options={"allowed_extensions": "ALL"}) as container:
        shown = next(container.decode(video=0))
    assert (shown.format.name, int(shown.color_trc), int(shown.colorspace)) == ("yuv420p", 1, 1)
    black, dark, bright = (shown.to_ndarray()[32, column] for column in (32, 96, 160))
    assert black < 20
    assert 50 < dark < 72  # 81 where nothing is done
    assert 215 < bright <= 235


def test_segments_begin_with_key_frames_and_can_be_played_alone(tmp_path):
    make_clip(tmp_path / "a.webm", frames=120, codec="libvpx-vp9")
    _, _, playlist = stream_of(tmp_path / "a.webm", tmp_path)
    segments = sorted(playlist.parent.glob("segment_*.ts"))
    assert len(segments) >= 2
    assert [number for path in segments for _, number in read_numbers(path)] == list(range(120))


def test_pictures_hidden_by_a_cut_stay_hidden(tmp_path):
    """An edit list that begins between two key frames, as phones write it when they trim."""
    make_clip(tmp_path / "whole.mp4", frames=60, gop=60, options={"bf": "0", "sc_threshold": "0"})
    _trim(tmp_path / "whole.mp4", tmp_path / "cut.mp4", 20 / 30)
    _, made, playlist = stream_of(tmp_path / "cut.mp4", tmp_path)
    assert not made.plan.copies_picture
    shown = read_numbers(playlist, options={"allowed_extensions": "ALL"})
    assert [number for _, number in shown] == list(range(20, 60))


def _trim(source, into, start_s):
    """Without encoding: packets of before the start get negative times, which the muxer hides by an edit list."""
    with av.open(str(source)) as given, av.open(str(into), "w", options={"avoid_negative_ts": "disabled"}) as output:
        stream = given.streams.video[0]
        made = output.add_stream_from_template(stream)
        shift = round(start_s / stream.time_base)
        for packet in given.demux(stream):
            if packet.dts is not None:
                packet.pts -= shift
                packet.dts -= shift
                packet.stream = made
                output.mux(packet)


@pytest.mark.req(95)
async def test_in_a_process_with_limits_stream_poster_and_facts_are_made(tmp_path):
    """And where the video was taken stays with the original."""
    gps = {"location": "+48.8577+002.295/"}
    form = make_clip(tmp_path / "a.mov", frames=45, rotation=90, sound="aac", metadata=gps)
    assert b"+48.8577" in (tmp_path / "a.mov").read_bytes()
    work = tmp_path / "work"
    work.mkdir()
    made = await in_process(make_proxy, work, readable=str(tmp_path / "a.mov"), max_height=720, segment_s=6.0)
    assert made["duration_ms"] == pytest.approx(form.duration_s * 1000, abs=50)
    assert (made["width"], made["height"], made["fps"]) == (96, 160, 30.0)
    assert not made["was_copied"]
    with av.open(str(work / "poster.jpg")) as poster:
        picture = next(poster.decode(video=0))
        assert (picture.width, picture.height) == (96, 160)
    for path in (work / "stream").iterdir():
        assert b"+48.8577" not in path.read_bytes()
    assert b"+48.8577" not in (work / "poster.jpg").read_bytes()
