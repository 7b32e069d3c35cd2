"""Meaning: vectors of what is shown and said, found beside words; the job `embed`, and its model in a confined process."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from sightline.text.meaning.settings import MeaningSettings

if TYPE_CHECKING:
    from sightline.text.meaning.backfill import MeaningBackfill
    from sightline.text.meaning.embed import NO_PGVECTOR, EmbedJob, enqueue_embedding
    from sightline.text.meaning.embedder import Embedder, open_embedder
    from sightline.text.meaning.models.catalogue import MEANING_MODELS
    from sightline.text.meaning.passages import EmbeddedPassage, passages_of
    from sightline.text.meaning.search import MeaningMode, MeaningSearch, open_meaning_search
    from sightline.text.meaning.status import MeaningStatus, meaning_status

__all__ = [
    "MEANING_MODELS",
    "NO_PGVECTOR",
    "EmbedJob",
    "EmbeddedPassage",
    "Embedder",
    "MeaningBackfill",
    "MeaningMode",
    "MeaningSearch",
    "MeaningSettings",
    "MeaningStatus",
    "enqueue_embedding",
    "meaning_status",
    "open_embedder",
    "open_meaning_search",
    "passages_of",
]

_MODULE_OF = {
    "MEANING_MODELS": "models.catalogue",
    "EmbedJob": "embed",
    "Embedder": "embedder",
    "MeaningBackfill": "backfill",
    "MeaningMode": "search",
    "MeaningSearch": "search",
    "MeaningStatus": "status",
    "NO_PGVECTOR": "embed",
    "EmbeddedPassage": "passages",
    "enqueue_embedding": "embed",
    "meaning_status": "status",
    "open_embedder": "embedder",
    "open_meaning_search": "search",
    "passages_of": "passages",
}


def __getattr__(name: str) -> Any:
    """Loads a part on first use: commands that only read settings need neither queries nor jobs."""
    if name in _MODULE_OF:
        return getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
