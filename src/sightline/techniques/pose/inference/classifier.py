"""The classifier of pairs, inside the confined process: an ONNX file, and what this installation learned on top of it."""

from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from sightline.techniques.pose.learned_file import LearnedLayer, read_learned
from sightline.techniques.pose.pair_features import FEATURE_COUNT, views
from sightline.techniques.pose.skeleton import Poses
from sightline.vision import BadModel
from sightline.vision.poses import open_onnx_session

Values = NDArray[np.float32]


class PairClassifier:
    """Raises `BadModel` for a file that is no classifier of pairs."""

    def __init__(self, file: str, learned: str | None, *, threads: int) -> None:
        self._session: onnxruntime.InferenceSession = open_onnx_session(file, threads)
        inputs, outputs = self._session.get_inputs(), [one.name for one in self._session.get_outputs()]
        if len(inputs) != 1 or inputs[0].shape[-1] != FEATURE_COUNT or outputs != ["logits", "hidden"]:
            raise BadModel(f"{file} is no classifier of pairs of this version")
        self._input = inputs[0].name
        self._learned: LearnedLayer | None = None if learned is None else read_learned(Path(learned))

    def classify(self, pairs: Poses) -> tuple[Values, Values]:
        """Logits and the last hidden layer, each averaged over the orders of the two people and over the mirror."""
        results = [self._session.run(["logits", "hidden"], {self._input: features}) for features in views(pairs)]
        logits, hidden = (np.mean([one[number] for one in results], axis=0) for number in (0, 1))
        return self.adjusted(logits, hidden), hidden

    def adjusted(self, logits: Values, hidden: Values) -> Values:
        return logits if self._learned is None else logits + self._learned.of(hidden)
