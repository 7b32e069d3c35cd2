"""Plug-in of the engine `rapidocr`; needs the extra of that name.

The wheel contains one model for all languages: Latin and Greek letters, Chinese and Japanese.
"""

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from sightline.text.languages import LanguageMissing
from sightline.text.reading.engine import Engine

LIBRARIES = ("sightline.text.reading.rapidocr_engine",)

READABLE_LANGUAGES = frozenset(
    [
        "afr",
        "aze",
        "bos",
        "cat",
        "ces",
        "chi_sim",
        "chi_tra",
        "cym",
        "dan",
        "deu",
        "ell",
        "eng",
        "epo",
        "est",
        "eus",
        "fin",
        "fra",
        "fry",
        "gle",
        "glg",
        "hrv",
        "hun",
        "ind",
        "isl",
        "ita",
        "jpn",
        "lat",
        "lav",
        "lit",
        "ltz",
        "mlt",
        "msa",
        "nld",
        "nor",
        "oci",
        "pol",
        "por",
        "ron",
        "slk",
        "slv",
        "spa",
        "sqi",
        "swa",
        "swe",
        "tur",
    ]
)
"""Languages whose letters the model knows, by Tesseract's codes."""

for _library in ("rapidocr", "onnxruntime"):
    if find_spec(_library) is None:
        raise ImportError(f"{_library} is not installed; run `pip install 'sightline[rapidocr]'`")


def needed_files(languages: Sequence[str]) -> Sequence[Path]:
    """The model is part of the Python package."""
    missing = [name for name in languages if name not in READABLE_LANGUAGES]
    if missing:
        raise LanguageMissing(f"the engine rapidocr does not read {', '.join(missing)}; try the engine tesseract")
    return []


def open_engine(languages: Sequence[str]) -> Engine:
    from sightline.text.reading.rapidocr_engine import RapidOcrEngine

    return RapidOcrEngine(languages)
