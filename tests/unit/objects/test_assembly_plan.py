"""Assembly plans: parts become one file with the least copying, and no part that could still be named is overwritten."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from sightline.objects.disk.assembly_plan import plan_assembly
from sightline.objects.disk.parts import PartRecord

AT = datetime(2026, 1, 17, tzinfo=UTC)


def part(number: int, size: int, file: str, offset: int) -> PartRecord:
    return PartRecord(number, f"{number:032x}", size, file, offset, AT)


FIRST, SECOND, LAST = part(1, 8, "data-8", 0), part(2, 8, "data-8", 8), part(3, 3, "data-8", 16)


def test_parts_that_lie_where_they_belong_are_not_copied():
    plan = plan_assembly([FIRST, SECOND, LAST], [FIRST, SECOND, LAST])
    assert (plan.size, plan.base, plan.copies) == (19, "data-8", ())


def test_a_part_that_was_sent_again_is_copied_into_position():
    again = part(2, 8, "apart-2", 0)
    plan = plan_assembly([FIRST, again, LAST], [FIRST, again, LAST])
    assert (plan.base, plan.copies) == ("data-8", ((again, 8),))


def test_one_part_in_a_file_of_its_own_needs_no_copy():
    only = part(1, 8, "apart-1", 0)
    assert plan_assembly([only], [only]).base == "apart-1"


def test_the_last_part_may_have_arrived_first():
    """The assumed part length was too small then, and the other parts went to another file."""
    first, second, last = part(1, 8, "data-8", 0), part(2, 8, "data-8", 8), part(3, 3, "data-3", 6)
    plan = plan_assembly([first, second, last], [first, second, last])
    assert (plan.base, plan.copies) == ("data-8", ((last, 16),))


def test_a_part_that_was_not_chosen_is_never_overwritten():
    plan = plan_assembly([FIRST, LAST], [FIRST, SECOND, LAST])
    assert (plan.size, plan.base) == (11, None)
    assert plan.copies == ((FIRST, 0), (LAST, 8))


def test_a_part_that_was_not_chosen_beyond_the_end_is_not_cut_off():
    assert plan_assembly([FIRST, SECOND], [FIRST, SECOND, LAST]).base is None


def test_parts_of_unequal_length_are_copied():
    short = part(2, 5, "data-8", 8)
    plan = plan_assembly([FIRST, short, LAST], [FIRST, short, LAST])
    assert (plan.size, plan.base) == (16, None)


def test_assembly_in_place_can_be_disabled():
    plan = plan_assembly([FIRST, SECOND], [FIRST, SECOND], in_place=False)
    assert (plan.base, plan.copies) == (None, ((FIRST, 0), (SECOND, 8)))


@st.composite
def uploads(draw: st.DrawFn) -> tuple[list[PartRecord], list[PartRecord]]:
    """Chosen parts among stored ones, of any sizes, at any location that `claim_location` could return."""
    longest = draw(st.integers(1, 6))
    stored = []
    for number in draw(st.lists(st.integers(1, 6), unique=True, min_size=1).map(sorted)):
        size = draw(st.integers(0, longest))
        in_place = draw(st.booleans())
        file, offset = (f"data-{longest}", (number - 1) * longest) if in_place else (f"apart-{number}", 0)
        stored.append(part(number, size, file, offset))
    chosen = [one for one in stored if draw(st.booleans())] or stored
    return chosen, stored


@given(uploads())
def test_following_the_plan_gives_the_bytes_and_keeps_parts_that_were_not_chosen(given_parts):
    chosen, stored = given_parts
    files = {one.file: bytearray(60) for one in stored}
    for one in stored:
        files[one.file][one.offset : one.offset + one.size] = bytes([one.number]) * one.size
    before = {one: bytes(files[one.file][one.offset : one.offset + one.size]) for one in stored}
    plan = plan_assembly(chosen, stored)
    whole = bytearray(60) if plan.base is None else files[plan.base]
    for one, at in plan.copies:
        whole[at : at + one.size] = files[one.file][one.offset : one.offset + one.size]
    # Whatever happens next, every part that counts can still be read where its record says.
    assert all(bytes(files[one.file][one.offset : one.offset + one.size]) == before[one] for one in stored)
    assert plan.size == sum(one.size for one in chosen)
    assert bytes(whole[: plan.size]) == b"".join(bytes([one.number]) * one.size for one in chosen)
    if plan.base is not None:
        outside = [one for one in stored if one.file == plan.base and one.offset + one.size > plan.size]
        assert outside == []
