"""Store of readings, segments and entities. Row level security limits what the transaction's role sees."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg

from sightline.db import Transaction, load_queries
from sightline.text.segments.entity import Entity, EntityType, normalize_value
from sightline.text.segments.normalize import normalize, storable, text_hash
from sightline.text.segments.segment import BlockLine, Box, SegmentKind, SpeechSegment, TextReading, TextSegment

_sql = load_queries(Path(__file__).with_name("segments.sql"))


async def replace_readings(
    tx: Transaction, video_id: UUID, readings: Sequence[TextReading], *, from_ms: int, until_ms: int | None
) -> int:
    """Replaces all readings whose frames lie in [from_ms, until_ms); returns how many were stored.

    Chunks without gaps between them, the first from 0 and the last without end, leave exactly the readings of the last run.
    Nothing is stored for a removed video.
    """
    await _sql["delete_readings_in_range"].run(tx, video_id=video_id, from_ms=from_ms, until_ms=until_ms)
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


async def read_readings(tx: Transaction, video_id: UUID) -> dict[UUID, TextReading]:
    """All readings of a video that were not merged yet, by row id, in the order of time."""
    rows = await _sql["read_readings"].rows(tx, video_id=video_id)
    return {
        row["id"]: TextReading(
            text=row["text"],
            t_start=row["t_start"],
            t_end=row["t_end"],
            confidence=row["confidence"],
            box=Box.of(row["bounding_box"]),
            language=row["language"],
        )
        for row in rows
    }


async def read_segments(tx: Transaction, video_id: UUID, *, kind: SegmentKind | None = None) -> list[TextSegment]:
    """All merged segments of a video, or those of one kind, in the order of time."""
    return [_segment(row) for row in await _sql["read_segments"].rows(tx, video_id=video_id, kind=kind)]


async def replace_segments(
    tx: Transaction, video_id: UUID, segments: Sequence[TextSegment], *, merged_from: Sequence[UUID]
) -> None:
    """Replaces the texts of a video and their entities, and deletes the readings they were merged from. Speech stays."""
    await _sql["delete_merged"].run(tx, video_id=video_id, readings=list(merged_from))
    await _sql["insert_merged"].run(
        tx,
        video_id=video_id,
        ids=[one.id for one in segments],
        texts=[one.text for one in segments],
        normalized=[one.normalized_text for one in segments],
        hashes=[text_hash(one.normalized_text) for one in segments],
        starts=[one.t_start for one in segments],
        ends=[one.t_end for one in segments],
        confidences=[one.confidence for one in segments],
        boxes=[json.dumps(one.box.to_json()) for one in segments],
        languages=[one.language for one in segments],
        frames=[one.frame_ms for one in segments],
        readings=[one.readings for one in segments],
        **_place_columns([one.place for one in segments]),
    )


async def update_places(tx: Transaction, segments: Sequence[TextSegment], places: Mapping[UUID, BlockLine]) -> None:
    """Stores the blocks and lines of segments, as far as they are not stored yet."""
    changed = [one.id for one in segments if one.place != places.get(one.id)]
    if changed:
        await _sql["update_places"].run(tx, ids=changed, **_place_columns([places.get(one) for one in changed]))


def _place_columns(places: Sequence[BlockLine | None]) -> dict[str, list[Any]]:
    return {
        "blocks": [one and one.block for one in places],
        "block_kinds": [one and one.kind for one in places],
        "block_lines": [one and one.line for one in places],
        "appears": [one and one.appears_ms for one in places],
    }


async def replace_speech(
    tx: Transaction, video_id: UUID, segments: Sequence[SpeechSegment], *, from_ms: int, until_ms: int
) -> None:
    """Replaces the spoken segments of a part of a video."""
    await _sql["delete_speech"].run(tx, video_id=video_id, from_ms=from_ms, until_ms=until_ms)
    kept = [(text, one) for one in segments if (text := storable(one.text).strip())]
    normalized = [normalize(text) for text, _ in kept]
    await _sql["insert_speech"].run(
        tx,
        video_id=video_id,
        texts=[text for text, _ in kept],
        normalized=normalized,
        hashes=[text_hash(one) for one in normalized],
        starts=[one.t_start for _, one in kept],
        ends=[one.t_end for _, one in kept],
        confidences=[min(max(0.0, one.confidence), 1.0) for _, one in kept],
        languages=[one.language for _, one in kept],
        words=[storable(json.dumps(one.words)) for _, one in kept],
    )


async def replace_entities(tx: Transaction, video_id: UUID, entities: Mapping[UUID, Sequence[Entity]]) -> None:
    """Replaces all entities of a video; they are given by segment."""
    await _sql["delete_entities"].run(tx, video_id=video_id)
    flat = [(segment_id, one) for segment_id, found in entities.items() for one in found]
    await _sql["insert_entities"].run(
        tx,
        segment_ids=[segment_id for segment_id, _ in flat],
        types=[str(one.entity_type) for _, one in flat],
        values=[one.value for _, one in flat],
        normalized=[one.normalized_value for _, one in flat],
        starts=[one.start for _, one in flat],
    )


async def adopt_segments(tx: Transaction, video_id: UUID) -> list[TextSegment]:
    """All segments of a video as another program stored them; from now on they count as merged."""
    await _sql["adopt_segments"].run(tx, video_id=video_id)
    return await read_segments(tx, video_id)


async def adopt_entities(tx: Transaction, video_id: UUID, segments: Sequence[TextSegment]) -> dict[UUID, list[Entity]]:
    """The stored entities of these segments; those that another program normalized in its own way get the form that search uses."""
    found: dict[UUID, list[Entity]] = {one.id: [] for one in segments}
    changed: dict[UUID, str] = {}
    for row in await _sql["entities_of_video"].rows(tx, video_id=video_id):
        kind = EntityType(row["entity_type"])
        normalized = normalize_value(kind, row["normalized_value"])
        if normalized != row["normalized_value"]:
            changed[row["id"]] = normalized
        found[row["segment_id"]].append(Entity(kind, row["value"], normalized, row["start_offset"]))
    if changed:
        await _sql["normalize_entities"].run(tx, ids=list(changed), normalized=list(changed.values()))
    return found


@dataclass(frozen=True, slots=True)
class SegmentFilter:
    """Restricts a list of segments."""

    from_ms: int | None = None
    until_ms: int | None = None
    min_confidence: float | None = None
    language: str | None = None
    kind: SegmentKind | None = None


async def list_segments(
    tx: Transaction, video_id: UUID, filters: SegmentFilter, *, offset: int, limit: int
) -> tuple[list[TextSegment], int]:
    """One page of the segments of a video, and their total number."""
    parameters: dict[str, Any] = {
        "video_id": video_id,
        "from_ms": filters.from_ms,
        "until_ms": filters.until_ms,
        "min_confidence": filters.min_confidence,
        "language": filters.language,
        "kind": filters.kind,
    }
    rows = await _sql["list_segments"].rows(tx, offset=offset, limit=limit, **parameters)
    return [_segment(row) for row in rows], await _sql["count_segments"].value(tx, **parameters)


@dataclass(frozen=True, slots=True)
class EntityOccurrence:
    """An entity with its segment and the time it is on screen."""

    id: UUID
    segment_id: UUID
    entity_type: EntityType
    value: str
    normalized_value: str
    start_offset: int | None
    t_start: int
    t_end: int
    text: str


async def list_entities(
    tx: Transaction, video_id: UUID, *, entity_type: EntityType | None, value: str | None, offset: int, limit: int
) -> tuple[list[EntityOccurrence], int]:
    """One page of the entities of a video, and their total number."""
    kinds = list(EntityType) if entity_type is None else [entity_type]
    parameters: dict[str, Any] = {
        "video_id": video_id,
        "entity_type": entity_type,
        "normalized": None if value is None else [normalize_value(kind, value) for kind in kinds],
    }
    rows = await _sql["list_entities"].rows(tx, offset=offset, limit=limit, **parameters)
    found = [EntityOccurrence(**{**row, "entity_type": EntityType(row["entity_type"])}) for row in rows]
    return found, await _sql["count_entities"].value(tx, **parameters)


def _segment(row: asyncpg.Record) -> TextSegment:
    values = dict(row)
    block, kind, line, appears_ms = (values.pop(name) for name in ("block", "block_kind", "block_line", "appears_ms"))
    place = None if block is None else BlockLine(block, kind, line, appears_ms)
    return TextSegment(box=Box.of(values.pop("bounding_box")), place=place, **values)
