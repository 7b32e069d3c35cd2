"""Tracking of text lines over key frames: each line is read once, and again only when its pixels change."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from sightline.text.reading.boxes import Rect, are_in_line, bounding_rect, covers, overlap_area
from sightline.text.reading.engine import Engine, LineSighting, RecognizedLine
from sightline.text.reading.find_lines import LineCandidate, find_lines
from sightline.text.reading.frame_view import FrameView, Gray
from sightline.text.reading.line_ends import follow_ink
from sightline.text.reading.line_persistence import LineSnapshot, static_edges
from sightline.text.reading.read_line import read_line

MIN_CERTAINTY_TO_HIDE_OVERLAPS = 0.7
"""A line read with this certainty hides candidates that overlap it."""
MIN_SAME_REGION_OVERLAP = 0.7
MAX_WIDTH_RATIO = 1.3
"""A candidate wider than this many widths of a line holds more than that line."""
MAX_NEW_CANDIDATES = 12
"""With more new candidates, a frame with motion shows leaves and waves rather than text."""
FRAMES_BEFORE_READING = 2
"""A candidate in such a frame is read only after it was static for this many more frames."""
MIN_KEPT_SHARE = 0.8
"""A line that keeps this share of its strokes over a moving background is unchanged, whatever a new reading says."""

MAX_EXTENSIONS = 8
"""How often a line is extended, by a few heights each; enough to cross the picture."""
TICKER_READ_INTERVAL_MS = 500
"""How often a ticker is read: not in every frame, but before unread words have left the screen."""


@dataclass(slots=True)
class _Region:
    """A tracked candidate and its line; None means no text, or not read yet."""

    rect: Rect
    line: RecognizedLine | None
    snapshot: LineSnapshot
    is_excluded: bool = True
    """Whether nothing else is searched for inside it. Large regions without text may show text later."""
    frames_to_wait: int = 0
    """Frames until it is read."""
    earlier_times: list[tuple[int, int]] = field(default_factory=list)
    """Start and end of the frames that showed it before it was read."""
    next_ticker_read_ms: int = 0
    """When a ticker is read again; until then its last reading counts."""


class LineTracker:
    """Takes frames in order and keeps only the regions of the last one."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._regions: list[_Region] = []

    def track(self, view: FrameView, neighbours: Sequence[FrameView]) -> list[LineSighting]:
        """Returns the lines of this frame, and those of earlier frames that could be read only now."""
        static = static_edges(view, neighbours)
        kept: list[_Region] = []
        lost: list[_Region] = []
        for region in self._regions:
            (kept if region.snapshot.is_unchanged_in(view, static) else lost).append(region)
        self._regions = kept
        self._read_waiting(view)
        # Where a line changed, the next line is likely to appear at the same position.
        changed = [region for region in lost if region.line is not None]
        self._read_changed(view, changed, static)
        candidates = find_lines(
            view, static=static, excluded=[region.rect for region in self._regions if region.is_excluded]
        )
        self._read_new(view, candidates, is_busy=static is not None and len(candidates) > MAX_NEW_CANDIDATES)
        return self._sightings(view)

    def _sightings(self, view: FrameView) -> list[LineSighting]:
        found = []
        for region in self._regions:
            if region.line is not None:
                times = [*region.earlier_times, (view.start_ms, view.end_ms)]
                found += [LineSighting(region.line, start, end) for start, end in times]
                region.earlier_times = []
            elif region.frames_to_wait:
                region.earlier_times.append((view.start_ms, view.end_ms))
        return found

    def _read_waiting(self, view: FrameView) -> None:
        due: list[_Region] = []
        for region in self._regions:
            if region.frames_to_wait:
                region.frames_to_wait -= 1
                if not region.frames_to_wait:
                    due.append(region)
        lines = [region for region in self._regions if region.line is not None]
        for region in due:
            if not any(_is_known(line, region.rect) for line in lines):
                region.line = read_line(self._engine, view.full.gray, region.rect)
                region.snapshot = LineSnapshot(
                    view, region.rect, bright=None if region.line is None else region.line.is_bright
                )
        _drop_overlapping_lines(due)

    def _read_changed(self, view: FrameView, changed: list[_Region], static: Gray | None) -> None:
        new: list[_Region] = []
        for region in changed:
            assert region.line is not None
            if any(_is_known(one, region.rect) for one in self._regions):
                continue
            if view.start_ms < region.next_ticker_read_ms:
                new.append(region)
                continue
            is_ticker = region.snapshot.has_scrolled_in(view)
            again = self._read_region(view, region.rect if is_ticker else _extended_to_line_ends(view, region.rect))
            again.next_ticker_read_ms = view.start_ms + TICKER_READ_INTERVAL_MS if is_ticker else 0
            is_kept = static is not None and region.snapshot.kept_share(view) >= MIN_KEPT_SHARE
            if is_kept and (again.line is None or _is_worse_reading(again.line, region.line)):
                again = region
            if again.line is not None:
                new.append(again)
        _drop_overlapping_lines(new)
        self._regions += [region for region in new if region.line is not None]

    def _read_new(self, view: FrameView, candidates: list[LineCandidate], *, is_busy: bool) -> None:
        certain: list[Rect] = []
        new: list[_Region] = []
        for candidate in candidates:
            rect = candidate.rect
            if any(covers(one, rect) and rect.width < MAX_WIDTH_RATIO * one.width for one in certain):
                continue
            if any(_is_known(region, rect) for region in self._regions):
                continue
            if is_busy:
                new.append(
                    _Region(
                        rect,
                        None,
                        LineSnapshot(view, rect, bright=None),
                        is_excluded=False,
                        frames_to_wait=FRAMES_BEFORE_READING,
                    )
                )
                continue
            region = self._lengthened(view, rect) or self._read_region(view, rect)
            region.is_excluded = region.line is not None or candidate.scale <= view.work.scale
            if region.line is not None and region.line.certainty >= MIN_CERTAINTY_TO_HIDE_OVERLAPS:
                certain.append(region.rect)
            new.append(region)
        _drop_overlapping_lines(new)
        self._regions += new

    def _read_region(self, view: FrameView, rect: Rect) -> _Region:
        line = read_line(self._engine, view.full.gray, rect)
        return _Region(rect, line, LineSnapshot(view, rect, bright=None if line is None else line.is_bright))

    def _lengthened(self, view: FrameView, rect: Rect) -> _Region | None:
        """Joins text that appears beside a known line: the line has grown, as when it is being typed."""
        beside = [region for region in self._regions if region.line is not None and are_in_line(region.rect, rect)]
        if not beside:
            return None
        whole = self._read_region(view, bounding_rect([rect, *(region.rect for region in beside)]))
        before = [region.line.text for region in beside if region.line is not None]
        if whole.line is None or not all(text in whole.line.text and text != whole.line.text for text in before):
            return _Region(rect, None, LineSnapshot(view, rect, bright=None))
        for region in beside:
            self._regions.remove(region)
        return whole


