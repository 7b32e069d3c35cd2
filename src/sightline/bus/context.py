"""Context of a message: the correlation id and the trace that its consumer continues."""

from sightline.observability import correlation_id, trace_carrier


def current_context() -> dict[str, str]:
    """Context of the current work; empty if it has neither."""
    found = trace_carrier()
    if (present := correlation_id()) is not None:
        found["correlation_id"] = present
    return found
