"""Refinement of the rules' assessment by a model: a slot, retries, a deadline and a circuit breaker.

Nothing waits for it: the event is stored already, by the rules. A model that hangs costs at most the deadline of one refinement per
slot, and one that keeps failing is not called at all for a while.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable

import structlog

from sightline.errors import BackendUnavailable, PlatformError, Throttled, is_retryable
from sightline.http import CircuitBreaker, CircuitOpen
from sightline.security.assessment.assessor import Assessment, score_band, unavailable, without_model
from sightline.security.assessment.findings import Findings
from sightline.security.assessment.model_client import Model
from sightline.security.assessment.model_response import parse_response
from sightline.security.assessment.prompt import build_prompt
from sightline.security.assessment.slots import InferenceSlots
from sightline.security.metrics import SecurityMetrics
from sightline.security.settings import SecuritySettings
from sightline.timing import Backoff

FAILURES_TO_OPEN = 3
OPEN_S = 30.0

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
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._model = model
        self._slots = slots
        self._settings = settings
        self._metrics = metrics
        self._backoff = backoff or Backoff(first_s=1.0, max_s=30.0)
        self._pause = pause
        # Calls that time out one after the other must still fall into the window.
        window_s = FAILURES_TO_OPEN * (settings.model_timeout_s + self._backoff.max_s)
        self._breaker = CircuitBreaker(
            "the model", failures=FAILURES_TO_OPEN, window_s=window_s, open_s=OPEN_S, clock=clock
        )

    async def refine(self, findings: Findings, by_rules: Assessment) -> Assessment:
        """The model's assessment within the band that the rules allow, or what the settings say where it finally fails."""
        try:
            return await self._within_deadline(findings, by_rules)
        except PlatformError as error:
            if self._settings.on_model_failure == "retry":
                raise
            # The reason is logged and not shown: it may name addresses inside the network.
            log.warning("security.model_failed", batch_id=findings.batch_id, error=error.message)
            return (
                unavailable(by_rules) if self._settings.on_model_failure == "unavailable" else without_model(by_rules)
            )

    async def _within_deadline(self, findings: Findings, by_rules: Assessment) -> Assessment:
        deadline_s = self._settings.model_deadline_s
        try:
            async with asyncio.timeout(deadline_s):
                return await self._call_with_retries(findings, by_rules)
        except TimeoutError as error:
            raise BackendUnavailable("model", f"no assessment within {deadline_s:g} s") from error

    async def _call_with_retries(self, findings: Findings, by_rules: Assessment) -> Assessment:
        prompt = build_prompt(findings)
        band = score_band(by_rules, max_difference=self._settings.model_max_difference)
        for attempt in range(1, self._settings.model_tries + 1):
            try:
                # One slot per attempt: during a pause between attempts other workers can use it.
                async with self._slots.hold():
                    return await self._guarded_call(prompt, *band)
            except Exception as error:
                is_last = attempt == self._settings.model_tries
                if is_last or isinstance(error, CircuitOpen) or not is_retryable(error):
                    raise
                log.info("security.model_retried", batch_id=findings.batch_id, attempt=attempt, error=str(error))
                least_s = error.retry_after.total_seconds() if isinstance(error, Throttled) else 0.0
                await self._pause(max(self._backoff.delay_s(attempt), least_s))
        raise AssertionError("the last try returns or raises")

    async def _guarded_call(self, prompt: str, min_score: int, max_score: int) -> Assessment:
        self._breaker.enter()
        try:
            text = await self._timed_call(prompt, min_score, max_score)
            found = parse_response(text, model=self._model.name, min_score=min_score, max_score=max_score)
        except Throttled:
            self._breaker.withdrawn()  # it responds, so it is not sick
            raise
        except asyncio.CancelledError:
            # The deadline has passed during the call: the model hangs.
            self._breaker.failed()
            raise
        except Exception:
            self._breaker.failed()
            raise
        self._breaker.succeeded()
        return found

    async def _timed_call(self, prompt: str, min_score: int, max_score: int) -> str:
        started, outcome = time.monotonic(), "failed"
        try:
            text = await self._model.complete(prompt, min_score=min_score, max_score=max_score)
            outcome = "answered"
            return text
        finally:
            self._metrics.model_seconds.labels(outcome).observe(time.monotonic() - started)
