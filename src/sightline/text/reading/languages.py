"""The languages that Tesseract can read here, and how to add one."""

import os
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from sightline.errors import PermanentFailure

DIRECTORY_VARIABLE = "TESSDATA_PREFIX"
"""As Tesseract itself calls it; wins over what was installed with Sightline."""
_MODEL = ".traineddata"
_NOT_LANGUAGES = ("osd", "equ")
_NAME = re.compile(r"^[A-Za-z][A-Za-z0-9_]*(/[A-Za-z][A-Za-z0-9_]*)?$")


class LanguageMissing(PermanentFailure):
    """A language was asked for that is not installed. The message says how to install it."""


def model_directories() -> list[Path]:
    """Where models are looked for, the first that has one wins."""
    named = os.environ.get(DIRECTORY_VARIABLE)
    return [*([Path(named)] if named else []), Path(sys.prefix) / "share" / "tessdata"]


def installed_languages(places: Iterable[Path] | None = None) -> dict[str, Path]:
    """Each language with its model."""
    found: dict[str, Path] = {}
    for place in model_directories() if places is None else places:
        for model in sorted(place.glob(f"*{_MODEL}")) if place.is_dir() else []:
            name = model.name.removesuffix(_MODEL)
            if name not in _NOT_LANGUAGES:
                found.setdefault(name, model)
    return found


def need_languages(names: Sequence[str]) -> Path:
    """The directory that has all of them."""
    for name in names:
        if not _NAME.match(name):
            raise LanguageMissing(f"{name!r} is no language; they are named by three letters, as eng, deu or fra")
    places = model_directories()
    for place in places:
        if all((place / f"{name}{_MODEL}").is_file() for name in names):
            return place
    missing = [name for name in names if name not in installed_languages(places)]
    if not missing:
        raise LanguageMissing(f"the languages {', '.join(names)} lie in different directories; put them into one")
    raise LanguageMissing(f"the language {', '.join(missing)} is not installed; {install_hint(missing[0])}")


def install_hint(name: str) -> str:
    return (
        f"put {name}{_MODEL} (from https://github.com/tesseract-ocr/tessdata_fast) into {model_directories()[0]}"
        f", or `pip install tessdata.fast-{name}` where the package registry has it"
    )
