"""Looks that wait for a busy detector, in the camera process: somebody who passes while it looks elsewhere is seen later."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from sightline.geometry import Box, shared_area

HOLD_EVERY_S = 0.8
"""A detector that is asked again within this time holds up nothing; beyond it, a picture is held so often."""
MAX_HELD = 8
"""Each is a JPEG picture. Of more, every second one is dropped, so that what is left still shows the whole time."""


@dataclass(frozen=True, slots=True)
class HeldLook:
    at: float
    regions: tuple[Box, ...]
    share: float
    jpeg: bytes
    has_newcomer: bool
    """Something began to move that did not move at the look before."""


class HeldLooks:
    """The oldest is looked at first, since tracks need their looks in order. One per connection."""

    def __init__(self) -> None:
        self._looks: deque[HeldLook] = deque()
        self._moved: Sequence[Box] = ()
        self._has_newcomer = False

    def __len__(self) -> int:
        return len(self._looks)

    def notice(self, regions: Sequence[Box]) -> None:
        """What moves at each look, held or not."""
        if any(not any(shared_area(region, before) > 0 for before in self._moved) for region in regions):
            self._has_newcomer = True
        self._moved = regions

    def hold(self, at: float, regions: Sequence[Box], share: float, jpeg: bytes) -> None:
        if len(self._looks) >= MAX_HELD:
            self._thin()
        self._looks.append(HeldLook(at, tuple(regions), share, jpeg, self._has_newcomer))
        self._has_newcomer = False

    def take(self) -> HeldLook | None:
        return self._looks.popleft() if self._looks else None

    def sent(self) -> None:
        """A picture of this moment goes to the detector; what has begun to move until now is in it."""
        self._has_newcomer = False

    def forget_known(self) -> None:
        """What moves is known by now: only pictures since somebody else came are still worth a look."""
        while self._looks and not self._looks[0].has_newcomer:
            self._looks.popleft()

    def _thin(self) -> None:
        looks = list(self._looks)
        # A look that is dropped hands its newcomer on: they are in the next picture too, or were gone within a second.
        self._looks = deque(
            HeldLook(kept.at, kept.regions, kept.share, kept.jpeg, dropped.has_newcomer or kept.has_newcomer)
            for dropped, kept in zip(looks[::2], looks[1::2], strict=True)
        )
