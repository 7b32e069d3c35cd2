"""Languages that Tesseract can read on this machine, and how to add one."""

import os
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from sightline.errors import PermanentFailure

DIRECTORY_VARIABLE = "TESSDATA_PREFIX"
"""Tesseract's own variable; it takes precedence over the models installed with Sightline."""
_MODEL = ".traineddata"
_NOT_LANGUAGES = ("osd", "equ")
_NAME = re.compile(r"^[A-Za-z][A-Za-z0-9_]*(/[A-Za-z][A-Za-z0-9_]*)?$")


class LanguageMissing(PermanentFailure):
    """A requested language is not installed. The message says how to install it."""


def model_directories() -> list[Path]:
    """Directories that are searched for models, in order of precedence."""
    named = os.environ.get(DIRECTORY_VARIABLE)
    return [*([Path(named)] if named else []), Path(sys.prefix) / "share" / "tessdata"]


def installed_languages(searched: Iterable[Path] | None = None) -> dict[str, Path]:
    """Each language with the file of its model."""
    found: dict[str, Path] = {}
    for directory in model_directories() if searched is None else searched:
        for model in sorted(directory.glob(f"*{_MODEL}")) if directory.is_dir() else []:
            name = model.name.removesuffix(_MODEL)
            if name not in _NOT_LANGUAGES:
                found.setdefault(name, model)
    return found


def need_languages(names: Sequence[str]) -> Path:
    """Returns the directory that has a model of each language."""
    for name in names:
        if not _NAME.match(name):
            raise LanguageMissing(f"{name!r} is not a language code; use Tesseract's codes, such as eng, deu or fra")
    directories = model_directories()
    for directory in directories:
        if all((directory / f"{name}{_MODEL}").is_file() for name in names):
            return directory
    missing = [name for name in names if name not in installed_languages(directories)]
    if not missing:
        raise LanguageMissing(f"the models of {', '.join(names)} are in different directories; put them into one")
    raise LanguageMissing(f"the language {', '.join(missing)} is not installed; {install_hint(missing[0])}")


def install_hint(name: str) -> str:
    return (
        f"put {name}{_MODEL} (from https://github.com/tesseract-ocr/tessdata_fast) into {model_directories()[0]}"
        f", or `pip install tessdata.fast-{name}` where the package registry has it"
    )
