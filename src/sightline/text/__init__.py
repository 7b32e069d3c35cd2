"""Owns the words on screen: reading, merging, entities, search."""
