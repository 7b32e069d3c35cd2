"""The characters of JSON text: white space, strings and escapes, with the place of whatever is wrong."""

import re
from typing import NoReturn

from sightline.bus.policy.json_complaints import Complaint, describe_character, source_location

__all__ = ["JsonScanner"]

_PLAIN = re.compile(r'[^"\\\x00-\x1f]*')
_HEX = re.compile(r"[0-9a-fA-F]")
_ESCAPES = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r", '"': '"', "/": "/", "\\": "\\"}


class JsonScanner:
    def __init__(self, source: str) -> None:
        self.source = source
        self._at = 0

    def complain(self, message: str, at: int | None = None) -> NoReturn:
        raise Complaint(message, source_location(self.source, self._at if at is None else at))

    def _skip_space(self, at_end: str | None = None) -> str:
        """Stop at the next character that means something and return it; "" at the end of the input."""
        source, at, size = self.source, self._at, len(self.source)
        while at < size and source[at] in " \t\n\r":
            at += 1
        self._at = at
        if at == size:
            if at_end is not None:
                self._end_of_input(at_end)
            return ""
        char = source[at]
        if char < " ":
            self._at += 1
            self.complain(
                f"Illegal character ({describe_character(char)}): "
                "only regular white space (\\r, \\n, \\t) is allowed between tokens"
            )
        if char == "/":
            self._unexpected(
                char,
                "maybe a (non-standard) comment? "
                "(not recognized as one since Feature 'ALLOW_COMMENTS' not enabled for parser)",
            )
        return char

    def _unexpected(self, char: str, comment: str) -> NoReturn:
        self.complain(f"Unexpected character ({describe_character(char)}): {comment}", self._at + 1)

    def _end_of_input(self, comment: str) -> NoReturn:
        self.complain(f"Unexpected end-of-input{comment}")

    def _read_string(self, at_end: str, place: str) -> str:
        """Read from behind the opening quote to behind the closing one."""
        source, pieces = self.source, []
        while True:
            plain = _PLAIN.match(source, self._at)
            if plain is not None:
                pieces.append(plain.group())
                self._at = plain.end()
            char = source[self._at : self._at + 1]
            if char == '"':
                self._at += 1
                return _join_surrogates("".join(pieces))
            if char == "":
                self._end_of_input(at_end)
            if char != "\\":
                self.complain(
                    f"Illegal unquoted character ({describe_character(char)}): "
                    f"has to be escaped using backslash to be included in {place}",
                    self._at + 1,
                )
            pieces.append(self._read_escape())

    def _read_escape(self) -> str:
        self._at += 1
        char = self.source[self._at : self._at + 1]
        if char == "":
            self._end_of_input(" in character escape sequence")
        if char in _ESCAPES:
            self._at += 1
            return _ESCAPES[char]
        if char != "u":
            self.complain(f"Unrecognized character escape {describe_character(char)}", self._at + 1)
        for place in range(self._at + 1, self._at + 5):
            digit = self.source[place : place + 1]
            if digit == "":
                self._at = len(self.source)
                self._end_of_input(" in character escape sequence")
            if not _HEX.match(digit):
                self._at = place
                self._unexpected(digit, "expected a hex-digit for character escape sequence")
        self._at += 5
        return chr(int(self.source[self._at - 4 : self._at], 16))


def _join_surrogates(text: str) -> str:
    """Two escapes may spell one character; a half without its partner stays as it is."""
    if not any("\ud800" <= char <= "\udfff" for char in text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
