"""The embedder: texts become vectors, near each other if they mean the same. Its backend runs a model in a confined process."""

import base64
import binascii
import json
from collections import OrderedDict
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from sightline.jobs import ProcessCrashed, ProcessLimits, Sandbox, ServedProcess, ServiceSpec, open_served_process
from sightline.text.meaning.models.catalogue import VOCABULARY, WEIGHTS
from sightline.text.meaning.settings import MeaningSettings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SERVICE = "sightline.text.meaning.encoder"
MAX_BATCH = 32
MAX_DIMENSIONS = 4000
"""What pgvector can store as numbers of 16 bits."""
MAX_TEXT_LETTERS = 4000
"""The rest of a longer text is beyond what the models read."""
KEPT_QUERIES = 256
NICE_OF_JOBS = 10
"""Vectors of videos yield to everything else."""

Vectors: TypeAlias = "NDArray[np.float32]"
"""numpy is loaded where vectors are made: most commands need none."""


class Embedder(Protocol):
    async def embed(self, texts: Sequence[str]) -> Vectors:
        """A vector of length 1 for each text, one row per text. The order and the other texts make no difference.

        Raises `PermanentFailure` if the model cannot be used, `TransientFailure` if its process died or took too long.
        """
        ...


class ProcessEmbedder:
    def __init__(self, served: ServedProcess) -> None:
        self._served = served

    async def embed(self, texts: Sequence[str]) -> Vectors:
        import numpy as np

        parts = [await self._embed(texts[at : at + MAX_BATCH]) for at in range(0, len(texts), MAX_BATCH)]
        return np.concatenate(parts) if parts else np.zeros((0, 0), np.float32)

    async def _embed(self, texts: Sequence[str]) -> Vectors:
        content = json.dumps([text[:MAX_TEXT_LETTERS] for text in texts]).encode()
        return read_vectors(await self._served.request({}, content), count=len(texts))


class RememberingEmbedder:
    """Keeps the vectors of the last texts: people page through results, and search as they type and delete."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._kept: OrderedDict[str, Vectors] = OrderedDict()

    async def embed(self, texts: Sequence[str]) -> Vectors:
        if len(texts) != 1:
            return await self._embedder.embed(texts)
        (text,) = texts
        if text not in self._kept:
            self._kept[text] = await self._embedder.embed(texts)
        self._kept.move_to_end(text)
        while len(self._kept) > KEPT_QUERIES:
            self._kept.popitem(last=False)
        return self._kept[text]


@asynccontextmanager
async def open_embedder(
    settings: MeaningSettings, folder: Path, *, may_be_unconfined: bool, nice: int = 0
) -> AsyncIterator[Embedder]:
    """The model is loaded by the first texts; a folder that holds no model is an error of that request."""
    service = ServiceSpec(
        name="meaning",
        opener=f"{SERVICE}:open_service",
        argument={"folder": str(folder), "threads": settings.threads},
        sandbox=Sandbox(
            readable=(str(folder), *(str(folder / name) for name in (WEIGHTS, VOCABULARY))), modules=(SERVICE,)
        ),
        limits=ProcessLimits(memory_bytes=settings.memory_limit_bytes, nice=nice, may_be_unconfined=may_be_unconfined),
        request_timeout_s=settings.batch_timeout_s,
    )
    async with open_served_process(service) as served:
        yield ProcessEmbedder(served)


def read_vectors(result: dict[str, Any], *, count: int) -> Vectors:
    """The vectors in the result of the process, which is not trusted: it has read texts and a model file."""
    import numpy as np

    match result:
        case {"count": int() as found, "dimensions": int() as dimensions, "vectors": str() as packed} if (
            found == count and 0 < dimensions <= MAX_DIMENSIONS
        ):
            try:
                content = base64.b64decode(packed, validate=True)
            except binascii.Error as error:
                raise ProcessCrashed("the process that embeds sent vectors that cannot be read") from error
            if len(content) == count * dimensions * 4:
                vectors = np.frombuffer(content, np.float32).reshape(count, dimensions)
                if np.isfinite(vectors).all() and (np.abs(np.linalg.norm(vectors, axis=1) - 1) < 0.01).all():
                    return vectors
    raise ProcessCrashed("the process that embeds sent vectors that cannot be read")
