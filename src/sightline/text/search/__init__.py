"""Search: parsing queries, querying the index, ranking and highlighting hits."""

from sightline.text.search.highlight import highlights
from sightline.text.search.query import MAX_QUERY_LENGTH, MatchMode, parse_query
from sightline.text.search.request import SearchFilter
from sightline.text.search.search import (
    FUZZY_BELOW_EXACT_HITS,
    SearchHit,
    SearchRequest,
    SearchResults,
    search_segments,
)
from sightline.text.search.search_row import SearchRows, search_rows
from sightline.text.search.search_store import HitRow, read_hits, replace_search_rows

__all__ = [
    "FUZZY_BELOW_EXACT_HITS",
    "MAX_QUERY_LENGTH",
    "HitRow",
    "MatchMode",
    "SearchFilter",
    "SearchHit",
    "SearchRequest",
    "SearchResults",
    "SearchRows",
    "highlights",
    "parse_query",
    "read_hits",
    "replace_search_rows",
    "search_rows",
    "search_segments",
]
