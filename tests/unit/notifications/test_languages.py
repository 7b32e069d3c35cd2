"""Every language of emails and notifications has all the words, with the same placeholders; none is left in another language."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

import sightline
from sightline.api.notifications import channel_test, confirmation_page
from sightline.api.shares import player_page
from sightline.messages import address_challenges, event_words
from sightline.notifications import Language, reason_in
from sightline.notifications.mail.rendering import LANGUAGES

TEMPLATES = Path(sightline.__file__).parent / "notifications" / "templates"
REASONS = tomllib.loads((TEMPLATES / "reasons.toml").read_text(encoding="utf-8"))
OTHERS = tuple(one for one in LANGUAGES if one != "en")
ALIKE = {"Player", "Confirmar", "Motivo", "cancelado por {who}"}  # the same words in several languages
WORDS: dict[str, Mapping[Language, Any]] = {
    "emails": {one: tomllib.loads((TEMPLATES / f"{one}.toml").read_text(encoding="utf-8")) for one in LANGUAGES},
    "titles of events": event_words._TITLES,
    "texts of events": event_words._BODIES,
    "mails that confirm an address": address_challenges._MAIL,
    "codes that confirm a topic": address_challenges._CODE,
    "confirmation page": confirmation_page._WORDS,
    "test of a channel": channel_test._WORDS,
    "page of a share link": player_page._WORDS,
}


def texts_of(words: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Every text with the way to it."""
    if isinstance(words, str):
        yield name, words
    elif isinstance(words, Mapping):
        for key, inner in words.items():
            yield from texts_of(inner, f"{name}.{key}")
    else:
        for number, inner in enumerate(words):
            yield from texts_of(inner, f"{name}.{number}")


def placeholders(text: str) -> list[str]:
    return sorted(re.findall(r"\{+\w*\}+", text))


@pytest.mark.req(447, 1110)
@pytest.mark.parametrize("name", WORDS)
def test_every_language_has_every_text_with_the_same_placeholders(name: str):
    words = WORDS[name]
    assert set(words) == set(LANGUAGES)
    english = dict(texts_of(words["en"]))
    for language in OTHERS:
        found = dict(texts_of(words[language]))
        assert list(found) == list(english), language
        for key, text in found.items():
            assert placeholders(text) == placeholders(english[key]), f"{language}{key}"
            assert text.strip(), f"{language}{key}"


@pytest.mark.req(447, 1110)
@pytest.mark.parametrize("name", WORDS)
def test_no_text_was_left_in_another_language(name: str):
    all_texts = {language: dict(texts_of(words)) for language, words in WORDS[name].items()}
    for key in all_texts["en"]:
        different = {texts[key] for texts in all_texts.values()}
        assert len(different) == len(LANGUAGES) or different & ALIKE, f"{key}: {different}"


@pytest.mark.req(448, 1110)
def test_every_reason_and_kind_of_file_has_words_in_every_language_with_the_same_placeholders():
    for reason in REASONS["reason"]:
        assert set(reason) == set(LANGUAGES), reason["en"]
        assert len(set(reason.values())) == len(LANGUAGES) or ALIKE & set(reason.values()), reason["en"]
        for language in OTHERS:
            assert placeholders(reason[language]) == placeholders(reason["en"]), reason["en"]
    for kind, words in REASONS["kinds"].items():
        assert set(words) == set(OTHERS), kind
        assert len({kind, *words.values()}) == len(LANGUAGES), kind


@pytest.mark.req(448, 1110)
@pytest.mark.parametrize("language", OTHERS)
def test_every_reason_is_said_with_its_values(language: Language):
    for reason in REASONS["reason"]:
        values = {name.strip("{}"): "7" for name in placeholders(reason["en"])}
        assert reason_in(language, reason["en"].format_map(values)) == reason[language].format_map(values)


@pytest.mark.req(448, 1110)
@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("es", "no se pudo leer el texto del vídeo: el archivo no es un vídeo, sino un documento PDF"),
        ("de", "der Text des Videos konnte nicht gelesen werden: die Datei ist kein Video, sondern ein PDF-Dokument"),
    ],
)
def test_a_reason_within_a_reason_is_in_the_language_too(language: Language, said: str):
    english = "the text of the video could not be read: the file is not a video but a PDF document"
    assert reason_in(language, english) == said
