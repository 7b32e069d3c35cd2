"""Cues of SRT and WebVTT files. Pure."""

import re
from collections.abc import Iterable

from sightline.text.segments import TextSegment

_WORD_JOINER = "\u2060"
_VTT_ESCAPED = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "\u200e": "&lrm;", "\u200f": "&rlm;"}
# SRT cannot escape. An invisible letter after what would begin a tag or an arrow keeps players from reading it as one;
# a brace that would begin a style, which players hide, becomes a parenthesis.
_SRT_MARKUP = re.compile(r"<(?=[A-Za-z/!])|--(?=>)")
_SRT_STYLE = re.compile(r"\{(?=\\)")
_MIN_CUE_MS = 1


def webvtt(segments: Iterable[TextSegment]) -> str:
    """A whole track: one cue per segment, in the given order; cues overlap when their texts are on screen together."""
    cues = [vtt_cue(number, one.t_start, one.t_end, one.text) for number, one in enumerate(segments, start=1)]
    return "".join(["WEBVTT\n", *cues])


def srt_cue(number: int, start_ms: int, end_ms: int, text: str) -> str:
    """One numbered cue with the empty line that ends it."""
    shown = _SRT_STYLE.sub("(", on_one_line(text))
    shown = _SRT_MARKUP.sub(lambda found: f"{found[0]}{_WORD_JOINER}", shown)
    return f"{number}\n{srt_time(start_ms)} --> {srt_time(_end(start_ms, end_ms))}\n{shown}\n\n"


def vtt_cue(number: int, start_ms: int, end_ms: int, text: str) -> str:
    """One numbered cue with the empty line before it."""
    return f"\n{number}\n{clock_time(start_ms)} --> {clock_time(_end(start_ms, end_ms))}\n{vtt_text(text)}\n"


def vtt_text(text: str) -> str:
    """On one line and escaped: markup, an arrow or an empty line would end the cue."""
    return "".join(_VTT_ESCAPED.get(letter, letter) for letter in on_one_line(text))


def on_one_line(text: str) -> str:
    return " ".join(text.split())


def clock_time(ms: int) -> str:
    """`01:02:03.004`; hours have as many digits as they need."""
    seconds, thousandths = divmod(max(0, ms), 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02}:{minutes:02}:{seconds:02}.{thousandths:03}"


def srt_time(ms: int) -> str:
    return clock_time(ms).replace(".", ",")


def _end(start_ms: int, end_ms: int) -> int:
    """A cue that ends where it begins is shown by no player."""
    return max(end_ms, start_ms + _MIN_CUE_MS)
