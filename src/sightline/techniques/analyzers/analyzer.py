"""Interface of analyzers. A package adds one by an entry point of the group `sightline.analyzers`.

The entry point names a function that takes an `AnalyzerParts` and returns an `Analyzer`; jobs request it by its name.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from prometheus_client import CollectorRegistry

from sightline.objects import ObjectStore
from sightline.techniques.result import Analysis
from sightline.techniques.settings import TechniquesSettings
from sightline.videos import Video

ProgressReporter = Callable[[float, str], None]
"""Reports the progress, 0 to 1, and a message."""


@dataclass(frozen=True, slots=True)
class AnalyzerParts:
    """What an analyzer is built from."""

    settings: TechniquesSettings
    objects: ObjectStore
    registry: CollectorRegistry | None = None


@dataclass(frozen=True, slots=True)
class AnalysisTask:
    """The video to analyze, and how densely."""

    video: Video
    sampling_rate: int = 1
    """Every n-th key frame is analyzed."""


class Analyzer(Protocol):
    async def analyze(self, task: AnalysisTask, report: ProgressReporter) -> Analysis:
        """Returns the clips of a video, by start. Errors follow the error tree, which decides about retries; parts that could not
        be analyzed are listed in `problems`, invalid clips in `left_out`."""


AnalyzerFactory = Callable[[AnalyzerParts], Analyzer]
