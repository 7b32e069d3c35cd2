"""Questions in other words than the videos use, written after the search was tuned."""

QUESTIONS: tuple[tuple[str, str, str], ...] = ()
