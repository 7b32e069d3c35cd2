"""Names and ids."""

import uuid

from sightline.bus import Names, new_id, topic_name


def test_ids_are_random_uuids_like_any_other():
    made = {new_id() for _ in range(5000)}
    assert len(made) == 5000
    for one in made:
        assert uuid.UUID(one).version == 4
        assert uuid.UUID(one).variant == uuid.RFC_4122
        assert str(uuid.UUID(one)) == one


def test_a_topic_is_found_by_name_and_by_arn():
    assert topic_name(Names().topic_arn("news")) == topic_name("news") == "news"
