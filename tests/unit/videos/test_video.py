"""The moves of a video, by rule."""

from uuid import UUID

import pytest

from sightline.videos.keys import original_key, prefixes_of, video_of_original
from sightline.videos.video import VideoStatus, sources_of

ID = UUID("a1b2c3d4-e5f6-7890-abcd-ef1234567890")


@pytest.mark.req(280)
def test_every_status_but_the_final_ones_can_fail():
    assert set(sources_of(VideoStatus.FAILED)) == {status for status in VideoStatus if not status.is_final}


@pytest.mark.req(281)
def test_nothing_leads_from_created_to_completed():
    assert sources_of(VideoStatus.COMPLETED) == (VideoStatus.PRINTING,)


@pytest.mark.req(249)
def test_the_key_of_the_original_holds_the_id():
    key = original_key(ID)
    assert key == "videos/original/a1b2c3d4-e5f6-7890-abcd-ef1234567890/master.mp4"
    assert video_of_original(key) == ID
    assert key.startswith(prefixes_of(ID))


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
    assert video_of_original(key) is None
