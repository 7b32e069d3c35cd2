"""What travels along with a message: correlation id and trace, so that whoever works on it continues both."""

from sightline.observability import correlation_id, trace_carrier


def current_context() -> dict[str, str]:
    """Of the work at hand; empty if it has neither."""
    found = trace_carrier()
    if (present := correlation_id()) is not None:
        found["correlation_id"] = present
    return found
