"""Search on the embedded server: words, phrases, prefixes, parts, slips, scripts without spaces."""

from contextlib import suppress

import pytest

from sightline.errors import InvalidInput
from sightline.text import FUZZY_BELOW_EXACT_HITS, SearchFilter


@pytest.mark.req(132)
async def test_words_phrases_prefixes_and_substrings_find_their_texts(video_with, texts_for):
    await video_with("Invoice total", "invoice", "Something else")
    for q, expected in {
        "invoice": ["Invoice total", "invoice"],
        "TOTAL invoice": ["Invoice total"],
        '"invoice total"': ["Invoice total"],
        '"total invoice"': [],
        "invo*": ["Invoice total", "invoice"],
        "*voic*": ["Invoice total", "invoice"],
        '"invoice tot"': [],
        "nothing": [],
        "invoice nothing": [],
    }.items():
        assert sorted(await texts_for(q)) == expected, q


SLIPS = {
    "Meetlng agenda": "meeting",
    "Handung over": "handing",
    "Budgget plan": "budget",
    "Wether report": "weather",
    "Monitro off": "monitor",
    "R00M plan": "room",
    "rnodern art": "modern",
    "Goat of the month": "goal",
    "Quarterly": "quarter1y",
    "Ligacoo perdida": "ligação",
}


@pytest.mark.req(133)
async def test_one_letter_misread_or_mistyped_still_finds_the_text(video_with, look_for):
    await video_with(*SLIPS)
    for shown, asked in SLIPS.items():
        found = await look_for(asked)
        assert [(hit.text, hit.found_as) for hit in found.hits] == [(shown, "slip")]
        assert found.total == 1
        assert (await look_for(asked, is_fuzzy=False)).total == 0


@pytest.mark.req(133)
async def test_numbers_and_short_words_have_to_be_exact(video_with, texts_for):
    await video_with("Room 101", "year 2024", "so it is", "cat")
    for asked in ("102", "2025", "to", "dog"):
        assert await texts_for(asked) == [], asked


async def test_exact_hits_come_before_typos_and_both_count_once(video_with, look_for):
    await video_with("a much longer line with the word invoice in it", "lnvoice", "invoice")
    found = await look_for("invoice")
    assert [(hit.text, hit.found_as) for hit in found.hits] == [
        ("invoice", "exact"),
        ("a much longer line with the word invoice in it", "exact"),
        ("lnvoice", "slip"),
    ]
    assert found.total == 3


async def test_adjacent_words_come_first(video_with, texts_for):
    await video_with("total of the invoice", "the invoice total of last year and the one before it")
    assert (await texts_for("invoice total"))[0].startswith("the invoice total")


LETTERS = [
    ("Ligação", "Ligacao"),
    ("cafe", "CAFÉ"),
    ("Straße", "strasse"),
    ("ﬁnal", "final"),
    ("ＦＵＬＬ width", "full"),
    ("Łódź", "lodz"),
    ("naïve “quotes”", "naive quotes"),
    ("東京タワー", "京タ"),
    ("東京タワー", "東京"),
    ("東京タワー", "京"),
    ("大阪Tower", "tower"),
    ("한국어 자막", "국어"),
    ("ภาษาไทย", "ไทย"),
    ("Привет мир", "ПРИВЕТ"),
    ("party 🎉 time", "🎉"),
]


async def test_letters_are_found_whatever_their_case_accent_or_script(video_with, texts_for):
    await video_with(*dict(LETTERS), "другой 別の other")
    for shown, asked in LETTERS:
        assert await texts_for(asked) == [shown], asked


async def test_symbols_match_exactly(video_with, texts_for):
    await video_with(
        "C++ for all", "from 9:30", "don't", "user@example.com", "100% sure", "a_b", "back\\slash", "axb", "c"
    )
    for q, expected in {
        "C++": "C++ for all",
        "9:30": "from 9:30",
        "don't": "don't",
        "user@example.com": "user@example.com",
        "100%": "100% sure",
        "a_b": "a_b",
        "back\\slash": "back\\slash",
    }.items():
        assert await texts_for(q, is_fuzzy=False) == [expected], q


async def test_misread_symbols_are_found_by_fuzzy_search(video_with, texts_for):
    await video_with("from 9.30 on")
    assert await texts_for("9:30") == ["from 9.30 on"]


