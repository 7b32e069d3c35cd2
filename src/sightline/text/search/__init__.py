"""Search: parsing queries, querying the index, ranking and highlighting hits."""

from sightline.text.search.arrangement import (
    Facet,
    FacetName,
    FoundIds,
    SortOrder,
    VideoGroup,
    arrange_hits,
    count_facets,
    gather_ids,
    group_by_video,
)
from sightline.text.search.highlight import TextSpan, highlights
from sightline.text.search.name_marks import begins_of_words, marks_of_words
from sightline.text.search.operators import HIT_KINDS, OPERATORS, BoxQuery, HitKind, parse_box
from sightline.text.search.passage_row import PassageRow, passage_rows
from sightline.text.search.passage_store import replace_passages
from sightline.text.search.query import MAX_QUERY_LENGTH, MatchMode, parse_query
from sightline.text.search.request import SearchFilter
from sightline.text.search.search import (
    FUZZY_BELOW_EXACT_HITS,
    HitLine,
    SearchHit,
    SearchRequest,
    SearchResults,
    search_segments,
)
from sightline.text.search.search_row import SearchRows, search_rows
from sightline.text.search.search_store import HitRow, read_hits, refresh_index, replace_search_rows

__all__ = [
    "FUZZY_BELOW_EXACT_HITS",
    "HIT_KINDS",
    "MAX_QUERY_LENGTH",
    "OPERATORS",
    "BoxQuery",
    "Facet",
    "FacetName",
    "FoundIds",
    "HitKind",
    "HitLine",
    "HitRow",
    "MatchMode",
    "PassageRow",
    "SearchFilter",
    "SearchHit",
    "SearchRequest",
    "SearchResults",
    "SearchRows",
    "SortOrder",
    "TextSpan",
    "VideoGroup",
    "arrange_hits",
    "begins_of_words",
    "count_facets",
    "gather_ids",
    "group_by_video",
    "highlights",
    "marks_of_words",
    "parse_box",
    "parse_query",
    "passage_rows",
    "read_hits",
    "refresh_index",
    "replace_passages",
    "replace_search_rows",
    "search_rows",
    "search_segments",
]
