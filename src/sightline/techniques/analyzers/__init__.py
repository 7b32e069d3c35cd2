"""Owns the analyzers: the plug-ins that find technique clips in a video."""

from sightline.techniques.analyzers.analyzer import Analyzer, AnalyzerParts, Question, Report
from sightline.techniques.analyzers.installed import (
    Installed,
    build_analyzer,
    installed_analyzers,
    need_analyzer,
    usual_analyzer,
)

__all__ = [
    "Analyzer",
    "AnalyzerParts",
    "Installed",
    "Question",
    "Report",
    "build_analyzer",
    "installed_analyzers",
    "need_analyzer",
    "usual_analyzer",
]
