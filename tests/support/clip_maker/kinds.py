"""Kinds of clips: the scenes that each shows in order."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from support.clip_maker import scenes
from support.clip_maker.clip import Clip, Scene, write_clip
from support.clip_maker.scenes import Stage
from support.clip_maker.styles import STYLES

Make = Callable[[Stage, int, int], Scene]

SUBJECTS = ("hills", "leaves", "city")

KINDS: dict[str, tuple[Make, ...]] = {
    "mixed": (
        scenes.slides,
        scenes.clock,
        scenes.lower_thirds,
        scenes.terminal,
        scenes.captions,
        scenes.subtitles,
        scenes.slides,
        partial(scenes.subtitles, on_film=True),
    ),
    "busy": (
        partial(scenes.lower_thirds, subject="city"),
        partial(scenes.captions, subject="leaves"),
        partial(scenes.subtitles, subject="city"),
        partial(scenes.subtitles, on_film=True, subject="leaves"),
        partial(scenes.captions, subject="city"),
        partial(scenes.lower_thirds, subject="leaves"),
    ),
    "slides": (scenes.slides, scenes.slides),
    "clock": (scenes.clock,),
    "thirds": (scenes.lower_thirds,),
    "terminal": (scenes.terminal,),
    "digits": (scenes.captions,),
    "subtitles": (scenes.subtitles,),
    "film subtitles": (partial(scenes.subtitles, on_film=True),),
    "fade": (scenes.fades,),
    "wordless": tuple(partial(scenes.film, subject=subject) for subject in SUBJECTS)
    + tuple(partial(scenes.photographs, subject=subject) for subject in SUBJECTS),
}


_remembered: dict[str, tuple[Clip, bytes]] = {}
"""Clips of this test run by their parameters; many tests need the same one."""


def make_clip(path: Path, kind: str = "mixed", **form: Any) -> Clip:
    """A clip of this kind; see `_draw_clip` for its form. The same clip is drawn and encoded only once."""
    key = f"{path.suffix} {kind} {sorted(form.items())}"
    if key in _remembered:
        clip, content = _remembered[key]
        path.write_bytes(content)
        return replace(clip, path=path)
    clip = _draw_clip(path, kind, **form)
    _remembered[key] = (clip, path.read_bytes())
    return clip


def _draw_clip(
    path: Path,
    kind: str,
    *,
    size: tuple[int, int] = (640, 360),
    seconds: float = 4,
    fps: float = 30,
    style: str = "tiny",
    seed: int = 1,
    frame_times_ms: list[int] | None = None,
    start_ms: int = 0,
    with_sound: bool = False,
    codec: str = "libx264",
    options: dict[str, str] | None = None,
) -> Clip:
    """A clip of this kind and length; its scenes share the time."""
    stage = Stage(size, STYLES[style], seed)
    whole = round(seconds * 1000)
    makers = KINDS[kind]
    bounds = [whole * number // len(makers) for number in range(len(makers) + 1)]
    made = [make(stage, bounds[number], bounds[number + 1]) for number, make in enumerate(makers)]
    return write_clip(
        path,
        made,
        size,
        fps=fps,
        frame_times_ms=frame_times_ms,
        start_ms=start_ms,
        with_sound=with_sound,
        codec=codec,
        options=options,
    )


def uneven_times(end_ms: int) -> list[int]:
    """The times of frames of a variable frame rate: a fast second, a slow one, and so on."""
    times, ms = [], 0
    while ms < end_ms:
        times.append(ms)
        ms += 17 if ms // 1000 % 2 == 0 else 130
    return times
