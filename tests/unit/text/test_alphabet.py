"""Which letters and signs of the model can occur in a line."""

import pytest

from sightline.text.reading.ppocr.alphabet import is_allowed, plain_form


@pytest.mark.req(704)
@pytest.mark.parametrize("letter", "aßŁőȘșȚțƏə’‘“”‥―∙⋅℃€ΩΔ")
def test_latin_letters_and_usual_signs_are_allowed_in_every_language(letter):
    assert is_allowed(letter, ["eng"])
    assert is_allowed(letter, ["jpn"])


@pytest.mark.req(704)
@pytest.mark.parametrize("letter", "丨Ａ\u3000λ")
def test_letters_of_other_scripts_are_not(letter):
    assert not is_allowed(letter, ["eng"])


@pytest.mark.req(704)
@pytest.mark.parametrize(
    ("letter", "plain"), [("’", "'"), ("“", '"'), ("‥", ".."), ("℃", "°C"), ("é", "é"), ("Ａ", "Ａ")]
)
def test_quotes_and_dots_become_those_that_people_type(letter, plain):
    assert plain_form(letter) == plain
