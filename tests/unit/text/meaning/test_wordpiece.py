"""The tokenizer of BERT models."""

import pytest

from sightline.errors import TransientFailure
from sightline.text.meaning.embedder import read_vectors
from sightline.text.meaning.wordpiece import UnknownTokenizer, WordPiece

VOCABULARY = {
    one: number
    for number, one in enumerate(["[UNK]", "[CLS]", "[SEP]", "cafe", "play", "##ing", "!", "中", "(", ")", "i", "##t"])
}
FORM = {
    "model": {"type": "WordPiece", "unk_token": "[UNK]", "vocab": VOCABULARY},
    "normalizer": {"type": "BertNormalizer", "lowercase": True, "strip_accents": None},
}


@pytest.fixture
def pieces():
    tokenizer = WordPiece.from_json(FORM)
    names = {number: name for name, number in VOCABULARY.items()}
    return lambda text, most=50: [names[one] for one in tokenizer.tokens(text, max_tokens=most)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Playing", ["play", "##ing"]),
        ("Café!", ["cafe", "!"]),
        ("(it)", ["(", "i", "##t", ")"]),
        ("中中", ["中", "中"]),
        ("play\u200bing", ["play", "##ing"]),
        ("xyz it", ["[UNK]", "i", "##t"]),
        ("playxing", ["[UNK]"]),
        ("i" * 101, ["[UNK]"]),
        ("\0\ufffd", []),
        ("", []),
    ],
)
def test_words_become_pieces_of_the_vocabulary(pieces, text, expected):
    assert pieces(text) == ["[CLS]", *expected, "[SEP]"]


def test_a_long_text_is_cut_and_ends_as_every_text(pieces):
    assert pieces("play " * 100, 10) == ["[CLS]", *["play"] * 8, "[SEP]"]


@pytest.mark.parametrize(
    "form",
    [
        {},
        {**FORM, "model": {"type": "BPE"}},
        {**FORM, "normalizer": None},
        {**FORM, "model": {"type": "WordPiece", "vocab": {"[UNK]": 0}}},
    ],
)
def test_other_tokenizers_are_refused(form):
    with pytest.raises(UnknownTokenizer):
        WordPiece.from_json(form)


@pytest.mark.parametrize(
    "result",
    [
        {},
        {"count": 2, "dimensions": 1, "vectors": "AACAPw=="},
        {"count": 1, "dimensions": 2, "vectors": "AACAPw=="},
        {"count": 1, "dimensions": 1, "vectors": "no base64"},
        {"count": 1, "dimensions": 1, "vectors": "AADAfw=="},  # not a number
        {"count": 1, "dimensions": 1, "vectors": "AAAAQA=="},  # of another length than 1
        {"count": 1, "dimensions": 10**9, "vectors": "AACAPw=="},
    ],
)
def test_vectors_that_cannot_be_are_refused(result):
    with pytest.raises(TransientFailure):
        read_vectors(result, count=1)
    assert read_vectors({"count": 1, "dimensions": 1, "vectors": "AACAPw=="}, count=1).tolist() == [[1.0]]
