"""A waiting box: text that was found when the budget did not allow to read it."""

from dataclasses import dataclass

from sightline.text.reading.boxes import Rect, TextBox
from sightline.text.reading.following.followed_text import MAX_GROUND_CHANGE, Showing
from sightline.text.reading.frame_view import FrameView, Gray
from sightline.text.reading.line_persistence import LineSnapshot

MIN_STILL_MS = 1000
"""What stood for so long is text to be read by people, and is read even when it goes before its turn."""


@dataclass(frozen=True, slots=True)
class WaitingBox:
    box: TextBox
    snapshot: LineSnapshot
    shown: list[Showing]
    """In order."""

    @classmethod
    def of(cls, view: FrameView, box: TextBox) -> "WaitingBox":
        return cls(box, LineSnapshot(view, box.rect, bright=None), [Showing.of(view, box.rect)])

    @property
    def rect(self) -> Rect:
        return self.box.rect

    @property
    def stood_still(self) -> bool:
        return self.shown[-1].end_ms - self.shown[0].start_ms >= MIN_STILL_MS

    def is_still_in(self, view: FrameView, static: Gray | None) -> bool:
        """Whether it waits on, as this frame shows it too."""
        if not self.snapshot.is_unchanged_in(view, static, max_ground_change=MAX_GROUND_CHANGE):
            return False
        self.shown.append(Showing.of(view, self.rect))
        return True
