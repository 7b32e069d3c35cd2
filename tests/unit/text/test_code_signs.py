"""Signs of code are decided by what stands beside them, and only where the network wavers."""

import pytest

from sightline.text.reading.engine import ScoredLetter
from sightline.text.reading.ppocr.code_signs import with_signs


def _decided(text, doubts):
    """The text, when the letters at these places have another reading with a score."""
    letters = [
        ScoredLetter(letter, 0.6, (doubts[at],)) if at in doubts else ScoredLetter(letter, 0.99)
        for at, letter in enumerate(text)
    ]
    return "".join(letter.text for letter in with_signs(letters))


@pytest.mark.req(784)
@pytest.mark.parametrize(
    ("text", "doubts", "decided"),
    [
        ("if (a Il b) {", {6: ("|", 0.2), 7: ("|", 0.15)}, "if (a || b) {"),
        ("cat log I sort", {8: ("|", 0.3)}, "cat log | sort"),
        ("f(x) { y )()", {9: ("}", 0.3)}, "f(x) { y }()"),
        ("f((a, b};", {1: ("{", 0.2)}, "f((a, b};"),
        ("a = {f(b, c];", {6: ("[", 0.2)}, "a = {f[b, c];"),
        ("cd S{HOME}/bin", {3: ("$", 0.05)}, "cd ${HOME}/bin"),
        ("f(^${a}^);", {2: ("`", 0.03), 7: ("`", 0.2)}, "f(`${a}`);"),
        ("f(a[1]):", {7: (";", 0.2)}, "f(a[1]);"),
    ],
)
def test_a_doubtful_sign_becomes_what_code_has_there(text, doubts, decided):
    assert _decided(text, doubts) == decided


@pytest.mark.req(784)
@pytest.mark.parametrize(
    ("text", "doubts"),
    [
        ("Henry II was king", {6: ("|", 0.02), 7: ("|", 0.02)}),
        ("I am here", {0: ("|", 0.4)}),
        ("Save all files", {0: ("$", 0.3)}),
        ("Ask: who is it:", {14: (";", 0.3)}),
        ("x = f(a) ^ (b)", {9: ("`", 0.01)}),
        ("if (a):", {6: (";", 0.05)}),
    ],
)
def test_prose_and_certain_signs_stay(text, doubts):
    assert _decided(text, doubts) == text
