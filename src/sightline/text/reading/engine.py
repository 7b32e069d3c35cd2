"""What an engine that reads lines promises. Engines are found by name; see `engines.py`."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from sightline.text.reading.boxes import Rect

if TYPE_CHECKING:
    from sightline.text.reading.frame_view import Gray


@dataclass(frozen=True, slots=True)
class RecognizedWord:
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

    def read_line(self, picture: "Gray") -> list[RecognizedWord]:
        """The words from left to right; dark letters on a light ground are read best."""
        ...


class EnginePlugin(Protocol):
    """What a package registers, often a module: how to come by an engine.

    It is loaded by the process that hands out the work, which must load neither models nor the libraries that read; that is left
    to `open_engine`, which is called in the process that reads.
    """

    @property
    def LIBRARIES(self) -> Sequence[str]:  # noqa: N802 (a module's constant)
        """Modules that `open_engine` needs: loaded once and shared by all processes that read."""
        ...

    def needed_files(self, languages: Sequence[str]) -> Sequence[Path]:
        """What it reads beside Python's own files. Languages that it cannot read are a `LanguageMissing`."""
        ...

    def open_engine(self, languages: Sequence[str]) -> Engine: ...
