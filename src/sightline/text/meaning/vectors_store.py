"""Store of vectors: passages of videos, which videos have them, and the nearest ones of what a caller may see."""

import json
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg

from sightline.db import Transaction, load_queries
from sightline.text.meaning.embedder import Vectors
from sightline.text.meaning.passages import EmbeddedPassage
from sightline.text.search import SearchFilter
from sightline.text.segments import entity_query_keys

_sql = load_queries(Path(__file__).with_name("vectors.sql"))


@asynccontextmanager
async def attempt(tx: Transaction) -> AsyncIterator[None]:
    """Undoes what fails inside, and leaves the rest of the transaction whole."""
    await tx.execute("SAVEPOINT meaning")
    try:
        yield
    except asyncpg.PostgresError:
        await tx.execute("ROLLBACK TO SAVEPOINT meaning; RELEASE SAVEPOINT meaning")
        raise
    await tx.execute("RELEASE SAVEPOINT meaning")


async def has_vectors(tx: Transaction) -> bool:
    """False where the server has no pgvector (ADR 0075)."""
    return bool(await _sql["vectors_are_there"].value(tx))


async def forget_embedded(tx: Transaction, video_id: UUID) -> None:
    """The text of the video has changed. Its vectors serve until they are made again."""
    await _sql["forget_embedded"].run(tx, video_id=video_id)


async def stored_passages(tx: Transaction, video_id: UUID, model: str) -> set[UUID]:
    return {row["id"] for row in await _sql["stored_passages"].rows(tx, video_id=video_id, model=model)}


async def store_passages(
    tx: Transaction, video_id: UUID, model: str, passages: Sequence[EmbeddedPassage], vectors: Vectors
) -> None:
    """Adds passages; those that are there stay as they are. Nothing is stored for a removed video."""
    await _sql["store_passages"].rows(
        tx,
        video_id=video_id,
        model=model,
        ids=[one.id(model) for one in passages],
        segments=[[str(segment.id) for segment in one.segments] for one in passages],
        starts=[one.t_start for one in passages],
        ends=[one.t_end for one in passages],
        languages=[one.language for one in passages],
        vectors=vectors.ravel().tolist(),
        dimensions=vectors.shape[1],
    )


async def finish_embedding(tx: Transaction, video_id: UUID, model: str, passages: Collection[UUID]) -> None:
    """Removes all other vectors of the video, and marks it as done."""
    await _sql["delete_other_passages"].run(tx, video_id=video_id, ids=list(passages))
    await _sql["mark_embedded"].run(tx, video_id=video_id, model=model, passages=len(passages))


async def videos_to_embed(tx: Transaction, model: str, *, max_waiting: int) -> list[UUID]:
    """Videos without vectors, owners in turn; no more than bring the waiting jobs to `max_waiting`."""
    free = max_waiting - int(await _sql["waiting_jobs"].value(tx))
    if free <= 0:
        return []
    return [row["id"] for row in await _sql["videos_to_embed"].rows(tx, model=model, limit=free)]


@dataclass(frozen=True, slots=True)
class NearPassage:
    segment_ids: tuple[UUID, ...]
    video_id: UUID
    similarity: float


async def nearest_passages(
    tx: Transaction,
    vector: Vectors,
    *,
    model: str,
    min_similarity: float,
    limit: int,
    filters: SearchFilter,
    is_everywhere: bool,
) -> list[NearPassage]:
    """Nearest first, among what the caller may see; among all passages with `is_everywhere`."""
    rows = await _sql["search_everywhere" if is_everywhere else "search_as_caller"].rows(
        tx,
        vector=vector.tolist(),
        model=model,
        min_similarity=min_similarity,
        limit=limit,
        filters=_filters(filters),
    )
    return [NearPassage(tuple(row["segment_ids"]), row["video_id"], row["similarity"]) for row in rows]


async def vector_of_segment(
    tx: Transaction, segment_id: UUID, video_id: UUID, *, model: str, is_everywhere: bool
) -> "Vectors | None":
    """Of the passage that the segment is part of; None if it has no vector of this model."""
    found: list[float] | None = await _sql["vector_everywhere" if is_everywhere else "vector_as_caller"].value(
        tx, segment_id=segment_id, video_id=video_id, model=model
    )
    if found is None:
        return None
    import numpy as np

    return np.array(found, np.float32)


def _filters(filters: SearchFilter) -> dict[str, Any]:
    """As the database reads them; entities by the tags of search rows, so that both kinds of search have the same rule."""
    values: dict[str, Any] = {
        "video_id": filters.video_id,
        "team_id": filters.team_id,
        "language": filters.language,
        "from_ms": filters.from_ms,
        "until_ms": filters.until_ms,
        "created_from": filters.created_from,
        "created_until": filters.created_until,
    }
    if filters.entity_type is not None or filters.entity_value is not None:
        values["tags"] = [f"e{one}" for one in entity_query_keys(filters.entity_type, filters.entity_value)]
    found = {name: value for name, value in values.items() if value is not None}
    as_json: dict[str, Any] = json.loads(json.dumps(found, default=str))
    return as_json
