"""Drawing and encoding of the clips of `reading.py`, with the truth about every text in them."""

import hashlib
import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import av
import numpy as np

from harness import ROOT
from reading_fonts import CATALOGUE
from reading_grounds import Ground, Picture, Size
from reading_patches import Box, Item, Patch, Truth

__all__ = ["Box", "Drawing", "Item", "MadeClip", "Scene", "Style", "Truth"]

CLIPS_DIRECTORY = ROOT / ".reports" / "reading"


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
    grain: float = 0.0
    """Noise over the whole picture, text included: its standard deviation in levels of grey."""
    is_woven: bool = False
    """Every second row is half a frame later, as television was recorded."""


@dataclass(frozen=True, slots=True)
class Style:
    name: str
    draw: Callable[[random.Random], Drawing]
    languages: tuple[str, ...] = ()
    """What a user would set; nothing for the default."""
    seed: int = 1

    def clip(self, family: str, limit_s: float | None = None) -> "MadeClip":
        """Drawn on first use and kept until what draws it changes; at most its first `limit_s` seconds."""
        name = f"{family}-{self.name}-{self.seed}".replace(" ", "_").replace("/", "_")
        kept = CLIPS_DIRECTORY / _drawn_by(family)
        part = f"{name}-{limit_s:g}s" if limit_s else name
        film, truth_file = kept / f"{part}.mp4", kept / f"{part}.json"
        if not truth_file.is_file():
            kept.mkdir(parents=True, exist_ok=True)
            drawing = self.draw(random.Random(f"{name}"))
            if limit_s:
                drawing = replace(drawing, seconds=min(limit_s, drawing.seconds))
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
    here = Path(__file__).parent
    files = [here / "reading_drawing.py", here / "reading_patches.py", here / "reading_grounds.py"]
    files += sorted(here.glob(f"reading_*_{family}.py"))
    fonts = json.dumps({name: entry for name, entry in CATALOGUE.items() if entry["family"] == family})
    return hashlib.sha256(b"".join([*(file.read_bytes() for file in files), fonts.encode()])).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class MadeClip:
    style: str
    path: Path
    seconds: float
    truths: Sequence[Truth]
    languages: tuple[str, ...] = ()


def write(path: Path, drawing: Drawing) -> list[Truth]:
    """Draws and encodes; returns what can be read in it, in the directions of the picture as it is shown."""
    end_ms = round(drawing.seconds * 1000)
    times = [round(number * 1000 / drawing.fps) for number in range(int(drawing.seconds * drawing.fps))]
    patches = [Patch(item) for item in drawing.items]
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


def _pictures(drawing: Drawing, patches: Sequence[Patch], times: Sequence[int]) -> Iterator[Picture]:
    noise = np.random.default_rng(1).normal(0, drawing.grain, (drawing.size[1] + 64, drawing.size[0] + 64, 1))
    last: tuple[object, Picture] | None = None
    for number, ms in enumerate(times):
        key = _shown(drawing, patches, ms)
        if last is None or last[0] != key:
            last = (key, _picture(drawing, patches, ms))
        picture = last[1]
        if drawing.is_woven:
            picture = picture.copy()
            picture[1::2] = _picture(drawing, patches, ms + 500 / drawing.fps)[1::2]
        if drawing.grain:
            x, y = 37 * number % 64, 53 * number % 64
            picture = np.clip(picture + noise[y : y + picture.shape[0], x : x + picture.shape[1]], 0, 255)
        yield picture.astype(np.uint8)


def _shown(drawing: Drawing, patches: Sequence[Patch], ms: float) -> object:
    """Equal for two moments if their pictures are equal."""
    scene = _scene(drawing, ms)
    shown = [patch for patch in patches if patch.strength(ms) > 0]
    if not scene.ground.is_still or any(patch.strength(ms) < 1 for patch in shown):
        return object()
    return id(scene), tuple((id(patch), patch.state(ms)) for patch in shown)


def _picture(drawing: Drawing, patches: Sequence[Patch], ms: float) -> Picture:
    scene = _scene(drawing, ms)
    picture = scene.ground.at(ms - scene.start_ms).copy()
    for patch in patches:
        if patch.strength(ms) > 0:
            patch.draw(picture, ms)
    return picture


def _scene(drawing: Drawing, ms: float) -> Scene:
    return next(one for one in reversed(drawing.scenes) if one.start_ms <= ms)
