"""Training of one network on all families but those of one fold."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from grapplemap import camera
from grapplemap.examples import Examples
from grapplemap.network import Head, Network, Schedule, Trainer
from sightline.techniques.pose.pair_features import pair_features, views
from sightline.techniques.pose.skeleton import Poses
from sightline.techniques.pose.vocabulary import CATEGORIES, NAMES, PHASES

TRUNK = (256, 128)
HEADS = (Head("phase", len(PHASES)), Head("category", len(CATEGORIES)), Head("name", len(NAMES), 0.5))
SCHEDULE = Schedule(layers=TRUNK, rate=1e-3, dropout=0.05, batch=256, smoothing=0.05, average=0.998)
POSITION_WEIGHT = 3.0
"""A position counts as much as so many frames between two."""
CHUNK = 2000
"""Pictures that are made at once; more would not fit the caches."""


@dataclass(frozen=True, slots=True)
class Plan:
    rounds: int = 20
    """Each with new pictures."""
    pictures: int = 25_000
    epochs: int = 3
    noise: float = 0.85
    """Of the strongest noise."""
    schedule: Schedule = field(default_factory=lambda: SCHEDULE)


def train(examples: Examples, plan: Plan, seed: int, report: Callable[[str], None]) -> Network:
    """`examples` are those that may be trained on."""
    rng = np.random.default_rng(seed)
    weights = _weights(examples)
    noise = _scaled(camera.TRAINING, plan.noise)
    trainer: Trainer | None = None
    for number in range(plan.rounds):
        chosen = rng.choice(len(weights), plan.pictures, p=weights)
        features = _features(examples.frames, chosen, noise, rng)
        if trainer is None:
            total = plan.rounds * plan.epochs * (plan.pictures // plan.schedule.batch)
            trainer = Trainer(HEADS, features, plan.schedule, total=total, rng=rng)
        for _ in range(plan.epochs):
            loss = trainer.epoch(features, examples.labels[chosen])
        report(f"round {number + 1} of {plan.rounds}, loss {loss:.3f}")
    if trainer is None:
        raise ValueError("a plan needs a round at least")
    return trainer.result


def classifier_of(networks: Sequence[Network]) -> Callable[[Poses], NDArray[np.float32]]:
    """Logits as the analyzer gets them: averaged over networks, orders of the people, and the mirror."""

    def classify(pairs: Poses) -> NDArray[np.float32]:
        parts = []
        for part in np.array_split(pairs, max(1, len(pairs) // CHUNK)):
            shown = views(part)
            parts.append(np.mean([one.logits(features) for one in networks for features in shown], axis=0))
        return np.concatenate(parts).astype(np.float32)

    return classify


def _features(
    frames: NDArray[np.float32], chosen: NDArray[np.int64], noise: camera.Noise, rng: np.random.Generator
) -> NDArray[np.float32]:
    parts = np.array_split(chosen, max(1, len(chosen) // CHUNK))
    made = [pair_features(camera.photographed(frames[part], rng, noise, is_training=True)) for part in parts]
    return np.concatenate(made)


def _weights(examples: Examples) -> NDArray[np.float64]:
    """Rare phases and small families count more, and positions more than what lies between them."""
    family = np.bincount(examples.families)[examples.families]
    phase = np.bincount(examples.labels[:, 0] + 1)[examples.labels[:, 0] + 1]
    weights = np.where(examples.moves < 0, POSITION_WEIGHT, 1.0) / np.sqrt(family * phase)
    found: NDArray[np.float64] = weights / weights.sum()
    return found


def _scaled(noise: camera.Noise, share: float) -> camera.Noise:
    names = ("missed", "hidden_missed", "jitter", "stolen_limb", "swapped_limb", "swapped_person", "cut_legs")
    return replace(noise, **{name: getattr(noise, name) * share for name in names})
