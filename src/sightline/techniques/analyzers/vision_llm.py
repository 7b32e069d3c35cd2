"""The analyzer `vision-llm`: sends sliding windows of key frames to a vision model.

An unreachable model fails the job, which is retried later. An invalid response is requested again, and then listed in the
result; it never counts as "nothing happened".
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Self

import structlog

from sightline.errors import ConfigurationError, PlatformError, Throttled, TransientFailure
from sightline.objects import ObjectStore, frame_ms, frames_prefix
from sightline.techniques.analyzers.analyzer import AnalysisTask, AnalyzerParts, ProgressReporter
from sightline.techniques.analyzers.estimate import AnalysisEstimate, estimate_analysis, token_cost
from sightline.techniques.analyzers.model_metrics import ModelMetrics
from sightline.techniques.analyzers.vision_client import ChatClient, UnusableCompletion
from sightline.techniques.analyzers.vision_prompt import (
    InvalidTechniqueResponse,
    TechniqueResponse,
    build_messages,
    parse_response,
)
from sightline.techniques.analyzers.windows import Window, WindowFrame, sliding_windows, split_into_sequences
from sightline.techniques.clip import RejectedClip, TechniqueClip, check_clips
from sightline.techniques.merge import merge_near
from sightline.techniques.result import Analysis, AnalysisProblem, ModelUsage
from sightline.techniques.settings import TechniquesSettings
from sightline.timing import Backoff
from sightline.videos import Video

FPS_IF_UNKNOWN = 1000.0
"""A video without a known frame rate counts one frame per millisecond, the unit in which key frames are named."""
MAX_SUMMARY_LENGTH = 4000

log = structlog.get_logger(__name__)


class NoFramesYet(TransientFailure):
    """The video was not sampled yet."""


class VisionLlmAnalyzer:
    def __init__(
        self,
        settings: TechniquesSettings,
        objects: ObjectStore,
        metrics: ModelMetrics,
        *,
        backoff: Backoff | None = None,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        if settings.chat_url is None:
            raise ConfigurationError(
                "the analyzer vision-llm needs SIGHTLINE_TECHNIQUES_MODEL_SERVER or SIGHTLINE_TECHNIQUES_MODEL_URL"
            )
        self.settings = settings
        self._url = settings.chat_url
        self.objects = objects
        self.metrics = metrics
        self.backoff = backoff or Backoff(first_s=1.0, max_s=30.0)
        self.pause = pause

    @classmethod
    def build(cls, parts: AnalyzerParts) -> Self:
        return cls(parts.settings, parts.objects, ModelMetrics.of(parts.registry))

    async def analyze(self, task: AnalysisTask, report: ProgressReporter) -> Analysis:
        settings = self.settings
        frames = await key_frames(self.objects, task)
        windows = sliding_windows(frames, size=settings.window_frames, overlap=settings.window_overlap)
        async with ChatClient(settings, self._url) as client:
            analysis = _VideoAnalysis(self, client, task, len(windows), report)
            sequences = split_into_sequences(windows, limit=settings.model_parallel)
            try:
                async with asyncio.TaskGroup() as group:
                    tasks = [group.create_task(analysis.process(sequence)) for sequence in sequences]
            except BaseExceptionGroup as group_error:
                raise _first(group_error) from group_error
        if windows and len(analysis.problems) == len(windows):
            raise TransientFailure(
                f"no response of {self._url} could be used; the last one: {analysis.problems[-1].reason}"
            )
        checked = check_clips(analysis.clips)
        return Analysis(
            " ".join(summary for task in tasks if (summary := task.result()))[:MAX_SUMMARY_LENGTH],
            merge_near(checked.kept),
            analysis.fps,
            left_out=checked.left_out + analysis.left_out,
            problems=sorted(analysis.problems, key=lambda one: one.start_ms),
            usage=analysis.usage,
        )


async def key_frames(objects: ObjectStore, task: AnalysisTask) -> list[WindowFrame]:
    """The stored key frames that are analyzed, by time."""
    task.video.need_frames()
    prefix = frames_prefix(task.video.id)
    found = [
        WindowFrame(stored.key, at_ms)
        async for stored in objects.find(prefix)
        if (at_ms := frame_ms(stored.key)) is not None
    ]
    if not found:
        raise NoFramesYet(f"video {task.video.id} has no key frames at {prefix} yet")
    return sorted(found, key=lambda frame: frame.at_ms)[:: task.sampling_rate]


async def estimate_video(
    settings: TechniquesSettings, objects: ObjectStore, video: Video, *, sampling_rate: int
) -> AnalysisEstimate:
    """What `VisionLlmAnalyzer` will take for this video."""
    frames = await key_frames(objects, AnalysisTask(video, sampling_rate))
    windows = sliding_windows(frames, size=settings.window_frames, overlap=settings.window_overlap)
    return estimate_analysis(settings, windows, (video.width, video.height))


class _VideoAnalysis:
    """The analysis of one video; its sequences of windows are processed in parallel."""

    def __init__(
        self, own: VisionLlmAnalyzer, client: ChatClient, task: AnalysisTask, windows: int, report: ProgressReporter
    ) -> None:
        self._own = own
        self._client = client
        self._video = task.video
        self._windows = windows
        self._report = report
        self._done = 0
        self.fps = task.video.fps or FPS_IF_UNKNOWN
        self.usage = ModelUsage()
        self.clips: list[TechniqueClip] = []
        self.left_out: list[RejectedClip] = []
        self.problems: list[AnalysisProblem] = []

    async def process(self, windows: list[Window]) -> str:
        """Processes windows in order, each with the findings of the one before; returns the last summary."""
        carried = summary = ""
        for window in windows:
            pictures = [await self._own.objects.get(frame.key) for frame in window.frames]
            chat = build_messages(window, pictures, video_name=self._video.name, carried=carried)
            response = await self._request(window, chat)
            if response is not None:
                self._add_clips(window, response)
                summary = response.summary or summary
                findings = "; ".join(
                    f"{one.specific_technique} by {one.role} until {one.end_ms} ms" for one in response.clips
                )
                carried = f"{summary} {findings}".strip()
            self._done += 1
            self._report(self._done / self._windows, f"window {self._done} of {self._windows}")
        return summary

    async def _request(self, window: Window, chat: list[dict[str, object]]) -> TechniqueResponse | None:
        own, max_attempts = self._own, self._own.settings.model_tries
        for attempt in range(1, max_attempts + 1):
            try:
                completion = await self._client.complete(chat)
                self._add_usage(completion.prompt_tokens, completion.completion_tokens)
                response = parse_response(completion.text)
            except InvalidTechniqueResponse as error:
                self._count_failure("bad_answer")
                if isinstance(error, UnusableCompletion):
                    self._add_usage(error.prompt_tokens, error.completion_tokens)
                log.warning("techniques.invalid_response", window=window.number, attempt=attempt, error=str(error))
                if attempt == max_attempts:
                    self.problems.append(AnalysisProblem(window.start_ms, window.end_ms, str(error)))
            except PlatformError as error:
                self._count_failure("throttled" if isinstance(error, Throttled) else "failed")
                if not error.is_retryable or attempt == max_attempts:
                    raise
                delay_s = own.backoff.delay_s(attempt)
                if isinstance(error, Throttled):
                    delay_s = max(delay_s, error.retry_after.total_seconds())
                await own.pause(delay_s)
            else:
                self.usage.calls += 1
                own.metrics.calls.labels("answered").inc()
                return response
        return None

    def _add_clips(self, window: Window, response: TechniqueResponse) -> None:
        for one in response.clips:
            clip = TechniqueClip(
                start_frame=round(one.start_ms * self.fps / 1000),
                end_frame=round(one.end_ms * self.fps / 1000),
                category=one.category,
                specific_technique=one.specific_technique,
                role=one.role,
                confidence=one.confidence,
                reasoning=one.reasoning,
            )
            if one.start_ms < window.start_ms or one.end_ms > window.end_ms:
                reason = f"outside the frames of its window, {window.start_ms} to {window.end_ms} ms"
                self.left_out.append(RejectedClip(clip, reason))
            else:
                self.clips.append(clip)

    def _count_failure(self, outcome: str) -> None:
        self.usage.calls += 1
        self.usage.failed_calls += 1
        self._own.metrics.calls.labels(outcome).inc()

    def _add_usage(self, prompt_tokens: int, completion_tokens: int) -> None:
        settings = self._own.settings
        cost = token_cost(settings, prompt_tokens, completion_tokens)
        self.usage.prompt_tokens += prompt_tokens
        self.usage.completion_tokens += completion_tokens
        self.usage.cost += cost
        self._own.metrics.add_usage(prompt_tokens, completion_tokens, cost)


def _first(group_error: BaseExceptionGroup[BaseException]) -> BaseException:
    error: BaseException = group_error
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
