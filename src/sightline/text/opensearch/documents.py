"""The documents of OpenSearch and the bodies of requests about them. Pure."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

MAX_BULK_BYTES = 4 * 1024 * 1024
"""OpenSearch accepts 100 MB; requests of a few MB are indexed fastest."""

INDEX_BODY: Mapping[str, Any] = {
    "mappings": {
        "dynamic": "strict",
        "properties": {
            "video_id": {"type": "keyword"},
            "owner_id": {"type": "keyword"},
            "team_id": {"type": "keyword"},
            "kind": {"type": "keyword"},
            "language": {"type": "keyword"},
            "text": {"type": "text", "fields": {"exact": {"type": "keyword", "ignore_above": 1000}}},
            "t_start": {"type": "integer"},
            "t_end": {"type": "integer"},
            "confidence": {"type": "float"},
            "video_created_at": {"type": "date"},
            "generation": {"type": "long"},
        },
    }
}


@dataclass(frozen=True, slots=True)
class SegmentDocument:
    """A segment as it is sent. `generation` is that of its video."""

    segment_id: UUID
    generation: int
    fields: Mapping[str, Any]

    def lines(self) -> bytes:
        """The action and the document, a line each. A version that the server has already, or a newer one, wins."""
        action = {
            "index": {"_id": str(self.segment_id), "version": self.generation, "version_type": "external_gte"},
        }
        document = {**self.fields, "generation": self.generation}
        return b"%s\n%s\n" % (_json(action), _json(document))


def bulk_bodies(documents: Iterable[SegmentDocument], *, max_bytes: int = MAX_BULK_BYTES) -> Iterator[bytes]:
    """Bodies of bulk requests, none larger than the limit unless a single document is."""
    body = bytearray()
    for document in documents:
        lines = document.lines()
        if body and len(body) + len(lines) > max_bytes:
            yield bytes(body)
            body.clear()
        body += lines
    if body:
        yield bytes(body)


def older_than(generations: Mapping[UUID, int]) -> dict[str, Any]:
    """The query that finds what videos had before: documents of an earlier generation."""
    return {
        "query": {
            "bool": {
                "should": [
                    {
                        "bool": {
                            "filter": [
                                {"term": {"video_id": str(video_id)}},
                                {"range": {"generation": {"lt": generation}}},
                            ]
                        }
                    }
                    for video_id, generation in generations.items()
                ],
                "minimum_should_match": 1,
            }
        }
    }


def refused(response: Mapping[str, Any]) -> list[str]:
    """Why documents of a bulk request were refused. A conflict is no refusal: the server has a newer one."""
    found = []
    items: Sequence[Mapping[str, Any]] = response.get("items") or []
    for item in items:
        result: Mapping[str, Any] = item.get("index") or {}
        status = result.get("status")
        if isinstance(status, int) and status >= 300 and status != 409:
            error = result.get("error") or {}
            reason = error.get("reason") if isinstance(error, Mapping) else error
            found.append(f"{status}: {reason or 'no reason given'}")
    return found


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
