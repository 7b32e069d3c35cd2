"""Look-alikes are decided by the letters beside, and only where the network wavers."""

import pytest

from sightline.text.reading.engine import ScoredLetter
from sightline.text.reading.ppocr.lookalikes import with_lookalikes, with_twins


def _decided(text, number, other, score):
    """The text, when letter `number` has this look-alike."""
    letters = [
        ScoredLetter(letter, 0.6, ((other, score),)) if at == number else ScoredLetter(letter, 0.99)
        for at, letter in enumerate(text)
    ]
    return "".join(letter.text for letter in with_lookalikes(letters))


@pytest.mark.req(709)
@pytest.mark.parametrize(
    ("text", "number", "other", "decided"),
    [
        ("0K", 0, "O", "OK"),
        ("1og", 0, "l", "log"),
        ("T0DO", 1, "O", "TODO"),
        ("1O5", 1, "0", "105"),
        ("f0r", 1, "O", "for"),
    ],
)
def test_a_doubtful_look_alike_becomes_what_stands_beside_it(text, number, other, decided):
    assert _decided(text, number, other, 0.3) == decided


@pytest.mark.req(709)
@pytest.mark.parametrize(
    ("text", "number", "other", "score"),
    [("0K", 0, "O", 0.01), ("10 kg", 1, "O", 0.4), ("B0 1", 1, "", 0.0), ("A10", 2, "O", 0.4), ("3.0", 2, "O", 0.4)],
)
def test_certain_digits_and_digits_in_numbers_are_never_changed(text, number, other, score):
    assert _decided(text, number, other, score) == text


@pytest.mark.req(788)
def test_what_may_be_one_of_two_look_alikes_is_certainly_a_letter():
    assert with_twins(ScoredLetter("O", 0.51, (("0", 0.3), ("o", 0.15)))) == pytest.approx(0.96)
    assert with_twins(ScoredLetter("x", 0.6, (("X", 0.35),))) == pytest.approx(0.95)
    assert with_twins(ScoredLetter("S", 0.5, (("$", 0.4),))) == 0.5


@pytest.mark.req(844)
@pytest.mark.parametrize(
    ("text", "number", "other", "decided"),
    [("-1º", 2, "°", "-1°"), ("17º", 2, "°", "17°"), ("1º andar", 1, "°", "1º andar"), ("nº", 1, "°", "nº")],
)
def test_the_sign_behind_a_number_at_the_end_is_that_of_degrees(text, number, other, decided):
    assert _decided(text, number, other, 0.3) == decided


@pytest.mark.req(844)
def test_a_degree_that_may_be_an_ordinal_is_certain_to_be_one_of_both():
    letters = [ScoredLetter("3", 0.99), ScoredLetter("°", 0.65, (("º", 0.3),))]
    assert with_lookalikes(letters)[1].score == pytest.approx(0.95)
