"""What an engine that reads lines promises. Engines are found by name; see `engines.py`."""

from dataclasses import dataclass
from typing import Protocol

from sightline.text.boxes import Rect
from sightline.text.frame_view import Gray


@dataclass(frozen=True, slots=True)
class Word:
    text: str
    confidence: float
    """0 to 1, as the engine tells it."""
    certainty: float
    """0 to 1: how sure its letters are, on one scale for all engines. Below 0.5 it may well be no letters at all."""
    rect: Rect
    """In the picture that was read."""
    language: str


class Engine(Protocol):
    """Reads the one line that a picture shows. Belongs to one thread."""

    def read_line(self, picture: Gray) -> list[Word]:
        """The words from left to right; dark letters on a light ground are read best."""
        ...
