"""Labels of a track: votes over time, and which labels detectors take for each other."""

from collections.abc import Mapping

VEHICLE = "vehicle"
GROUPS: Mapping[str, str] = {
    label: group
    for group, labels in {
        VEHICLE: ("car", "truck", "bus", "van", "train", "motorcycle", "motorbike", "bicycle", "vehicle"),
        "animal": ("dog", "cat", "horse", "sheep", "cow", "bear", "elephant", "zebra", "giraffe", "bird", "animal"),
        "luggage": ("backpack", "handbag", "suitcase", "bag", "package"),
    }.items()
    for label in labels
}
"""A car is often taken for a truck, hardly ever for a person."""


def group_of(label: str) -> str:
    return GROUPS.get(label, label)


class LabelVotes:
    """Sums the scores of each label; the last looks weigh no more than the first ones."""

    def __init__(self) -> None:
        self._votes: dict[str, float] = {}

    def add(self, label: str, score: float) -> None:
        self._votes[label] = self._votes.get(label, 0.0) + max(score, 0.01)

    @property
    def winner(self) -> str:
        return max(self._votes, key=lambda label: (self._votes[label], label))

    @property
    def share(self) -> float:
        return self._votes[self.winner] / sum(self._votes.values())
