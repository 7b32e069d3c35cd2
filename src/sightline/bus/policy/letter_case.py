"""Case-insensitive comparison, letter by letter: each letter matches its upper and its lower form."""

import re
from functools import lru_cache

__all__ = ["folded", "ignoring_case", "lengths"]


@lru_cache(maxsize=4096)
def ignoring_case(text: str) -> re.Pattern[str]:
    """A pattern for the text; full case folding would let more letters be equal than AWS does."""
    return re.compile("".join(map(_either, text)), re.DOTALL)


@lru_cache(maxsize=4096)
def lengths(text: str) -> tuple[int, int]:
    """How short and how long a spelling can be: the upper form of a letter may be several letters."""
    forms = [(len(char.lower()), len(char.upper())) for char in text]
    return sum(map(min, forms)), sum(map(max, forms))


def folded(text: str) -> str | None:
    """A key that every spelling the pattern accepts shares; None where the letters allow no such key."""
    for char in text:
        if not char.casefold() == char.lower().casefold() == char.upper().casefold():
            return None
    return text.casefold()


def _either(char: str) -> str:
    lower, upper = char.lower(), char.upper()
    if lower == upper:
        return re.escape(lower)
    if len(lower) == len(upper) == 1:
        return f"[{re.escape(lower)}{re.escape(upper)}]"
    return f"(?:{re.escape(lower)}|{re.escape(upper)})"
