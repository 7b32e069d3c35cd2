"""`annotations`: takes over the clips that people or other tools marked, so that the whole flow works without a model."""

import asyncio
from typing import Self

from sightline.errors import NotFound
from sightline.objects import ObjectStore, annotation_keys
from sightline.techniques.analyzers.analyzer import AnalysisTask, AnalyzerParts, ProgressReporter
from sightline.techniques.analyzers.annotation_rows import read_annotations
from sightline.techniques.result import Analysis


class AnnotationsAnalyzer:
    def __init__(self, objects: ObjectStore) -> None:
        self._objects = objects

    @classmethod
    def build(cls, parts: AnalyzerParts) -> Self:
        return cls(parts.objects)

    async def analyze(self, question: AnalysisTask, report: ProgressReporter) -> Analysis:
        """A file with a wrong row is refused whole: half of what somebody marked is not what they marked."""
        for key in annotation_keys(question.video.id):
            if await self._objects.head(key) is not None:
                break
        else:
            raise NotFound(
                f"nobody marked clips in video {question.video.id}; PUT /videos/{question.video.id}/annotations"
            )
        content = await self._objects.get(key)
        report(0.3, f"reading {key}")
        marked = await asyncio.to_thread(read_annotations, content, name=key, video_fps=question.video.fps)
        report(1.0, f"{len(marked.clips)} clips are marked")
        return Analysis(marked.match_summary or f"{len(marked.clips)} marked clips", marked.clips, marked.fps)
