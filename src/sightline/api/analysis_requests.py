"""What `POST /jobs` takes: an analysis of a stored video, by its id or by the location of its original."""

from typing import Self
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, model_validator

from sightline.api.answers.jobs import EXAMPLE_VIDEO
from sightline.api.override_topics import check_override_topic
from sightline.api.videos import need_own_video
from sightline.bootstrap import Platform
from sightline.contracts import Caller
from sightline.contracts.jobs import Analyze
from sightline.errors import InvalidInput
from sightline.objects import is_key, result_prefix, video_id_of_original
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
        description="Location for the result: below `results/{video_id}/`, or in another bucket where the operator allows it.",
    )
    sns_topic_arn: str | None = Field(
        None,
        min_length=1,
        max_length=300,
        examples=["arn:aws:sns:us-east-1:000000000000:video_analysis_events"],
        description="Topic to publish to instead of the default one. It has to exist, and the operator has to allow it.",
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
    output: tuple[str | None, str | None] = (None, None)
    if wanted.output_s3_uri is not None:
        output = _output_location(platform, wanted.output_s3_uri, video_id)
    await need_own_video(platform, caller, video_id)
    if wanted.sns_topic_arn is not None:
        await check_override_topic(platform, caller, wanted.sns_topic_arn)
    return Analyze(
        video_id=video_id,
        analyzer=analyzer,
        result_bucket=output[0],
        result_key=output[1],
        sns_topic_arn=wanted.sns_topic_arn,
        sampling_rate=wanted.sampling_rate,
    )


def _video_at(uri: str, bucket: str) -> UUID:
    key = _key(uri, "s3_uri", bucket)
    found = video_id_of_original(key)
    if found is None:
        raise InvalidInput(f"s3_uri: no video has its original at {uri}; upload it, or drop it there, first")
    return found


def _output_location(platform: Platform, uri: str, video_id: UUID) -> tuple[str | None, str]:
    """Bucket, None for the platform's own, and key."""
    own, prefix = platform.objects.bucket, result_prefix(video_id)
    allowed = [one.rstrip("/") + "/" for one in platform.settings.techniques.output_locations]
    bucket, _, key = uri.removeprefix("s3://").partition("/")
    is_usable = uri.startswith("s3://") and is_key(key) and key.endswith(".json") and key.isprintable()
    if bucket == own:
        if not is_usable or not key.startswith(prefix):
            raise InvalidInput(f"output_s3_uri: a result of this video is stored at s3://{own}/{prefix}….json")
        return None, key
    if not is_usable or not any(uri.startswith(location) for location in allowed):
        raise InvalidInput(
            f"output_s3_uri: {uri} is not allowed here; use s3://{own}/{prefix}….json, "
            "or a .json below one of SIGHTLINE_TECHNIQUES_OUTPUT_LOCATIONS",
            details={"allowed": [f"s3://{own}/{prefix}", *allowed]},
        )
    try:
        platform.objects.in_bucket(bucket)
    except InvalidInput as error:
        raise InvalidInput(f"output_s3_uri: {error.message}", details=error.details) from error
    return bucket, key


def _key(uri: str, field: str, bucket: str) -> str:
    prefix = f"s3://{bucket}/"
    if not uri.startswith(prefix):
        raise InvalidInput(f"{field}: {uri} does not lie in this platform's bucket, {prefix}…")
    return uri.removeprefix(prefix)
