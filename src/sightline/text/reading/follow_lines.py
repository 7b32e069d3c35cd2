"""Follows lines of text from key frame to key frame: each is read once, and again only when its pixels change."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from sightline.text.reading.boxes import Rect, are_in_line, around, common_area, covers
from sightline.text.reading.engine import Engine
from sightline.text.reading.find_lines import LineCandidate, find_lines
from sightline.text.reading.frame_view import FrameView, Gray
from sightline.text.reading.line_ends import follow_ink
from sightline.text.reading.line_persistence import LineSnapshot, static_edges
from sightline.text.reading.read_line import RecognizedLine, read_line

MIN_CERTAINTY_TO_HIDE_OVERLAPS = 0.7
"""A line read with this certainty is not searched for again a little larger or smaller."""
MIN_SAME_REGION_OVERLAP = 0.7
MAX_WIDTH_RATIO = 1.3
"""A place so many times as wide holds more than the line that was read in it."""
MAX_NEW_CANDIDATES = 12
"""With more new places than this, a frame that moves shows leaves and waves rather than text."""
FRAMES_BEFORE_READING = 2
"""For how many more frames a place in such a frame has to stand before it is worth reading."""
MIN_KEPT_SHARE = 0.8
"""A line whose strokes keep so much of themselves on moving ground is still there, whatever a new reading says."""

MAX_EXTENSIONS = 8
"""How often a line is followed further, some heights at a time; enough for one across the picture."""
TICKER_READ_INTERVAL_MS = 500
"""How often a ticker is read: not in every frame, but long before words are gone that nobody has seen."""


@dataclass(frozen=True, slots=True)
class LineSighting:
    """A line in one frame."""

    line: RecognizedLine
    start_ms: int
    end_ms: int


@dataclass(slots=True)
class _Region:
    """A place that was found, and what is written there; None is nothing, or not read yet."""

    rect: Rect
    line: RecognizedLine | None
    imprint: LineSnapshot
    hides: bool = True
    """Whether nothing else is searched for in it. Large places without text may hold some later."""
    waits: int = 0
    """Frames until it is read."""
    unread: list[tuple[int, int]] = field(default_factory=list)
    """The times of frames that it was seen in before."""
    runs_until: int = 0
    """When text that runs along its line is read again, in ms; what was read counts so long."""


class LineFollower:
    """Is shown frames in order; keeps nothing but what stands in the last one."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._spots: list[_Region] = []

    def see(self, view: FrameView, neighbours: Sequence[FrameView]) -> list[LineSighting]:
        """The lines that stand in this frame; and in earlier ones, if only now it became clear that they do."""
        standing = static_edges(view, neighbours)
        kept: list[_Region] = []
        gone: list[_Region] = []
        for spot in self._spots:
            (kept if spot.imprint.stands_in(view, standing) else gone).append(spot)
        self._spots = kept
        self._read_waiting(view)
        # Where a line stood and changed, the next one is likely to stand just there.
        changed = [spot for spot in gone if spot.line is not None]
        self._read_changed(view, changed, standing)
        places = find_lines(view, standing=standing, taken=[spot.rect for spot in self._spots if spot.hides])
        self._read_new(view, places, is_wild=standing is not None and len(places) > MAX_NEW_CANDIDATES)
        return self._sights(view)

    def _sights(self, view: FrameView) -> list[LineSighting]:
        found = []
        for spot in self._spots:
            if spot.line is not None:
                times = [*spot.unread, (view.start_ms, view.end_ms)]
                found += [LineSighting(spot.line, start, end) for start, end in times]
                spot.unread = []
            elif spot.waits:
                spot.unread.append((view.start_ms, view.end_ms))
        return found

    def _read_waiting(self, view: FrameView) -> None:
        due: list[_Region] = []
        for spot in self._spots:
            if spot.waits:
                spot.waits -= 1
                if not spot.waits:
                    due.append(spot)
        lines = [spot for spot in self._spots if spot.line is not None]
        for spot in due:
            if not any(_is_known(line, spot.rect) for line in lines):
                spot.line = read_line(self._engine, view.full.gray, spot.rect)
                spot.imprint = LineSnapshot(view, spot.rect, bright=None if spot.line is None else spot.line.is_bright)
        _drop_overlapping_lines(due)

    def _read_changed(self, view: FrameView, changed: list[_Region], standing: Gray | None) -> None:
        new: list[_Region] = []
        for spot in changed:
            assert spot.line is not None
            if any(_is_known(one, spot.rect) for one in self._spots):
                continue
            if view.start_ms < spot.runs_until:
                new.append(spot)
                continue
            is_running = spot.imprint.runs_in(view)
            again = self._spot(view, spot.rect if is_running else _extended_to_line_ends(view, spot.rect))
            again.runs_until = view.start_ms + TICKER_READ_INTERVAL_MS if is_running else 0
            is_held = standing is not None and spot.imprint.part_kept(view) >= MIN_KEPT_SHARE
            if is_held and (again.line is None or _is_worse_reading(again.line, spot.line)):
                again = spot
            if again.line is not None:
                new.append(again)
        _drop_overlapping_lines(new)
        self._spots += [spot for spot in new if spot.line is not None]

    def _read_new(self, view: FrameView, places: list[LineCandidate], *, is_wild: bool) -> None:
        sure: list[Rect] = []
        new: list[_Region] = []
        for place in places:
            rect = place.rect
            if any(covers(one, rect) and rect.width < MAX_WIDTH_RATIO * one.width for one in sure):
                continue
            if any(_is_known(spot, rect) for spot in self._spots):
                continue
            if is_wild:
                new.append(
                    _Region(rect, None, LineSnapshot(view, rect, bright=None), hides=False, waits=FRAMES_BEFORE_READING)
                )
                continue
            spot = self._lengthened(view, rect) or self._spot(view, rect)
            spot.hides = spot.line is not None or place.scale <= view.work.scale
            if spot.line is not None and spot.line.certainty >= MIN_CERTAINTY_TO_HIDE_OVERLAPS:
                sure.append(spot.rect)
            new.append(spot)
        _drop_overlapping_lines(new)
        self._spots += new

    def _spot(self, view: FrameView, rect: Rect) -> _Region:
        line = read_line(self._engine, view.full.gray, rect)
        return _Region(rect, line, LineSnapshot(view, rect, bright=None if line is None else line.is_bright))

    def _lengthened(self, view: FrameView, rect: Rect) -> _Region | None:
        """Text that appears beside a line which stands: the line has grown, as when it is being typed."""
        beside = [spot for spot in self._spots if spot.line is not None and are_in_line(spot.rect, rect)]
        if not beside:
            return None
        whole = self._spot(view, around([rect, *(spot.rect for spot in beside)]))
        before = [spot.line.text for spot in beside if spot.line is not None]
        if whole.line is None or not all(text in whole.line.text and text != whole.line.text for text in before):
            return _Region(rect, None, LineSnapshot(view, rect, bright=None))
        for spot in beside:
            self._spots.remove(spot)
        return whole


