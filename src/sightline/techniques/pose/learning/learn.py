"""Learning from corrections, and whether it helps: measured on corrections that were held out. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sightline.techniques.pose.learned_file import LearnedLayer
from sightline.techniques.pose.learning.layer import category_loss, fit_layer, right_count
from sightline.techniques.pose.learning.lessons import Lesson

MIN_LESSONS = 20
"""Fewer cannot be split into what is learned and what is checked."""
FOLDS = 5


@dataclass(frozen=True, slots=True)
class LearnReport:
    corrections: int
    unusable: int
    right_before: int
    """Of the held-out corrections: how many the packaged classifier agrees with."""
    right_after: int
    loss_before: float
    loss_after: float
    is_split_by_video: bool
    has_helped: bool
    layer: LearnedLayer | None
    """None if there were too few corrections."""

    @property
    def summary(self) -> str:
        if self.layer is None:
            return (
                f"Nothing was learned: {self.corrections} corrections can be used, and {MIN_LESSONS} are needed. "
                f"{self.unusable} could not be used (escapes, or no poses of a finished analysis there)."
            )
        how = "of videos that were left out" if self.is_split_by_video else "that were left out, of the same videos"
        result = "It helped and is in use." if self.has_helped else "It did not help, so nothing was changed."
        return (
            f"{self.corrections} corrections. Of those {how}, {self.right_before} were right before and "
            f"{self.right_after} after learning (loss {self.loss_before:.3f}, then {self.loss_after:.3f}). {result}"
        )


def learn(lessons: Sequence[Lesson], *, classifier_sha256: str, unusable: int = 0) -> LearnReport:
    """Every correction is held out once: with its whole video where there are several, else with others of its video."""
    count = len(lessons)
    logits = np.array([one.logits for one in lessons], np.float32)
    if count < MIN_LESSONS:
        return LearnReport(count, unusable, 0, 0, 0.0, 0.0, False, False, None)
    groups, is_split_by_video = _groups(lessons)
    after = logits.copy()
    for group in sorted(set(groups)):
        inside = [number for number, own in enumerate(groups) if own == group]
        rest = [lessons[number] for number, own in enumerate(groups) if own != group]
        weights, biases = fit_layer(rest)
        for number in inside:
            after[number] += lessons[number].hidden @ weights + biases
    right = right_count(logits, lessons), right_count(after, lessons)
    loss = category_loss(logits, lessons), category_loss(after, lessons)
    layer = LearnedLayer(classifier_sha256, *fit_layer(lessons), count)
    has_helped = right[1] > right[0] and loss[1] < loss[0]
    return LearnReport(count, unusable, *right, *loss, is_split_by_video, has_helped, layer)


def _groups(lessons: Sequence[Lesson]) -> tuple[list[int], bool]:
    videos = sorted({one.video_id for one in lessons})
    if len(videos) >= 2:
        number_of = {video: number % FOLDS for number, video in enumerate(videos)}
        return [number_of[one.video_id] for one in lessons], True
    return [number % FOLDS for number in range(len(lessons))], False
