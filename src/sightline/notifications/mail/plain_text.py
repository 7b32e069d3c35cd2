"""Untrusted text made safe for an email: one line of limited length that does not affect the text around it. Pure."""

import unicodedata

_ELLIPSIS = "…"
_REPLACEMENT = "\ufffd"
_ISOLATE, _END_OF_ISOLATE = "\u2068", "\u2069"
# Embeddings, overrides and isolates: left open, they reverse the text that follows.
_DIRECTION_CONTROLS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_JOINER = "\u200d"
_REGIONAL = range(0x1F1E6, 0x1F200)
_SKIN_TONES = range(0x1F3FB, 0x1F400)
_TAGS = range(0xE0020, 0xE0080)


def one_line(text: str, *, max_length: int) -> str:
    """Without control characters, at most `max_length` long; right-to-left text is isolated from its surroundings."""
    kept = "".join(_harmless(char) for char in text if char not in _DIRECTION_CONTROLS)
    short = shorten(" ".join(kept.split()), max_length=max_length)
    if any(unicodedata.bidirectional(char) in ("R", "AL") for char in short):
        return f"{_ISOLATE}{short}{_END_OF_ISOLATE}"
    return short


def storable(text: str, *, max_length: int) -> str:
    """Unchanged except for characters that a database cannot store; for text that is validated later."""
    return "".join(
        _REPLACEMENT if char == "\0" or unicodedata.category(char) == "Cs" else char for char in text[:max_length]
    )


def shorten(text: str, *, max_length: int) -> str:
    """Cut with an ellipsis between characters as people see them: accents and joined emoji stay whole."""
    if len(text) <= max_length:
        return text
    cut = max_length - 1
    while cut > max_length // 2 and _joins_previous(text, cut):
        cut -= 1
    return text[:cut].rstrip() + _ELLIPSIS


def _harmless(char: str) -> str:
    category = unicodedata.category(char)
    if category in ("Cc", "Zl", "Zp"):
        return " "
    return _REPLACEMENT if category == "Cs" else char


def _joins_previous(text: str, at: int) -> bool:
    char, before = text[at], text[at - 1]
    if _JOINER in (char, before) or unicodedata.category(char) in ("Mn", "Mc", "Me"):
        return True
    if ord(char) in _REGIONAL:  # flags are pairs
        start = at
        while start > 0 and ord(text[start - 1]) in _REGIONAL:
            start -= 1
        return (at - start) % 2 == 1
    return ord(char) in _SKIN_TONES or ord(char) in _TAGS
