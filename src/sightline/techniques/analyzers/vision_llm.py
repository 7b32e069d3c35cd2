"""`vision-llm`: asks a vision model about sliding windows of key frames.

A model that cannot be reached fails the job, to be tried again later. A single answer that cannot be used is asked for again,
and then listed in the result; it is never taken for "nothing happened".
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Self

import structlog

from sightline.errors import ConfigurationError, PlatformError, Throttled, TransientFailure
from sightline.objects import ObjectStore, frame_ms, frames_prefix
from sightline.techniques.analyzers.analyzer import AnalysisTask, AnalyzerParts, ProgressReporter
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

FPS_IF_UNKNOWN = 1000.0
"""A video whose rate is not known has a frame per millisecond, which is what key frames are named by."""
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
        if settings.model_url is None:
            raise ConfigurationError("the analyzer vision-llm needs SIGHTLINE_TECHNIQUES_MODEL_URL")
        self.settings = settings
        self._url = settings.model_url
        self.objects = objects
        self.metrics = metrics
        self.backoff = backoff or Backoff(first_s=1.0, max_s=30.0)
        self.pause = pause

    @classmethod
    def build(cls, parts: AnalyzerParts) -> Self:
        return cls(parts.settings, parts.objects, ModelMetrics.of(parts.registry))

    async def analyze(self, question: AnalysisTask, report: ProgressReporter) -> Analysis:
        settings = self.settings
        frames = await self._frames(question)
        windows = sliding_windows(frames, size=settings.window_frames, overlap=settings.window_overlap)
        async with ChatClient(settings, self._url) as client:
            work = _VideoAnalysis(self, client, question, len(windows), report)
            stretches = split_into_sequences(windows, most=settings.model_parallel)
            try:
                async with asyncio.TaskGroup() as group:
                    tasks = [group.create_task(work.stretch(stretch)) for stretch in stretches]
            except BaseExceptionGroup as several:
                raise _first(several) from several
        if windows and len(work.problems) == len(windows):
            raise TransientFailure(f"no answer of {self._url} could be used; the last one: {work.problems[-1].reason}")
        clean = check_clips(work.clips)
        return Analysis(
            " ".join(summary for task in tasks if (summary := task.result()))[:MAX_SUMMARY_LENGTH],
            merge_near(clean.kept),
            work.fps,
            left_out=clean.left_out + work.left_out,
            problems=sorted(work.problems, key=lambda one: one.start_ms),
            usage=work.usage,
        )

    async def _frames(self, question: AnalysisTask) -> list[WindowFrame]:
        prefix = frames_prefix(question.video.id)
        found = [
            WindowFrame(stored.key, at_ms)
            async for stored in self.objects.find(prefix)
            if (at_ms := frame_ms(stored.key)) is not None
        ]
        if not found:
            raise NoFramesYet(f"video {question.video.id} has no key frames at {prefix} yet")
        return sorted(found, key=lambda frame: frame.at_ms)[:: question.sampling_rate]


class _VideoAnalysis:
    """One analysis under way; stretches of it are asked about side by side."""

    def __init__(
        self, own: VisionLlmAnalyzer, client: ChatClient, question: AnalysisTask, windows: int, report: ProgressReporter
    ) -> None:
        self._own = own
        self._client = client
        self._video = question.video
        self._windows = windows
        self._report = report
        self._done = 0
        self.fps = question.video.fps or FPS_IF_UNKNOWN
        self.usage = ModelUsage()
        self.clips: list[TechniqueClip] = []
        self.left_out: list[RejectedClip] = []
        self.problems: list[AnalysisProblem] = []

    async def stretch(self, windows: list[Window]) -> str:
        """Windows one after the other, each with what was found before; returns the summary at its end."""
        carried = summary = ""
        for window in windows:
            pictures = [await self._own.objects.get(frame.key) for frame in window.frames]
            chat = build_messages(window, pictures, video_name=self._video.name, carried=carried)
            answer = await self._answer(window, chat)
            if answer is not None:
                self._take(window, answer)
                summary = answer.summary or summary
                told = "; ".join(
                    f"{one.specific_technique} by {one.role} until {one.end_ms} ms" for one in answer.clips
                )
                carried = f"{summary} {told}".strip()
            self._done += 1
            self._report(self._done / self._windows, f"window {self._done} of {self._windows}")
        return summary

    async def _answer(self, window: Window, chat: list[dict[str, object]]) -> TechniqueResponse | None:
        own, most = self._own, self._own.settings.model_tries
        for attempt in range(1, most + 1):
            try:
                said = await self._client.ask(chat)
                self._spend(said.prompt_tokens, said.completion_tokens)
                answer = parse_response(said.text)
            except InvalidTechniqueResponse as error:
                self._failed("bad_answer")
                if isinstance(error, UnusableCompletion):
                    self._spend(error.prompt_tokens, error.completion_tokens)
                log.warning("techniques.bad_answer", window=window.number, attempt=attempt, error=str(error))
                if attempt == most:
                    self.problems.append(AnalysisProblem(window.start_ms, window.end_ms, str(error)))
            except PlatformError as error:
                self._failed("throttled" if isinstance(error, Throttled) else "failed")
                if not error.is_retryable or attempt == most:
                    raise
                delay_s = own.backoff.delay_s(attempt)
                if isinstance(error, Throttled):
                    delay_s = max(delay_s, error.retry_after.total_seconds())
                await own.pause(delay_s)
            else:
                self.usage.calls += 1
                own.metrics.calls.labels("answered").inc()
                return answer
        return None

    def _take(self, window: Window, answer: TechniqueResponse) -> None:
        for one in answer.clips:
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
                reason = f"not within the frames that were shown, {window.start_ms} to {window.end_ms} ms"
                self.left_out.append(RejectedClip(clip, reason))
            else:
                self.clips.append(clip)

    def _failed(self, outcome: str) -> None:
        self.usage.calls += 1
        self.usage.failed_calls += 1
        self._own.metrics.calls.labels(outcome).inc()

    def _spend(self, prompt_tokens: int, completion_tokens: int) -> None:
        settings = self._own.settings
        cost = (
            prompt_tokens * settings.price_per_million_input + completion_tokens * settings.price_per_million_output
        ) / 1e6
        self.usage.prompt_tokens += prompt_tokens
        self.usage.completion_tokens += completion_tokens
        self.usage.cost += cost
        self._own.metrics.spent(prompt_tokens, completion_tokens, cost)


def _first(several: BaseExceptionGroup[BaseException]) -> BaseException:
    error: BaseException = several
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
