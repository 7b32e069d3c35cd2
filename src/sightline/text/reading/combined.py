"""Plug-in of the engine `combined`, the default: PP-OCR finds text, and PP-OCR and Tesseract read it.

Without the models of PP-OCR, and for languages that they do not know, Tesseract reads alone.
"""

from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import structlog

from sightline.text.languages import LanguageMissing, need_models
from sightline.text.reading.engine import Engine
from sightline.text.reading.ppocr import PPOCR_LIBRARIES, find_ppocr, unread_by_ppocr

LIBRARIES: tuple[str, ...] = ("sightline.text.reading.tesseract_engine",)
if find_spec("onnxruntime") is not None:
    LIBRARIES = ("sightline.text.reading.combined_engine", *PPOCR_LIBRARIES, *LIBRARIES)

_ONNX = ".onnx"

log = structlog.get_logger(__name__)


def needed_files(languages: Sequence[str]) -> Sequence[Path]:
    return find_models(languages, None)


def find_models(languages: Sequence[str], added: Path | None) -> Sequence[Path]:
    """The models of PP-OCR, if they are installed, and those of Tesseract, if it has all of the languages."""
    ppocr = find_ppocr()
    if ppocr is None:
        _warn_once()
    network = [] if ppocr is None else [ppocr.detector, ppocr.recognizer]
    if ppocr is None or unread_by_ppocr(languages):
        return [*network, *need_models(languages, added)]
    return [*network, *_tesseract_models(languages, added)]


@cache
def _warn_once() -> None:
    log.warning("text.networks_missing", reads_instead="tesseract")


def open_engine(languages: Sequence[str]) -> Engine:
    return open_models(languages, needed_files(languages))


def open_models(languages: Sequence[str], models: Sequence[Path]) -> Engine:
    from sightline.text.reading.tesseract_engine import TesseractEngine

    network = [model for model in models if model.suffix == _ONNX]
    tesseract = [model for model in models if model.suffix != _ONNX]
    if not network:
        return TesseractEngine(languages, tesseract)
    from sightline.text.reading.combined_engine import open_combined

    return open_combined(languages, network, tesseract)


def _tesseract_models(languages: Sequence[str], added: Path | None) -> Sequence[Path]:
    """None if one of the languages is missing: PP-OCR then reads all of them alone."""
    try:
        return need_models(languages, added)
    except LanguageMissing:
        return []
