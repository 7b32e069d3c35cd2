"""Interface of analyzers. A package adds one by an entry point of the group `sightline.analyzers`.

The entry point names a function that takes an `AnalyzerParts` and returns an `Analyzer`; jobs request it by its name.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from prometheus_client import CollectorRegistry

from sightline.objects import ObjectStore
from sightline.techniques.result import Analysis
from sightline.techniques.settings import TechniquesSettings
from sightline.videos import Video
from sightline.vision import Picture, VisionSettings

ProgressReporter = Callable[[float, str], None]
"""Reports the progress, 0 to 1, and a message."""


class AnalyzedLook(Protocol):
    @property
    def at_ms(self) -> int: ...


class AnalyzedLooks(Protocol):
    """Looks at a video, one after another, and the whole picture of the present one."""

    def __aiter__(self) -> AsyncIterator[AnalyzedLook]: ...

    async def picture(self) -> Picture: ...


OpenLooks = Callable[[str, float], AbstractAsyncContextManager[AnalyzedLooks]]
"""Opens what can be read at a path or URL, with so many looks per second."""


@dataclass(frozen=True, slots=True)
class AnalyzerParts:
    """What an analyzer is built from."""

    settings: TechniquesSettings
    objects: ObjectStore
    registry: CollectorRegistry | None = None
    open_looks: OpenLooks | None = None
    """None in a process that decodes no video."""
    vision: VisionSettings = field(default_factory=VisionSettings)
    state_dir: Path | None = None
    may_be_unconfined: bool = False


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
