"""Merging of readings into segments: one per showing of a text, with misreadings corrected and tickers joined. Pure."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID, uuid5

from sightline.text.segments.blocks import find_blocks, lines_of_blocks
from sightline.text.segments.breaks import bridge_breaks
from sightline.text.segments.fragments import drop_fragments
from sightline.text.segments.language import detect_language
from sightline.text.segments.local_id import local_id
from sightline.text.segments.misreadings import merge_misreadings
from sightline.text.segments.normalize import normalize, text_hash
from sightline.text.segments.runs import TextRun, group_into_runs
from sightline.text.segments.segment import BlockLine, TextReading, TextSegment
from sightline.text.segments.ticker import join_tickers


def merge_readings(video_id: UUID, readings: Sequence[TextReading], *, gap_ms: int) -> list[TextSegment]:
    """Returns segments by time. The same readings give the same segments with the same ids."""
    runs = _settled(group_into_runs(readings, gap_ms=gap_ms), gap_ms=gap_ms)
    runs = drop_fragments(join_tickers(runs, gap_ms=gap_ms))
    runs.sort(key=lambda run: (run.t_start, run.box.y, run.box.x, run.normalized))
    seen: Counter[str] = Counter()
    segments = [_segment(video_id, run, seen) for run in runs]
    places = find_blocks(segments)
    languages = _languages(segments, places)
    return [replace(one, place=places[one.id], language=languages[one.id]) for one in segments]


def _languages(segments: list[TextSegment], places: dict[UUID, BlockLine]) -> dict[UUID, str]:
    """By block: a single line has few words."""
    found: dict[UUID, str] = {}
    for lines in lines_of_blocks(segments, places):
        read_as = Counter(one.language for one in lines).most_common(1)[0][0]
        language = detect_language(" ".join(one.text for one in lines), read_as)
        found |= {one.id: one.language if language == read_as else language for one in lines}
    return found


def _settled(runs: list[TextRun], *, gap_ms: int) -> list[TextRun]:
    """Without misreadings and breaks. A text that is shown longer, across a break, has more misreadings beside it."""
    while True:
        settled = bridge_breaks(merge_misreadings(runs, gap_ms=gap_ms))
        if len(settled) == len(runs):
            return settled
        runs = settled


def _segment(video_id: UUID, run: TextRun, seen: Counter[str]) -> TextSegment:
    text, best = run.text, run.best
    normalized = normalize(text)
    name = f"{text_hash(normalized)}@{run.t_start}"
    seen[name] += 1
    return TextSegment(
        id=local_id(video_id, uuid5(video_id, f"{name}#{seen[name]}")),
        video_id=video_id,
        text=text,
        normalized_text=normalized,
        t_start=run.t_start,
        t_end=run.t_end,
        confidence=best.confidence,
        box=best.box,
        language=best.language,
        frame_ms=best.t_start,
        readings=run.count,
    )
