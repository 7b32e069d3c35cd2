"""Installed analyzers: the built-in ones, and those that packages add."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Literal

from sightline.errors import ConfigurationError, InvalidInput
from sightline.techniques.analyzers.analyzer import Analyzer, AnalyzerFactory, AnalyzerParts
from sightline.techniques.analyzers.annotations import AnnotationsAnalyzer
from sightline.techniques.analyzers.pose import PoseAnalyzer
from sightline.techniques.analyzers.vision_llm import VisionLlmAnalyzer
from sightline.techniques.pose import has_poses
from sightline.techniques.settings import TechniquesSettings

ENTRY_POINT_GROUP = "sightline.analyzers"
ANNOTATIONS, POSE, VISION_LLM = "annotations", "pose", "vision-llm"

MissingPart = Literal["no_model", "not_installed"]

_BUILT_IN: Mapping[str, tuple[AnalyzerFactory, str]] = {
    ANNOTATIONS: (AnnotationsAnalyzer.build, "clips that people or other tools marked (JSON or CSV)"),
    POSE: (PoseAnalyzer.build, "candidates from the poses of two people, offline; silent where it is unsure"),
    VISION_LLM: (VisionLlmAnalyzer.build, "a vision model behind an OpenAI-compatible chat API"),
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


@dataclass(frozen=True, slots=True)
class ListedAnalyzer:
    """An analyzer as people see it, also one that could be added."""

    name: str
    about: str
    missing: MissingPart | None
    """What this installation lacks to use it; None if nothing."""


def listed_analyzers(settings: TechniquesSettings, *, state_dir: Path | None = None) -> list[ListedAnalyzer]:
    """The analyzers by name, also those that could be added."""
    return [
        ListedAnalyzer(one.name, one.about, _missing(one.name, settings, state_dir))
        for one in installed_analyzers().values()
    ]


def _missing(name: str, settings: TechniquesSettings, state_dir: Path | None) -> MissingPart | None:
    if name == VISION_LLM and settings.chat_url is None:
        return "no_model"
    if name == POSE and not has_poses(state_dir):
        return "not_installed"
    return None


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


def default_analyzer(settings: TechniquesSettings, *, state_dir: Path | None = None) -> str:
    """The analyzer of jobs that name none."""
    if settings.analyzer is not None:
        return settings.analyzer
    if settings.chat_url is not None:
        return VISION_LLM
    return POSE if has_poses(state_dir) else ANNOTATIONS


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else "unknown"
