"""Which classes a model knows: from the settings, from its file, or COCO's by their number. Pure."""

import ast
import json
from collections.abc import Mapping, Sequence
from typing import Any

from sightline.vision.inference.output_forms import OutputForm
from sightline.vision.labels import COCO, coco_91, usual_name
from sightline.vision.models.errors import BadModel


def labels_of(given: Sequence[str], metadata: Mapping[str, str], form: OutputForm | None, file: str) -> tuple[str, ...]:
    """Names in the order of the classes, empty for a class without one. Without a form: what is known before the first run.

    Raises `BadModel` when the number of labels is not that of the classes.
    """
    count = None if form is None else form.class_count
    labels = list(given) or _from_metadata(metadata)
    if not labels and form is not None:
        if form.name == "MoveNet":
            labels = ["person"]
        elif form.counts_as_coco or count in (90, 91, 92):
            labels = coco_91()[:count]
        elif count in (None, len(COCO)):
            labels = list(COCO)
    if form is not None and not labels:
        raise BadModel(
            f"{file} knows {count} classes and does not name them; write their names, one per line, into a file and set "
            "SIGHTLINE_VISION_LABELS to it"
        )
    if form is not None and count is not None and len(labels) not in (count, count - 1):
        raise BadModel(f"{file} knows {count} classes, but {len(labels)} labels are given; give one per class")
    return tuple(usual_name(label) for label in labels)


def _from_metadata(metadata: Mapping[str, str]) -> list[str]:
    """As Ultralytics writes it, `{0: 'person', …}`, or as a JSON list or object."""
    for key in ("names", "labels", "classes"):
        if (text := metadata.get(key)) is not None:
            found = _literal(text)
            if isinstance(found, dict):
                found = [found[number] for number in sorted(found, key=int)]
            if isinstance(found, list) and found and all(isinstance(one, str) for one in found):
                return found
    return []


def _literal(text: str) -> Any:
    for parse in (json.loads, ast.literal_eval):
        try:
            return parse(text)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
    return None
