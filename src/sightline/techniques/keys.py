"""Where the objects of technique analysis lie. Pure."""

import re
from uuid import UUID

_FRAME = re.compile(r"frames/[^/]+/(\d+)\.jpg")


def result_prefix(video_id: UUID) -> str:
    """Results of a video lie below this, wherever a job asks them to be."""
    return f"results/{video_id}/"


def result_key(video_id: UUID, job_id: UUID) -> str:
    return f"{result_prefix(video_id)}{job_id}.json"


def annotation_keys(video_id: UUID) -> tuple[str, str]:
    """Where marked clips lie: as JSON or as CSV, the first that is there."""
    return f"annotations/{video_id}/clips.json", f"annotations/{video_id}/clips.csv"


def frames_prefix(video_id: UUID) -> str:
    return f"frames/{video_id}/"


def frame_ms(key: str) -> int | None:
    """When a key frame was shown; None if the key is none of a frame."""
    found = _FRAME.fullmatch(key)
    return None if found is None else int(found[1])
