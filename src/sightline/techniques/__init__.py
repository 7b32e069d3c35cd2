"""Technique analysis (document 000): the `analyze` job, its N+1 messages, their consumer, finalization."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from sightline.techniques.progress import stage_of
from sightline.techniques.settings import TechniquesSettings

if TYPE_CHECKING:
    from sightline.techniques.analyze import (
        AnalyzeJob,
    )
    from sightline.techniques.analyzers import (
        ANNOTATIONS,
        POSE,
        VISION_LLM,
        AnalysisEstimate,
        AnalyzerParts,
        ListedAnalyzer,
        build_analyzer,
        default_analyzer,
        estimate_video,
        installed_analyzers,
        listed_analyzers,
        need_analyzer,
        read_annotations,
    )
    from sightline.techniques.clip import (
        TechniqueClip,
        plain_text,
    )
    from sightline.techniques.consumer import (
        TechniqueBatchHandler,
        sees_every_event,
        technique_consumer,
    )
    from sightline.techniques.publish import (
        Publisher,
    )
    from sightline.techniques.report import (
        AnalysisReport,
        read_report,
    )
    from sightline.techniques.store import (
        AnalysisStatus,
        Technique,
        TechniqueFilter,
        list_techniques,
        status_of,
    )
    from sightline.techniques.summary import (
        AthleteSummary,
        summarize_match,
    )

__all__ = [
    "ANNOTATIONS",
    "POSE",
    "VISION_LLM",
    "AnalysisEstimate",
    "AnalysisReport",
    "AnalysisStatus",
    "AnalyzeJob",
    "AnalyzerParts",
    "AthleteSummary",
    "ListedAnalyzer",
    "Publisher",
    "Technique",
    "TechniqueBatchHandler",
    "TechniqueClip",
    "TechniqueFilter",
    "TechniquesSettings",
    "build_analyzer",
    "default_analyzer",
    "estimate_video",
    "installed_analyzers",
    "list_techniques",
    "listed_analyzers",
    "need_analyzer",
    "plain_text",
    "read_annotations",
    "read_report",
    "sees_every_event",
    "stage_of",
    "status_of",
    "summarize_match",
    "technique_consumer",
]

_MODULE_OF = {
    "ANNOTATIONS": "analyzers",
    "POSE": "analyzers",
    "VISION_LLM": "analyzers",
    "AnalysisEstimate": "analyzers",
    "AnalysisReport": "report",
    "AnalysisStatus": "store",
    "AnalyzeJob": "analyze",
    "AnalyzerParts": "analyzers",
    "AthleteSummary": "summary",
    "ListedAnalyzer": "analyzers",
    "Publisher": "publish",
    "Technique": "store",
    "TechniqueBatchHandler": "consumer",
    "TechniqueClip": "clip",
    "TechniqueFilter": "store",
    "build_analyzer": "analyzers",
    "default_analyzer": "analyzers",
    "estimate_video": "analyzers",
    "installed_analyzers": "analyzers",
    "list_techniques": "store",
    "listed_analyzers": "analyzers",
    "need_analyzer": "analyzers",
    "plain_text": "clip",
    "read_annotations": "analyzers",
    "read_report": "report",
    "sees_every_event": "consumer",
    "status_of": "store",
    "summarize_match": "summary",
    "technique_consumer": "consumer",
}


def __getattr__(name: str) -> Any:
    """Loads a part on first use: commands that only read settings need neither the bus nor a model client."""
    if name in _MODULE_OF:
        return getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
