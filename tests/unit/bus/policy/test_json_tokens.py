"""The reader's tokens, places and complaints are those of the parser AWS uses."""

import pytest

from sightline.bus.policy.json_complaints import Complaint
from sightline.bus.policy.json_tokens import MAX_DEPTH, JsonReader, Token


def read_all(text: str) -> list[tuple[Token, str]]:
    reader, tokens = JsonReader(text), []
    while reader.next() is not Token.END:
        tokens.append((reader.token, reader.text()))
    return tokens


def complaint(text: str) -> str:
    with pytest.raises(Complaint) as caught:
        read_all(text)
    return str(caught.value)


def test_tokens_come_in_order_with_their_text() -> None:
    assert read_all('{"a": [1, -2.5e3, "x\\n", true, null]}') == [
        (Token.START_OBJECT, "{"),
        (Token.FIELD_NAME, "a"),
        (Token.START_ARRAY, "["),
        (Token.INTEGER, "1"),
        (Token.FLOAT, "-2.5e3"),
        (Token.STRING, "x\n"),
        (Token.TRUE, "true"),
        (Token.NULL, "null"),
        (Token.END_ARRAY, "]"),
        (Token.END_OBJECT, "}"),
    ]


def test_two_escapes_may_spell_one_character_and_half_a_one_stays() -> None:
    assert read_all('"\\ud83d\\ude00\\ud800"') == [(Token.STRING, "\U0001f600\ud800")]


def test_an_unread_string_is_left_after_its_opening_quote() -> None:
    for ask, column in ((False, 3), (True, 6)):
        reader = JsonReader('["abc"]')
        reader.next()
        reader.next()
        if ask:
            reader.text()
        with pytest.raises(Complaint, match=f"column: {column + ask}"):
            reader.complain("here")


@pytest.mark.parametrize(
    ("text", "start"),
    [
        (
            '{"a" 1}',
            "Unexpected character ('1' (code 49)): was expecting a colon to separate field name and value",
        ),
        (
            '{"a":1 "b":2}',
            "Unexpected character ('\"' (code 34)): was expecting comma to separate Object entries",
        ),
        ("[1,]", "Unexpected character (']' (code 93)): expected a valid value (JSON String, Number, Array"),
        ('{"a":}', "Unexpected character ('}' (code 125)): expected a value"),
        ("[☃]", "Unexpected character ('☃' (code 9731 / 0x2603)): expected a valid value"),
        ("[trux]", "Unrecognized token 'trux': was expecting (JSON String, Number, Array, Object or token"),
        (
            "[-x]",
            "Unexpected character ('x' (code 120)) in numeric value: expected digit (0-9) to follow minus",
        ),
        (
            "[1.x]",
            "Unexpected character ('x' (code 120)) in numeric value: Decimal point not followed by a digit",
        ),
        ('["\\x"]', "Unrecognized character escape 'x' (code 120)"),
        ('["\n"]', "Illegal unquoted character ((CTRL-CHAR, code 10)): has to be escaped using backslash"),
        ('["a', "Unexpected end-of-input: was expecting closing quote for a string value"),
        ('{"a', "Unexpected end-of-input in field name"),
        ('{"a":', "Unexpected end-of-input within/between Object entries"),
        ("[NaN]", "Non-standard token 'NaN': enable `JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS` to allow"),
        ("[\x01]", "Illegal character ((CTRL-CHAR, code 1)): only regular white space"),
        ("]", "Unexpected close marker ']': expected '}' (for root starting at "),
        ("[" * (MAX_DEPTH + 1), f"Document nesting depth ({MAX_DEPTH + 1}) exceeds the maximum allowed"),
    ],
)
def test_errors_use_the_words_of_the_parser(text: str, start: str) -> None:
    assert complaint(text).startswith(start)


def test_lines_are_counted_at_each_kind_of_line_end() -> None:
    assert "line: 4, column: 2]" in complaint("[1,\r\n2,\r3,\n]")
