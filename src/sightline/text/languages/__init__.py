"""Languages of text on screen: which models are installed, which can be added by name, and adding them."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from sightline.text.languages.catalogue import (
    REGISTRY,
    KnownLanguage,
    UnknownLanguage,
    find_language,
    integrity_of,
    known_languages,
    member_of,
    parse_catalogue,
)
from sightline.text.languages.models import (
    InstalledLanguage,
    LanguageMissing,
    installed_languages,
    models_directory,
    need_models,
)

if TYPE_CHECKING:
    from sightline.text.languages.additions import LanguageAddition, LanguageAdditions
    from sightline.text.languages.download import ModelRejected
    from sightline.text.languages.store import AddedLanguage, LanguageStore

__all__ = [
    "REGISTRY",
    "AddedLanguage",
    "InstalledLanguage",
    "KnownLanguage",
    "LanguageAddition",
    "LanguageAdditions",
    "LanguageMissing",
    "LanguageStore",
    "ModelRejected",
    "UnknownLanguage",
    "find_language",
    "installed_languages",
    "integrity_of",
    "known_languages",
    "member_of",
    "models_directory",
    "need_models",
    "parse_catalogue",
]

_MODULE_OF = {
    "AddedLanguage": "store",
    "LanguageAddition": "additions",
    "LanguageAdditions": "additions",
    "LanguageStore": "store",
    "ModelRejected": "download",
}


def __getattr__(name: str) -> Any:
    """Loads what downloads on first use: the processes that read frames need no HTTP client."""
    if name in _MODULE_OF:
        return getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
