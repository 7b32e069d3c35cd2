"""Model files of PP-OCR: where they are, and which languages they read. The wheel `rapidocr` contains them.

Only its files are used. Its own code would load much more, and start more threads than one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

PPOCR_LIBRARIES = (
    "sightline.text.reading.ppocr.text_detector",
    "sightline.text.reading.ppocr.line_recognizer",
)
"""Modules that the child process loads before it is confined."""

_DETECTOR, _RECOGNIZER = "PP-OCRv6_det_small.onnx", "PP-OCRv6_rec_small.onnx"

_LATIN = (
    "afr aze bos cat ces cym dan deu eng epo est eus fin fra fry gle glg hrv hun ind isl ita lat lav lit ltz mlt msa nld nor "
    "oci pol por ron slk slv spa sqi swa swe tur"
)
LATIN_LANGUAGES = frozenset(_LATIN.split())
"""Languages written in Latin letters, all of which the model knows. By Tesseract's codes, like the others."""
ASIAN_LANGUAGES = frozenset({"chi_sim", "chi_tra", "jpn"})
GREEK = "ell"


@dataclass(frozen=True, slots=True)
class PpocrModels:
    detector: Path
    recognizer: Path


def find_ppocr() -> PpocrModels | None:
    """None if the models, or the library that runs them, are not installed."""
    package = find_spec("rapidocr")
    if package is None or not package.submodule_search_locations or find_spec("onnxruntime") is None:
        return None
    directory = Path(next(iter(package.submodule_search_locations))) / "models"
    found = PpocrModels(directory / _DETECTOR, directory / _RECOGNIZER)
    return found if found.detector.is_file() and found.recognizer.is_file() else None


def unread_by_ppocr(languages: Sequence[str]) -> list[str]:
    """Those whose letters the model does not know."""
    known = LATIN_LANGUAGES | ASIAN_LANGUAGES | {GREEK}
    return [name for name in languages if name not in known]
