"""The analyzer `annotations`: uses clips that people or other tools annotated, so that analysis works without a model."""

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

    async def analyze(self, task: AnalysisTask, report: ProgressReporter) -> Analysis:
        """Rejects the whole file if a row is invalid, so that no annotation is dropped silently."""
        for key in annotation_keys(task.video.id):
            if await self._objects.head(key) is not None:
                break
        else:
            raise NotFound(
                f"video {task.video.id} has no annotations; add them with PUT /videos/{task.video.id}/annotations"
            )
        content = await self._objects.get(key)
        report(0.3, f"reading {key}")
        annotated = await asyncio.to_thread(
            read_annotations,
            content,
            name=key,
            video_fps=task.video.fps,
            duration_ms=task.video.measured_duration_ms,
        )
        report(1.0, f"read {len(annotated.clips)} clips")
        return Analysis(
            annotated.match_summary or f"{len(annotated.clips)} marked clips", annotated.clips, annotated.fps
        )
