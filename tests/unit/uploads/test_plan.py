"""Upload plans: how a file is split into parts, and whether the stored parts match."""

from datetime import UTC, datetime
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.errors import InvalidInput
from sightline.objects import MAX_OBJECT_BYTES, MAX_PART_BYTES, MAX_PARTS, MIN_PART_BYTES, StoredPart
from sightline.uploads import USUAL_PART_BYTES, PartsRefused, UploadPlan, percentage, plan_parts
from sightline.uploads.plan import MIB, check_parts, matching_parts, normalize_etag

GIB = 1024 * MIB


def stored(number: int, size: int, etag: str = "e") -> StoredPart:
    return StoredPart(number, etag, size, datetime(2026, 1, 17, tzinfo=UTC))


@pytest.mark.req(247)
@pytest.mark.parametrize(
    ("size", "part_size", "parts"),
    [
        (1, USUAL_PART_BYTES, 1),
        (USUAL_PART_BYTES, USUAL_PART_BYTES, 1),
        (USUAL_PART_BYTES + 1, USUAL_PART_BYTES, 2),
        (GIB, USUAL_PART_BYTES, 32),
        (10_000 * USUAL_PART_BYTES, USUAL_PART_BYTES, 10_000),
        (10_000 * USUAL_PART_BYTES + 1, USUAL_PART_BYTES + 1, 10_000),
        (MAX_OBJECT_BYTES, -(-MAX_OBJECT_BYTES // 10_000), 10_000),
    ],
)
def test_the_part_size_is_32_mib_or_what_ten_thousand_parts_need(size, part_size, parts):
    plan = plan_parts(size)
    assert (plan.part_size, plan.total_parts) == (part_size, parts)


@pytest.mark.req(247)
@pytest.mark.parametrize("size", [MAX_OBJECT_BYTES + 1, 10_000 * MAX_PART_BYTES])
def test_a_file_larger_than_an_object_can_be_is_refused(size):
    with pytest.raises(InvalidInput, match=f"totalSize: {size} bytes are more"):
        plan_parts(size)


def test_an_empty_file_is_refused():
    with pytest.raises(InvalidInput, match="totalSize: this file is empty"):
        plan_parts(0)


@pytest.mark.req(424)
@pytest.mark.parametrize(
    ("size", "part_size", "parts"),
    [(100, 8 * MIB, 1), (GIB, 8 * MIB, 128), (80_000 * MIB, 8 * MIB, 10_000), (200_000 * MIB, 20 * MIB, 10_000)],
)
def test_a_preferred_part_size_grows_where_there_would_be_too_many(size, part_size, parts):
    plan = plan_parts(size, 8 * MIB)
    assert (plan.part_size, plan.total_parts) == (part_size, parts)


@pytest.mark.req(424)
@pytest.mark.parametrize("part_size", [-1, 0, MIN_PART_BYTES - 1, MAX_PART_BYTES + 1])
def test_a_part_size_that_the_store_does_not_take_is_refused(part_size):
    with pytest.raises(InvalidInput, match="partSize: parts have"):
        plan_parts(GIB, part_size)


@pytest.mark.req(247, 424)
@given(st.integers(1, MAX_OBJECT_BYTES), st.none() | st.integers(MIN_PART_BYTES, MAX_PART_BYTES))
def test_the_parts_add_up_to_the_whole_file(size, part_size):
    plan = plan_parts(size, part_size)
    assert 1 <= plan.total_parts <= MAX_PARTS
    assert (plan.total_parts - 1) * plan.part_size + plan.size_of(plan.total_parts) == size
    assert 0 < plan.size_of(plan.total_parts) <= plan.part_size <= MAX_PART_BYTES


@pytest.mark.req(255)
@pytest.mark.parametrize("number", [0, -1, 3])
def test_parts_outside_the_plan_do_not_exist(number):
    with pytest.raises(InvalidInput, match=f"part {number} does not exist: the upload has parts 1 to 2"):
        UploadPlan(15, 10).size_of(number)


@pytest.mark.req(257)
@pytest.mark.parametrize("etag", ['"AbC"', "abc", ' "abc" ', 'W/"abc"'])
def test_an_etag_is_the_same_with_and_without_quotes(etag):
    assert normalize_etag(etag) == "abc"


@pytest.mark.req(259)
@pytest.mark.parametrize(
    ("uploaded", "total", "percent"), [(45, 100, 45), (0, 3, 0), (1, 3, 33), (2, 3, 66), (3, 3, 100), (5, None, 0)]
)
def test_the_percentage_is_an_integer_and_100_only_at_the_end(uploaded, total, percent):
    assert percentage(uploaded, total) == percent


class TestCheckingParts:
    plan = UploadPlan(25, 10)
    good = (stored(1, 10, "a"), stored(2, 10, "b"), stored(3, 5, "c"))
    named: ClassVar = {1: '"A"', 2: "b", 3: "c"}

    def test_complete_parts_are_accepted(self):
        assert check_parts(self.plan, self.named, self.good) == list(self.good)

    def test_parts_may_be_listed_in_any_order(self):
        assert check_parts(self.plan, self.named, self.good[::-1]) == list(self.good)

    @pytest.mark.req(262)
    def test_a_part_that_was_not_named_is_missing(self):
        with pytest.raises(PartsRefused, match="2 of 3 parts are uploaded; part 2 is missing") as raised:
            check_parts(self.plan, {1: "a", 3: "c"}, self.good)
        assert raised.value.details == {"uploaded": 2, "total": 3, "missing": [2]}

    @pytest.mark.req(262)
    def test_a_part_that_is_not_in_the_store_is_missing(self):
        with pytest.raises(PartsRefused, match="1 of 3 parts are uploaded; part 2, 3 is missing"):
            check_parts(self.plan, self.named, self.good[:1])

    def test_other_bytes_than_reported_are_refused(self):
        with pytest.raises(PartsRefused, match="other bytes than were reported for part 2") as raised:
            check_parts(self.plan, self.named | {2: "x"}, self.good)
        assert raised.value.details == {"parts": [2], "reason": "etag"}

    @pytest.mark.req(276)
    def test_a_part_of_another_size_is_refused(self):
        other = (self.good[0], stored(2, 9, "b"), self.good[2])
        with pytest.raises(PartsRefused, match="part 2 does not have the size") as raised:
            check_parts(self.plan, self.named, other)
        assert raised.value.details == {"parts": [2], "reason": "size", "partSize": 10}

    def test_a_last_part_that_is_too_long_is_refused(self):
        with pytest.raises(PartsRefused, match="part 3 does not have the size"):
            check_parts(self.plan, self.named, (*self.good[:2], stored(3, 6, "c")))

    def test_completion_without_any_part_is_refused(self):
        with pytest.raises(PartsRefused, match="no part has arrived"):
            check_parts(None, {}, [])

    def test_without_a_plan_the_first_part_sets_the_size(self):
        assert check_parts(None, self.named, self.good) == list(self.good)
        with pytest.raises(PartsRefused, match="part 2, 3 does not have the size"):
            check_parts(None, self.named, (self.good[0], stored(2, 7, "b"), self.good[2]))

    def test_without_a_plan_a_longer_last_part_is_refused(self):
        with pytest.raises(PartsRefused, match="does not have the size"):
            check_parts(None, self.named, (*self.good[:2], stored(3, 11, "c")))

    def test_without_a_plan_no_part_number_may_be_skipped(self):
        with pytest.raises(PartsRefused, match="2 of 3 parts are uploaded; part 2 is missing"):
            check_parts(None, {1: "a", 3: "c"}, self.good)

    def test_matching_parts_are_kept_on_resume(self):
        listed = [self.good[0], stored(2, 3, "b"), stored(4, 10, "d")]
        assert matching_parts(self.plan, listed) == [self.good[0]]
        assert matching_parts(None, listed) == listed
