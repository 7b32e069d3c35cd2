"""Whether search by meaning is installed, with which model, and how to add it."""

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from sightline.text.meaning.models.catalogue import MEANING_MODELS, WEIGHTS
from sightline.text.meaning.settings import MeaningSettings

INSTALL_COMMAND = "sightline meaning install"


@dataclass(frozen=True, slots=True)
class MeaningStatus:
    is_installed: bool
    how_to_install: str | None
    """What to run; None if it is installed."""
    model: str
    folder: Path | None
    purpose: str | None
    licence: str | None
    languages: tuple[str, ...] = ()
    """That the model was trained on, as ISO 639-3; empty for a model of the operator's."""
    cannot_tell: tuple[str, ...] = ()

    @property
    def model_key(self) -> str:
        """Names the model and its weights: vectors of different weights cannot be compared."""
        assert self.folder is not None
        weights = self.folder / WEIGHTS
        found = weights.stat()
        return f"{self.folder.name}@{_hashed(str(weights), found.st_mtime_ns, found.st_size)[:12]}"


def meaning_status(settings: MeaningSettings, *, state_dir: Path | None = None) -> MeaningStatus:
    """What is there, without starting anything."""
    known = MEANING_MODELS.known_model(settings.model)
    folder = MEANING_MODELS.find_folder(settings.model, state_dir)
    how = None
    if settings.embed == "never":
        how = "Search by meaning is switched off: SIGHTLINE_MEANING_EMBED is never"
    elif folder is None and known is not None:
        how = f"Search by meaning is not installed; to add it, run `{INSTALL_COMMAND}`"
    elif folder is None:
        how = MEANING_MODELS.why_unusable(settings.model)
    return MeaningStatus(
        is_installed=how is None,
        how_to_install=how,
        model=settings.model,
        folder=folder,
        purpose="a model of your own" if known is None else known.purpose,
        licence="as its source says" if known is None else known.licence,
        languages=() if known is None else known.languages,
        cannot_tell=() if known is None else known.cannot_tell,
    )


@lru_cache(maxsize=8)
def _hashed(file: str, changed_ns: int, size_bytes: int) -> str:
    with open(file, "rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()
