"""Run by the interpreter of the emulators' environment: manifests against the schemas of Kubernetes and KEDA.

Reads documents as a JSON list from standard input and prints one line for each complaint.
"""

import json
import sys
from typing import Any

import kubernetes_validate
from cloudcoil.models.keda import v1alpha1
from pydantic import ValidationError

KUBERNETES = ("1.31", "1.34")
"""Oldest and newest of the versions that clouds run."""


def complaints(document: dict[str, Any]) -> list[str]:
    name = f"{document['kind']} {document['metadata']['name']}"
    if document["apiVersion"].startswith("keda.sh/"):
        return [f"{name}: {one}" for one in _keda(document)]
    found = []
    for version in KUBERNETES:
        try:
            kubernetes_validate.validate(document, version, strict=True)
        except kubernetes_validate.ValidationError as error:
            found.append(f"{name}: {version}: {error.message}")
    return found


def _keda(document: dict[str, Any]) -> list[str]:
    """The models know types but overlook fields that they do not have, so what comes back must be what went in."""
    model = getattr(v1alpha1, document["kind"])
    try:
        read = model.model_validate(document)
    except ValidationError as error:
        return [f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors()]
    returned = read.model_dump(by_alias=True, exclude_unset=True, mode="json")
    return _lost(document, returned, "")


def _lost(given: Any, returned: Any, path: str) -> list[str]:
    match given, returned:
        case dict(), dict():
            return [
                complaint
                for key, value in given.items()
                for complaint in (
                    _lost(value, returned[key], f"{path}.{key}") if key in returned else [f"no such field {path}.{key}"]
                )
            ]
        case list(), list() if len(given) == len(returned):
            return [c for index, one in enumerate(given) for c in _lost(one, returned[index], f"{path}[{index}]")]
    return [] if given == returned else [f"{path}: {given!r} was read as {returned!r}"]


if __name__ == "__main__":
    for document in json.load(sys.stdin):
        for complaint in complaints(document):
            print(complaint)
