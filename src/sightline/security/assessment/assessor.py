"""Assessment of a batch."""

from dataclasses import dataclass, replace
from typing import Literal

from sightline.contracts.security_events import RiskLevel
from sightline.security.assessment.risk import MAX_SCORE, MIN_SCORE, risk_level

Assessor = Literal["rules", "model", "rules_after_model", "unavailable"]
MAX_SUMMARY_LENGTH = 500
MAX_REASONING_LENGTH = 4000
UNAVAILABLE_SCORE = 50
MODEL_FAILED = "The model could not assess this event."


@dataclass(frozen=True, slots=True)
class Assessment:
    score: int
    summary: str
    reasoning: str
    assessor: Assessor = "rules"
    model: str | None = None
    floor: int = MIN_SCORE
    """A model cannot lower the score below this."""

    @property
    def level(self) -> RiskLevel:
        """Always from the score: a model is not asked for a level, which could contradict it."""
        return risk_level(self.score)


def score_band(by_rules: Assessment, *, max_difference: int) -> tuple[int, int]:
    """The lowest and the highest score that a model may give where the rules gave theirs."""
    if by_rules.level == "critical":
        lowest = by_rules.score
    else:
        lowest = max(by_rules.score - max_difference, by_rules.floor, MIN_SCORE)
    return lowest, min(by_rules.score + max_difference, MAX_SCORE)


def without_model(by_rules: Assessment) -> Assessment:
    """The rules' assessment where the model failed. Why it failed is for the logs: viewers may be anyone."""
    reasoning = f"{by_rules.reasoning} {MODEL_FAILED}"
    return replace(by_rules, reasoning=reasoning[:MAX_REASONING_LENGTH], assessor="rules_after_model")


def unavailable(by_rules: Assessment) -> Assessment:
    """A clearly marked fallback, never below what the rules found."""
    return replace(
        by_rules,
        score=max(UNAVAILABLE_SCORE, by_rules.score),
        summary=f"Analysis unavailable: {by_rules.summary}"[:MAX_SUMMARY_LENGTH],
        reasoning=f"analysis unavailable: {MODEL_FAILED} {by_rules.reasoning}"[:MAX_REASONING_LENGTH],
        assessor="unavailable",
    )
