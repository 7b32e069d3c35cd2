"""Fitting of the layer that is added to the classifier's categories and phases. Pure.

Few corrections must not overturn what many positions taught, so the layer begins at nothing and is held there by a penalty.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sightline.techniques.pose.learning.lessons import Lesson
from sightline.techniques.pose.phase_windows import HEADS, OUTPUT_COUNT, softmax
from sightline.techniques.pose.vocabulary import CATEGORIES, PHASE_OF, PHASES

PENALTY = 0.02
STEPS = 300
RATE = 0.05

Values = NDArray[np.float32]


def fit_layer(lessons: Sequence[Lesson]) -> tuple[Values, Values]:
    """Weights (hidden, OUTPUT_COUNT) and biases, zero for names. The same lessons give the same layer."""
    hidden = np.stack([one.hidden for one in lessons])
    logits = np.stack([one.logits for one in lessons])
    weights, biases = (np.zeros(shape, np.float32) for shape in ((hidden.shape[1], OUTPUT_COUNT), (OUTPUT_COUNT,)))
    scale = np.float32(1 / max(float(np.abs(hidden).mean()) * np.sqrt(hidden.shape[1]), 1e-6))
    inputs = hidden * scale
    for _ in range(STEPS):
        shown = np.asarray(logits + inputs @ weights + biases, np.float32)
        error = _error(shown, lessons) / np.float32(len(lessons))
        weights -= RATE * (inputs.T @ error + PENALTY * weights)
        biases -= RATE * (error.sum(axis=0) + PENALTY * biases)
    return (weights * scale).astype(np.float32), biases


def category_loss(logits: Values, lessons: Sequence[Lesson]) -> float:
    """Mean of how surprising the corrections are."""
    chances = softmax(logits[:, HEADS["category"]])[np.arange(len(lessons)), _numbers(lessons)]
    there = np.array([one.is_there for one in lessons])
    return float(-np.log(np.maximum(np.where(there, chances, 1 - chances), 1e-6)).mean())


def right_count(logits: Values, lessons: Sequence[Lesson]) -> int:
    """How many corrections the best category agrees with: that which is there is said, that which is not is not said."""
    says = logits[:, HEADS["category"]].argmax(axis=1) == _numbers(lessons)
    return int((says == np.array([one.is_there for one in lessons])).sum())


def _numbers(lessons: Sequence[Lesson]) -> NDArray[np.int64]:
    return np.array([CATEGORIES.index(one.category) for one in lessons])


def _error(logits: Values, lessons: Sequence[Lesson]) -> Values:
    """The gradient of the loss. A rejected category is moved to the others in the shares that they have."""
    error = np.zeros_like(logits)
    phases = [PHASES.index(PHASE_OF[one.category]) for one in lessons]
    for head, numbers in (("category", _numbers(lessons)), ("phase", np.array(phases))):
        chances = softmax(logits[:, HEADS[head]])
        for row, (number, one) in enumerate(zip(numbers, lessons, strict=True)):
            target = np.zeros(chances.shape[1], np.float32)
            if one.is_there:
                target[number] = 1
            elif head == "phase":
                target = chances[row]  # another category of the same phase may be there
            else:
                target = chances[row].copy()
                target[number] = 0
                target /= max(float(target.sum()), 1e-6)
            error[row, HEADS[head]] = chances[row] - target
    return error
