"""Where the objects of a video lie (documents 001 and 004). Pure."""

import re
from uuid import UUID

ORIGINALS = "videos/original/"

_ORIGINAL = re.compile(r"^videos/original/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/master\.mp4\Z")


def original_key(video_id: UUID) -> str:
    """Always `master.mp4`, whatever the container is: it is a name, and the content tells what it holds."""
    return f"{ORIGINALS}{video_id}/master.mp4"


def video_of_original(key: str) -> UUID | None:
    """The video whose original has this key; None for any other key."""
    found = _ORIGINAL.match(key)
    return None if found is None else UUID(found[1])


def prefixes_of(video_id: UUID) -> tuple[str, ...]:
    """Everything that is stored for a video lies below one of these."""
    return (
        f"{ORIGINALS}{video_id}/",
        f"videos/proxy/{video_id}/",
        f"videos/clips/{video_id}/",
        f"thumbs/{video_id}/",
        f"frames/{video_id}/",
        f"results/{video_id}/",
        f"annotations/{video_id}/",
    )
