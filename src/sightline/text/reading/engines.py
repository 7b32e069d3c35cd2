"""Installed OCR engines; packages register them as entry points."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from sightline.errors import ConfigurationError
from sightline.text.languages import LanguageMissing
from sightline.text.reading.engine import Engine, EnginePlugin, ModelUser

ENTRY_POINT_GROUP = "sightline.ocr_engines"
_OWN_PACKAGE = "sightline"


@dataclass(frozen=True, slots=True)
class InstalledEngine:
    name: str
    package: str
    value: str
    """The entry point: `module` or `module:attribute`."""

    @property
    def module(self) -> str:
        return self.value.partition(":")[0]

    def load(self) -> EnginePlugin:
        try:
            plugin: EnginePlugin = EntryPoint(self.name, self.value, ENTRY_POINT_GROUP).load()
        except Exception as error:  # any error that a third-party package raises on import
            raise ConfigurationError(f"the engine {self.name!r} of {self.package} cannot be loaded: {error}") from error
        return plugin


def find_files(plugin: EnginePlugin, languages: Sequence[str], added: Path | None) -> Sequence[Path]:
    """Files that the engine opens for these languages; `added` is the directory of added ones."""
    if added is not None and isinstance(plugin, ModelUser):
        return plugin.find_models(languages, added)
    return plugin.needed_files(languages)


def open_engine(plugin: EnginePlugin, languages: Sequence[str], files: Sequence[Path]) -> Engine:
    """Opens the engine with the files that `find_files` found."""
    return plugin.open_models(languages, files) if isinstance(plugin, ModelUser) else plugin.open_engine(languages)


def installed_engines() -> dict[str, InstalledEngine]:
    """By name. A package cannot replace a built-in engine."""
    found: dict[str, InstalledEngine] = {}
    for point in entry_points(group=ENTRY_POINT_GROUP):
        package = point.dist.name if point.dist is not None else "unknown"
        if point.name not in found or package == _OWN_PACKAGE:
            found[point.name] = InstalledEngine(point.name, package, point.value)
    return dict(sorted(found.items()))


def need_engine(name: str) -> InstalledEngine:
    known = installed_engines()
    if name not in known:
        raise ConfigurationError(
            f"SIGHTLINE_TEXT_ENGINE: unknown OCR engine {name!r}; installed engines: {', '.join(known) or 'none'}"
        )
    return known[name]


def uses_added_languages(name: str) -> bool:
    """Whether this engine reads in the languages that `sightline languages add` installs."""
    try:
        return isinstance(need_engine(name).load(), ModelUser)
    except ConfigurationError:
        return False


def unreadable_languages(name: str, languages: Sequence[str], added: Path | None) -> list[str]:
    """Languages that have to be added before this engine reads them; none for an engine with languages of its own."""
    return [one for one in languages if not _is_readable(name, one, added)] if uses_added_languages(name) else []


def _is_readable(name: str, language: str, added: Path | None) -> bool:
    try:
        find_files(need_engine(name).load(), [language], added)
    except LanguageMissing:
        return False
    return True
