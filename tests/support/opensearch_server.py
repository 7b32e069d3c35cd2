"""A server that speaks the part of OpenSearch's REST API that the projection uses, as its documentation describes it.

No OpenSearch installs by package name, so this is its published contract and not the server itself. It refuses what OpenSearch
refuses: unknown fields of a strict mapping, older versions, other queries; and a search finds only what was refreshed.
"""

import json
from dataclasses import dataclass, field
from typing import Any

from support.ntfy_server import Asked, HttpDouble

INDEX = "/sightline-segments"


@dataclass
class OpenSearchServer(HttpDouble):
    mapping: dict[str, Any] | None = None
    documents: dict[str, tuple[int, dict[str, Any]]] = field(default_factory=dict)
    """Version and source by id."""
    searchable: set[str] = field(default_factory=set)
    refuses: str | None = None
    """Text that no document may contain."""

    @property
    def texts(self) -> list[str]:
        return sorted(source["text"] for _, source in self.documents.values())

    def answer(self, asked: Asked) -> tuple[int, dict[str, str], bytes]:
        status, body = self._answer(asked)
        return status, {"content-type": "application/json"}, json.dumps(body).encode()

    def _answer(self, asked: Asked) -> tuple[int, Any]:
        match asked.method, asked.path:
            case "GET", path if path == INDEX:
                if self.mapping is None:
                    error = {"type": "index_not_found_exception", "reason": f"no such index [{INDEX[1:]}]"}
                    return 404, {"error": error, "status": 404}
                return 200, {INDEX[1:]: {"aliases": {}, "mappings": self.mapping}}
            case "PUT", path if path == INDEX:
                self.mapping = json.loads(asked.body)["mappings"]
                return 200, {"acknowledged": True, "shards_acknowledged": True, "index": INDEX[1:]}
            case "POST", path if path == f"{INDEX}/_bulk":
                assert asked.headers["content-type"] == "application/x-ndjson"
                assert asked.body.endswith(b"\n")
                lines = [json.loads(line) for line in asked.body.splitlines()]
                items = [self._index(*pair) for pair in zip(lines[::2], lines[1::2], strict=True)]
                return 200, {"took": 3, "errors": any(i["index"]["status"] >= 300 for i in items), "items": items}
            case "POST", path if path == f"{INDEX}/_refresh":
                self.searchable = set(self.documents)
                return 200, {"_shards": {"total": 2, "successful": 1, "failed": 0}}
            case "POST", path if path == f"{INDEX}/_delete_by_query?conflicts=proceed":
                return self._delete(json.loads(asked.body))
        return 400, {"error": {"type": "illegal_argument_exception", "reason": asked.path}, "status": 400}

    def _index(self, action: dict[str, Any], source: dict[str, Any]) -> dict[str, Any]:
        assert self.mapping is not None
        asked = action["index"]
        assert asked["version_type"] == "external_gte"
        known, _ = self.documents.get(asked["_id"], (0, {}))
        unknown = set(source) - set(self.mapping["properties"])
        result: dict[str, Any] = {"_index": INDEX[1:], "_id": asked["_id"]}
        if unknown or (self.refuses is not None and self.refuses in source["text"]):
            reason = f"mapping set to strict, dynamic introduction of [{unknown or self.refuses}] is not allowed"
            return {"index": result | {"status": 400, "error": {"type": "mapper_parsing_exception", "reason": reason}}}
        if asked["version"] < known:
            error = {"type": "version_conflict_engine_exception", "reason": "version conflict"}
            return {"index": result | {"status": 409, "error": error}}
        self.documents[asked["_id"]] = (asked["version"], source)
        return {"index": result | {"status": 200 if known else 201, "_version": asked["version"], "result": "created"}}

    def _delete(self, body: dict[str, Any]) -> tuple[int, Any]:
        found = [
            key for key in self.searchable & set(self.documents) if _matches(body["query"], self.documents[key][1])
        ]
        for key in found:
            del self.documents[key]
        self.searchable -= set(found)
        return 200, {"took": 5, "timed_out": False, "deleted": len(found), "version_conflicts": 0, "failures": []}


def _matches(query: dict[str, Any], source: dict[str, Any]) -> bool:
    """Fails with a KeyError for what OpenSearch has and the projection does not use."""
    (kind, body), *more = query.items()
    assert not more
    match kind:
        case "term":
            ((field, value),) = body.items()
            return bool(source[field] == value)
        case "range":
            ((field, bounds),) = body.items()
            return bool(source[field] < bounds["lt"])
        case "bool":
            wanted = body.get("filter", [])
            options = body.get("should", [])
            return all(_matches(one, source) for one in wanted) and (
                not options or sum(_matches(one, source) for one in options) >= body["minimum_should_match"]
            )
    raise KeyError(kind)
