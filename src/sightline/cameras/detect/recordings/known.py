"""What was reported of a camera before: an object that is seen there again is not reported twice. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sightline.cameras.detect.found_tracks import FoundTrack
from sightline.geometry import Box, overlap
from sightline.vision import group_of

TOLERANCE = timedelta(seconds=2)
"""A watched camera's clock, its recording's and that of another detector differ by less."""
SAME_OVERLAP = 0.3


@dataclass(frozen=True, slots=True)
class KnownSighting:
    label: str
    since: datetime
    until: datetime
    """Of a detection, the same moment; of an event whose detections are gone, its end."""
    box: Box | None
    """None: somewhere in the picture."""
    track_id: str | None


def is_known(found: FoundTrack, known: Sequence[KnownSighting], *, base: datetime) -> bool:
    """Whether one of these is the same object: of the same kind, at the same time, at the same place. `base` is when the
    clock of the track began. What the track itself reported before does not count."""
    group = group_of(found.track.label)
    return any(
        one.track_id != found.track.track_id and group_of(one.label) == group and _meets(found, one, base)
        for one in known
    )


def _meets(found: FoundTrack, known: KnownSighting, base: datetime) -> bool:
    first = (known.since - TOLERANCE - base) / timedelta(milliseconds=1)
    last = (known.until + TOLERANCE - base) / timedelta(milliseconds=1)
    return any(
        first <= at_ms <= last and (known.box is None or overlap(box, known.box) >= SAME_OVERLAP)
        for at_ms, box in found.boxes
    )
