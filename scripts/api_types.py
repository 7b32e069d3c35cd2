"""TypeScript types of the page (web/src/api/types), generated from the OpenAPI description; `--check` only compares."""

import json
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from prometheus_client import CollectorRegistry

from sightline.api.app import create_app
from sightline.bootstrap import Platform
from sightline.config import load_settings

WEB = Path(__file__).resolve().parent.parent / "web" / "src"
INDEX, FOLDER = WEB / "api" / "types.ts", WEB / "api" / "types"
HEADER = "// Response and request types used by the page, generated from the OpenAPI description: make api-types.\n\n"
PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}

_REF = re.compile(r'"#/components/schemas/([^"]+)"')
_IMPORT = re.compile(r'import type \{([^}]*)\} from "[./]*(?:api/)?types"')


def describe() -> dict[str, Any]:
    """The content of /openapi.json; no database is needed."""
    platform = SimpleNamespace(
        settings=load_settings({}, env_file=None).settings,
        database=None,
        open_objects=SimpleNamespace(disk=None),
        registry=CollectorRegistry(),
        live_hub=None,
        api_keys=None,
        page_sessions=None,
        audit=None,
        open_connections=None,
        sealing=None,
    )
    return create_app(cast(Platform, platform)).openapi()


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


def files() -> dict[Path, str]:
    """One file per tag of the API. Types used by several tags are in the file of the first."""
    description = describe()
    schemas = description["components"]["schemas"]
    home = _homes(description)
    names = {name: _name(name) for name in schemas}
    used = _closure({name for name, shown in names.items() if shown in _imported()}, schemas)
    found: dict[Path, str] = {}
    for part in sorted({home[name] for name in used}):
        own = sorted((name for name in used if home[name] == part), key=_name)
        others: dict[str, set[str]] = {}
        for other in _closure_step(own, schemas):
            if home[other] != part:
                others.setdefault(home[other], set()).add(names[other])
        imports = "".join(
            f'import type {{ {", ".join(sorted(types))} }} from "./{other}";\n'
            for other, types in sorted(others.items())
        )
        blocks = "\n".join(_block(name, schemas[name]) for name in own)
        found[FOLDER / f"{part}.ts"] = HEADER + imports + ("\n" if imports else "") + blocks
    exports = "".join(f'export type * from "./types/{path.stem}";\n' for path in found)
    return {INDEX: HEADER + exports, **found}


def _block(name: str, schema: dict[str, Any]) -> str:
    if "properties" not in schema:
        return f"export type {_name(name)} = {type_of(schema)};\n"
    needed = set(schema.get("required", ()))
    # A response always has every field; only request bodies may leave out fields with a default.
    is_body = not name.endswith("Answer")
    fields = [
        f"  {key}{'?' if is_body and key not in needed else ''}: {type_of(value)};\n"
        for key, value in schema["properties"].items()
    ]
    return f"export interface {_name(name)} {{\n{''.join(fields)}}}\n"


def _imported() -> set[str]:
    """Names of the types that the page imports."""
    found: set[str] = set()
    for path in WEB.rglob("*.ts*"):
        for names in _IMPORT.findall(path.read_text(encoding="utf-8")) if FOLDER not in path.parents else ():
            found |= {name.strip() for name in names.split(",")} - {""}
    return found


def _homes(description: dict[str, Any]) -> dict[str, str]:
    """The tag each schema belongs to: the first whose routes refer to it."""
    schemas = description["components"]["schemas"]
    home: dict[str, str] = {}
    for item in description["paths"].values():
        for operation in item.values():
            part = re.sub(r"\W+", "_", (operation.get("tags") or ["common"])[0])
            for name in _closure(set(_REF.findall(json.dumps(operation))), schemas):
                home.setdefault(name, part)
    return home


def _closure(names: set[str], schemas: dict[str, Any]) -> set[str]:
    """These schemas and all schemas they refer to."""
    found: set[str] = set()
    while fresh := names - found:
        found |= fresh
        names = _closure_step(fresh, schemas)
    return found


def _closure_step(names: Iterable[str], schemas: dict[str, Any]) -> set[str]:
    return {used for name in names for used in _REF.findall(json.dumps(schemas[name]))}


def _name(name: str) -> str:
    """Schemas of the same name in different modules get the module's name as a prefix."""
    path = name.split("__")
    if len(path) == 1:
        return name
    return "".join(word.capitalize() for word in path[-2].split("_")) + path[-1]


def main() -> int:
    generated = files()
    present = {path: path.read_text(encoding="utf-8") for path in (INDEX, *FOLDER.glob("*.ts")) if path.exists()}
    if "--check" in sys.argv:
        if present != generated:
            print("web/src/api/types is out of date; run: make api-types", file=sys.stderr)
        return int(present != generated)
    FOLDER.mkdir(parents=True, exist_ok=True)
    for path in present.keys() - generated.keys():
        path.unlink()
    for path, text in generated.items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
