"""The search box: what it finds across features, what it suggests, and searches that people save."""

from sightline.searches.box import BoxRequest, BoxResults, search_box
from sightline.searches.follow_up import SearchFollowUp
from sightline.searches.named import NamedHit
from sightline.searches.saved import (
    SavedSearch,
    SearchAlert,
    add_saved,
    change_saved,
    delete_saved,
    list_saved,
    need_saved,
)
from sightline.searches.settings import SearchesSettings
from sightline.searches.suggest import Suggestion, SuggestionKind, suggest

__all__ = [
    "BoxRequest",
    "BoxResults",
    "NamedHit",
    "SavedSearch",
    "SearchAlert",
    "SearchFollowUp",
    "SearchesSettings",
    "Suggestion",
    "SuggestionKind",
    "add_saved",
    "change_saved",
    "delete_saved",
    "list_saved",
    "need_saved",
    "search_box",
    "suggest",
]
