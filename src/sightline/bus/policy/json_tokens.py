"""A pull parser for JSON text whose tokens, positions and error messages are those of Jackson."""

# AWS shows Jackson's texts and positions to the caller, so both are part of the contract. Two habits of that
# parser are visible in them: a field name is only reported once the start of its value was read, and a string
# is only read to its end when its text is requested. Where a character is wrong, the reported position is the
# one behind it, as in the versions before 2.16: later ones would not quote the text, and AWS does.

import re
from enum import Enum, auto
from typing import NoReturn

from sightline.bus.policy.json_complaints import TOKEN_LIST, describe_character, source_location
from sightline.bus.policy.json_scan import JsonScanner

__all__ = ["MAX_DEPTH", "JsonReader", "Token"]

# Jackson stops at 1000 levels; fewer keep the recursive readers above well inside Python's own limit
MAX_DEPTH = 200
MAX_TOKEN_SHOWN = 256

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_WORDS = {"t": "true", "f": "false", "n": "null"}
_NOT_NUMBERS = {"N": "NaN", "I": "Infinity"}


class Token(Enum):
    START_OBJECT = auto()
    END_OBJECT = auto()
    START_ARRAY = auto()
    END_ARRAY = auto()
    FIELD_NAME = auto()
    STRING = auto()
    INTEGER = auto()
    FLOAT = auto()
    TRUE = auto()
    FALSE = auto()
    NULL = auto()
    END = auto()

    @property
    def is_number(self) -> bool:
        return self in (Token.INTEGER, Token.FLOAT)


_WORD_TOKENS = {"true": Token.TRUE, "false": Token.FALSE, "null": Token.NULL}


