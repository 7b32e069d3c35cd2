"""Risk: the level that follows from a score, and which messages have to be confirmed. Pure."""

from collections.abc import Mapping
from typing import Any

from sightline.contracts.security_events import RiskLevel

ACK_FROM_RISK_SCORE = 80
MIN_SCORE, MAX_SCORE = 0, 100
_LEVELS: tuple[tuple[int, RiskLevel], ...] = ((80, "critical"), (60, "high"), (30, "medium"), (0, "low"))
RISK_LEVELS: tuple[RiskLevel, ...] = ("low", "medium", "high", "critical")


def risk_level(score: int) -> RiskLevel:
    """Document 003's table; the database derives the same in a generated column."""
    if not MIN_SCORE <= score <= MAX_SCORE:
        raise ValueError(f"a risk score is 0 to 100, not {score}")
    return next(level for least, level in _LEVELS if score >= least)


def requires_ack(message: Mapping[str, Any]) -> bool:
    """Whether clients have to confirm a live message: events of 80 and more, or said to be critical.

    What is missing or null asks for nothing; it is no error.
    """
    data = message.get("data")
    if message.get("type") != "event" or not isinstance(data, Mapping):
        return False
    score = data.get("risk_score")
    if isinstance(score, int | float) and score >= ACK_FROM_RISK_SCORE:
        return True
    return data.get("risk_level") == "critical"
