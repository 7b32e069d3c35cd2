"""The rules of S3 for completing an upload."""

import hashlib

import pytest

from sightline.errors import PlatformError
from sightline.objects import MAX_OBJECT_BYTES, MIN_PART_BYTES, PartTag, StoredPart, bare_etag, etag_of_parts
from sightline.objects.protocol import check_part_number, choose_parts
from sightline.timing import utc_now

ETAGS = {number: f"{number:032x}" for number in range(1, 5)}


def stored(**sizes: int) -> dict[int, StoredPart]:
    return {int(n[1:]): StoredPart(int(n[1:]), ETAGS[int(n[1:])], size, utc_now()) for n, size in sizes.items()}


def tags(*numbers: int) -> list[PartTag]:
    return [PartTag(number, ETAGS[number]) for number in numbers]


def code(parts: list[PartTag], there: dict[int, StoredPart]) -> str:
    with pytest.raises(PlatformError) as raised:
        choose_parts(parts, there)
    return str(raised.value.details["code"])


def test_the_named_parts_are_chosen():
    there = stored(p1=MIN_PART_BYTES, p2=MIN_PART_BYTES, p3=1)
    assert [one.number for one in choose_parts(tags(1, 3), there)] == [1, 3]


def test_all_parts_except_the_last_have_a_minimum_size():
    assert code(tags(1, 2), stored(p1=MIN_PART_BYTES - 1, p2=1)) == "EntityTooSmall"
    assert len(choose_parts(tags(1, 2), stored(p1=MIN_PART_BYTES, p2=0))) == 2


def test_missing_or_different_parts_are_refused():
    assert code(tags(1), {}) == "InvalidPart"
    assert code([PartTag(1, ETAGS[2])], stored(p1=1)) == "InvalidPart"


def test_the_order_is_checked_before_anything_else():
    assert code(tags(2, 1), {}) == "InvalidPartOrder"
    assert code(tags(1, 1), {}) == "InvalidPartOrder"
    assert code([], {}) == "MalformedXML"


def test_an_object_has_a_maximum_size():
    assert code(tags(1, 2), stored(p1=MAX_OBJECT_BYTES, p2=1)) == "EntityTooLarge"


@pytest.mark.parametrize("number", [0, -1, 10_001])
def test_part_numbers_have_a_range(number: int):
    with pytest.raises(PlatformError):
        check_part_number(number)
    assert (check_part_number(1), check_part_number(10_000)) == (1, 10_000)


def test_the_etag_of_an_object_is_computed_from_those_of_its_parts():
    first, second = (hashlib.md5(content) for content in (b"a", b"b"))
    both = hashlib.md5(first.digest() + second.digest()).hexdigest()
    assert etag_of_parts([first.hexdigest(), f'"{second.hexdigest()}"']) == f"{both}-2"
    assert etag_of_parts(["not an md5"]) is None
    mixed = hashlib.md5(first.digest() + b"0123456789abcdef-crc64nvme").hexdigest()
    assert etag_of_parts([first.hexdigest(), '"0123456789abcdef-crc64nvme"']) == f"{mixed}-2"
    assert etag_of_parts(["0123456789abcdef-crc32c"]) is None  # not as long as one
    assert bare_etag(' "ABC-2" ') == "abc-2"
