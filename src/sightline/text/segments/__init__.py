"""Text segments: merging readings, finding entities, storing both."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from sightline.text.segments.blocks import find_blocks, lines_of_blocks
from sightline.text.segments.entities import find_entities
from sightline.text.segments.entity import Entity, EntityType, entity_query_keys, entity_search_keys
from sightline.text.segments.fold import SEPARATORS, fold, fold_with_offsets, is_unspaced, words_of
from sightline.text.segments.number_keys import number_keys
from sightline.text.segments.passages import JoinedText, Passage, PassageScope, find_passages, join_lines, spoken_runs
from sightline.text.segments.segment import (
    BlockKind,
    BlockLine,
    Box,
    SegmentKind,
    SpeechSegment,
    TextReading,
    TextSegment,
    is_unsure,
)
from sightline.text.segments.segments_store import (
    EntityOccurrence,
    SegmentFilter,
    adopt_entities,
    adopt_segments,
    list_entities,
    list_segments,
    read_readings,
    read_segments,
    replace_entities,
    replace_readings,
    replace_segments,
    replace_speech,
    update_places,
)
from sightline.text.segments.typos import is_typo, typo_keys

if TYPE_CHECKING:
    from sightline.text.segments.merge import merge_readings

__all__ = [
    "SEPARATORS",
    "BlockKind",
    "BlockLine",
    "Box",
    "Entity",
    "EntityOccurrence",
    "EntityType",
    "JoinedText",
    "Passage",
    "PassageScope",
    "SegmentFilter",
    "SegmentKind",
    "SpeechSegment",
    "TextReading",
    "TextSegment",
    "adopt_entities",
    "adopt_segments",
    "entity_query_keys",
    "entity_search_keys",
    "find_blocks",
    "find_entities",
    "find_passages",
    "fold",
    "fold_with_offsets",
    "is_typo",
    "is_unspaced",
    "is_unsure",
    "join_lines",
    "lines_of_blocks",
    "list_entities",
    "list_segments",
    "merge_readings",
    "number_keys",
    "read_readings",
    "read_segments",
    "replace_entities",
    "replace_readings",
    "replace_segments",
    "replace_speech",
    "spoken_runs",
    "typo_keys",
    "update_places",
    "words_of",
]

_MODULE_OF = {
    "merge_readings": "merge",
}


def __getattr__(name: str) -> Any:
    """Loads merging on first use: search needs no edit distances."""
    if name in _MODULE_OF:
        return getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