class JsonReader(JsonScanner):
    """`next()` steps to a token, `text()` reads it, `complain()` refuses it where the reader stands."""

    def __init__(self, source: str) -> None:
        super().__init__(source)
        self.name = ""
        self.token = Token.END
        self._text = ""
        self._string_pending = False
        self._after_name: Token | None = None
        # one entry per open container: its opening character, where it stands, how many entries were begun
        self._open: list[tuple[str, int]] = []
        self._entries: list[int] = []

    @property
    def depth(self) -> int:
        return len(self._open)

    def next(self) -> Token:
        if self._after_name is not None:
            token, self._after_name = self._after_name, None
            if token in (Token.START_OBJECT, Token.START_ARRAY):
                self._enter()
            self.token = token
            return token
        if self._string_pending:
            self.text()
        self.token = self._step()
        return self.token

    def text(self) -> str:
        """The token as written; for a string its content, which reads it to its closing quote."""
        if self.token is Token.FIELD_NAME:
            return self.name
        if self._string_pending:
            self._string_pending = False
            self._text = self._read_string(": was expecting closing quote for a string value", "string value")
        return self._text

    def _step(self) -> Token:
        char = self._skip_space()
        if char == "":
            if self._open:
                opening, start = self._open[-1]
                kind = "Array" if opening == "[" else "Object"
                place = source_location(self.source, start)
                self._end_of_input(f": expected close marker for {kind} (start marker at {place})")
            return Token.END
        if char in "]}":
            return self._close(char)
        if self._open:
            if self._entries[-1]:
                char = self._skip_comma(char)
            self._entries[-1] += 1
        if not self._open or self._open[-1][0] == "[":
            token = self._value(char)
            if token in (Token.START_OBJECT, Token.START_ARRAY):
                self._enter()
            return token
        if char != '"':
            self._unexpected(char, "was expecting double-quote to start field name")
        self._at += 1
        self.name = self._read_string(" in field name", "name")
        if self._skip_space(" within/between Object entries") != ":":
            self._unexpected(self.source[self._at], "was expecting a colon to separate field name and value")
        self._at += 1
        self._after_name = self._value(self._skip_space(" within/between Object entries"))
        return Token.FIELD_NAME

    def _skip_comma(self, char: str) -> str:
        kind = "Array" if self._open[-1][0] == "[" else "Object"
        if char != ",":
            self._unexpected(char, f"was expecting comma to separate {kind} entries")
        self._at += 1
        return self._skip_space(f" within/between {kind} entries")

    def _enter(self) -> None:
        if len(self._open) >= MAX_DEPTH:
            self.complain(
                f"Document nesting depth ({MAX_DEPTH + 1}) exceeds the maximum allowed "
                f"({MAX_DEPTH}, from `StreamReadConstraints.getMaxNestingDepth()`)"
            )
        self._open.append((self._text, self._at - 1))
        self._entries.append(0)

    def _close(self, char: str) -> Token:
        opening, start = self._open[-1] if self._open else ("", -1)
        expected = {"[": "]", "{": "}"}.get(opening, "}" if char == "]" else "]")
        if char != expected:
            kind = {"[": "Array", "{": "Object"}.get(opening, "root")
            place = source_location(self.source, start)
            message = f"Unexpected close marker '{char}': expected '{expected}' (for {kind} starting at {place})"
            self.complain(message, self._at + 1)
        self._at += 1
        self._open.pop()
        self._entries.pop()
        self._text = char
        return Token.END_ARRAY if char == "]" else Token.END_OBJECT

    def _value(self, char: str) -> Token:
        if char == '"':
            self._at += 1
            self._string_pending = True
            return Token.STRING
        if char in "[{":
            self._at += 1
            self._text = char
            return Token.START_ARRAY if char == "[" else Token.START_OBJECT
        if char == "}":
            self._unexpected(char, "expected a value")
        if char in _WORDS:
            return self._word(_WORDS[char])
        if char == "-" or char in "0123456789":
            return self._number()
        self._odd_value(char)

    def _word(self, word: str) -> Token:
        end = self._at + len(word)
        if self.source[self._at : end] != word or _continues_name(self.source, end):
            self._unknown_token()
        self._at, self._text = end, word
        return _WORD_TOKENS[word]

    def _number(self) -> Token:
        source, start = self.source, self._at
        found = _NUMBER.match(source, start)
        if found is None:
            self._bad_minus(start)
        end = found.end()
        following = source[end : end + 1]
        if found.group() in ("0", "-0") and following.isascii() and following.isdigit():
            self.complain("Invalid numeric value: Leading zeroes not allowed", end)
        if following == "." and found.group(1) is None and found.group(2) is None:
            self._bad_number(source[end + 1 : end + 2] or ".", "Decimal point not followed by a digit", start + 1)
        if following in ("e", "E") and found.group(2) is None:
            sign = 1 if source[end + 1 : end + 2] in ("+", "-") else 0
            culprit = source[end + 1 + sign : end + 2 + sign]
            if culprit == "":
                self._at = len(source)
                self._end_of_input("expected a digit for number exponent")
            self._bad_number(culprit, "Exponent indicator not followed by a digit", start + 1)
        self._at, self._text = end, found.group()
        return Token.INTEGER if found.group(1) is None and found.group(2) is None else Token.FLOAT

    def _bad_minus(self, start: int) -> NoReturn:
        culprit = self.source[start + 1 : start + 2]
        if culprit == "":
            self._at = start + 1
            self._end_of_input("No digit following sign")
        if self.source.startswith("Infinity", start + 1):
            self._not_a_number("-Infinity")
        self._bad_number(culprit, "expected digit (0-9) to follow minus sign, for valid numeric value", start + 2)

    def _odd_value(self, char: str) -> NoReturn:
        word = _NOT_NUMBERS.get(char)
        if word is not None and self.source.startswith(word, self._at):
            self._not_a_number(word)
        if char == "+":
            self._bad_number(
                char,
                "JSON spec does not allow numbers to have plus signs: "
                "enable `JsonReadFeature.ALLOW_LEADING_PLUS_SIGN_FOR_NUMBERS` to allow",
                self._at + 1,
            )
        if _continues_name(self.source, self._at):
            self._unknown_token()
        self._unexpected(char, f"expected a valid value {TOKEN_LIST}")

    def _not_a_number(self, word: str) -> NoReturn:
        message = f"Non-standard token '{word}': enable `JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS` to allow"
        self.complain(message, self._at + len(word))

    def _unknown_token(self) -> NoReturn:
        source, end = self.source, self._at
        while end - self._at < MAX_TOKEN_SHOWN and _continues_name(source, end):
            end += 1
        shown = source[self._at : end] + ("..." if end - self._at >= MAX_TOKEN_SHOWN else "")
        self.complain(f"Unrecognized token '{shown}': was expecting {TOKEN_LIST}", end)

    def _bad_number(self, char: str, comment: str, at: int) -> NoReturn:
        self.complain(f"Unexpected character ({describe_character(char)}) in numeric value: {comment}", at)


def _continues_name(source: str, at: int) -> bool:
    char = source[at : at + 1]
    return char != "" and (char == "$" or char == "_" or ("a" + char).isidentifier())
