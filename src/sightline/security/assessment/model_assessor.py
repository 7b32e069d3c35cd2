"""Assessment by a model, with a slot and retries; the settings say what happens when it finally fails."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace

import structlog

from sightline.errors import PlatformError, Throttled, is_retryable
from sightline.security.assessment.assessor import MAX_REASONING_LENGTH, Assessment, unavailable
from sightline.security.assessment.findings import Findings
from sightline.security.assessment.model_client import Model
from sightline.security.assessment.prompt import build_prompt, parse_response
from sightline.security.assessment.rules import assess_by_rules
from sightline.security.assessment.slots import InferenceSlots
from sightline.security.metrics import SecurityMetrics
from sightline.security.settings import SecuritySettings
from sightline.timing import Backoff

log = structlog.get_logger(__name__)


class ModelAssessor:
    def __init__(
        self,
        model: Model,
        slots: InferenceSlots,
        settings: SecuritySettings,
        metrics: SecurityMetrics,
        *,
        backoff: Backoff | None = None,
        pause: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._model = model
        self._slots = slots
        self._settings = settings
        self._metrics = metrics
        self._backoff = backoff or Backoff(first_s=1.0, max_s=30.0)
        self._pause = pause

    async def assess(self, findings: Findings) -> Assessment:
        by_rules = assess_by_rules(findings)
        reach = self._settings.model_max_difference
        min_score, max_score = max(by_rules.score - reach, 0), min(by_rules.score + reach, 100)
        try:
            return await self._assess_by_model(findings, min_score, max_score)
        except PlatformError as error:
            if self._settings.on_model_failure == "retry":
                raise
            log.warning("security.model_failed", batch_id=findings.batch_id, error=error.message)
            if self._settings.on_model_failure == "unavailable":
                return unavailable(error.message)
            reasoning = f"{by_rules.reasoning} Assessed by the rules because the model failed: {error.message}"
            return replace(by_rules, reasoning=reasoning[:MAX_REASONING_LENGTH], assessor="rules_after_model")

    async def _assess_by_model(self, findings: Findings, min_score: int, max_score: int) -> Assessment:
        prompt = build_prompt(findings)
        for attempt in range(1, self._settings.model_tries + 1):
            try:
                # One slot per attempt: during a pause between attempts other workers can use it.
                async with self._slots.hold():
                    text = await self._timed(prompt, min_score, max_score)
                return parse_response(text, model=self._model.name, min_score=min_score, max_score=max_score)
            except Exception as error:
                if attempt == self._settings.model_tries or not is_retryable(error):
                    raise
                log.info("security.model_retried", batch_id=findings.batch_id, attempt=attempt, error=str(error))
                least_s = error.retry_after.total_seconds() if isinstance(error, Throttled) else 0.0
                await self._pause(max(self._backoff.delay_s(attempt), least_s))
        raise AssertionError("the last try returns or raises")

    async def _timed(self, prompt: str, min_score: int, max_score: int) -> str:
        started, outcome = time.monotonic(), "failed"
        try:
            text = await self._model.complete(prompt, min_score=min_score, max_score=max_score)
            outcome = "answered"
            return text
        finally:
            self._metrics.model_seconds.labels(outcome).observe(time.monotonic() - started)
