"""Writes web/src/api/types.ts, the page's types, from the API's own description; `--check` only compares."""

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from prometheus_client import CollectorRegistry

from sightline.api.app import create_app
from sightline.bootstrap import Platform
from sightline.config import load_settings

FILE = Path(__file__).resolve().parent.parent / "web" / "src" / "api" / "types.ts"
HEADER = "// The API's answers and bodies, made from its description: make api-types.\n\n"
PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def describe() -> dict[str, Any]:
    """What /openapi.json tells; describing needs no database."""
    parts = SimpleNamespace(
        settings=load_settings({}, env_file=None).settings,
        open_objects=SimpleNamespace(disk=None),
        registry=CollectorRegistry(),
        live_hub=None,
    )
    return create_app(cast(Platform, parts)).openapi()


def type_of(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return _name(schema["$ref"].rpartition("/")[2])
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return " | ".join(dict.fromkeys(type_of(one) for one in schema[key]))
    if "allOf" in schema:
        return " & ".join(type_of(one) for one in schema["allOf"])
    if "enum" in schema or "const" in schema:
        return " | ".join(f'"{value}"' for value in schema.get("enum", [schema.get("const")]))
    kind = schema.get("type")
    if kind == "array":
        if "prefixItems" in schema:
            return f"[{', '.join(type_of(one) for one in schema['prefixItems'])}]"
        return f"Array<{type_of(schema.get('items', {}))}>"
    if kind == "object":
        values = schema.get("additionalProperties")
        return f"Record<string, {type_of(values) if isinstance(values, dict) else 'unknown'}>"
    return PLAIN.get(str(kind), "unknown")


def text() -> str:
    schemas = describe()["components"]["schemas"]
    blocks = []
    for name in sorted(schemas, key=_name):
        schema = schemas[name]
        if "properties" not in schema:
            blocks.append(f"export type {_name(name)} = {type_of(schema)};\n")
            continue
        needed = set(schema.get("required", ()))
        # What an answer has a default for is always told; only in bodies may it be left out.
        is_body = not name.endswith("Answer")
        fields = [
            f"  {key}{'?' if is_body and key not in needed else ''}: {type_of(value)};\n"
            for key, value in schema["properties"].items()
        ]
        blocks.append(f"export interface {_name(name)} {{\n{''.join(fields)}}}\n")
    return HEADER + "\n".join(blocks)


def _name(name: str) -> str:
    """Two of the same name in different modules are told apart by the module's."""
    path = name.split("__")
    if len(path) == 1:
        return name
    return "".join(word.capitalize() for word in path[-2].split("_")) + path[-1]


def main() -> int:
    wanted = text()
    if "--check" in sys.argv:
        is_same = FILE.exists() and FILE.read_text(encoding="utf-8") == wanted
        if not is_same:
            print("web/src/api/types.ts is out of date; run: make api-types", file=sys.stderr)
        return int(not is_same)
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
