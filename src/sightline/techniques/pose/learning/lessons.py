"""Lessons: what people said about a stretch of a video, with what the classifier saw there."""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from sightline.contracts.technique_events import Category
from sightline.objects import ObjectStore
from sightline.techniques.marks import TechniqueCorrection
from sightline.techniques.pose.pair_tracker import PairTracker
from sightline.techniques.pose.pairing import Pair
from sightline.techniques.pose.pose_parts import stored_looks
from sightline.techniques.pose.pose_process import PoseProcess
from sightline.techniques.pose.steadying import steadied_pairs
from sightline.techniques.pose.vocabulary import CATEGORIES

MIN_LOOKS = 4
"""With a pair, in the stretch; fewer show too little."""

Values = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Lesson:
    video_id: UUID
    category: Category
    is_there: bool
    """False: the category was rejected here."""
    logits: Values
    hidden: Values


async def lessons_of(
    corrections: Iterable[TechniqueCorrection], objects: ObjectStore, process: PoseProcess
) -> tuple[list[Lesson], int]:
    """Those that poses of a whole analysis were stored for, and how many corrections could not be used.

    Escapes are no pose, so nothing is learned from them. Videos that `pose` did not analyze, or is analyzing again, have
    no such poses.
    """
    by_video: dict[UUID, list[TechniqueCorrection]] = {}
    for one in corrections:
        by_video.setdefault(one.video_id, []).append(one)
    found: list[Lesson] = []
    unusable = 0
    for video_id, own in by_video.items():
        pairs = await _pairs(objects, video_id)
        for one in own:
            inside = [pair for at_ms, pair in pairs if one.start_ms <= at_ms <= one.end_ms]
            if one.category not in CATEGORIES or len(inside) < MIN_LOOKS:
                unusable += 1
                continue
            logits, hidden = await process.hidden(inside, source=str(video_id))
            means = logits.mean(axis=0), hidden.mean(axis=0)
            found.append(Lesson(video_id, one.category, one.verdict != "rejected", *means))
    return found, unusable


async def _pairs(objects: ObjectStore, video_id: UUID) -> list[tuple[int, Pair]]:
    tracker = PairTracker()
    seen = [(look.at_ms, tracker.see(look.at_ms, look.people)) for look in await stored_looks(objects, video_id)]
    found = [(at_ms, pair) for at_ms, pair in seen if isinstance(pair, Pair)]
    times = [at_ms for at_ms, _ in found]
    return list(zip(times, steadied_pairs(times, [pair for _, pair in found]), strict=True))
