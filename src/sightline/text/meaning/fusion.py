"""Reciprocal rank fusion: several orders of the same things become one. Pure."""

from collections.abc import Hashable, Sequence
from typing import TypeVar

K = 60
"""The constant of the method: how little the first places of one order count against being in several."""

T = TypeVar("T", bound=Hashable)


def fuse(*orders: Sequence[T]) -> list[T]:
    """Best first. What is in several orders comes before what is in one at the same place; ties go to the earlier order."""
    scores: dict[T, float] = {}
    for order in orders:
        for place, one in enumerate(order, start=1):
            scores[one] = scores.get(one, 0.0) + 1 / (K + place)
    return sorted(scores, key=lambda one: -scores[one])
