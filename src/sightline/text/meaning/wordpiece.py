"""The tokenizer of BERT models: words, and pieces of words that a vocabulary does not have. Pure.

Follows the form of `tokenizer.json` with a BertNormalizer, a BertPreTokenizer and a WordPiece model.
"""

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

_CJK = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


class UnknownTokenizer(ValueError):
    """The file describes another kind of tokenizer."""


@dataclass(frozen=True, slots=True)
class WordPiece:
    vocabulary: Mapping[str, int]
    unknown: int
    start: int
    end: int
    prefix: str = "##"
    max_word_letters: int = 100
    is_lower_case: bool = True
    strips_accents: bool = True

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Self:
        try:
            model, normalizer = content["model"], content["normalizer"]
            if (model["type"], normalizer["type"]) != ("WordPiece", "BertNormalizer"):
                raise UnknownTokenizer(f"a {model['type']} tokenizer with a {normalizer['type']}")
            vocabulary = model["vocab"]
            is_lower = bool(normalizer.get("lowercase", True))
            strips = normalizer.get("strip_accents")
            return cls(
                vocabulary=vocabulary,
                unknown=vocabulary[model.get("unk_token", "[UNK]")],
                start=vocabulary["[CLS]"],
                end=vocabulary["[SEP]"],
                prefix=model.get("continuing_subword_prefix", "##"),
                max_word_letters=model.get("max_input_chars_per_word", 100),
                is_lower_case=is_lower,
                strips_accents=is_lower if strips is None else bool(strips),
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise UnknownTokenizer("no WordPiece tokenizer with [CLS], [SEP] and [UNK]") from error

    def tokens(self, text: str, *, max_tokens: int) -> list[int]:
        """Ids with the start and the end around them; at most `max_tokens`, the rest of the text is left out."""
        found = [self.start]
        for word in self._words(text):
            found += self._pieces(word)
            if len(found) >= max_tokens - 1:
                break
        return [*found[: max_tokens - 1], self.end]

    def _words(self, text: str) -> Iterator[str]:
        spaced = "".join(map(_spaced, text))
        if self.strips_accents:
            spaced = "".join(one for one in unicodedata.normalize("NFD", spaced) if unicodedata.category(one) != "Mn")
        if self.is_lower_case:
            spaced = "".join(map(str.lower, spaced))  # letter by letter, as the models were trained
        for word in spaced.split():
            yield from _parts(word)

    def _pieces(self, word: str) -> list[int]:
        """The longest pieces from the left; the whole word is unknown if a part of it is."""
        if len(word) > self.max_word_letters:
            return [self.unknown]
        found: list[int] = []
        at = 0
        while at < len(word):
            for end in range(len(word), at, -1):
                piece = self.vocabulary.get(word[at:end] if at == 0 else self.prefix + word[at:end])
                if piece is not None:
                    found.append(piece)
                    at = end
                    break
            else:
                return [self.unknown]
        return found


def _spaced(letter: str) -> str:
    """White space as a space, Chinese characters as words of their own, and nothing for control characters."""
    if letter.isspace():
        return " "
    if letter in "\0\ufffd" or unicodedata.category(letter).startswith("C"):
        return ""
    code = ord(letter)
    return f" {letter} " if any(first <= code <= last for first, last in _CJK) else letter


def _parts(word: str) -> Iterator[str]:
    """Each punctuation mark is a word of its own."""
    begun = 0
    for at, letter in enumerate(word):
        if _is_punctuation(letter):
            if begun < at:
                yield word[begun:at]
            yield letter
            begun = at + 1
    if begun < len(word):
        yield word[begun:]


def _is_punctuation(letter: str) -> bool:
    code = ord(letter)
    is_ascii_mark = 33 <= code <= 47 or 58 <= code <= 64 or 91 <= code <= 96 or 123 <= code <= 126
    return is_ascii_mark or unicodedata.category(letter).startswith("P")
