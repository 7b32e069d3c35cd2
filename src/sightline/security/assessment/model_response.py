"""Parsing of a model's response. Lenient in form, strict in content. Pure.

Servers that ignore the grammar or the schema wrap the object in prose, code fences or a block of thoughts, and write numbers as
`64.0` or `"65"`. All of that is understood; a response without a score and texts is refused.
"""

import json
import math
import re
from typing import Any

from sightline.errors import TransientFailure
from sightline.security.assessment.assessor import MAX_REASONING_LENGTH, MAX_SUMMARY_LENGTH, Assessment
from sightline.security.assessment.risk import MAX_SCORE, MIN_SCORE

MAX_QUOTE_LENGTH = 200
MAX_OBJECTS = 50
"""Opening braces that are tried; a response of nothing but braces must not cost quadratic time."""
_THOUGHTS = re.compile(r"<(think|thinking|reasoning)>.*?(</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_decoder = json.JSONDecoder()


class InvalidModelResponse(TransientFailure):
    """A response that cannot be used; another attempt may succeed."""


def parse_response(text: str, *, model: str, min_score: int = MIN_SCORE, max_score: int = MAX_SCORE) -> Assessment:
    """A score outside the band is moved to its edge."""
    response = _find_object(text)
    if response is None:
        raise InvalidModelResponse(f"the model's response has no JSON object with a risk_score: {_quote(text)}")
    score = _score(response["risk_score"])
    if score is None:
        raise InvalidModelResponse(f"the model's risk_score is no number: {_quote(response['risk_score'])}")
    summary, reasoning = response.get("summary"), response.get("reasoning")
    if not isinstance(summary, str) or not isinstance(reasoning, str) or not summary.strip() or not reasoning.strip():
        raise InvalidModelResponse("the model's summary or reasoning is missing")
    return Assessment(
        min(max(score, min_score), max_score),
        _clean(summary)[:MAX_SUMMARY_LENGTH],
        _clean(reasoning)[:MAX_REASONING_LENGTH],
        "model",
        model,
    )


def _find_object(text: str) -> dict[str, Any] | None:
    """The last object with a score: models that draft before they decide decide last."""
    found = None
    text = _THOUGHTS.sub(" ", text)
    at = text.find("{")
    for _ in range(MAX_OBJECTS):
        if at < 0:
            break
        try:
            value, end = _decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            if isinstance(value, dict) and "risk_score" in value:
                found = value
        at = text.find("{", end)
    return found


def _score(value: Any) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return round(min(max(number, MIN_SCORE), MAX_SCORE)) if math.isfinite(number) else None


def _clean(text: str) -> str:
    """PostgreSQL stores no NUL, and UTF-8 no half of a surrogate pair."""
    return text.replace("\0", "").encode("utf-8", "replace").decode().strip()


def _quote(value: Any) -> str:
    return repr(str(value)[:MAX_QUOTE_LENGTH])
