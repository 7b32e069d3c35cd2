"""Object key patterns."""

from datetime import date
from uuid import UUID

import pytest

from sightline.objects import (
    annotation_keys,
    clip_key,
    detection_image_key,
    frame_key,
    frame_ms,
    is_upload_key,
    job_log_key,
    original_key,
    playlist_key,
    poster_key,
    result_key,
    video_id_of_original,
    video_prefixes,
)

ID = UUID("a1b2c3d4-e5f6-7890-abcd-ef1234567890")


@pytest.mark.req(249)
def test_the_key_of_the_original_contains_the_id():
    key = original_key(ID)
    assert key == "videos/original/a1b2c3d4-e5f6-7890-abcd-ef1234567890/master.mp4"
    assert video_id_of_original(key) == ID
    assert key.startswith(video_prefixes(ID))


@pytest.mark.parametrize(
    "key",
    [
        "videos/original/a1b2c3d4-e5f6-7890-abcd-ef1234567890/master.mov",
        "videos/original/a1b2c3d4/master.mp4",
        "videos/original/A1B2C3D4-E5F6-7890-ABCD-EF1234567890/master.mp4",
        "x/videos/original/a1b2c3d4-e5f6-7890-abcd-ef1234567890/master.mp4",
        "videos/original/a1b2c3d4-e5f6-7890-abcd-ef1234567890/master.mp4\n",
        "videos/proxy/a1b2c3d4-e5f6-7890-abcd-ef1234567890/index.m3u8",
    ],
)
def test_other_keys_belong_to_no_original(key):
    assert video_id_of_original(key) is None


def test_objects_derived_from_a_video_are_below_its_prefixes_and_not_uploads():
    made = (
        playlist_key(ID),
        poster_key(ID),
        frame_key(ID, 1500),
        clip_key(ID, "c"),
        result_key(ID, ID),
        *annotation_keys(ID),
    )
    for key in made:
        assert key.startswith(video_prefixes(ID))
        assert not is_upload_key(key)


def test_pictures_of_detections_and_logs_are_not_uploads():
    assert not is_upload_key(detection_image_key("front_door", date(2026, 1, 1), ID, "jpg"))
    assert not is_upload_key(job_log_key(ID))
    assert is_upload_key(original_key(ID))
    assert is_upload_key("anything/else.mp4")


def test_the_key_of_a_frame_contains_its_time():
    assert frame_ms(frame_key(ID, 1500)) == 1500
    assert frame_ms(f"frames/{ID}/notes.txt") is None
