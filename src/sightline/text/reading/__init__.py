"""Reading text on key frames: the `ocr` job and its engines."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from sightline.text.reading.boxes import Rect
from sightline.text.reading.engine import Engine, EnginePlugin, RecognizedWord
from sightline.text.reading.engines import (
    InstalledEngine,
    installed_engines,
    need_engine,
    unreadable_languages,
    uses_added_languages,
)

if TYPE_CHECKING:
    from sightline.text.reading.ocr import OcrJob
    from sightline.text.reading.picture_reader import PictureReader, PictureText

__all__ = [
    "Engine",
    "EnginePlugin",
    "InstalledEngine",
    "OcrJob",
    "PictureReader",
    "PictureText",
    "RecognizedWord",
    "Rect",
    "installed_engines",
    "need_engine",
    "unreadable_languages",
    "uses_added_languages",
]

_MODULE_OF = {
    "OcrJob": "ocr",
    "PictureReader": "picture_reader",
    "PictureText": "picture_reader",
}


def __getattr__(name: str) -> Any:
    """Loads the job on first use: the processes that read frames need neither the database nor the queue."""
    if name in _MODULE_OF:
        return getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
