"""Durations as people read them."""

_UNITS = (("d", 86400), ("h", 3600), ("m", 60), ("s", 1))


def duration_text(seconds: float) -> str:
    """The two largest units: 3d 4h, 12m 5s, 0s."""
    left = max(0, int(seconds))
    parts: list[str] = []
    for unit, size in _UNITS:
        count, left = divmod(left, size)
        if count or parts:
            parts.append(f"{count}{unit}")
    return " ".join(parts[:2]) or "0s"


def media_time(ms: int) -> str:
    """Time in a video: 1:05.3, or 1:02:05.3 after an hour."""
    tenths = ms // 100
    minutes, rest = divmod(tenths, 600)
    hours, minutes = divmod(minutes, 60)
    seconds = f"{rest // 10:02}.{rest % 10}"
    return f"{hours}:{minutes:02}:{seconds}" if hours else f"{minutes}:{seconds}"
