"""Holds: the moments of a camera that are worth storing, because something happened then. Pure."""

from datetime import datetime, timedelta

from sightline.cameras.recording.segment import FinishedSegment

_FORGET_AFTER = timedelta(minutes=5)
"""No segment arrives so late."""


class Holds:
    """Windows of time, joined where they overlap."""

    def __init__(self, pre_roll: timedelta, post_roll: timedelta) -> None:
        self._pre_roll = pre_roll
        self._post_roll = post_roll
        self._windows: list[tuple[datetime, datetime]] = []

    def add(self, since: datetime, until: datetime) -> tuple[datetime, datetime]:
        """Returns the window with what comes before and after."""
        window = (since - self._pre_roll, max(since, until) + self._post_roll)
        start, end = window
        apart = []
        for one in self._windows:
            if one[0] <= end and one[1] >= start:
                start, end = min(start, one[0]), max(end, one[1])
            else:
                apart.append(one)
        self._windows = [*apart, (start, end)]
        return window

    def covers(self, segment: FinishedSegment) -> bool:
        return any(segment.overlaps(*window) for window in self._windows)

    def is_open_at(self, moment: datetime) -> bool:
        return any(start <= moment < end for start, end in self._windows)

    def forget_before(self, moment: datetime) -> None:
        self._windows = [window for window in self._windows if window[1] > moment - _FORGET_AFTER]