def _extended_to_line_ends(view: FrameView, rect: Rect) -> Rect:
    """The place of a line that may be longer than the one that stood there: as far as its ink goes."""
    whole = rect
    for _ in range(MAX_EXTENSIONS):
        further = follow_ink(view.full.slope, whole)
        if further is None or (further.x >= whole.x and further.right <= whole.right):
            break
        whole = around([whole, further])
    return whole


def _is_known(spot: _Region, rect: Rect) -> bool:
    if spot.line is not None:
        return covers(spot.rect, rect)
    return not spot.hides and common_area(spot.rect, rect) > MIN_SAME_REGION_OVERLAP * max(spot.rect.area, rect.area)


def _is_worse_reading(new: RecognizedLine, old: RecognizedLine) -> bool:
    """Whether a reading is a worse one of the same line. Other digits are another line."""
    if new.text == old.text:
        return False
    digits = [[letter for letter in line.text if letter.isdigit()] for line in (new, old)]
    return new.certainty <= old.certainty and (new.text in old.text or digits[0] == digits[1])


def _drop_overlapping_lines(spots: list[_Region]) -> None:
    """Of lines that were read in overlapping places, the one that tells most stays."""
    kept: list[RecognizedLine] = []
    for spot in sorted(spots, key=lambda spot: -_weight(spot.line)):
        if spot.line is None:
            continue
        rect = spot.line.rect
        if any(covers(one.rect, rect) or covers(rect, one.rect) for one in kept):
            spot.line = None
        else:
            kept.append(spot.line)


def _weight(line: RecognizedLine | None) -> float:
    return 0.0 if line is None else line.certainty**2 * len(line.text)
