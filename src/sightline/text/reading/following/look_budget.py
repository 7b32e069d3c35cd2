"""Look budget: limits what is spent on detecting and reading text, by the time that the video has advanced. Pure.

Costs are estimates of CPU time from the number of pixels, so that the same frames are always read alike, on any machine.
"""

MS_PER_DETECTED_KILOPIXEL = 0.19
"""CPU time of detection, for 1000 pixels of the network's input."""
MS_PER_READ_COLUMN = 0.036
"""CPU time of recognition, for one column of a line that is 48 pixels high."""
MS_PER_SECOND = 420.0
"""What accrues with each second of video."""
MAX_SAVED_MS = 1600.0
"""A still video saves up for the next change, but not without limit."""
MAX_DEBT_MS = 400.0
"""Reading what was found may exceed the budget by so much; looking for more then waits."""
RESERVE_MS = 10_000.0
"""For still text whose turn to be read has not come when it goes, or when the frames end. Never refilled."""


class LookBudget:
    def __init__(self, start_ms: int) -> None:
        self._saved_ms = MAX_SAVED_MS / 2
        self._reserve_ms = RESERVE_MS
        self._at_ms = start_ms

    def advance(self, now_ms: int) -> None:
        passed = max(0, now_ms - self._at_ms)
        self._at_ms = max(self._at_ms, now_ms)
        self._saved_ms = min(MAX_SAVED_MS, self._saved_ms + passed * MS_PER_SECOND / 1000)

    def allows(self, cost_ms: float) -> bool:
        return cost_ms <= self._saved_ms

    @property
    def may_read(self) -> bool:
        return self._saved_ms > -MAX_DEBT_MS

    def wait_to_read(self, until_ms: int) -> bool:
        """Whether reading is allowed by then; moves on to the moment from which it is."""
        missing_ms = -MAX_DEBT_MS - self._saved_ms
        if missing_ms >= 0:
            self.advance(min(until_ms, self._after(missing_ms)))
        return self.may_read

    def wait_for(self, cost_ms: float, until_ms: int) -> bool:
        """Whether so much is allowed by then; if so, moves on to the moment from which it is."""
        missing_ms = cost_ms - self._saved_ms
        if missing_ms > 0 and self._after(missing_ms) <= until_ms:
            self.advance(self._after(missing_ms))
        return self.allows(cost_ms)

    def _after(self, missing_ms: float) -> int:
        """When so much more has accrued."""
        return self._at_ms + int(missing_ms * 1000 / MS_PER_SECOND) + 1

    def spend(self, cost_ms: float) -> None:
        self._saved_ms -= cost_ms

    def spend_reserve(self, cost_ms: float) -> bool:
        """Returns whether the reserve suffices."""
        if cost_ms > self._reserve_ms:
            return False
        self._reserve_ms -= cost_ms
        return True


def detection_cost_ms(width: int, height: int, scale: float) -> float:
    return width * height * scale * scale / 1000 * MS_PER_DETECTED_KILOPIXEL


def reading_cost_ms(width: int, height: int) -> float:
    return 48 * width / max(1, height) * MS_PER_READ_COLUMN
