"""Tags and descriptions as people write them."""

import pytest

from sightline.errors import InvalidInput
from sightline.videos import MAX_TAG_LENGTH, MAX_TAGS, clean_description, clean_tags


@pytest.mark.req(747)
def test_tags_are_tidied_and_kept_once():
    assert clean_tags(["  Lectures ", "lectures", "#2026", "two  words"]) == ("Lectures", "2026", "two words")


@pytest.mark.req(747)
@pytest.mark.parametrize(
    ("tags", "reason"),
    [
        (["  "], "at least one character"),
        (["x" * (MAX_TAG_LENGTH + 1)], "too long"),
        (['a"b'], "quotation marks"),
        (["a\u202eb"], "control characters"),
        ([str(number) for number in range(MAX_TAGS + 1)], "at most 30"),
    ],
)
def test_a_tag_that_cannot_be_used_is_refused(tags, reason):
    with pytest.raises(InvalidInput, match=reason):
        clean_tags(tags)


@pytest.mark.req(747)
def test_a_description_keeps_its_lines_and_nothing_that_cannot_be_seen():
    assert clean_description(" one\r\ntwo\x00\u202e ") == "one\ntwo"
    assert clean_description(" \n ") is None
    with pytest.raises(InvalidInput, match="at most 5000"):
        clean_description("x" * 5001)
