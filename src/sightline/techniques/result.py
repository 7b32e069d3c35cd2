"""Analysis results as they are stored: clips, rejected clips, problems and model usage."""

import json
from dataclasses import asdict, dataclass, field
from typing import Any

from sightline.errors import PermanentFailure
from sightline.techniques.clip import RejectedClip, TechniqueClip

_CLIP_FIELDS = tuple(TechniqueClip.__dataclass_fields__)


@dataclass(frozen=True, slots=True)
class AnalysisProblem:
    """A part of the video that could not be analyzed, and why."""

    start_ms: int
    end_ms: int
    reason: str


@dataclass(slots=True)
class ModelUsage:
    """Calls of the model, their tokens and their cost."""

    calls: int = 0
    failed_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0


@dataclass(slots=True)
class Analysis:
    """What an analyzer found."""

    match_summary: str
    clips: list[TechniqueClip]
    fps: float
    left_out: list[RejectedClip] = field(default_factory=list)
    problems: list[AnalysisProblem] = field(default_factory=list)
    usage: ModelUsage | None = None


def encode_result(analysis: Analysis, *, job_id: str, video_id: str, analyzer: str) -> bytes:
    """The document at `result_s3_uri`."""
    content: dict[str, Any] = {
        "job_id": job_id,
        "video_id": video_id,
        "analyzer": analyzer,
        "match_summary": analysis.match_summary,
        "fps": analysis.fps,
        "clips": [asdict(clip) for clip in analysis.clips],
        "left_out": [{**asdict(one.clip), "reason": one.reason} for one in analysis.left_out],
        "problems": [asdict(one) for one in analysis.problems],
        "usage": None if analysis.usage is None else asdict(analysis.usage),
    }
    return json.dumps(_finite(content), ensure_ascii=False, indent=1).encode("utf-8", "replace")


def decode_clips(content: bytes, *, key: str) -> tuple[list[TechniqueClip], float]:
    """The clips and the frame rate of a stored result, for resuming its publication."""
    try:
        found = json.loads(content)
        clips = [TechniqueClip(**{name: one[name] for name in _CLIP_FIELDS}) for one in found["clips"]]
        return clips, float(found["fps"])
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise PermanentFailure(f"{key} is not an analysis result: {error}") from error


def _finite(value: Any) -> Any:
    """JSON has no NaN and no infinity, so they are stored as text."""
    match value:
        case float() if value != value or value in (float("inf"), float("-inf")):
            return str(value)
        case dict():
            return {key: _finite(inner) for key, inner in value.items()}
        case list():
            return [_finite(inner) for inner in value]
    return value
