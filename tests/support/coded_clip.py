"""Little videos whose every picture says its own number, in any container, codec, rate, rotation and shape.

The number stands in a grid of 4 x 4 blocks that also shows the orientation.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
from av.video.reformatter import VideoReformatter

GRID = 4
WHITE, BLACK, GREY = 225, 30, 128
CORNERS = {0: WHITE, 3: BLACK, 12: GREY}  # corners: an upright picture has white, black, grey
BITS = [cell for cell in range(GRID * GRID) if cell not in (*CORNERS, 15)]
TICKS = 90_000
LARGEST_REMEMBERED = 4 * 1024 * 1024

# A picture of four by four blocks needs no better.
_USUAL_OPTIONS = {
    "libx264": {"preset": "veryfast"},
    "libx265": {"preset": "ultrafast"},
    "libvpx-vp9": {"cpu-used": "5"},
}

_remembered: dict[tuple[str, str], bytes] = {}
"""Films of this run by their form and the ending of their name: many tests need the same one."""


@dataclass(frozen=True)
class Form:
    """What is to be made. Times are in seconds; `times` wins over `frames` and `fps`."""

    frames: int = 60
    fps: float = 30
    times: Sequence[float] | None = None
    width: int = 160
    height: int = 96
    codec: str = "libx264"
    pixel_format: str = "yuv420p"
    gop: int = 15
    sound: str | None = None
    sound_s: float | None = None
    rotation: int = 0
    pixel_aspect: Fraction = Fraction(1)
    start_s: float = 0.0
    options: dict[str, str] = field(default_factory=dict)
    metadata: dict[str, str] = field(default_factory=dict)
    container: str | None = None
    container_options: dict[str, str] = field(default_factory=dict)
    pictures: int = 1
    plain: int | None = None
    """Of this brightness alone, without a number."""

    @property
    def shown_at(self) -> list[float]:
        if self.times is not None:
            return list(self.times)
        return [number / self.fps for number in range(self.frames)]

    @property
    def duration_s(self) -> float:
        return self.shown_at[-1] + 1 / self.fps


def draw(number: int, width: int, height: int) -> np.ndarray:
    """Grey values."""
    cells = np.full(GRID * GRID, BLACK, np.uint8)
    for cell, value in CORNERS.items():
        cells[cell] = value
    for place, cell in enumerate(BITS):
        cells[cell] = WHITE if number >> place & 1 else BLACK
    rows = np.arange(height) * GRID // height
    columns = np.arange(width) * GRID // width
    return cells.reshape(GRID, GRID)[rows][:, columns]


def number_of(picture: np.ndarray) -> int:
    """What an upright picture says; fails if it is not upright."""
    cells = _cells(picture)
    assert cells[0] > 180, "the white corner is not where it belongs"
    assert cells[3] < 75, "the black corner is not where it belongs"
    assert 90 < cells[12] < 166, "the grey corner is not where it belongs"
    return sum(1 << place for place, cell in enumerate(BITS) if cells[cell] > 128)


def _cells(picture: np.ndarray) -> list[float]:
    grey = picture if picture.ndim == 2 else picture.mean(axis=2)
    height, width = grey.shape
    found = []
    for row in range(GRID):
        for column in range(GRID):
            y, x = (2 * row + 1) * height // (2 * GRID), (2 * column + 1) * width // (2 * GRID)
            found.append(float(grey[max(0, y - 3) : y + 3, max(0, x - 3) : x + 3].mean()))
    return found


def make_clip(path: Path, form: Form | None = None, **changes: Any) -> Form:
    """Writes the clip; the extension of the file name selects the container."""
    form = Form(**changes) if form is None else form
    key = (repr(form), path.suffix)
    if key in _remembered:
        path.write_bytes(_remembered[key])
        return form
    _encode(path, form)
    if path.stat().st_size <= LARGEST_REMEMBERED:
        _remembered[key] = path.read_bytes()
    return form


def _encode(path: Path, form: Form) -> None:
    converter = VideoReformatter()
    with av.open(str(path), "w", format=form.container, options=form.container_options) as output:
        output.metadata.update(form.metadata)
        streams = [_picture_stream(output, form) for _ in range(form.pictures)]
        sound: Any = None if form.sound is None else output.add_stream(form.sound, rate=48_000)
        for number, at_s in enumerate(form.shown_at):
            frame = converter.reformat(_frame(form, number), format=form.pixel_format)
            frame.pts, frame.time_base = round((at_s + form.start_s) * TICKS), Fraction(1, TICKS)
            for stream in streams:
                output.mux(stream.encode(frame))
        for stream in streams:
            output.mux(stream.encode(None))
        if sound is not None:
            for beep in beeps(form):
                output.mux(sound.encode(beep))
            output.mux(sound.encode(None))


def _picture_stream(output, form: Form):
    options = _USUAL_OPTIONS.get(form.codec, {}) | form.options
    stream = output.add_stream(form.codec, rate=Fraction(form.fps).limit_denominator(1001), options=options)
    stream.width, stream.height, stream.pix_fmt = form.width, form.height, form.pixel_format
    stream.codec_context.time_base = stream.time_base = Fraction(1, TICKS)
    if (
        form.codec in ("mpeg2video", "mpeg4") or output.format.name == "avi"
    ):  # whose clock can only be that of their frames
        stream.codec_context.time_base = stream.time_base = 1 / Fraction(form.fps).limit_denominator(1001)
    stream.codec_context.gop_size = form.gop
    stream.codec_context.sample_aspect_ratio = form.pixel_aspect
    if form.rotation:
        stream.set_display_rotation(form.rotation)
    return stream


def _frame(form: Form, number: int) -> av.VideoFrame:
    if form.plain is None:
        turns = form.rotation // 90 % 4
        size = (form.height, form.width) if turns % 2 else (form.width, form.height)
        picture = np.ascontiguousarray(np.rot90(draw(number, *size), -turns))
    else:
        picture = np.full((form.height, form.width), form.plain, np.uint8)
    return av.VideoFrame.from_ndarray(picture, format="gray")


def beeps(form: Form) -> Iterator[av.AudioFrame]:
    """A tone whose pitch rises every second, which shows the time."""
    rate, size = 48_000, 1024
    length = form.duration_s if form.sound_s is None else form.sound_s
    for first in range(0, int(length * rate), size):
        at = (first + np.arange(size)) / rate
        wave = 0.3 * np.sin(2 * np.pi * (400 + 100 * np.floor(at)) * at)
        frame = av.AudioFrame.from_ndarray(wave.astype(np.float32)[None, :], format="fltp", layout="mono")
        frame.sample_rate, frame.time_base = rate, Fraction(1, rate)
        frame.pts = first + round(form.start_s * rate)
        yield frame


def read_numbers(path: Path | str, **options: object) -> list[tuple[float, int]]:
    """(time, number) of every picture, times counted from the beginning of the container."""
    with av.open(str(path), **options) as container:  # type: ignore[call-overload]
        return list(_numbers(container))


def _numbers(container) -> Iterator[tuple[float, int]]:
    origin = (container.start_time or 0) / av.time_base
    converter = VideoReformatter()
    for frame in container.decode(video=0):
        yield frame.time - origin, number_of(converter.reformat(frame, format="gray").to_ndarray())
