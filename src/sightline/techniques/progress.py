"""Progress of an analysis, and its stages as document 000 names them. Pure."""

DOWNLOADING = 0.05
PROCESSING = (0.1, 0.8)
UPLOADING = 0.85
PUBLISHING = 0.95
_MAX_BEFORE_DONE = 0.99
# The database stores progress as a 4-byte float, in which 0.95 is slightly less.
_SLACK = 1e-4


def processing_progress(done: float) -> float:
    """`done` is the analyzer's own progress, 0 to 1."""
    low, high = PROCESSING
    return low + (high - low) * min(max(0.0, done), 1.0)


def publishing_progress(published: int, total: int) -> float:
    return PUBLISHING + (_MAX_BEFORE_DONE - PUBLISHING) * published / max(total, 1)


def stage_of(status: str, progress: float) -> str:
    """The stage of an analysis whose job has this queue status."""
    match status:
        case "done":
            return "completed"
        case "processing":
            found = progress + _SLACK
            if found >= PUBLISHING:
                return "publishing"
            if found >= UPLOADING:
                return "uploading"
            return "processing" if found >= PROCESSING[0] else "downloading"
    return status
