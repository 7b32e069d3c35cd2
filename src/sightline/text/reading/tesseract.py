"""Plug-in of the engine `tesseract`. The library is loaded when the engine is opened."""

from collections.abc import Sequence
from pathlib import Path

from sightline.text.languages import need_models
from sightline.text.reading.engine import Engine

LIBRARIES = ("sightline.text.reading.tesseract_engine",)


def needed_files(languages: Sequence[str]) -> Sequence[Path]:
    return need_models(languages, None)


def open_engine(languages: Sequence[str]) -> Engine:
    return open_models(languages, needed_files(languages))


def find_models(languages: Sequence[str], added: Path) -> Sequence[Path]:
    return need_models(languages, added)


def open_models(languages: Sequence[str], models: Sequence[Path]) -> Engine:
    from sightline.text.reading.tesseract_engine import TesseractEngine

    return TesseractEngine(languages, models)
