"""What an HTTP answer means for a notification: taken, wrong for good, or worth another try."""

from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from sightline.errors import BackendUnavailable, PermanentFailure, PlatformError, Throttled
from sightline.notifications.http_client import HttpAnswer
from sightline.notifications.mail.plain_text import one_line

LONGEST_QUOTE = 200
LONGEST_WAIT = timedelta(hours=24)
_WORTH_ANOTHER_TRY = frozenset({408, 425})


def refusal(part: str, answer: HttpAnswer, *, now: datetime | None = None) -> PlatformError | None:
    """None if it was taken. 4xx is about the notification and stays wrong, but for being too fast."""
    status = answer.status
    if 200 <= status < 300:
        return None
    said = f"{part} answered {status}: {one_line(answer.text[:2000], max_length=LONGEST_QUOTE)}"
    if status == 429 or (status == 503 and "retry-after" in answer.headers):
        return Throttled(said, retry_after=retry_after(answer.headers.get("retry-after"), now=now))
    if status >= 500 or status in _WORTH_ANOTHER_TRY:
        return BackendUnavailable(part, said)
    # 3xx too: a notification is not carried to wherever somebody points.
    return PermanentFailure(said, details={"status": status})


def retry_after(header: str | None, *, now: datetime | None = None) -> timedelta:
    """Seconds or a date; a second where neither is told."""
    text = (header or "").strip()
    if text.isdecimal() and len(text) < 10:
        return min(timedelta(seconds=int(text)), LONGEST_WAIT)
    try:
        wait = parsedate_to_datetime(text) - (now or datetime.now(UTC))
    except (ValueError, TypeError):
        return timedelta(seconds=1)
    return min(max(wait, timedelta()), LONGEST_WAIT)
