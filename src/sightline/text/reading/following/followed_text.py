"""A followed text: one line, from the frame in which it appears to that in which it is gone, and the votes on what it says."""

from dataclasses import dataclass, field
from typing import NamedTuple

from sightline.text.reading.boxes import Rect, TextBox
from sightline.text.reading.engine import RecognizedLine
from sightline.text.reading.following.motion import EDGE, MovingPattern
from sightline.text.reading.frame_view import FrameView, Gray
from sightline.text.reading.line_persistence import LineSnapshot

FRAMES_BETWEEN_READINGS = 4
MAX_READINGS = 4
MAX_GROUND_CHANGE = 0.12
"""Where fewer pixels changed, letters changed rather than the background."""
MIN_FRAMES_AND_CERTAINTY_OVER_MOTION = ((3, 8, 0.95), (5, 3, 0.9), (9, 2, 0.8), (1000, 1, 0.75))
"""For texts with fewer letters and digits than the first number."""
LETTERS_OF_SHORT_WORD, MIN_READINGS_OF_SHORT_WORD, MIN_CERTAINTY_OF_SHORT_WORD = 2, 4, 0.95
"""A word such as `to`, read so often and the same each time, needs to stand for no longer."""
FRAME_MS = 100
"""How far apart frames are while something moves."""
MIN_MS_OF_ONE_LETTER = 400
MIN_LETTERS_OF_UPENDED, MIN_MS_OF_SHORT_UPENDED = 4, 1000
"""Masts and legs look like letters on their side; fewer letters than this have to stand for some time."""
CORE_FROM, CORE_HEIGHT = 0.3, 0.4
"""The rows of a box, in its heights, that hold none of the lines above and below, however close they are."""
MIN_CORE_HEIGHT = 5
CERTAIN_CONFIDENCE = 0.98
"""A text read with this confidence is not read again."""


class Showing(NamedTuple):
    """A key frame that shows a text, and where."""

    start_ms: int
    end_ms: int
    rect: Rect

    @classmethod
    def of(cls, view: FrameView, rect: Rect) -> "Showing":
        return cls(view.start_ms, view.end_ms, rect)


