"""Drawing and encoding of the clips of `reading.py`, with the truth about every text in them."""

import hashlib
import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import av
import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from harness import ROOT
from reading_fonts import Face
from reading_grounds import Colour, Ground, Picture, Size

CLIPS_DIRECTORY = ROOT / ".reports" / "reading"
FADED_IN = 0.5
"""A text that fades counts as shown from half its strength on; that something is there can be seen before."""
Box = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Truth:
    """A text, from the first frame that shows it whole to the first that does not.

    `enter_ms` and `leave_ms` are the first and the last trace of it: what moves, fades or is typed is there in part before.
    """

    text: str
    start_ms: int
    end_ms: int
    box: Box
    enter_ms: int
    leave_ms: int


@dataclass(frozen=True, slots=True)
class Item:
    """A line to draw; `x` and `y` are the corner that the font calls its left ascender."""

    text: str
    x: float
    y: float
    face: Face
    fill: Colour
    start_ms: int
    end_ms: int
    outline: Colour | None = None
    outline_px: int = 0
    shadow_px: int = 0
    plate: Colour | None = None
    plate_opacity: float = 1.0
    opacity: float = 1.0
    fade_ms: int = 0
    dx: float = 0.0
    """Pixels per second; `dy` likewise."""
    dy: float = 0.0
    typed_ms: int = 0
    """How long the letters take to appear one after the other."""
    is_truth: bool = True


@dataclass(frozen=True, slots=True)
class Scene:
    start_ms: int
    ground: Ground


@dataclass(frozen=True, slots=True)
class Drawing:
    size: Size
    seconds: float
    scenes: Sequence[Scene]
    items: Sequence[Item]
    fps: int = 25
    crf: int = 23
    turned: int = 0
    """Degrees that a player has to turn the picture by, as phones store it; 0 or 90."""


@dataclass(frozen=True, slots=True)
class Style:
    name: str
    draw: Callable[[random.Random], Drawing]
    languages: tuple[str, ...] = ()
    """What a user would set; nothing for the default."""
    seed: int = 1

    def clip(self, family: str) -> "MadeClip":
        """Drawn on first use and kept until what draws it changes."""
        name = f"{family}-{self.name}-{self.seed}".replace(" ", "_").replace("/", "_")
        kept = CLIPS_DIRECTORY / _drawn_by(family)
        film, truth_file = kept / f"{name}.mp4", kept / f"{name}.json"
        if not truth_file.is_file():
            kept.mkdir(parents=True, exist_ok=True)
            drawing = self.draw(random.Random(f"{name}"))
            truths = write(film, drawing)
            truth_file.write_text(
                json.dumps({"seconds": drawing.seconds, "texts": [asdict(one) for one in truths]}, ensure_ascii=False)
            )
        known = json.loads(truth_file.read_text())
        truths = [Truth(**one | {"box": tuple(one["box"])}) for one in known["texts"]]
        return MadeClip(self.name, film, known["seconds"], truths, self.languages)


@cache
def _drawn_by(family: str) -> str:
    """Says which state of the drawing code a clip is from."""
    files = [Path(__file__), *sorted(Path(__file__).parent.glob(f"reading_*_{family}.py"))]
    files += [Path(__file__).with_name("reading_grounds.py"), Path(__file__).with_name("reading_fonts.toml")]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class MadeClip:
    style: str
    path: Path
    seconds: float
    truths: Sequence[Truth]
    languages: tuple[str, ...] = ()


