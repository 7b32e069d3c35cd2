"""The search box: what it finds across features, what it suggests, and searches that people save."""

from sightline.searches.box import BoxRequest, BoxResults, search_box
from sightline.searches.named import NamedHit

__all__ = ["BoxRequest", "BoxResults", "NamedHit", "search_box"]
