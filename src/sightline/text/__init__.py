"""Text on screen: reading it, merging it into segments, and searching it, together with what is said."""

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
    from sightline.text.reading import (
        OcrJob,
        PictureReader,
        PictureText,
        installed_engines,
        need_engine,
        unreadable_languages,
        uses_added_languages,
    )
    from sightline.text.search import (
        FUZZY_BELOW_EXACT_HITS,
        MAX_QUERY_LENGTH,
        SearchFilter,
        SearchHit,
        SearchRequest,
        SearchResults,
        search_segments,
    )
    from sightline.text.segment_index import OnIndexed, SegmentIndexJob, index_segments
    from sightline.text.segments import (
        Box,
        EntityOccurrence,
        EntityType,
        SegmentFilter,
        SegmentKind,
        SpeechSegment,
        TextReading,
        TextSegment,
        list_entities,
        list_segments,
        merge_readings,
        read_segments,
        replace_readings,
        replace_speech,
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
    "OnIndexed",
    "PictureReader",
    "PictureText",
    "SearchFilter",
    "SearchHit",
    "SearchRequest",
    "SearchResults",
    "SegmentFilter",
    "SegmentIndexJob",
    "SegmentKind",
    "SpeechSegment",
    "TextReading",
    "TextSegment",
    "TextSettings",
    "find_language",
    "index_segments",
    "installed_engines",
    "list_entities",
    "list_segments",
    "merge_readings",
    "models_directory",
    "need_engine",
    "read_segments",
    "replace_readings",
    "replace_speech",
    "search_segments",
    "unreadable_languages",
    "uses_added_languages",
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
    "OnIndexed": "segment_index",
    "PictureReader": "reading",
    "PictureText": "reading",
    "SearchFilter": "search",
    "SearchHit": "search",
    "SearchRequest": "search",
    "SearchResults": "search",
    "SegmentFilter": "segments",
    "SegmentIndexJob": "segment_index",
    "SegmentKind": "segments",
    "SpeechSegment": "segments",
    "TextReading": "segments",
    "TextSegment": "segments",
    "find_language": "languages",
    "index_segments": "segment_index",
    "installed_engines": "reading",
    "list_entities": "segments",
    "list_segments": "segments",
    "merge_readings": "segments",
    "models_directory": "languages",
    "need_engine": "reading",
    "read_segments": "segments",
    "replace_readings": "segments",
    "replace_speech": "segments",
    "search_segments": "search",
    "unreadable_languages": "reading",
    "uses_added_languages": "reading",
    "webvtt": "segments",
}


def __getattr__(name: str) -> Any:
    """Loads a part on first use: commands that only read settings need neither queries nor patterns."""
    if name in _MODULE_OF:
        return getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
