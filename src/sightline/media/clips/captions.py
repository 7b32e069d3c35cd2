"""Captions of a clip: which lines are shown when. Pure."""

import unicodedata
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any
from uuid import UUID

from sightline.contracts.jobs import CaptionKind
from sightline.media.clips.clip import ClipSpan

MAX_CUES = 5000
"""Of one clip."""
MAX_LINES = 4
"""Texts that are shown together; with more of them, the first ones."""
_JOINERS = {"\u200c", "\u200d", "\ufe0e", "\ufe0f"}
# Scripts whose letters join, stack or run from the right: the fonts that come with the installation cannot set them.
_UNDRAWABLE = {
    *("HEBREW", "ARABIC", "SYRIAC", "THAANA", "NKO", "DEVANAGARI", "BENGALI", "GURMUKHI", "GUJARATI", "ORIYA", "TAMIL"),
    *(
        "TELUGU",
        "KANNADA",
        "MALAYALAM",
        "SINHALA",
        "THAI",
        "LAO",
        "TIBETAN",
        "MYANMAR",
        "ETHIOPIC",
        "KHMER",
        "MONGOLIAN",
    ),
}


@dataclass(frozen=True, slots=True)
class ClipCue:
    """A text on screen or a spoken sentence, in ms of the video's time."""

    start_ms: int
    end_ms: int
    text: str


CaptionReader = Callable[[UUID, CaptionKind, int, int], Awaitable[Sequence[ClipCue]]]
"""Reads the cues of a kind between two times of a video, in the order in which they are shown together."""


@dataclass(frozen=True, slots=True)
class CaptionSpan:
    """What is shown from one change to the next, in ms of the clip's time."""

    start_ms: int
    end_ms: int
    lines: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        return {"start_ms": self.start_ms, "end_ms": self.end_ms, "lines": list(self.lines)}

    @classmethod
    def of(cls, value: dict[str, Any]) -> "CaptionSpan":
        return cls(value["start_ms"], value["end_ms"], tuple(value["lines"]))


def caption_spans(cues: Iterable[ClipCue], start_ms: int, end_ms: int) -> list[CaptionSpan]:
    """Spans without overlap, as files and pictures need them: cues that are shown together are lines of one span."""
    inside = [
        ClipCue(max(cue.start_ms, start_ms) - start_ms, min(cue.end_ms, end_ms) - start_ms, " ".join(cue.text.split()))
        for cue in cues
        if cue.start_ms < end_ms and cue.end_ms > start_ms and cue.text.strip()
    ]
    changes = sorted({time for cue in inside for time in (cue.start_ms, cue.end_ms)})
    begins: dict[int, list[int]] = {}
    for number, cue in enumerate(inside):
        begins.setdefault(cue.start_ms, []).append(number)
    spans: list[CaptionSpan] = []
    shown: list[int] = []
    for at, until in pairwise(changes):
        shown = [number for number in shown if inside[number].end_ms > at] + begins.get(at, [])
        lines = tuple(dict.fromkeys(inside[number].text for number in sorted(shown)))[:MAX_LINES]
        if not lines:
            continue
        if spans and spans[-1].end_ms == at and spans[-1].lines == lines:
            spans[-1] = CaptionSpan(spans[-1].start_ms, until, lines)
        else:
            spans.append(CaptionSpan(at, until, lines))
    return spans


def reel_captions(captions: Sequence[str], parts: Sequence[ClipSpan]) -> list[CaptionSpan]:
    """One caption for each part of a reel, as long as the part lasts; parts without one show nothing."""
    spans: list[CaptionSpan] = []
    at_ms = 0
    for caption, part in zip(captions, parts, strict=True):
        until_ms = at_ms + part.end_ms - part.start_ms
        if line := " ".join(caption.split()):
            spans.append(CaptionSpan(at_ms, until_ms, (line,)))
        at_ms = until_ms
    return spans


def undrawable_script(spans: Iterable[CaptionSpan]) -> str | None:
    """The first script, by its English name, that cannot be drawn into a picture."""
    letters = {letter for span in spans for line in span.lines for letter in line if letter > "\u04ff"}
    for letter in sorted(letters):
        script = unicodedata.name(letter, "").partition(" ")[0]
        if script in _UNDRAWABLE:
            return script.capitalize()
    return None


def drawable(line: str) -> str:
    """Without emoji and marks that the fonts lack."""
    kept = (
        letter for letter in line if letter not in _JOINERS and unicodedata.category(letter) not in ("So", "Cs", "Co")
    )
    return " ".join("".join(kept).split())
