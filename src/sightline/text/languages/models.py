"""Model files of Tesseract on this machine: where they are searched for, and which there are."""

import os
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from sightline.errors import NotFound, PermanentFailure
from sightline.text.languages.catalogue import find_language, known_languages

DIRECTORY_VARIABLE = "TESSDATA_PREFIX"
"""Tesseract's own variable; its directory takes precedence over all others."""
MODEL = ".traineddata"
PACKAGED = Path(__file__).parents[1] / "models"
"""Models inside the package, put there when it is built."""
_NOT_LANGUAGES = ("osd", "equ")
_CODE = re.compile(r"^[A-Za-z][A-Za-z0-9_]*(/[A-Za-z][A-Za-z0-9_]*)?$")

Source = Literal["environment", "added", "installation"]
"""Where a model comes from: TESSDATA_PREFIX, `sightline languages add`, or the installation of Sightline."""


class LanguageMissing(PermanentFailure):
    """A requested language is not installed. The message says how to add it."""


@dataclass(frozen=True, slots=True)
class InstalledLanguage:
    code: str
    model: Path
    source: Source
    size_bytes: int

    @property
    def name(self) -> str | None:
        """In English; None for a model that is not in the catalogue."""
        known = known_languages().get(self.code)
        return None if known is None else known.name


def models_directory(state_dir: Path) -> Path:
    """The directory of added languages."""
    return state_dir.absolute() / "tessdata"


def is_code(text: str) -> bool:
    return _CODE.match(text) is not None


def model_directories(added: Path | None) -> list[tuple[Source, Path]]:
    """Directories that are searched for models, in order of precedence."""
    named = os.environ.get(DIRECTORY_VARIABLE)
    found: list[tuple[Source, Path]] = [("environment", Path(named))] if named else []
    if added is not None:
        found.append(("added", added))
    return [*found, ("installation", Path(sys.prefix) / "share" / "tessdata"), ("installation", PACKAGED)]


def installed_languages(added: Path | None) -> dict[str, InstalledLanguage]:
    """By code, sorted."""
    found: dict[str, InstalledLanguage] = {}
    for source, directory in model_directories(added):
        for model in _models_in(directory):
            code = model.name.removesuffix(MODEL)
            if code not in _NOT_LANGUAGES and code not in found:
                found[code] = InstalledLanguage(code, model, source, model.stat().st_size)
    return dict(sorted(found.items()))


def need_models(codes: Sequence[str], added: Path | None) -> list[Path]:
    """The model of each language, in this order. Raises `LanguageMissing`, which names all that are missing."""
    for code in codes:
        if not is_code(code):
            raise LanguageMissing(f"{code!r} is not a language code; use Tesseract's codes, such as eng, deu or fra")
    directories = [directory for _, directory in model_directories(added)]
    found = [_find(code, directories) for code in codes]
    if missing := [code for code, model in zip(codes, found, strict=True) if model is None]:
        raise LanguageMissing(missing_text(missing))
    return [model for model in found if model is not None]


def missing_text(codes: Sequence[str]) -> str:
    """What is missing and the command that adds it."""
    subject = f"the language {codes[0]} is" if len(codes) == 1 else f"the languages {', '.join(codes)} are"
    addable = [code for code in codes if code in known_languages()]
    if addable:
        advice = (
            f"add with `sightline languages add {' '.join(addable)}` on the machine of the worker, then retry the job"
        )
    else:
        try:
            advice = f"add as {find_language(codes[0]).code}"
        except NotFound as error:
            advice = error.message
    return f"{subject} not installed; {advice}"


def _find(code: str, directories: Iterable[Path]) -> Path | None:
    paths = (directory / f"{code}{MODEL}" for directory in directories)
    return next((path for path in paths if path.is_file()), None)


def _models_in(directory: Path) -> list[Path]:
    # A hidden file is a download that has not finished.
    return [path for path in sorted(directory.glob(f"*{MODEL}")) if not path.name.startswith(".")]
