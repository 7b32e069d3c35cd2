"""The database makes the keys that the questions ask for: one rule in two languages, held together here."""

import os
import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sightline.db
from sightline.text.search.conditions import pair_key
from sightline.text.search.query import grams_of
from sightline.text.segments import SEPARATORS, fold, is_unspaced, typo_keys, words_of

MIGRATIONS = Path(sightline.db.__file__).parent / "migrations"
KEYS = """SELECT t.at, tsvector_to_array(sightline.search_keys(t.folded, $3::text, NULL, 'eng', $2::uuid, NULL, $2::uuid)) AS keys,
    sightline.search_words(t.folded) AS words,
    tsvector_to_array(sightline.passage_keys(t.folded, NULL, $2::uuid, NULL, $2::uuid)) AS passage_keys
    FROM unnest($1::text[]) WITH ORDINALITY AS t (folded, at) ORDER BY t.at"""
SOAK = bool(os.environ.get("SIGHTLINETEST_SOAK"))
NOBODY = "00000000-0000-0000-0000-000000000000"


def expected_keys(folded: str) -> set[str]:
    padded = f" {folded} "
    keys = {"t" + padded[at : at + 3] for at in range(len(folded))}
    keys |= {"t" + folded[at : at + size] for at in range(len(folded)) for size in (1, 2) if is_unspaced(folded[at])}
    for word in words_of(folded):
        keys |= {"w" + word[:200]} | {"s" + bones[:200] for bones in typo_keys(word)}
    return keys | pairs_of(folded) | {f"o{NOBODY}", f"v{NOBODY}", "leng"}


def pairs_of(folded: str) -> set[str]:
    """Two words that follow each other: `p` with nothing but a space between them, `q` with signs."""
    words = list(re.finditer(rf"[^ {re.escape(SEPARATORS)}]+", folded))
    return {
        ("p" if folded[one.end() : other.start()] == " " else "q") + pair_key(one[0], other[0])
        for one, other in pairwise(words)
    }


def expected_passage_keys(folded: str) -> set[str]:
    words = words_of(folded)
    keys = {"w" + word[:200] for word in words}
    if any(map(is_unspaced, folded)):
        keys |= {"t" + folded[at : at + size] for at in range(len(folded)) for size in (1, 2, 3)}
    return keys | {f"o{NOBODY}", f"v{NOBODY}"}


@pytest.mark.parametrize(
    ("name", "filler"), [("0009_segments.sql", "' '"), ("0059_blocks_and_passages.sql", "E'\\x01'")]
)
def test_both_have_the_same_separators(name, filler):
    migration = (MIGRATIONS / name).read_text()
    assert SEPARATORS.replace("\\", "\\\\").replace("'", "''") in migration
    assert f"repeat({filler}, {len(SEPARATORS)})" in migration


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=100 if SOAK else 12)
@given(texts=st.lists(st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\0")), min_size=1, max_size=40))
async def test_keys_and_words_are_the_same_in_both(database, texts):
    folded = [fold(text) for text in texts]
    async with database.transaction() as tx:
        rows = await tx.fetch(KEYS, folded, NOBODY, None)
    for text, row in zip(folded, rows, strict=True):
        assert set(row["keys"]) == expected_keys(text)
        assert set(row["passage_keys"]) == expected_passage_keys(text)
        assert row["words"] == f" {' '.join(words_of(text))} "


@pytest.mark.parametrize(
    "text", ["Room 101 rnodern vvest", "東京tower", "a'b\\c", "x" * 300, "12345678", "At 9:30, o'clock"]
)
async def test_every_key_of_a_query_is_in_the_index(database, text):
    folded = fold(text)
    async with database.transaction() as tx:
        (row,) = await tx.fetch(KEYS, [folded], NOBODY, None)
    assert set(row["keys"]) == expected_keys(folded)
    assert {"t" + gram for gram in grams_of(folded)} <= set(row["keys"])


async def test_words_that_are_common_in_their_video_have_a_key_of_their_own(database):
    async with database.transaction() as tx:
        (row,) = await tx.fetch(KEYS, ["the cat, the hat"], NOBODY, " the ")
    assert {key for key in row["keys"] if key[0] in "wc"} == {"cthe", "wcat", "what"}
