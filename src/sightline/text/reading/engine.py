"""Interfaces of OCR engines and of the plug-ins that provide them; `engines.py` finds them by name."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from sightline.text.reading.boxes import Rect, TextBox

if TYPE_CHECKING:
    from sightline.text.reading.frame_view import Color, Gray


@dataclass(frozen=True, slots=True)
class RecognizedWord:
    text: str
    confidence: float
    """0 to 1, as the engine reports it."""
    certainty: float
    """Certainty of the letters, 0 to 1, on one scale for all engines. Below 0.5 it is often not text at all."""
    rect: Rect
    """In the picture that was read."""
    language: str


@dataclass(frozen=True, slots=True)
class ScoredLetter:
    text: str
    score: float
    """0 to 1."""
    others: tuple[tuple[str, float], ...] = ()
    """Letters of the same look, each with its score."""


@dataclass(frozen=True, slots=True)
class RecognizedLine:
    """A line as it was read; the rectangle is in pixels of the original."""

    text: str
    confidence: float
    certainty: float
    rect: Rect
    language: str
    is_bright: bool | None = None
    """Whether its letters are brighter than the background; None means unknown."""


@dataclass(frozen=True, slots=True)
class LineSighting:
    """A line in one frame."""

    line: RecognizedLine
    start_ms: int
    end_ms: int


class Engine(Protocol):
    """Reads a picture that shows one line of text. Not thread-safe."""

    def read_line(self, picture: "Gray") -> list[RecognizedWord]:
        """Returns the words from left to right. Pictures show dark letters on a light background."""
        ...


@runtime_checkable
class DetectingEngine(Protocol):
    """An engine that also finds the text in a picture. Lines are then found by it instead of by their edges."""

    def find_text(self, picture: "Color", *, scale: float) -> Sequence[TextBox]:
        """Boxes in pixels of the picture, which is searched at `scale` times its size. The cost grows with its area."""
        ...

    def read_box(self, picture: "Color", box: TextBox) -> RecognizedLine | None:
        """Reads the text in a box of the picture; None if it shows no text."""
        ...


class EnginePlugin(Protocol):
    """What a package registers, usually a module: it opens an engine.

    The worker process loads the plug-in, and must load neither models nor OCR libraries. The child process that reads
    frames calls `open_engine`, which loads both.
    """

    @property
    def LIBRARIES(self) -> Sequence[str]:  # noqa: N802 (a module's constant)
        """Modules that `open_engine` needs; they are loaded once and shared by all child processes."""
        ...

    def needed_files(self, languages: Sequence[str]) -> Sequence[Path]:
        """Files it opens besides Python's own. Raises `LanguageMissing` for a language it cannot read."""
        ...

    def open_engine(self, languages: Sequence[str]) -> Engine: ...


@runtime_checkable
class ModelUser(Protocol):
    """A plug-in whose languages can be added: it also uses models of a directory that the platform manages.

    Its models are found in the worker process. The child process cannot look into directories, and opens what was found.
    """

    def find_models(self, languages: Sequence[str], added: Path) -> Sequence[Path]:
        """The model of each language; `added` is the directory. Raises `LanguageMissing` like `needed_files`."""
        ...

    def open_models(self, languages: Sequence[str], models: Sequence[Path]) -> Engine: ...


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """The old name `Word`, which installed engines may still import, works for one release."""
        if name != "Word":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        message = "Word is now RecognizedWord; the old name goes away in the next release"
        warnings.warn(message, DeprecationWarning, stacklevel=2)
        return RecognizedWord
