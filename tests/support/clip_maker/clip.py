"""Clips, the text events they show, and their encoding into a file."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
from PIL import Image, ImageDraw

from support.clip_maker.fonts import font
from support.clip_maker.pictures import Picture, Scenery
from support.clip_maker.styles import Colour

MILLISECONDS = Fraction(1, 1000)


@dataclass(frozen=True, slots=True)
class TextEvent:
    """A line of text, from the first frame that shows it to the first that does not."""

    text: str
    start_ms: int
    end_ms: int
    box: tuple[int, int, int, int]
    """x, y, width, height of the ink."""
    kind: str


@dataclass(frozen=True, slots=True)
class Words:
    """A line to show; `x` and `y` are the upper left corner of its ink."""

    text: str
    x: int
    y: int
    font: str
    size: int
    fill: Colour
    start_ms: int
    end_ms: int
    kind: str
    outline: Colour | None = None
    outline_px: int = 0
    plate: Colour | None = None
    plate_opacity: float = 1.0
    fade_ms: int = 0
    speed: float = 0.0
    """Pixels per second to the left. Moving text is not an event."""


@dataclass(frozen=True, slots=True)
class Scene:
    start_ms: int
    end_ms: int
    scenery: Scenery
    words: Sequence[Words] = ()


@dataclass(frozen=True, slots=True)
class Clip:
    path: Path
    width: int
    height: int
    duration_ms: int
    frame_times_ms: tuple[int, ...]
    events: tuple[TextEvent, ...]
    moving: tuple[str, ...] = ()
    """Texts that move through the picture."""


@dataclass(slots=True)
class _Patch:
    """Words drawn as a picture with a mask."""

    words: Words
    ink: np.ndarray[Any, Any] = field(init=False)
    alpha: np.ndarray[Any, Any] = field(init=False)
    box: tuple[int, int, int, int] = field(init=False)
    x: int = field(init=False)
    y: int = field(init=False)

    def __post_init__(self) -> None:
        words = self.words
        face = font(words.font, words.size)
        left, top, right, bottom = face.getbbox(words.text, stroke_width=words.outline_px)
        width, height = int(right - left), int(bottom - top)
        margin = int(words.size * 0.45) if words.plate is not None else 2
        image = Image.new("RGBA", (width + 2 * margin, height + 2 * margin))
        if words.plate is not None:
            image.paste((*words.plate, int(255 * words.plate_opacity)), (0, 0, *image.size))
        layer = Image.new("RGBA", image.size)
        ImageDraw.Draw(layer).text(
            (margin - left, margin - top),
            words.text,
            font=face,
            fill=words.fill,
            stroke_width=words.outline_px,
            stroke_fill=words.outline,
        )
        pixels = np.asarray(Image.alpha_composite(image, layer), np.float32)
        self.ink = pixels[:, :, :3]
        self.alpha = pixels[:, :, 3:] / 255
        self.x, self.y = words.x - margin, words.y - margin
        self.box = (words.x, words.y, width, height)

    def is_shown(self, ms: float) -> bool:
        return self.words.start_ms <= ms < self.words.end_ms

    def draw(self, frame: Picture, ms: float) -> None:
        words = self.words
        x = self.x - round(words.speed * (ms - words.start_ms) / 1000)
        height, width = self.alpha.shape[:2]
        x0, y0 = max(0, x), max(0, self.y)
        x1, y1 = min(frame.shape[1], x + width), min(frame.shape[0], self.y + height)
        if x1 <= x0 or y1 <= y0:
            return
        part = (slice(y0 - self.y, y1 - self.y), slice(x0 - x, x1 - x))
        alpha = self.alpha[part]
        if words.fade_ms:
            nearness = min(ms - words.start_ms, words.end_ms - ms) / words.fade_ms
            alpha = alpha * min(1.0, max(0.0, nearness))
        under = frame[y0:y1, x0:x1]
        under[:] = (self.ink[part] * alpha + under * (1 - alpha)).astype(np.uint8)


def write_clip(
    path: Path,
    scenes: Sequence[Scene],
    size: tuple[int, int],
    *,
    fps: float = 30,
    frame_times_ms: Sequence[int] | None = None,
    start_ms: int = 0,
    with_sound: bool = False,
    codec: str = "libx264",
    options: dict[str, str] | None = None,
) -> Clip:
    """Draws and encodes. `frame_times_ms` makes a variable frame rate; `start_ms` is the media's own start time."""
    end_ms = scenes[-1].end_ms
    count = int(end_ms * fps / 1000)
    times = tuple(frame_times_ms or (round(number * 1000 / fps) for number in range(count)))
    patches = {id(scene): [_Patch(words) for words in scene.words] for scene in scenes}
    width, height = size
    with av.open(str(path), "w") as container:
        stream: Any = container.add_stream(codec, rate=Fraction(fps).limit_denominator(1001))
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        stream.codec_context.time_base = MILLISECONDS
        stream.codec_context.options = options or ({"preset": "veryfast", "crf": "20"} if codec == "libx264" else {})
        sound = container.add_stream("aac", rate=48000) if with_sound else None
        for ms, picture in _pictures(scenes, patches, times):
            frame = av.VideoFrame.from_ndarray(picture, format="rgb24")
            frame.pts, frame.time_base = ms + start_ms, MILLISECONDS
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
        if sound is not None:
            for quiet in _silence(end_ms, start_ms):
                container.mux(sound.encode(quiet))
            container.mux(sound.encode(None))
    shown = [(patch, scene) for scene in scenes for patch in patches[id(scene)]]
    events = [_event(patch, scene, times, end_ms) for patch, scene in shown if not patch.words.speed]
    moving = tuple(patch.words.text for patch, _ in shown if patch.words.speed)
    return Clip(path, width, height, end_ms, times, tuple(event for event in events if event is not None), moving)


def _pictures(
    scenes: Sequence[Scene], patches: dict[int, list[_Patch]], times: Sequence[int]
) -> Iterator[tuple[int, Picture]]:
    last: tuple[object, Picture] | None = None
    for ms in times:
        scene = next(scene for scene in reversed(scenes) if scene.start_ms <= ms)
        shown = [patch for patch in patches[id(scene)] if patch.is_shown(ms)]
        is_still = scene.scenery.is_still and not any(patch.words.speed or patch.words.fade_ms for patch in shown)
        key = (id(scene), tuple(id(patch) for patch in shown)) if is_still else object()
        if last is None or last[0] != key:
            picture = scene.scenery.at(ms - scene.start_ms).copy()
            for patch in shown:
                patch.draw(picture, ms)
            last = (key, picture)
        yield ms, last[1]


def _silence(end_ms: int, start_ms: int) -> Iterator[av.AudioFrame]:
    for number in range(end_ms * 48 // 1024):
        frame = av.AudioFrame.from_ndarray(np.zeros((2, 1024), np.float32), format="fltp", layout="stereo")
        frame.sample_rate, frame.pts, frame.time_base = 48000, number * 1024 + start_ms * 48, Fraction(1, 48000)
        yield frame


def _event(patch: _Patch, scene: Scene, times: Sequence[int], end_ms: int) -> TextEvent | None:
    shown = [ms for ms in times if patch.is_shown(ms) and scene.start_ms <= ms < scene.end_ms]
    if not shown:
        return None
    after = next((ms for ms in times if ms > shown[-1]), end_ms)
    return TextEvent(patch.words.text, shown[0], after, patch.box, patch.words.kind)
