"""Times in requests: numbers of seconds, or texts."""

from datetime import UTC, datetime
from typing import Any

from sightline.api.aws.call import AwsError


def read_time(value: Any, member: str) -> datetime | None:
    """None if there is none."""
    if value is None:
        return None
    try:
        if isinstance(value, str) and not value.replace(".", "", 1).isdigit():
            found = datetime.fromisoformat(value)
            return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
        return datetime.fromtimestamp(float(value), UTC)
    except (ValueError, TypeError, OverflowError, OSError) as error:
        raise AwsError("SerializationException", f"{member} must be a time.") from error
