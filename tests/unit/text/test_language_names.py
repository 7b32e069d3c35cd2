"""Languages by code and by name: what is found, what is suggested, what an error says."""

import pytest

from sightline.text.languages import UnknownLanguage, find_language, known_languages
from sightline.text.languages.models import missing_text


@pytest.mark.req(441)
@pytest.mark.parametrize("text", ["por", "POR", "Portuguese", " portuguese "])
def test_a_language_is_found_by_its_code_and_by_its_name(text):
    assert find_language(text).code == "por"


@pytest.mark.req(443)
@pytest.mark.parametrize(
    ("text", "suggested"), [("portugese", "por (Portuguese)"), ("germn", "deu (German)"), ("jp", "jpn (Japanese)")]
)
def test_an_unknown_language_gets_similar_names(text, suggested):
    with pytest.raises(UnknownLanguage, match="did you mean") as refused:
        find_language(text)
    assert suggested in refused.value.message


@pytest.mark.req(443)
def test_a_name_like_no_other_gets_no_suggestion():
    with pytest.raises(UnknownLanguage) as refused:
        find_language("qqqqqq")
    assert "did you mean" not in refused.value.message
    assert "sightline languages --available" in refused.value.message


def test_the_catalogue_pins_each_package_and_each_model():
    known = known_languages()
    assert {"eng", "deu", "fra", "por", "spa", "jpn"} <= set(known)
    for language in known.values():
        assert language.archive_integrity.startswith("sha512-")
        assert len(language.model_sha256) == 64
        assert 0 < language.model_bytes < 20_000_000
    assert len({language.name for language in known.values()}) == len(known)


@pytest.mark.req(444)
def test_what_is_missing_is_named_with_the_command_that_adds_it():
    assert "the language por is not installed; add with `sightline languages add por`" in missing_text(["por"])
    assert "the languages por, spa are not installed" in missing_text(["por", "spa"])
    assert "`sightline languages add por spa`" in missing_text(["por", "spa"])
    assert "no language 'xyz' can be added by name" in missing_text(["xyz"])
