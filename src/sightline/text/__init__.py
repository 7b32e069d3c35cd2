"""Owns the words on screen: reading, merging, entities, search."""

from sightline.text.search.request import Narrowing
from sightline.text.search.search import Hit, Hits, Search, search
from sightline.text.segments.entity import EntityType
from sightline.text.segments.segment_index import SegmentIndexJob
from sightline.text.settings import TextSettings

__all__ = ["EntityType", "Hit", "Hits", "Narrowing", "Search", "SegmentIndexJob", "TextSettings", "search"]
