"""Analyzers: the plug-ins that find technique clips in a video."""

from sightline.techniques.analyzers.analyzer import (
    AnalysisTask,
    Analyzer,
    AnalyzerFactory,
    AnalyzerParts,
    ProgressReporter,
)
from sightline.techniques.analyzers.annotation_rows import AnnotatedClips, read_annotations
from sightline.techniques.analyzers.installed import (
    InstalledAnalyzer,
    build_analyzer,
    default_analyzer,
    installed_analyzers,
    need_analyzer,
)

__all__ = [
    "AnalysisTask",
    "Analyzer",
    "AnalyzerFactory",
    "AnalyzerParts",
    "AnnotatedClips",
    "InstalledAnalyzer",
    "ProgressReporter",
    "build_analyzer",
    "default_analyzer",
    "installed_analyzers",
    "need_analyzer",
    "read_annotations",
]