@dataclass(slots=True)
class FollowedText:
    box: TextBox
    line: RecognizedLine
    """The best reading so far."""
    snapshot: LineSnapshot
    pattern: MovingPattern
    shown: list[Showing] = field(default_factory=list)
    """In order."""
    votes: dict[str, float] = field(default_factory=dict)
    readings: int = 0
    frames_since_reading: int = 0
    moves: int = 0
    """How often it was found somewhere else than before."""
    misfit: RecognizedLine | None = None
    """What was read in its place when it was gone."""
    is_cut_off: bool = False
    """Whether it touches a side of the frame, as the first letter of a line that comes in."""
    is_over_motion: bool = False
    """Whether it was found where everything moves: leaves and waves look like short words for a moment."""

    @classmethod
    def of(cls, view: FrameView, box: TextBox, line: RecognizedLine) -> "FollowedText":
        snapshot = LineSnapshot(view, box.rect, bright=line.is_bright)
        found = cls(box, line, snapshot, MovingPattern(view, box.rect), [Showing.of(view, box.rect)])
        found.is_cut_off = box.rect.x <= EDGE or box.rect.right >= view.full.gray.shape[1] - EDGE
        found.add_reading(line)
        return found

    @property
    def rect(self) -> Rect:
        return self.box.rect

    @property
    def start_ms(self) -> int:
        return self.shown[0].start_ms

    @property
    def end_ms(self) -> int:
        return self.shown[-1].end_ms

    @property
    def is_credible(self) -> bool:
        """Whether it stood long enough, and was read with enough certainty, to be text."""
        letters = sum(letter.isalnum() for letter in self.line.text)
        is_brief = self.end_ms - self.start_ms < MIN_MS_OF_ONE_LETTER
        if letters < 2 and (self.moves or is_brief or self.is_cut_off):
            return False
        has_stood = not self.is_over_motion and self.end_ms - self.start_ms >= MIN_MS_OF_SHORT_UPENDED
        if self.box.is_upended and letters < MIN_LETTERS_OF_UPENDED and not has_stood:
            return False
        if not self.is_over_motion:
            return True
        if letters == LETTERS_OF_SHORT_WORD and self._is_read_the_same:
            return True
        for fewer_than, frames, certainty in MIN_FRAMES_AND_CERTAINTY_OVER_MOTION:
            if letters < fewer_than:
                # A picture that stands still is one frame, however long it is shown.
                stood = max(len(self.shown), (self.end_ms - self.start_ms) // FRAME_MS)
                return stood >= frames and self.line.certainty >= certainty
        return True

    @property
    def _is_read_the_same(self) -> bool:
        """A word that grows or moves is read anew in each frame, and leaves do not look the same in each."""
        has_many = len(self.votes) == 1 and self.readings >= MIN_READINGS_OF_SHORT_WORD
        return has_many and self.line.certainty >= MIN_CERTAINTY_OF_SHORT_WORD

    def is_unchanged_in(self, view: FrameView, static: Gray | None) -> bool:
        return self.snapshot.is_unchanged_in(view, static, max_ground_change=MAX_GROUND_CHANGE)

    def core(self, view: FrameView) -> LineSnapshot | None:
        """The middle of the line as this frame shows it: lines that appear close above or below do not change it."""
        rect, high = self.rect, round(self.rect.height * CORE_HEIGHT)
        if high < MIN_CORE_HEIGHT or self.box.corners is not None:
            return None
        middle = Rect(rect.x, rect.y + round(rect.height * CORE_FROM), rect.width, high)
        return LineSnapshot(view, middle, bright=self.line.is_bright, margin=0)

    def moved_box_in(self, view: FrameView) -> TextBox | None:
        """Where it seems to be along its row or column; None if it has not moved."""
        rect = self.pattern.found_in(view, self.rect)
        return None if rect is None else self.box.moved(rect.x - self.rect.x, rect.y - self.rect.y)

    def move_to(self, view: FrameView, box: TextBox) -> None:
        self.moves += 1
        self.box = box
        self.snapshot = LineSnapshot(view, box.rect, bright=self.line.is_bright)

    def show(self, view: FrameView) -> None:
        self.shown.append(Showing.of(view, self.rect))
        self.frames_since_reading += 1

    def renew(self, view: FrameView, line: RecognizedLine) -> None:
        """Takes the text as it looks in this frame, in which it reads the same."""
        self.snapshot = LineSnapshot(view, self.rect, bright=line.is_bright)
        self.add_reading(line)

    def settle(self, view: FrameView, box: TextBox, line: RecognizedLine) -> None:
        """Takes a better box and its reading, which replaces the earlier ones. The rectangles of earlier frames stay."""
        self.box = box
        self.snapshot = LineSnapshot(view, box.rect, bright=line.is_bright)
        self.line = line
        self.votes = {line.text: line.confidence**4}

    def wants_reading(self, *, is_ground_moving: bool) -> bool:
        """Another reading helps only where the background has changed behind the letters."""
        return (
            is_ground_moving
            and self.readings < MAX_READINGS
            and self.line.confidence < CERTAIN_CONFIDENCE
            and self.frames_since_reading >= FRAMES_BETWEEN_READINGS
        )

    def add_reading(self, line: RecognizedLine) -> None:
        self.readings += 1
        self.frames_since_reading = 0
        self.votes[line.text] = self.votes.get(line.text, 0.0) + line.confidence**4
        best = max(self.votes, key=lambda text: (self.votes[text], text))
        if line.text == best and (self.line.text != best or line.confidence > self.line.confidence):
            self.line = line
        elif self.line.text != best:
            self.line = RecognizedLine(
                best, line.confidence, line.certainty, self.line.rect, line.language, line.is_bright
            )
