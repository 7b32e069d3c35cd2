"""What `POST /jobs` takes: an analysis of a stored video, by its id or by the location of its original."""

from typing import Self
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, model_validator

from sightline.api.answers.jobs import EXAMPLE_VIDEO
from sightline.api.videos import need_own_video
from sightline.bootstrap import Platform
from sightline.bus import TECHNIQUE_TOPIC, Names, topic_name
from sightline.contracts import Caller
from sightline.contracts.jobs import Analyze
from sightline.errors import InvalidInput
from sightline.objects import result_prefix, video_id_of_original
from sightline.techniques import default_analyzer, need_analyzer

MAX_USER_PRIORITY = 10
"""Far enough to sort one's own jobs; the platform's own ones and an operator's can always go first."""


class AnalysisRequest(BaseModel):
    """The video is given by `video_id` or `s3_uri`."""

    model_config = ConfigDict(extra="forbid")

    video_id: UUID | None = Field(None, examples=[EXAMPLE_VIDEO])
    s3_uri: str | None = Field(
        None,
        max_length=1100,
        examples=[f"s3://fiapx-videos/videos/original/{EXAMPLE_VIDEO}/master.mp4"],
        description="Location of the original of the video.",
    )
    output_s3_uri: str | None = Field(
        None,
        max_length=1100,
        examples=[f"s3://fiapx-videos/results/{EXAMPLE_VIDEO}/final.json"],
        description="Location for the result, below `results/{video_id}/`.",
    )
    sns_topic_arn: str | None = Field(
        None,
        min_length=1,
        max_length=300,
        examples=["arn:aws:sns:us-east-1:000000000000:video_analysis_events"],
        description="Topic to publish to instead of the default one; the operator has to allow it.",
    )
    sampling_rate: int = Field(1, ge=1, le=10_000, examples=[1], description="Analyze every n-th key frame.")
    analyzer: str | None = Field(
        None, max_length=100, examples=["annotations"], description="Name of an installed analyzer."
    )
    priority: int = Field(
        0,
        ge=-1000,
        le=1000,
        examples=[0],
        description=f"Higher runs first. From -{MAX_USER_PRIORITY} to {MAX_USER_PRIORITY}, unless the caller is an operator.",
    )

    @model_validator(mode="after")
    def _is_one_way(self) -> Self:
        if (self.video_id is None) == (self.s3_uri is None):
            raise ValueError("give either video_id or s3_uri")
        return self


async def analysis_of(platform: Platform, caller: Caller, wanted: AnalysisRequest) -> Analyze:
    """Validates the request; returns the payload of the job."""
    if abs(wanted.priority) > MAX_USER_PRIORITY and not caller.is_operator:
        raise InvalidInput(
            f"priority: must be from -{MAX_USER_PRIORITY} to {MAX_USER_PRIORITY}; operators may go further"
        )
    video_id = wanted.video_id or _video_at(wanted.s3_uri or "", platform.objects.bucket)
    analyzer = wanted.analyzer or default_analyzer(platform.settings.techniques)
    need_analyzer(analyzer)
    topic = _allowed_topic(platform, wanted.sns_topic_arn)
    output = None
    if wanted.output_s3_uri is not None:
        output = _output_key(wanted.output_s3_uri, platform.objects.bucket, video_id)
    await need_own_video(platform, caller, video_id)
    return Analyze(
        video_id=video_id,
        analyzer=analyzer,
        result_key=output,
        sns_topic_arn=topic,
        sampling_rate=wanted.sampling_rate,
    )


def _allowed_topic(platform: Platform, arn: str | None) -> str | None:
    if arn is None:
        return None
    bus = platform.settings.bus
    names = Names(bus.region, bus.account_id)
    allowed = (TECHNIQUE_TOPIC, *(topic_name(one) for one in platform.settings.techniques.topics))
    if arn not in {*allowed, *(names.topic_arn(name) for name in allowed)}:
        raise InvalidInput(
            f"sns_topic_arn: {arn} is not allowed here; SIGHTLINE_TECHNIQUES_TOPICS names those that are",
            details={"allowed": [names.topic_arn(name) for name in allowed]},
        )
    return arn


def _video_at(uri: str, bucket: str) -> UUID:
    key = _key(uri, "s3_uri", bucket)
    found = video_id_of_original(key)
    if found is None:
        raise InvalidInput(f"s3_uri: no video has its original at {uri}; upload it, or drop it there, first")
    return found


def _output_key(uri: str, bucket: str, video_id: UUID) -> str:
    key, prefix = _key(uri, "output_s3_uri", bucket), result_prefix(video_id)
    if not key.startswith(prefix) or not key.endswith(".json") or ".." in key or not key.isprintable():
        raise InvalidInput(f"output_s3_uri: a result of this video is stored at s3://{bucket}/{prefix}….json")
    return key


def _key(uri: str, field: str, bucket: str) -> str:
    prefix = f"s3://{bucket}/"
    if not uri.startswith(prefix):
        raise InvalidInput(f"{field}: {uri} does not lie in this platform's bucket, {prefix}…")
    return uri.removeprefix(prefix)
