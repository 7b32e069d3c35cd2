"""The engine `tesseract`, as it is registered. Tesseract itself is loaded when the engine is opened."""

from collections.abc import Sequence
from pathlib import Path

from sightline.text.engine import Engine
from sightline.text.languages import need_languages

LIBRARIES = ("sightline.text.tesseract_engine",)


def needed_files(languages: Sequence[str]) -> Sequence[Path]:
    return [need_languages(languages)]


def open_engine(languages: Sequence[str]) -> Engine:
    from sightline.text.tesseract_engine import TesseractEngine

    return TesseractEngine(languages)
