"""Control characters in text that comes from outside: a terminal would execute them."""

_ESCAPES = {code: repr(chr(code))[1:-1] for code in (*range(32), *range(127, 160)) if chr(code) not in "\n\t"}


def escape_controls(text: str) -> str:
    """The text with each control character, except newline and tab, written as an escape such as \\x1b."""
    return text.translate(_ESCAPES)