async def test_a_phrase_is_found_with_punctuation_between_its_words(video_with, look_for):
    parted = ["Invoice: total", "invoice, (total)", "[invoice]-total", "a/invoice\\total"]
    await video_with("invoice total", *parted, "invoice the total", "invoices total")
    found = await look_for('"invoice total"')
    assert (found.hits[0].text, found.hits[0].found_as) == ("invoice total", "exact")
    assert sorted((hit.text, hit.found_as) for hit in found.hits[1:]) == sorted((text, "slip") for text in parted)
    assert (await look_for('"invoice total"', is_fuzzy=False)).total == 1


async def test_a_phrase_of_short_words_is_not_taken_for_parts_of_longer_ones(video_with, look_for):
    await video_with("mega biz, a: b", "mega biz")
    found = await look_for('"a b"')
    assert [(hit.text, hit.found_as) for hit in found.hits] == [("mega biz, a: b", "slip")]


async def test_typos_are_left_out_when_there_are_enough_exact_hits(video_with, look_for):
    await video_with(*(f"invoice {number}" for number in range(FUZZY_BELOW_EXACT_HITS)), "lnvoice")
    assert (await look_for("invoice")).total == FUZZY_BELOW_EXACT_HITS
    assert (await look_for("invoice", is_fuzzy=True)).total == FUZZY_BELOW_EXACT_HITS + 1


async def test_a_substring_may_span_words(video_with, texts_for):
    await video_with("Error: 0x80070005 (denied)", "error 0x80070006")
    assert await texts_for("0x80070005 (den", match="substring") == ["Error: 0x80070005 (denied)"]
    assert await texts_for("r: 0x8", match="substring") == ["Error: 0x80070005 (denied)"]


async def test_an_empty_search_is_refused(look_for):
    for q in ("*ab*", "--", '""', "  "):
        with pytest.raises(InvalidInput):
            await look_for(q)


async def test_any_query_text_is_harmless(video_with, look_for):
    await video_with("a b c")
    for q in (
        "'",
        "\\",
        "a'b\\c",
        "a & !b | (c",
        "a:* <-> b",
        "%_%x",
        "\0",
        "x" * 400,
        '"' * 9 + "a",
        "[",
        "a]b",
        "(?=x)",
    ):
        with suppress(InvalidInput):
            assert (await look_for(q)).total <= 1, q


async def test_matched_words_are_highlighted(video_with, look_for):
    await video_with("Ligação: the INVOICE total")
    (hit,) = (await look_for("ligacao invoice")).hits
    assert [hit.text[start:end] for start, end in hit.spans] == ["Ligação", "INVOICE"]


@pytest.mark.req(134)
async def test_pages_do_not_overlap_and_the_total_is_exact(video_with, look_for):
    await video_with(*(f"invoice number {number}" for number in range(7)), "lnvoice 7", "lnvoice 8")
    seen: list[str] = []
    for page in range(1, 5):
        found = await look_for("invoice", page=page, page_size=3)
        assert found.total == 9
        seen += [hit.text for hit in found.hits]
    assert len(seen) == len(set(seen)) == 9
    assert set(seen[-2:]) == {"lnvoice 7", "lnvoice 8"}
    assert (await look_for("invoice", page=50, page_size=3)).hits == []


async def test_hits_are_filtered_by_video_language_and_time(video_with, texts_for, look_for, database):
    one = await video_with("alpha one", "beta one")
    two = await video_with("alpha two")
    assert await texts_for("alpha", filters=SearchFilter(video_id=two)) == ["alpha two"]
    assert set(await texts_for(filters=SearchFilter(video_id=one))) == {"alpha one", "beta one"}
    assert await texts_for("one", filters=SearchFilter(from_ms=1000)) == ["beta one"]
    assert await texts_for("one", filters=SearchFilter(until_ms=1000)) == ["alpha one"]
    assert (await look_for("alpha", filters=SearchFilter(language="eng"))).total == 2
    assert (await look_for("alpha", filters=SearchFilter(language="deu"))).total == 0
    async with database.transaction() as tx:
        await tx.execute("UPDATE videos SET created_at = '2020-01-01Z' WHERE id = $1", one)
        middle = await tx.fetchval("SELECT timestamptz '2021-01-01Z'")
    assert await texts_for("alpha", filters=SearchFilter(created_from=middle)) == ["alpha two"]
    assert await texts_for("alpha", filters=SearchFilter(created_until=middle)) == ["alpha one"]
