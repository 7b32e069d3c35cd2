"""A small network with one trunk and several heads, trained with NumPy alone: one seed gives the same weights on one machine."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]
AVERAGE_EVERY = 5
"""Steps between two updates of the running average."""


@dataclass(frozen=True, slots=True)
class Head:
    name: str
    size: int
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Schedule:
    layers: tuple[int, ...] = (384, 192)
    rate: float = 1.5e-3
    decay: float = 0.02
    dropout: float = 0.3
    smoothing: float = 0.1
    batch: int = 512
    mixup: float = 0.0
    average: float = 0.995
    """Share of the old weights that a running average keeps at each step; the average is the result."""


@dataclass(slots=True)
class Network:
    heads: tuple[Head, ...]
    mean: Array
    deviation: Array
    weights: list[Array] = field(default_factory=list)
    biases: list[Array] = field(default_factory=list)

    def hidden(self, features: Array) -> Array:
        values = (features - self.mean) / self.deviation
        for weight, bias in zip(self.weights[:-1], self.biases[:-1], strict=True):
            values = np.maximum(values @ weight + bias, 0)
        return values

    def logits(self, features: Array) -> Array:
        found: Array = self.hidden(features) @ self.weights[-1] + self.biases[-1]
        return found

    def slices(self) -> dict[str, slice]:
        ends = np.cumsum([head.size for head in self.heads])
        return {head.name: slice(int(end) - head.size, int(end)) for head, end in zip(self.heads, ends, strict=True)}


class Trainer:
    """`total` is the number of steps that are planned; the rate falls to zero over them."""

    def __init__(
        self, heads: Sequence[Head], features: Array, schedule: Schedule, *, total: int, rng: np.random.Generator
    ) -> None:
        self._schedule, self._total, self._rng, self._step = schedule, total, rng, 0
        outputs = sum(head.size for head in heads)
        sizes = [features.shape[1], *schedule.layers, outputs]
        deviation = np.maximum(features.std(axis=0), 0.05).astype(np.float32)
        self._network = Network(tuple(heads), features.mean(axis=0).astype(np.float32), deviation)
        for inner, outer in pairwise(sizes):
            self._network.weights.append((rng.normal(0, np.sqrt(2 / inner), (inner, outer))).astype(np.float32))
            self._network.biases.append(np.zeros(outer, np.float32))
        self._network.weights[-1] *= 0.1
        parameters = [*self._network.weights, *self._network.biases]
        self._first = [np.zeros_like(one) for one in parameters]
        self._second = [np.zeros_like(one) for one in parameters]
        self._averages = [one.copy() for one in parameters]

    @property
    def result(self) -> Network:
        count = len(self._network.weights)
        own = self._network
        return Network(own.heads, own.mean, own.deviation, self._averages[:count], self._averages[count:])

    def epoch(self, features: Array, labels: NDArray[np.int64]) -> float:
        """`labels` is (count, heads), -1 where not known. Returns the mean loss."""
        losses = [self._learn(features[batch], labels[batch]) for batch in self._batches(len(features))]
        return float(np.mean(losses))

    def _batches(self, count: int) -> Iterator[NDArray[np.int64]]:
        order = self._rng.permutation(count)
        size = self._schedule.batch
        for start in range(0, count - size + 1, size):
            yield order[start : start + size]

    def _targets(self, labels: NDArray[np.int64]) -> tuple[Array, Array]:
        """Probabilities that are aimed at, and the weight of each output's head."""
        smoothing = self._schedule.smoothing
        targets, weights = [], []
        for number, head in enumerate(self._network.heads):
            known = labels[:, number] >= 0
            one = np.full((len(labels), head.size), smoothing / head.size, np.float32)
            one[np.arange(len(labels)), np.maximum(labels[:, number], 0)] += 1 - smoothing
            targets.append(one)
            weights.append(np.repeat((known * head.weight).astype(np.float32)[:, None], head.size, axis=1))
        return np.concatenate(targets, axis=1), np.concatenate(weights, axis=1)

    def _learn(self, features: Array, labels: NDArray[np.int64]) -> float:
        network, schedule, rng = self._network, self._schedule, self._rng
        targets, known = self._targets(labels)
        values = (features - network.mean) / network.deviation
        if schedule.mixup > 0:
            share = np.float32(rng.beta(schedule.mixup, schedule.mixup))
            other = rng.permutation(len(values))
            values = share * values + (1 - share) * values[other]
            targets = share * targets + (1 - share) * targets[other]
            known = known * known[other]
        inputs, masks = [values], []
        for weight, bias in zip(network.weights[:-1], network.biases[:-1], strict=True):
            active = np.maximum(inputs[-1] @ weight + bias, 0)
            mask = (rng.random(active.shape, np.float32) >= schedule.dropout).astype(np.float32) / (
                1 - schedule.dropout
            )
            masks.append(mask)
            inputs.append(active * mask)
        logits = np.asarray(inputs[-1] @ network.weights[-1] + network.biases[-1], np.float32)
        probabilities, loss = self._softmax(logits, targets, known)
        error = np.asarray((probabilities - targets) * known / len(values), np.float32)
        gradients_w: list[Array] = []
        gradients_b: list[Array] = []
        for layer in range(len(network.weights) - 1, -1, -1):
            gradients_w.insert(0, np.asarray(inputs[layer].T @ error, np.float32))
            gradients_b.insert(0, np.asarray(error.sum(axis=0), np.float32))
            if layer:
                error = (error @ network.weights[layer].T) * masks[layer - 1] * (inputs[layer] > 0)
        self._move([*gradients_w, *gradients_b])
        return loss

    def _softmax(self, logits: Array, targets: Array, known: Array) -> tuple[Array, float]:
        probabilities = np.empty_like(logits)
        for part in self._network.slices().values():
            one = logits[:, part] - logits[:, part].max(axis=1, keepdims=True)
            exponents = np.exp(one)
            probabilities[:, part] = exponents / exponents.sum(axis=1, keepdims=True)
        loss = -(targets * np.log(probabilities + 1e-9) * known).sum() / len(logits)
        return probabilities, float(loss)

    def _move(self, gradients: Sequence[Array]) -> None:
        """One step of Adam, with decay of the weights."""
        self._step += 1
        warm = min(1.0, self._step / 50)
        rate = self._schedule.rate * warm * 0.5 * (1 + np.cos(np.pi * min(1.0, self._step / self._total)))
        keep = min(self._schedule.average**AVERAGE_EVERY, self._step / (self._step + 20))
        parameters = [*self._network.weights, *self._network.biases]
        for number, (parameter, given) in enumerate(zip(parameters, gradients, strict=True)):
            gradient = given  # changed in place
            first, second = self._first[number], self._second[number]
            first *= 0.9
            first += 0.1 * gradient
            np.multiply(gradient, gradient, out=gradient)
            second *= 0.999
            gradient *= 0.001
            second += gradient
            np.sqrt(second, out=gradient)
            gradient += 1e-8
            np.divide(first, gradient, out=gradient)
            if number < len(self._network.weights):
                np.multiply(parameter, 1 - rate * self._schedule.decay, out=parameter)
            gradient *= rate * np.sqrt(1 - 0.999**self._step) / (1 - 0.9**self._step)
            np.subtract(parameter, gradient, out=parameter)
            if self._step % AVERAGE_EVERY == 0:
                self._averages[number] += (1 - keep) * (parameter - self._averages[number])
