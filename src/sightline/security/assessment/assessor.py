"""Assessment of a batch."""

from dataclasses import dataclass
from typing import Literal

from sightline.contracts.security_events import RiskLevel
from sightline.security.assessment.risk import risk_level

Assessor = Literal["rules", "model", "rules_after_model", "unavailable"]
MAX_SUMMARY_LENGTH = 500
MAX_REASONING_LENGTH = 4000
UNAVAILABLE_SCORE = 50


@dataclass(frozen=True, slots=True)
class Assessment:
    score: int
    summary: str
    reasoning: str
    assessor: Assessor = "rules"
    model: str | None = None

    @property
    def level(self) -> RiskLevel:
        """Always from the score: a model that names another level is not asked for one."""
        return risk_level(self.score)


def unavailable(reason: str) -> Assessment:
    """An event that says openly that nobody judged it."""
    return Assessment(
        UNAVAILABLE_SCORE,
        "Analysis unavailable: something was detected and nobody assessed it",
        f"analysis unavailable: {reason}"[:MAX_REASONING_LENGTH],
        "unavailable",
    )
