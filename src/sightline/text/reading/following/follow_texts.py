"""Following of texts: a detector looks at what changed, new texts are read, and known ones are followed until they are gone."""

from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from sightline.text.reading.boxes import Rect, TextBox, bounding_rect, covers, overlap_area
from sightline.text.reading.engine import DetectingEngine, LineSighting, RecognizedLine
from sightline.text.reading.following.change_map import ChangeMap
from sightline.text.reading.following.followed_text import FollowedText, Showing
from sightline.text.reading.following.lone_signs import with_lone_signs
from sightline.text.reading.following.look_budget import LookBudget, detection_cost_ms, reading_cost_ms
from sightline.text.reading.following.waiting_box import WaitingBox
from sightline.text.reading.frame_view import FrameView, Gray
from sightline.text.reading.line_persistence import static_edges

STILL_SIDES, MOVING_SIDES = (1920, 1440, 1152, 960), (960, 800)
"""The longer side of a frame, in pixels, that the detector sees: the first one that the budget allows."""
MAX_ENLARGEMENT = 1.5
LOOK_INTERVAL_MS = 250
"""How often something that moves all the time is looked at."""
RESUME_WITHIN_MS = 700
"""A text that is found again in its place after this time at most was there all along."""
REMEMBERED_FRAMES = 8
"""Frames in which the beginning of a text is searched for."""
MIN_SAME_WIDTH = 0.85
CERTAIN_SUCCESSOR = 0.95
"""Confidence of a text that was read in the place of another one, from which no detector has to look there."""
MIN_BOX_HEIGHT = 20
"""Of a line in the picture that the detector sees, in pixels; boxes of smaller ones are uneven."""
MIN_ADDED_WIDTH = 0.12
"""Of a letter that was added to a line, in heights of its box."""
MOVES_TO_CONFIRM = 2
BORDER, ROW_MARGIN = 6, 24
"""A box within so many pixels of an area's border may be cut off; its rows are then searched with a margin."""


class _SeenFrame(NamedTuple):
    view: FrameView
    static: Gray | None