@dataclass(slots=True)
class _Patch:
    """An item drawn once as a picture with a mask."""

    item: Item
    ink: Any = field(init=False)
    alpha: Any = field(init=False)
    x: float = field(init=False)
    y: float = field(init=False)
    box: Box = field(init=False)
    letters: list[int] = field(init=False)
    """Where each letter ends, in pixels of the patch."""

    def __post_init__(self) -> None:
        item = self.item
        left, top, right, bottom = (int(v) for v in item.face.getbbox(item.text, stroke_width=item.outline_px))
        margin = round(item.face.size * 0.4) if item.plate is not None else 2 + 2 * item.shadow_px
        size = right - left + 2 * margin, bottom - top + 2 * margin
        at = margin - left, margin - top
        image = Image.new("RGBA", size, (*item.plate, round(255 * item.plate_opacity)) if item.plate else (0, 0, 0, 0))
        if item.shadow_px:
            dark = Image.new("RGBA", size)
            ImageDraw.Draw(dark).text(
                (at[0] + item.shadow_px, at[1] + item.shadow_px), item.text, font=item.face, fill=(0, 0, 0, 220)
            )
            image = Image.alpha_composite(image, dark.filter(ImageFilter.GaussianBlur(item.shadow_px * 0.6)))
        layer = Image.new("RGBA", size)
        ImageDraw.Draw(layer).text(
            at,
            item.text,
            font=item.face,
            fill=item.fill,
            stroke_width=item.outline_px,
            stroke_fill=item.outline,
        )
        pixels = np.asarray(Image.alpha_composite(image, layer), np.float32)
        self.ink, self.alpha = pixels[:, :, :3], pixels[:, :, 3:] / 255 * item.opacity
        self.x, self.y = item.x + left - margin, item.y + top - margin
        self.box = (round(item.x + left), round(item.y + top), right - left, bottom - top)
        self.letters = [
            margin + round(item.face.getlength(item.text[: number + 1])) for number in range(len(item.text))
        ]
        self.letters[-1] = size[0]

    def strength(self, ms: float) -> float:
        """How much of it is there, 0 to 1: it fades, or letters are still missing."""
        item = self.item
        if not item.start_ms <= ms < item.end_ms:
            return 0.0
        strength = 1.0
        if item.fade_ms:
            strength = min(1.0, (ms - item.start_ms) / item.fade_ms, (item.end_ms - ms) / item.fade_ms)
        if item.typed_ms:
            strength = min(strength, (ms - item.start_ms) / item.typed_ms)
        return strength

    def position(self, ms: float) -> tuple[int, int]:
        seconds = (ms - self.item.start_ms) / 1000
        return round(self.x + self.item.dx * seconds), round(self.y + self.item.dy * seconds)

    def draw(self, frame: Picture, ms: float) -> None:
        item, (x, y) = self.item, self.position(ms)
        height, width = self.alpha.shape[:2]
        if item.typed_ms:
            shown = int(len(item.text) * self.strength(ms))
            width = 0 if shown == 0 else self.letters[min(shown, len(item.text)) - 1]
        x0, y0, x1, y1 = max(0, x), max(0, y), min(frame.shape[1], x + width), min(frame.shape[0], y + height)
        if x1 <= x0 or y1 <= y0:
            return
        part = (slice(y0 - y, y1 - y), slice(x0 - x, x1 - x))
        alpha = self.alpha[part] * (self.strength(ms) if item.fade_ms else 1.0)
        under = frame[y0:y1, x0:x1]
        under[:] = (self.ink[part] * alpha + under * (1 - alpha)).astype(np.uint8)

    def truth(self, times: Sequence[int], end_ms: int, size: Size) -> Truth | None:
        item = self.item
        nexts = dict(pairwise([*times, end_ms]))
        traces, wholes = [], []
        for ms in times:
            if self.strength(ms) > 0 and self._seen(ms, size) > 0:
                traces.append(ms)
                is_typed = not item.typed_ms or ms - item.start_ms >= item.typed_ms
                is_strong = not item.fade_ms or self.strength(ms) >= FADED_IN
                if is_typed and is_strong and self._seen(ms, size) >= 1:
                    wholes.append(ms)
        if not item.is_truth or not wholes:
            return None
        first, last = self._inside(traces[0], size), self._inside(traces[-1], size)
        left, top = min(first[0], last[0]), min(first[1], last[1])
        right = max(first[0] + first[2], last[0] + last[2])
        bottom = max(first[1] + first[3], last[1] + last[3])
        box = (left, top, right - left, bottom - top)
        return Truth(item.text, wholes[0], nexts[wholes[-1]], box, traces[0], nexts[traces[-1]])

    def _at(self, ms: float) -> Box:
        seconds = (ms - self.item.start_ms) / 1000
        x, y, width, height = self.box
        return round(x + self.item.dx * seconds), round(y + self.item.dy * seconds), width, height

    def _inside(self, ms: float, size: Size) -> Box:
        x, y, width, height = self._at(ms)
        left, top = max(0, x), max(0, y)
        return left, top, max(0, min(size[0], x + width) - left), max(0, min(size[1], y + height) - top)

    def _seen(self, ms: float, size: Size) -> float:
        """The part of its area that is inside the picture; of what is wider than the picture, as much as fits into it."""
        _, _, width, height = self._inside(ms, size)
        return width * height / (min(self.box[2], size[0]) * self.box[3])


def write(path: Path, drawing: Drawing) -> list[Truth]:
    """Draws and encodes; returns what can be read in it, in the directions of the picture as it is shown."""
    end_ms = round(drawing.seconds * 1000)
    times = [round(number * 1000 / drawing.fps) for number in range(int(drawing.seconds * drawing.fps))]
    patches = [_Patch(item) for item in drawing.items]
    part = path.with_suffix(".part.mp4")
    with av.open(str(part), "w") as container:
        stream: Any = container.add_stream("libx264", rate=drawing.fps)
        width, height = drawing.size if not drawing.turned else drawing.size[::-1]
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        if drawing.turned:
            stream.set_display_rotation(-drawing.turned)
        stream.codec_context.options = {"preset": "veryfast", "crf": str(drawing.crf)}
        for number, picture in enumerate(_pictures(drawing, patches, times)):
            stored = np.ascontiguousarray(np.rot90(picture)) if drawing.turned else picture
            frame = av.VideoFrame.from_ndarray(stored, format="rgb24")
            frame.pts, frame.time_base = number, Fraction(1, drawing.fps)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    part.rename(path)
    return [truth for patch in patches if (truth := patch.truth(times, end_ms, drawing.size)) is not None]


def _pictures(drawing: Drawing, patches: Sequence[_Patch], times: Sequence[int]) -> Iterator[Picture]:
    last: tuple[object, Picture] | None = None
    for ms in times:
        scene = next(one for one in reversed(drawing.scenes) if one.start_ms <= ms)
        shown = [patch for patch in patches if patch.strength(ms) > 0]
        is_still = scene.ground.is_still and not any(
            patch.item.dx or patch.item.dy or patch.strength(ms) < 1 for patch in shown
        )
        key = (id(scene), tuple(id(patch) for patch in shown)) if is_still else object()
        if last is None or last[0] != key:
            picture = scene.ground.at(ms - scene.start_ms).copy()
            for patch in shown:
                patch.draw(picture, ms)
            last = (key, picture)
        yield last[1]
