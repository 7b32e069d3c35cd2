"""Plug-in of the engine `rapidocr`: PP-OCR alone, with the models that the wheel of that name contains."""

from collections.abc import Sequence
from pathlib import Path

from sightline.text.languages import LanguageMissing
from sightline.text.reading.engine import Engine
from sightline.text.reading.ppocr import PPOCR_LIBRARIES, find_ppocr, unread_by_ppocr

LIBRARIES = ("sightline.text.reading.combined_engine", *PPOCR_LIBRARIES)

if find_ppocr() is None:
    raise ImportError(
        "the models of rapidocr, or onnxruntime, are not installed; run `pip install rapidocr onnxruntime`"
    )


def needed_files(languages: Sequence[str]) -> Sequence[Path]:
    if missing := unread_by_ppocr(languages):
        raise LanguageMissing(f"the engine rapidocr does not read {', '.join(missing)}; try the engine tesseract")
    models = find_ppocr()
    assert models is not None
    return [models.detector, models.recognizer]


def open_engine(languages: Sequence[str]) -> Engine:
    from sightline.text.reading.combined_engine import open_combined

    return open_combined(languages, needed_files(languages), [])
