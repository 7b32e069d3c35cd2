"""Analyzers: the plug-ins that find technique clips in a video."""

import warnings
from typing import TYPE_CHECKING, Any

from sightline.techniques.analyzers.analyzer import (
    AnalysisTask,
    Analyzer,
    AnalyzerFactory,
    AnalyzerParts,
    ProgressReporter,
)
from sightline.techniques.analyzers.annotation_rows import AnnotatedClips, read_annotations
from sightline.techniques.analyzers.estimate import AnalysisEstimate
from sightline.techniques.analyzers.installed import (
    ANNOTATIONS,
    POSE,
    VISION_LLM,
    InstalledAnalyzer,
    ListedAnalyzer,
    build_analyzer,
    default_analyzer,
    installed_analyzers,
    listed_analyzers,
    need_analyzer,
)
from sightline.techniques.analyzers.vision_llm import estimate_video

__all__ = [
    "ANNOTATIONS",
    "POSE",
    "VISION_LLM",
    "AnalysisEstimate",
    "AnalysisTask",
    "Analyzer",
    "AnalyzerFactory",
    "AnalyzerParts",
    "AnnotatedClips",
    "InstalledAnalyzer",
    "ListedAnalyzer",
    "ProgressReporter",
    "build_analyzer",
    "default_analyzer",
    "estimate_video",
    "installed_analyzers",
    "listed_analyzers",
    "need_analyzer",
    "read_annotations",
]

_RENAMED = {"Question": "AnalysisTask", "Report": "ProgressReporter"}

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """Old names, which installed plug-ins may still import, work for one release."""
        if name not in _RENAMED:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        message = f"{name} is now {_RENAMED[name]}; the old name goes away in the next release"
        warnings.warn(message, DeprecationWarning, stacklevel=2)
        return globals()[_RENAMED[name]]
