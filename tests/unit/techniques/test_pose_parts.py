"""Parts with poses as they are stored: read back as they were, and found anew when they are damaged."""

import numpy as np
import pytest

from sightline.techniques.pose.people import SeenPerson
from sightline.techniques.pose.pose_parts import PeopleLook, PosePart, decode_part, encode_part
from sightline.techniques.pose.skeleton import JOINT_COUNT

ORIGIN = "model at 4 looks per second"
PERSON = SeenPerson(np.arange(JOINT_COUNT * 3, dtype=np.float32).reshape(JOINT_COUNT, 3), (10, 20, 30), None)
PART = PosePart((PeopleLook(0, (PERSON, PERSON)), PeopleLook(250, ())), True)


@pytest.mark.req(856)
def test_a_part_is_read_back_as_it_was_stored_and_only_for_its_origin():
    found = decode_part(encode_part(PART, origin=ORIGIN), origin=ORIGIN)
    assert found is not None
    assert (found.is_last, [look.at_ms for look in found.looks]) == (True, [0, 250])
    assert [len(look.people) for look in found.looks] == [2, 0]
    assert np.array_equal(found.looks[0].people[1].joints, PERSON.joints)
    assert (found.looks[0].people[0].upper, found.looks[0].people[0].lower) == ((10, 20, 30), None)
    assert decode_part(encode_part(PART, origin=ORIGIN), origin="another") is None


@pytest.mark.req(856)
def test_a_part_that_was_cut_off_or_changed_is_no_part_and_no_error():
    whole = encode_part(PART, origin=ORIGIN)
    for length in range(0, len(whole), 7):
        assert decode_part(whole[:length], origin=ORIGIN) is None
    for at in range(0, len(whole), 7):
        changed = bytearray(whole)
        changed[at] ^= 0xFF
        decode_part(bytes(changed), origin=ORIGIN)  # a changed time of the archive harms nothing: only errors would
