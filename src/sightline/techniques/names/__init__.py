"""Known names of techniques: a list that is shipped as data, to choose from when marking. Own names are allowed as well.

Each name has its category, its name in Portuguese, other words by which people search for it, and the tags of GrappleMap
(a public-domain collection of positions and transitions) that it stands for.
"""

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from sightline.contracts.technique_events import Category

__all__ = ["KnownTechnique", "known_techniques"]

_FILE = Path(__file__).with_name("technique_names.csv")


@dataclass(frozen=True, slots=True)
class KnownTechnique:
    name: str
    category: Category
    name_pt: str
    tags: tuple[str, ...]
    also: tuple[str, ...]


@cache
def known_techniques() -> tuple[KnownTechnique, ...]:
    """In the order of the file: by category."""
    with _FILE.open(encoding="utf-8", newline="") as file:
        return tuple(
            KnownTechnique(
                row["name"],
                Category(row["category"]),
                row["name_pt"],
                tuple(row["tags"].split()),
                tuple(word for word in row["also"].split("|") if word),
            )
            for row in csv.DictReader(file)
        )
