"""WebVTT captions made of text segments. Pure."""

from collections.abc import Iterable

from sightline.text.segments.segment import TextSegment

_ESCAPED = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "\u200e": "&lrm;", "\u200f": "&rlm;"}


def webvtt(segments: Iterable[TextSegment]) -> str:
    """One cue per segment, in the given order; cues overlap when their texts are on screen together."""
    cues = [
        f"{number}\n{_time(one.t_start)} --> {_time(max(one.t_end, one.t_start + 1))}\n{_cue_text(one.text)}\n"
        for number, one in enumerate(segments, start=1)
    ]
    return "\n".join(["WEBVTT\n", *cues])


def _time(ms: int) -> str:
    seconds, thousandths = divmod(ms, 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02}:{minutes:02}:{seconds:02}.{thousandths:03}"


def _cue_text(text: str) -> str:
    """On one line and escaped: markup, an arrow or an empty line would end the cue."""
    return "".join(_ESCAPED.get(letter, letter) for letter in " ".join(text.split()))
