"""Text on screen: reading it, merging it into segments, and searching it."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from sightline.text.settings import TextSettings

if TYPE_CHECKING:
    from sightline.text.languages import (
        AddedLanguage,
        InstalledLanguage,
        KnownLanguage,
        LanguageAddition,
        LanguageAdditions,
        LanguageStore,
        find_language,
        models_directory,
    )
    from sightline.text.reading import OcrJob, installed_engines, need_engine
    from sightline.text.search import (
        FUZZY_BELOW_EXACT_HITS,
        MAX_QUERY_LENGTH,
        SearchFilter,
        SearchHit,
        SearchRequest,
        SearchResults,
        search_segments,
    )
    from sightline.text.segment_index import SegmentIndexJob
    from sightline.text.segments import (
        Box,
        EntityOccurrence,
        EntityType,
        SegmentFilter,
        TextReading,
        TextSegment,
        list_entities,
        list_segments,
        merge_readings,
        read_segments,
        replace_readings,
        webvtt,
    )

__all__ = [
    "FUZZY_BELOW_EXACT_HITS",
    "MAX_QUERY_LENGTH",
    "AddedLanguage",
    "Box",
    "EntityOccurrence",
    "EntityType",
    "InstalledLanguage",
    "KnownLanguage",
    "LanguageAddition",
    "LanguageAdditions",
    "LanguageStore",
    "OcrJob",
    "SearchFilter",
    "SearchHit",
    "SearchRequest",
    "SearchResults",
    "SegmentFilter",
    "SegmentIndexJob",
    "TextReading",
    "TextSegment",
    "TextSettings",
    "find_language",
    "installed_engines",
    "list_entities",
    "list_segments",
    "merge_readings",
    "models_directory",
    "need_engine",
    "read_segments",
    "replace_readings",
    "search_segments",
    "webvtt",
]

_MODULE_OF = {
    "AddedLanguage": "languages",
    "Box": "segments",
    "EntityOccurrence": "segments",
    "EntityType": "segments",
    "FUZZY_BELOW_EXACT_HITS": "search",
    "InstalledLanguage": "languages",
    "KnownLanguage": "languages",
    "LanguageAddition": "languages",
    "LanguageAdditions": "languages",
    "LanguageStore": "languages",
    "MAX_QUERY_LENGTH": "search",
    "OcrJob": "reading",
    "SearchFilter": "search",
    "SearchHit": "search",
    "SearchRequest": "search",
    "SearchResults": "search",
    "SegmentFilter": "segments",
    "SegmentIndexJob": "segment_index",
    "TextReading": "segments",
    "TextSegment": "segments",
    "find_language": "languages",
    "installed_engines": "reading",
    "list_entities": "segments",
    "list_segments": "segments",
    "merge_readings": "segments",
    "models_directory": "languages",
    "need_engine": "reading",
    "read_segments": "segments",
    "replace_readings": "segments",
    "search_segments": "search",
    "webvtt": "segments",
}


def __getattr__(name: str) -> Any:
    """Loads a part on first use: commands that only read settings need neither queries nor patterns."""
    if name in _MODULE_OF:
        return getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
