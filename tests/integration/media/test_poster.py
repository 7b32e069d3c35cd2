"""The picture that stands for a video: of a black beginning, a fade, a blur and a scene, the scene."""

from fractions import Fraction

import av
import numpy as np
import pytest
from av.video.reformatter import VideoReformatter

from sightline.media.input.probe import probe_container
from sightline.media.input.source import open_media
from sightline.media.stream.poster_work import make_poster
from support.media_rig import MEDIA_LIMITS

FPS = 25
HEIGHT, WIDTH = 180, 320


def scene(seed):
    small = np.random.default_rng(seed).integers(30, 225, (HEIGHT // 20, WIDTH // 20), np.uint8)
    return np.kron(small, np.ones((20, 20), np.uint8))


def blurred(picture):
    grey = picture.astype(float)
    for axis in (0, 1):
        grey = np.mean([np.roll(grey, shift, axis) for shift in range(-15, 16)], axis=0)
    return grey.astype(np.uint8)


def write_video(path, parts, gop):
    """Parts of (picture, picture it has become at the end, seconds)."""
    with av.open(str(path), "w") as output:
        stream = output.add_stream("libx264", rate=FPS, options={"preset": "ultrafast", "crf": "18"})
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        stream.codec_context.gop_size = gop
        number, converter = 0, VideoReformatter()
        for first, last, seconds in parts:
            count = round(seconds * FPS)
            for step in range(count):
                picture = first + (last.astype(float) - first) * step / count
                grey = av.VideoFrame.from_ndarray(picture.astype(np.uint8), format="gray")
                frame = converter.reformat(grey, format="yuv420p")
                frame.pts, frame.time_base = number, Fraction(1, FPS)
                output.mux(stream.encode(frame))
                number += 1
        output.mux(stream.encode(None))
    return number / FPS


def poster_of(path, duration_s, into):
    with open_media(str(path), MEDIA_LIMITS) as container:
        info = probe_container(container, MEDIA_LIMITS)
    make_poster(str(path), info, MEDIA_LIMITS, duration_s, into)
    with av.open(str(into)) as made:
        return next(made.decode(video=0)).to_ndarray(format="gray").astype(float)


@pytest.mark.req(95)
@pytest.mark.parametrize(("factor", "gop"), [(1, 12), (5, 25), (5, 250)])
def test_the_scene_is_chosen_and_not_the_black_the_fade_or_the_blur(factor, gop, tmp_path):
    """In a short video, in a long one, and in one whose key frames lie far apart."""
    black, one = np.full((HEIGHT, WIDTH), 2, np.uint8), scene(1)
    parts = [
        (black, black, 1.5 * factor),
        (black, one, 1.0 * factor),
        (one, one, 0.6 * factor),
        (one, blurred(one), 0.4 * factor),
        (blurred(one), blurred(one), 1.5 * factor),
        (blurred(one), black, 1.0 * factor),
    ]
    duration_s = write_video(tmp_path / "video.mp4", parts, gop)
    poster = poster_of(tmp_path / "video.mp4", duration_s, tmp_path / "poster.jpg")
    assert np.abs(poster - one).mean() < 12


def test_a_video_that_is_black_all_through_has_a_black_poster(tmp_path):
    black = np.full((HEIGHT, WIDTH), 2, np.uint8)
    duration_s = write_video(tmp_path / "video.mp4", [(black, black, 10)], 25)
    assert poster_of(tmp_path / "video.mp4", duration_s, tmp_path / "poster.jpg").mean() < 20


def test_a_video_of_one_picture_has_that_as_its_poster(tmp_path):
    duration_s = write_video(tmp_path / "video.mp4", [(scene(3), scene(3), 0.04)], 25)
    assert np.abs(poster_of(tmp_path / "video.mp4", duration_s, tmp_path / "poster.jpg") - scene(3)).mean() < 12
