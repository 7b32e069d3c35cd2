"""Owns the words on screen: reading, merging, entities, search."""

from sightline.text.ask import Narrowing
from sightline.text.entity import EntityType
from sightline.text.search import Hit, Hits, Search, search
from sightline.text.segment_index import SegmentIndexJob
from sightline.text.settings import TextSettings

__all__ = ["EntityType", "Hit", "Hits", "Narrowing", "Search", "SegmentIndexJob", "TextSettings", "search"]
