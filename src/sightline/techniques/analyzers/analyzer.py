"""The promise of an analyzer. A package adds one by an entry point of the group `sightline.analyzers`.

The entry point names a function that takes an `AnalyzerParts` and returns an `Analyzer`; its name is what jobs ask for.
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
"""How far it is, 0 to 1, and what it is at."""


@dataclass(frozen=True, slots=True)
class AnalyzerParts:
    """What an analyzer is built of."""

    settings: TechniquesSettings
    objects: ObjectStore
    registry: CollectorRegistry | None = None


@dataclass(frozen=True, slots=True)
class AnalysisTask:
    """What an analyzer is asked."""

    video: Video
    sampling_rate: int = 1
    """Every so many-th key frame is looked at."""


class Analyzer(Protocol):
    async def analyze(self, question: AnalysisTask, report: ProgressReporter) -> Analysis:
        """The clips of a video, by start. Raises what the error tree says about trying again; a part that could not be
        analyzed is named in `problems`, a clip that cannot be right in `left_out`."""


AnalyzerFactory = Callable[[AnalyzerParts], Analyzer]
