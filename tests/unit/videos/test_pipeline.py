"""The list of pipeline stages."""

from sightline.contracts.jobs import PIPELINE_TYPES
from sightline.videos import PIPELINE_STAGES, VideoStatus


def test_every_pipeline_job_is_a_stage_with_a_label_of_its_own():
    assert tuple(stage.job_type for stage in PIPELINE_STAGES) == PIPELINE_TYPES
    assert len({stage.label for stage in PIPELINE_STAGES}) == len(PIPELINE_STAGES)


def test_the_status_of_a_video_never_goes_back_from_one_stage_to_the_next():
    order = list(VideoStatus)
    places = [order.index(stage.video_status) for stage in PIPELINE_STAGES]
    assert places == sorted(places)
