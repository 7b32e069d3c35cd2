"""Reads and writes segments. What is seen is up to the transaction's role: row level security narrows a person's."""

from collections.abc import Sequence
from pathlib import Path
from uuid import UUID

from sightline.db import Transaction, load_queries
from sightline.text.normalize import normalize, storable, text_hash
from sightline.text.segment import Box, Reading

_sql = load_queries(Path(__file__).with_name("segments.sql"))


async def replace_readings(
    tx: Transaction, video_id: UUID, readings: Sequence[Reading], *, from_ms: int, until_ms: int | None
) -> int:
    """Puts these in place of all readings whose frames lie in [from_ms, until_ms); says how many are there now.

    Chunks that join without a gap, the first from 0 and the last without end, leave exactly what the last run read, whatever
    was there before. Of a video that was removed nothing is kept.
    """
    await _sql["delete_readings"].run(tx, video_id=video_id, from_ms=from_ms, until_ms=until_ms)
    kept = [(text, one) for one in readings if (text := storable(one.text).strip())]
    normalized = [normalize(text) for text, _ in kept]
    return await _sql["insert_readings"].run(
        tx,
        video_id=video_id,
        texts=[text for text, _ in kept],
        normalized=normalized,
        hashes=[text_hash(one) for one in normalized],
        starts=[one.t_start for _, one in kept],
        ends=[one.t_end for _, one in kept],
        confidences=[min(max(0.0, one.confidence), 1.0) for _, one in kept],
        xs=[one.box.x for _, one in kept],
        ys=[one.box.y for _, one in kept],
        widths=[one.box.width for _, one in kept],
        heights=[one.box.height for _, one in kept],
        languages=[one.language for _, one in kept],
    )


async def read_readings(tx: Transaction, video_id: UUID) -> list[Reading]:
    """All that ocr read of a video, by time."""
    rows = await _sql["read_readings"].rows(tx, video_id=video_id)
    return [
        Reading(
            text=row["text"],
            t_start=row["t_start"],
            t_end=row["t_end"],
            confidence=row["confidence"],
            box=Box.of(row["bounding_box"]),
            language=row["language"],
        )
        for row in rows
    ]
