"""Installed analyzers: the built-in ones, and those that packages add."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points

from sightline.errors import ConfigurationError, InvalidInput
from sightline.techniques.analyzers.analyzer import Analyzer, AnalyzerFactory, AnalyzerParts
from sightline.techniques.analyzers.annotations import AnnotationsAnalyzer
from sightline.techniques.analyzers.vision_llm import VisionLlmAnalyzer
from sightline.techniques.settings import TechniquesSettings

ENTRY_POINT_GROUP = "sightline.analyzers"

_BUILT_IN: Mapping[str, tuple[AnalyzerFactory, str]] = {
    "annotations": (AnnotationsAnalyzer.build, "clips that people or other tools marked (JSON or CSV)"),
    "vision-llm": (VisionLlmAnalyzer.build, "a vision model behind an OpenAI-compatible chat API"),
}


@dataclass(frozen=True, slots=True)
class InstalledAnalyzer:
    name: str
    source: str
    """The package that provides it."""
    about: str
    load: Callable[[], AnalyzerFactory]


def installed_analyzers() -> dict[str, InstalledAnalyzer]:
    """By name. A package cannot replace a built-in analyzer."""
    found = {name: _built_in(name, factory, about) for name, (factory, about) in _BUILT_IN.items()}
    for point in entry_points(group=ENTRY_POINT_GROUP):
        if point.name not in _BUILT_IN:
            found[point.name] = InstalledAnalyzer(point.name, _package(point), point.value, point.load)
    return dict(sorted(found.items()))


def _built_in(name: str, factory: AnalyzerFactory, about: str) -> InstalledAnalyzer:
    return InstalledAnalyzer(name, "sightline", about, lambda: factory)


def need_analyzer(name: str) -> InstalledAnalyzer:
    known = installed_analyzers()
    if name not in known:
        raise InvalidInput(
            f"there is no analyzer {name!r}; there are {', '.join(known)}", details={"analyzers": list(known)}
        )
    return known[name]


def build_analyzer(name: str, parts: AnalyzerParts) -> Analyzer:
    installed = need_analyzer(name)
    try:
        factory = installed.load()
    except Exception as error:  # any error that a third-party package raises on import
        raise ConfigurationError(f"the analyzer {name!r} of {installed.source} cannot be loaded: {error}") from error
    return factory(parts)


def default_analyzer(settings: TechniquesSettings) -> str:
    """The analyzer of jobs that name none."""
    return settings.analyzer or ("annotations" if settings.model_url is None else "vision-llm")


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else "unknown"
