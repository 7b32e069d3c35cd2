"""JSON error messages in the form of Jackson: the character, the position and an excerpt."""

__all__ = ["TOKEN_LIST", "Complaint", "describe_character", "source_location"]

TOKEN_LIST = "(JSON String, Number, Array, Object or token 'null', 'true' or 'false')"  # noqa: S105 - no password
MAX_EXCERPT = 500


class Complaint(Exception):
    """An error message and its position; `location` is empty for an error without a position."""

    def __init__(self, text: str, location: str = "") -> None:
        super().__init__(text)
        self.text = text
        self.location = location

    def __str__(self) -> str:
        return f"{self.text}\n at {self.location}" if self.location else self.text


def describe_character(char: str) -> str:
    code = ord(char)
    if code < 32 or 127 <= code < 160:
        return f"(CTRL-CHAR, code {code})"
    if code > 255:
        return f"'{char}' (code {code} / 0x{code:x})"
    return f"'{char}' (code {code})"


def source_location(source: str, at: int) -> str:
    line, start = 1, 0
    place = 0
    while place < at:
        char = source[place]
        place += 1
        if char == "\n" or (char == "\r" and source[place : place + 1] != "\n"):
            line, start = line + 1, place
    return f"[Source: (String){_excerpt(source)}; line: {line}, column: {at - start + 1}]"


def _excerpt(source: str) -> str:
    shown = "".join(_visible(char) for char in source[:MAX_EXCERPT])
    more = len(source) - MAX_EXCERPT
    return f'"{shown}"' + (f"[truncated {more} chars]" if more > 0 else "")


def _visible(char: str) -> str:
    code = ord(char)
    hidden = (code < 32 or 127 <= code < 160) and char not in "\r\n"
    return f"\\u{code:04X}" if hidden else char