def _extended_to_line_ends(view: FrameView, rect: Rect) -> Rect:
    """The rectangle of a line that may be longer than the one before it, extended as far as its ink goes."""
    whole = rect
    for _ in range(MAX_EXTENSIONS):
        further = follow_ink(view.full.gradient, whole)
        if further is None or (further.x >= whole.x and further.right <= whole.right):
            break
        whole = bounding_rect([whole, further])
    return whole


def _is_known(region: _Region, rect: Rect) -> bool:
    if region.line is not None:
        return covers(region.rect, rect)
    return not region.is_excluded and overlap_area(region.rect, rect) > MIN_SAME_REGION_OVERLAP * max(
        region.rect.area, rect.area
    )


def _is_worse_reading(new: RecognizedLine, old: RecognizedLine) -> bool:
    """Whether this is a worse reading of the same line. Different digits are a different line."""
    if new.text == old.text:
        return False
    digits = [[letter for letter in line.text if letter.isdigit()] for line in (new, old)]
    return new.certainty <= old.certainty and (new.text in old.text or digits[0] == digits[1])


def _drop_overlapping_lines(regions: list[_Region]) -> None:
    """Of lines in overlapping regions, keeps the one with the most certain text."""
    kept: list[RecognizedLine] = []
    for region in sorted(regions, key=lambda region: -_weight(region.line)):
        if region.line is None:
            continue
        rect = region.line.rect
        if any(covers(one.rect, rect) or covers(rect, one.rect) for one in kept):
            region.line = None
        else:
            kept.append(region.line)


def _weight(line: RecognizedLine | None) -> float:
    return 0.0 if line is None else line.certainty**2 * len(line.text)
