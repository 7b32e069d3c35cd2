"""A manifest as data, its labels, and YAML that people can read. Pure."""

from collections.abc import Iterable
from typing import Any

import yaml

Manifest = dict[str, Any]

PART_OF = {"app.kubernetes.io/part-of": "sightline"}
"""On everything; the network policies select by it."""


def manifest(api_version: str, kind: str, name: str, **content: Any) -> Manifest:
    return {
        "apiVersion": api_version,
        "kind": kind,
        "metadata": {"name": name, "labels": dict(PART_OF)},
        **content,
    }


def component_labels(name: str) -> dict[str, str]:
    return {**PART_OF, "app.kubernetes.io/name": "sightline", "app.kubernetes.io/component": name}


def selector_of(name: str) -> dict[str, str]:
    """What selects the pods of a service; a Deployment may never change it."""
    return {**PART_OF, "app.kubernetes.io/component": name}


def to_yaml(documents: Iterable[Manifest], heading: str) -> str:
    """One file: a comment, then the documents."""
    text = "".join(f"# {line}\n" for line in heading.splitlines())
    return text + "---\n".join(_dump(one) for one in documents)


def _dump(document: Manifest) -> str:
    dumped: str = yaml.dump(document, Dumper=_Readable, sort_keys=False, width=120, allow_unicode=True)
    return dumped


class _Readable(yaml.SafeDumper):
    """Indents lists below their key, writes texts of several lines as such, and repeats instead of making anchors."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, False)

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _text(dumper: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style="|" if "\n" in value else None)


_Readable.add_representer(str, _text)
