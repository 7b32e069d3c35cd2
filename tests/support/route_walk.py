"""Every operation of the API's description, with a request made of its examples, and that request with one value replaced."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

_METHODS = ("get", "put", "post", "patch", "delete")
_MARK = "@@the value@@"
# So that no request waits for news.
_FIXED = {"wait": 0}
# The camera of the examples. Tests ask nothing of other machines: on this address nobody listens.
_CAMERA, _NOWHERE = "192.168.1.20", "127.0.0.1:1"


@dataclass(frozen=True)
class BadValue:
    """Of one value: how it is written in JSON, and in an address. Either may be impossible."""

    name: str
    in_json: bytes | None = None
    in_address: str | None = None
    is_always_refused: bool = False


@dataclass(frozen=True)
class Operation:
    method: str
    path: str
    path_values: dict[str, Any] = field(default_factory=dict)
    query: dict[str, Any] = field(default_factory=dict)
    body: Any = None

    @property
    def name(self) -> str:
        return f"{self.method} {self.path}"

    def places(self) -> Iterator[tuple[str, Any]]:
        """Where a value can be replaced: a parameter by name, or a place in the body."""
        yield from (("path", name) for name in self.path_values)
        yield from (("query", name) for name in self.query)
        yield from (("body", place) for place in _leaves(self.body))

    def request(self, place: tuple[str, Any] | None = None, value: BadValue | None = None) -> tuple[str, bytes | None]:
        """Address and body; with the value in that place, if one is given."""
        texts = {name: quote(str(one), safe="") for name, one in self.path_values.items()}
        query = {name: quote(_text(one), safe="") for name, one in self.query.items()}
        body = json.loads(json.dumps(self.body))
        if place is not None and value is not None:
            where, at = place
            if where == "body":
                body = _replaced(body, at)
            else:
                (texts if where == "path" else query)[at] = value.in_address or ""
        path = self.path
        for name, text in texts.items():
            path = path.replace(f"{{{name}}}", text)
        address = path + ("?" + "&".join(f"{name}={text}" for name, text in query.items()) if query else "")
        if body is None:
            return address, None
        content = json.dumps(body).encode()
        if value is not None and value.in_json is not None:
            content = content.replace(f'"{_MARK}"'.encode(), value.in_json)
        return address, content


def operations(schema: dict[str, Any]) -> list[Operation]:
    return [
        _operation(schema, method, path, one)
        for path, item in schema["paths"].items()
        for method, one in item.items()
        if method in _METHODS
    ]


def _operation(schema: dict[str, Any], method: str, path: str, operation: dict[str, Any]) -> Operation:
    found: dict[str, dict[str, Any]] = {"path": {}, "query": {}, "header": {}, "cookie": {}}
    for parameter in operation.get("parameters", ()):
        example = parameter.get("example", _example(schema, parameter["schema"]))
        found[parameter["in"]][parameter["name"]] = _FIXED.get(parameter["name"], example)
    content = operation.get("requestBody", {}).get("content", {}).get("application/json")
    body = None
    if content is not None:
        body = _here(content.get("example") or _example(schema, content["schema"]))
    return Operation(method.upper(), path, found["path"], found["query"], body)


def _here(value: Any) -> Any:
    """The example with addresses of this machine."""
    text = json.dumps(value).replace(f"{_CAMERA}:554", _NOWHERE).replace(_CAMERA, _NOWHERE)
    return json.loads(text)


def _example(schema: dict[str, Any], value: dict[str, Any]) -> Any:
    while "$ref" in value:
        at: Any = schema
        for part in value["$ref"].removeprefix("#/").split("/"):
            at = at[part]
        value = at
    if value.get("examples"):
        return value["examples"][0]
    if "example" in value:
        return value["example"]
    if "default" in value and value["default"] not in (None, {}, []):
        return value["default"]
    for choice in ("anyOf", "oneOf", "allOf"):
        if choice in value:
            return _example(schema, value[choice][0])
    if value.get("properties"):
        return {name: _example(schema, inner) for name, inner in value["properties"].items()}
    match value.get("type"):
        case "array":
            return [_example(schema, value["items"])]
        case "integer" | "number":
            return 1
        case "boolean":
            return True
        case "object":
            return {"x": "y"}
    return "x"


def _leaves(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _leaves(inner, (*at, name))
    elif isinstance(value, list) and value:
        yield from _leaves(value[0], (*at, 0))
    elif at:
        yield at


def _replaced(body: Any, at: tuple[Any, ...]) -> Any:
    inner = body
    for step in at[:-1]:
        inner = inner[step]
    inner[at[-1]] = _MARK
    return body


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
