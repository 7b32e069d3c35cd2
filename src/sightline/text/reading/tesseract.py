"""Plug-in of the engine `tesseract`. The library is loaded when the engine is opened."""

from collections.abc import Sequence
from pathlib import Path

from sightline.text.reading.engine import Engine
from sightline.text.reading.languages import need_languages

LIBRARIES = ("sightline.text.reading.tesseract_engine",)


def needed_files(languages: Sequence[str]) -> Sequence[Path]:
    return [need_languages(languages)]


def open_engine(languages: Sequence[str]) -> Engine:
    from sightline.text.reading.tesseract_engine import TesseractEngine

    return TesseractEngine(languages)