class TextFollower:
    """Takes frames in order; `finish` returns what they show."""

    def __init__(self, engine: DetectingEngine) -> None:
        self._engine = engine
        self._changes = ChangeMap()
        self._budget: LookBudget | None = None
        self._current: list[FollowedText] = []
        self._lost: list[FollowedText] = []
        self._finished: list[FollowedText] = []
        self._waiting: list[WaitingBox] = []
        self._past: deque[_SeenFrame] = deque(maxlen=REMEMBERED_FRAMES)
        self._last_look_ms = -LOOK_INTERVAL_MS
        self._coarse: list[Rect] = []

    def follow(self, view: FrameView, neighbours: Sequence[FrameView]) -> None:
        budget = self._budget = self._budget or LookBudget(view.start_ms)
        budget.advance(view.start_ms)
        frame = _SeenFrame(view, static_edges(view, neighbours))
        self._changes.update(view)
        gone = self._keep_unchanged(frame, budget)
        self._keep_waiting(frame, budget)
        # Where a line on still ground has changed, the whole of it is looked at, and not only its new end.
        again = [rect for rect in gone if not self._changes.is_restless(view, rect)]
        areas, is_sudden = self._changes.areas(view, [text.rect for text in self._current], again)
        is_due = view.start_ms - self._last_look_ms >= LOOK_INTERVAL_MS
        has_looked = True
        if areas and (is_sudden or is_due or gone):
            has_looked = self._look(frame, areas, budget)
        if has_looked and frame.static is None:
            self._look_closer(frame, budget)
        if has_looked:
            self._read_waiting(frame, budget)
        self._read_again(frame, budget)
        self._past.append(frame)

    def finish(self) -> list[LineSighting]:
        """Sightings by time."""
        if self._budget is not None and self._waiting:
            self._read_rest(self._past.pop(), self._budget)
        self._finished += [*self._lost, *self._current]
        self._lost, self._current = [], []
        credible = [text for text in self._finished if text.is_credible]
        found = [
            LineSighting(replace(text.line, rect=one.rect), one.start_ms, one.end_ms)
            for text in credible
            for one in text.shown
        ]
        self._finished = []
        return sorted(found, key=lambda one: (one.start_ms, one.line.rect.y, one.line.rect.x))

    def _keep_unchanged(self, frame: _SeenFrame, budget: LookBudget) -> list[Rect]:
        """Returns where texts are gone; others often take their place."""
        left: list[Rect] = []
        kept: list[FollowedText] = []
        for text in self._current:
            if (
                text.is_unchanged_in(*frame)
                or self._has_moved(frame, text, budget)
                or self._reads_the_same(frame, text, budget)
            ):
                text.show(frame.view)
                kept.append(text)
                continue
            self._lost.append(text)
            successor = self._successor(frame, text)
            if successor is None:
                left.append(text.rect)
            else:
                kept.append(successor)
        self._current = kept
        gone = [text for text in self._lost if frame.view.start_ms - text.end_ms > RESUME_WITHIN_MS]
        self._finished += gone
        self._lost = [text for text in self._lost if text not in gone]
        return left

    def _has_moved(self, frame: _SeenFrame, text: FollowedText, budget: LookBudget) -> bool:
        """Whether it is found elsewhere. A number that is centred anew looks like a move, so the first moves are read."""
        box = text.moved_box_in(frame.view)
        if box is None:
            return False
        if text.moves < MOVES_TO_CONFIRM:
            assert frame.view.color is not None
            budget.spend(reading_cost_ms(box.rect.width, box.rect.height))
            line = self._engine.read_box(frame.view.color, box)
            if line is None or line.text != text.line.text:
                return False
        text.move_to(frame.view, box)
        return True

    def _reads_the_same(self, frame: _SeenFrame, text: FollowedText, budget: LookBudget) -> bool:
        """Whether only the background of a text has changed, as its letters tell."""
        if frame.static is None or not budget.may_read:
            return False
        assert frame.view.color is not None
        budget.spend(reading_cost_ms(text.rect.width, text.rect.height))
        line = self._engine.read_box(frame.view.color, text.box)
        if line is None or line.text != text.line.text:
            text.misfit = line
            return False
        text.renew(frame.view, line)
        return True

    def _successor(self, frame: _SeenFrame, text: FollowedText) -> FollowedText | None:
        """The text that has taken the place of this one, as in counters: as long, and most of it the same. None if unknown."""
        line, text.misfit = text.misfit, None
        if line is None or line.confidence < CERTAIN_SUCCESSOR or not _is_next_count(text.line.text, line.text):
            return None
        self._changes.mark_seen(frame.view, text.rect)
        found = self._begun(frame, text.box, line)
        # What changes all the time moves, but it is where text was before.
        found.is_over_motion = text.is_over_motion
        return found

    def _look(self, frame: _SeenFrame, areas: list[Rect], budget: LookBudget) -> bool:
        """Looks at each area at the finest scale that the budget allows; returns False if one has to wait."""
        view = frame.view
        longer = max(view.full.gray.shape)
        boxes: list[TextBox] = []
        seen: list[Rect] = []
        for area in areas:
            for side in STILL_SIDES if frame.static is None else MOVING_SIDES:
                scale = min(MAX_ENLARGEMENT, side / longer)
                cost = detection_cost_ms(area.width, area.height, scale)
                # No frame follows while the picture stands still, so this one is looked at as the budget accrues.
                if budget.wait_for(cost, view.end_ms if frame.static is None else view.start_ms):
                    budget.spend(cost)
                    found = self._find_in(frame.view, area, scale, budget)
                    self._note_coarse(found, scale)
                    boxes += found
                    self._changes.mark_seen(view, area)
                    self._last_look_ms = view.start_ms
                    seen.append(area)
                    break
        if frame.static is None:
            known = [text.rect for text in self._current] + [one.rect for one in self._waiting]
            for area in seen:
                boxes = with_lone_signs(view.full.gray, area, boxes, known)
        self._take(frame, boxes, budget)
        return len(seen) == len(areas)

    def _note_coarse(self, boxes: Sequence[TextBox], scale: float) -> None:
        """Small print that was found in a reduced picture has uneven boxes, and is looked at again."""
        if scale < 1:
            self._coarse += [box.rect for box in boxes if box.rect.height * scale < MIN_BOX_HEIGHT]

    def _look_closer(self, frame: _SeenFrame, budget: LookBudget) -> None:
        """Small print that was found while the picture moved is looked at in full size when it stands still."""
        shown = [text.rect for text in self._current]
        self._coarse = [rect for rect in self._coarse if any(overlap_area(rect, one) for one in shown)]
        if not self._coarse:
            return
        height, width = frame.view.full.gray.shape
        area = bounding_rect(self._coarse).grown(ROW_MARGIN, (width, height))
        cost = detection_cost_ms(area.width, area.height, 1.0)
        if not budget.allows(cost):
            return
        budget.spend(cost)
        coarse, self._coarse = self._coarse, []
        boxes = self._find_in(frame.view, area, 1.0, budget)
        for text in self._current:
            if any(overlap_area(rect, text.rect) for rect in coarse):
                self._settle(frame, text, boxes, budget)
        known = [text.rect for text in self._current] + [one.rect for one in self._waiting]
        self._take(frame, with_lone_signs(frame.view.full.gray, area, boxes, known), budget)

    def _settle(self, frame: _SeenFrame, text: FollowedText, boxes: Sequence[TextBox], budget: LookBudget) -> None:
        """Reads a text again in the box that a closer look has found for it."""
        assert frame.view.color is not None
        box = next((one for one in boxes if covers(text.rect, one.rect) and covers(one.rect, text.rect, 0.4)), None)
        if box is None or box.rect == text.rect:
            return
        budget.spend(reading_cost_ms(box.rect.width, box.rect.height))
        line = self._engine.read_box(frame.view.color, box)
        if line is not None and (line.text == text.line.text or line.confidence > text.line.confidence):
            text.settle(frame.view, box, line)

    def _find_in(self, view: FrameView, area: Rect, scale: float, budget: LookBudget) -> list[TextBox]:
        """Boxes of the area. Where one reaches its border, the area is widened: the line may go on outside."""
        assert view.color is not None
        found = [box.moved(area.x, area.y) for box in self._engine.find_text(view.color[area.slices()], scale=scale)]
        height, width = view.full.gray.shape
        margin = round(BORDER / scale)
        cut = [
            box.rect
            for box in found
            if (area.x > 0 and box.rect.x <= area.x + margin)
            or (area.right < width and box.rect.right >= area.right - margin)
        ]
        if not cut:
            return found
        rows = Rect(0, min(rect.y for rect in cut), width, 1)
        rows = bounding_rect([rows, *cut]).grown(ROW_MARGIN, (width, height))
        rows = Rect(0, rows.y, width, rows.height)
        budget.spend(detection_cost_ms(rows.width, rows.height, scale))
        again = [box.moved(0, rows.y) for box in self._engine.find_text(view.color[rows.slices()], scale=scale)]
        inside = [box for box in again if rows.y == 0 or box.rect.y > rows.y]
        return [*inside, *(box for box in found if not any(covers(one.rect, box.rect, 0.3) for one in inside))]

    def _take(self, frame: _SeenFrame, boxes: list[TextBox], budget: LookBudget) -> None:
        """Reads what is new as far as the budget allows; the rest waits."""
        for box in boxes:
            known = [text.rect for text in self._current] + [one.rect for one in self._waiting]
            same = [rect for rect in known if _is_same_box(rect, box.rect)]
            is_moving = self._changes.is_restless(frame.view, box.rect)
            if same and (is_moving or not any(_is_longer_box(rect, box.rect) for rect in same)):
                continue
            self._waiting = [one for one in self._waiting if not covers(box.rect, one.rect)]
            if budget.may_read:
                budget.spend(reading_cost_ms(box.rect.width, box.rect.height))
                self._read(frame, box)
            else:
                self._waiting.append(WaitingBox.of(frame.view, box))

    def _read(self, frame: _SeenFrame, box: TextBox, before: Sequence[Showing] = ()) -> None:
        """Reads a box, and continues what was there before. `before` has the frames in which it was seen unread."""
        assert frame.view.color is not None
        line = self._engine.read_box(frame.view.color, box)
        if line is None:
            return
        inside = [text for text in self._current if covers(box.rect, text.rect)]
        if any(not _has_grown(text, box, line) for text in inside if _is_same_box(text.rect, box.rect)):
            return
        if any(text.line.text == line.text for text in inside):
            return
        for text in inside:
            # The line has grown, as when it is being typed.
            self._current.remove(text)
            text.shown.pop()
            (self._lost if text.shown else []).append(text)
        found = self._resumed(frame, box, line) or self._begun(frame, box, line)
        found.shown[:0] = [one for one in before if one.start_ms < found.start_ms]
        self._current.append(found)

    def _keep_waiting(self, frame: _SeenFrame, budget: LookBudget) -> None:
        """What stood still and goes before its turn is read in the last frame that shows it."""
        waiting, self._waiting = self._waiting, []
        for one in waiting:
            if one.is_still_in(*frame):
                self._waiting.append(one)
            elif one.stood_still and budget.spend_reserve(reading_cost_ms(one.rect.width, one.rect.height)):
                last = self._past[-1].view
                assert last.color is not None
                line = self._engine.read_box(last.color, one.box)
                if line is not None:
                    text = FollowedText.of(last, one.box, line)
                    text.shown = one.shown
                    self._lost.append(text)

    def _read_waiting(self, frame: _SeenFrame, budget: LookBudget) -> None:
        """Reads what waits as the budget accrues while this frame is shown. Looks at what changed come first."""
        while self._waiting and budget.wait_to_read(frame.view.end_ms):
            one = self._waiting.pop(0)
            budget.spend(reading_cost_ms(one.rect.width, one.rect.height))
            self._read(frame, one.box, one.shown)

    def _read_rest(self, last: _SeenFrame, budget: LookBudget) -> None:
        """Reads what still waits in the last frame."""
        waiting, self._waiting = self._waiting, []
        for one in waiting:
            if budget.spend_reserve(reading_cost_ms(one.rect.width, one.rect.height)):
                self._read(last, one.box, one.shown)

    def _resumed(self, frame: _SeenFrame, box: TextBox, line: RecognizedLine) -> FollowedText | None:
        """The text that was lost there a moment ago, if it says the same."""
        for text in self._lost:
            is_there = overlap_area(text.rect, box.rect) > 0.5 * min(text.rect.area, box.rect.area)
            if text.line.text == line.text and is_there and not self._was_replaced(text):
                self._lost.remove(text)
                again = FollowedText.of(frame.view, box, line)
                missed = [Showing.of(one.view, box.rect) for one in self._past]
                again.shown = [
                    *text.shown,
                    *(one for one in missed if one.start_ms >= text.end_ms),
                    *again.shown,
                ]
                again.votes = {**text.votes, line.text: text.votes.get(line.text, 0.0) + line.confidence**4}
                again.readings += text.readings
                again.is_over_motion = text.is_over_motion
                return again
        return None

    def _was_replaced(self, text: FollowedText) -> bool:
        """Whether another text was shown in its place since."""
        return any(
            one.start_ms >= text.end_ms and overlap_area(one.rect, text.rect) > 0.5 * min(one.rect.area, text.rect.area)
            for one in self._lost
            if one is not text
        )

    def _begun(self, frame: _SeenFrame, box: TextBox, line: RecognizedLine) -> FollowedText:
        """A new text, with the earlier frames that show it already."""
        text = FollowedText.of(frame.view, box, line)
        text.is_over_motion = self._changes.is_restless(frame.view, box.rect)
        core = None if text.is_over_motion else text.core(frame.view)
        for earlier in reversed(self._past):
            if not text.is_unchanged_in(*earlier):
                is_there = core is not None and not self._was_taken(box.rect, earlier.view.start_ms)
                if not is_there or core is None or not core.is_unchanged_in(*earlier):
                    break
            text.shown.insert(0, Showing.of(earlier.view, box.rect))
        if frame.static is None or text.is_over_motion:
            self._trace_back(text)
        return text

    def _trace_back(self, text: FollowedText) -> None:
        """Adds the frames in which a text that came to rest, or was found while it moved, was on its way."""
        rect = text.shown[0].rect
        for earlier in reversed(self._past):
            if earlier.view.start_ms >= text.start_ms:
                continue
            found = text.pattern.found_in(earlier.view, rect)
            if found is None or self._was_taken(found, earlier.view.start_ms):
                break
            rect = found
            text.shown.insert(0, Showing.of(earlier.view, rect))

    def _was_taken(self, rect: Rect, at_ms: int) -> bool:
        """Whether another text was shown in this place at this time."""
        texts = [*self._lost, *self._current]
        return any(one.end_ms > at_ms >= one.start_ms and covers(one.rect, rect) for one in texts)

    def _read_again(self, frame: _SeenFrame, budget: LookBudget) -> None:
        assert frame.view.color is not None
        for text in self._current:
            if text.wants_reading(is_ground_moving=frame.static is not None) and budget.allows(0):
                budget.spend(reading_cost_ms(text.rect.width, text.rect.height))
                line = self._engine.read_box(frame.view.color, text.box)
                if line is not None:
                    text.add_reading(line)
                else:
                    text.frames_since_reading = 0


def _is_same_box(known: Rect, rect: Rect) -> bool:
    return covers(known, rect, 0.6) and known.width >= MIN_SAME_WIDTH * rect.width


def _is_next_count(text: str, following: str) -> bool:
    same = sum(one == other for one, other in zip(text, following, strict=False))
    return len(text) == len(following) and same >= 0.5 * len(text)


def _is_longer_box(known: Rect, rect: Rect) -> bool:
    """Whether a letter or more may have been added at one end."""
    return max(known.x - rect.x, rect.right - known.right) > MIN_ADDED_WIDTH * known.height


def _has_grown(text: FollowedText, box: TextBox, line: RecognizedLine) -> bool:
    """Whether letters were added to the text; boxes of one text differ a little from look to look."""
    return _is_longer_box(text.rect, box.rect) and len(line.text) > len(text.line.text) and text.line.text in line.text
