"""Allowed moves of a video."""

import pytest

from sightline.videos import VideoStatus
from sightline.videos.video import sources_of


@pytest.mark.req(280)
def test_every_status_but_the_final_ones_can_fail():
    assert set(sources_of(VideoStatus.FAILED)) == {status for status in VideoStatus if not status.is_final}


@pytest.mark.req(281)
def test_nothing_leads_from_created_to_completed():
    assert sources_of(VideoStatus.COMPLETED) == (VideoStatus.PRINTING,)
