"""Durations in the sentences that people read about events. Pure."""


def duration_words(seconds: int) -> str:
    return f"{seconds} s" if seconds < 120 else f"{round(seconds / 60)} min"
