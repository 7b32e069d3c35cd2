"""Search: parsing queries, querying the index, ranking and highlighting hits."""

from sightline.text.search.passage_row import PassageRow, passage_rows
from sightline.text.search.passage_store import replace_passages
from sightline.text.search.query import MAX_QUERY_LENGTH, MatchMode
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
from sightline.text.search.search_store import HitRow, refresh_index, replace_search_rows

__all__ = [
    "FUZZY_BELOW_EXACT_HITS",
    "MAX_QUERY_LENGTH",
    "HitLine",
    "HitRow",
    "MatchMode",
    "PassageRow",
    "SearchFilter",
    "SearchHit",
    "SearchRequest",
    "SearchResults",
    "SearchRows",
    "passage_rows",
    "refresh_index",
    "replace_passages",
    "replace_search_rows",
    "search_rows",
    "search_segments",
]
