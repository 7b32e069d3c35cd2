"""The service of the confined process: opens the sentence model once, then turns texts into vectors of length 1."""

import base64
import json
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from sightline.errors import PermanentFailure
from sightline.text.meaning.wordpiece import WordPiece

MAX_TOKENS = 256
"""Longer texts are cut: the models were trained on shorter ones."""
_INPUTS = {"input_ids", "attention_mask", "token_type_ids"}

Vectors = NDArray[np.float32]


def open_service(argument: dict[str, Any]) -> "EncoderService":
    folder = Path(argument["folder"])
    try:
        tokenizer = WordPiece.from_json(json.loads((folder / "tokenizer.json").read_text(encoding="utf-8")))
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = argument["threads"]
        options.inter_op_num_threads = 1
        options.log_severity_level = 4
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # threads that spin cost a core
        session = onnxruntime.InferenceSession(str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"])
        service = EncoderService(session, tokenizer)
        service.encode("a sentence to try")
    except MemoryError:
        raise
    except Exception as error:  # onnxruntime's errors have no common base
        reason = str(error).partition("\n")[0]
        raise PermanentFailure(f"{folder} is not a sentence model that can be loaded: {reason}") from error
    return service


class EncoderService:
    """A `Handler` of `jobs.ServedProcess`."""

    def __init__(self, session: "onnxruntime.InferenceSession", tokenizer: WordPiece) -> None:
        self._session = session
        self._tokenizer = tokenizer
        self._inputs = {one.name for one in session.get_inputs()}
        if not {"input_ids", "attention_mask"} <= self._inputs <= _INPUTS:
            raise ValueError(f"its inputs are {', '.join(sorted(self._inputs))}")

    def __call__(self, header: dict[str, Any], content: memoryview) -> dict[str, Any]:
        """`content` is a list of texts as JSON."""
        texts: list[str] = json.loads(bytes(content))
        # One text at a time: with weights of 8 bits, the padding of a batch would change the vectors of short texts.
        vectors = np.stack([self.encode(text) for text in texts])
        packed = base64.b64encode(np.ascontiguousarray(vectors, np.float32).tobytes()).decode()
        return {"count": len(texts), "dimensions": vectors.shape[1], "vectors": packed}

    def encode(self, text: str) -> Vectors:
        ids = np.array([self._tokenizer.tokens(text, max_tokens=MAX_TOKENS)], np.int64)
        given = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.zeros_like(ids),
        }
        output = self._session.run(None, {name: given[name] for name in self._inputs})[0]
        if output.ndim == 3:
            output = output.mean(axis=1)  # of all tokens
        if output.ndim != 2 or output.shape[0] != 1 or not np.isfinite(output).all():
            raise ValueError("its output is neither a vector per token nor one per text")
        vector = output[0].astype(np.float32)
        return np.asarray(vector / max(float(np.linalg.norm(vector)), 1e-12), np.float32)
