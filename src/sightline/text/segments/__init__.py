"""Text segments: merging, entities, indexing."""
