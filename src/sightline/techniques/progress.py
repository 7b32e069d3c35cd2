"""How far an analysis is, and what document 000 calls that stage. Pure."""

DOWNLOADING = 0.05
PROCESSING = (0.1, 0.8)
UPLOADING = 0.85
PUBLISHING = 0.95
_ALMOST_DONE = 0.99
# The database keeps progress in four bytes, in which 0.95 is a little less.
_SLACK = 1e-4


def processing_progress(done: float) -> float:
    """`done` is the analyzer's own 0 to 1."""
    low, high = PROCESSING
    return low + (high - low) * min(max(0.0, done), 1.0)


def publishing_progress(said: int, total: int) -> float:
    return PUBLISHING + (_ALMOST_DONE - PUBLISHING) * said / max(total, 1)


def stage_of(status: str, progress: float) -> str:
    """The word for an analysis whose job has this status of the queue."""
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
