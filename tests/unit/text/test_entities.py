"""Entities: what is one, where it ends, and the form that equal ones share."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.text import EntityType
from sightline.text.segments import entity_query_keys, entity_search_keys, find_entities
from sightline.text.segments.entity import normalize_value
from sightline.text.segments.numbers import bare_amount


def found(text: str, kind: str) -> list[tuple[str, str]]:
    return [(one.value, one.normalized_value) for one in find_entities(text) if one.entity_type == kind]


@pytest.mark.req(119)
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Follow @Ada_L now", [("@Ada_L", "@ada_l")]),
        ("@one,@two: @three.", [("@one", "@one"), ("@two", "@two"), ("@three", "@three")]),
        ("(@João)", [("@João", "@joão")]),
        ("mail ada@example.com", []),
        ("a @ b", []),
        ("https://x.com/@ada", []),
    ],
)
def test_mentions_are_found(text, expected):
    assert found(text, "mention") == expected


@pytest.mark.req(119)
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Join #AI2026 and #go!", [("#AI2026", "#ai2026"), ("#go", "#go")]),
        ("#Ligação", [("#Ligação", "#ligação")]),
        ("C# and &#39; and x#y", []),
        ("https://example.com/#top", []),
    ],
)
def test_hashtags_are_found(text, expected):
    assert found(text, "hashtag") == expected


@pytest.mark.req(119)
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "see https://Example.com/Path/To?x=1.",
            [("https://Example.com/Path/To?x=1", "https://example.com/path/to?x=1")],
        ),
        ("HTTP://SHOUT.COM/A,", [("HTTP://SHOUT.COM/A", "http://shout.com/a")]),
        ("(http://a.b/c_(d))", [("http://a.b/c_(d)", "http://a.b/c_(d)")]),
        ('"https://a.b/"', [("https://a.b/", "https://a.b")]),
        ("www.Site.org/x", [("www.Site.org/x", "www.site.org/x")]),
        ("https://", []),
        ("ftp://a.b", []),
    ],
)
def test_links_keep_the_case_of_their_path_and_lose_what_belongs_to_the_sentence(text, expected):
    assert found(text, "url") == expected


@pytest.mark.req(119)
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("fun 🎉🎉", ["🎉", "🎉"]),
        ("👩‍👩‍👧", ["👩‍👩‍👧"]),
        ("👍🏽 yes", ["👍🏽"]),
        ("🇧🇷🇩🇪", ["🇧🇷", "🇩🇪"]),
        ("1️⃣ #️⃣", ["1️⃣", "#️⃣"]),
        ("❤️ ❤", ["❤️", "❤"]),
        ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", ["🏴󠁧󠁢󠁥󠁮󠁧󠁿"]),
        ("© 2024 ™ 10 # *", []),
    ],
)
def test_emoji_of_several_characters_are_one(text, expected):
    assert [value for value, _ in found(text, "emoji")] == expected


@pytest.mark.req(119)
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$1,299.99", [("$1,299.99", "1299.99 usd")]),
        ("1.299,99 € or R$ 12,50", [("1.299,99 €", "1299.99 eur"), ("R$ 12,50", "12.50 brl")]),
        ("EUR 50, 50 GBP", [("EUR 50", "50 eur"), ("50 GBP", "50 gbp")]),
        (
            "$3.5B £5m 3.5 million USD",
            [("$3.5B", "3.5b usd"), ("£5m", "5m gbp"), ("3.5 million USD", "3.5 million usd")],
        ),
        ("12 kg, 12kg", [("12 kg", "12 kg"), ("12kg", "12 kg")]),
        ("50 % 100%", [("50 %", "50%"), ("100%", "100%")]),
        ("-5 °C", [("-5 °C", "-5 °c")]),
        ("1080p 4K 2nd", [("1080p", "1080p"), ("4K", "4k"), ("2nd", "2nd")]),
        ("+1 (555) 010-9999", [("+1 (555) 010-9999", "+15550109999")]),
        ("call 555-0123 or (11) 91234-5678", [("555-0123", "5550123"), ("(11) 91234-5678", "11912345678")]),
        ("+49 30 1234567.", [("+49 30 1234567", "+49301234567")]),
        ("10:30 pm, 12:05:09", [("10:30 pm", "10:30pm"), ("12:05:09", "12:05:09")]),
        ("2026-01-17 17/01/2026", [("2026-01-17", "2026-01-17"), ("17/01/2026", "17/01/2026")]),
        ("192.168.1.1", [("192.168.1.1", "192.168.1.1")]),
        ("Room 101 202", [("101", "101"), ("202", "202")]),
        ("10-20 and 1,2,3", [("10", "10"), ("20", "20"), ("1", "1"), ("2", "2"), ("3", "3")]),
        ("3 in the room", [("3", "3")]),
        ("1 000 000 or 1.000.000", [("1", "1"), ("000", "000"), ("000", "000"), ("1.000.000", "1000000")]),
        ("H264 MP4 v1.2.3", []),
        ("@user1 #tag2 https://a.b/3 1️⃣", []),
    ],
)
def test_numbers_come_with_their_currency_or_unit(text, expected):
    assert found(text, "number") == expected


@given(st.text(alphabet=st.characters(codec="utf-8")))
def test_entities_have_exact_offsets_and_never_overlap(text):
    end = 0
    for one in find_entities(text):
        assert text[one.start : one.start + len(one.value)] == one.value
        assert one.start >= end
        end = one.start + len(one.value)


@given(st.text(alphabet="0123456789.,:+-()/ $€%kgm@#"))
def test_normalizing_a_found_number_changes_nothing(text):
    for one in find_entities(text):
        assert one.normalized_value == normalize_value(one.entity_type, one.value)


@pytest.mark.parametrize(
    "text", ["9" * 5000, "1." * 3000, "+1 " * 3000, "1," * 3000, "(12) " * 1000, "12 " * 3000, "@" * 5000]
)
def test_long_rows_of_digits_do_not_backtrack(text):
    find_entities(text)  # a pattern that backtracks would run into the time limit of the test


@pytest.mark.parametrize(
    ("kind", "asked", "normalized"),
    [
        (EntityType.MENTION, "Ada", "@ada"),
        (EntityType.HASHTAG, "#AI", "#ai"),
        (EntityType.URL, "https://Example.com/", "https://example.com"),
        (EntityType.EMOJI, "❤️", "❤"),
        (EntityType.NUMBER, "1,299.99 USD", "1299.99 usd"),
        (EntityType.NUMBER, "many", "many"),
    ],
)
def test_a_queried_value_is_normalized_like_a_stored_one(kind, asked, normalized):
    assert normalize_value(kind, asked) == normalized


def test_a_number_is_found_by_itself_and_without_its_unit():
    (one,) = find_entities("12 kg")
    assert entity_search_keys(one) == ["number", "number:12 kg", "number:12"]
    assert entity_query_keys(None, "12") == ["mention:@12", "hashtag:#12", "url:12", "emoji:12", "number:12"]
    assert entity_query_keys(EntityType.NUMBER, None) == ["number"]


@pytest.mark.parametrize(
    ("normalized", "bare"), [("12 kg", "12"), ("-5 °c", "-5"), ("10:30pm", "10:30pm"), ("1/2", "1/2")]
)
def test_times_and_dates_have_no_bare_amount(normalized, bare):
    assert bare_amount(normalized) == bare
