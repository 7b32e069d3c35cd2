"""A copy of the searchable text in OpenSearch, for installations with more of it than one PostgreSQL should search."""

from sightline.text.opensearch.projection import SearchProjection

__all__ = ["SearchProjection"]
