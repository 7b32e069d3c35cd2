"""What `POST /jobs` takes: an analysis of a stored video, by its id or by the location of its original."""

from typing import Self
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, model_validator

from sightline.api.answers.jobs import EXAMPLE_VIDEO
from sightline.api.usual_analyzer import usual_analyzer
from sightline.api.videos import need_own_video
from sightline.bootstrap import Platform
from sightline.bus import TECHNIQUE_TOPIC, Names, TopicRefused, topic_arn_of
from sightline.contracts import Caller
from sightline.contracts.jobs import Analyze
from sightline.errors import InvalidInput
from sightline.objects import is_key, result_prefix, video_id_of_original
from sightline.techniques import need_analyzer

MAX_USER_PRIORITY = 10
"""Far enough to sort one's own jobs; the platform's own ones and an operator's can always go first."""


MAX_LISTED_TOPICS = 20


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
    if wanted.analyzer is not None:
        need_analyzer(wanted.analyzer)
    output: tuple[str | None, str | None] = (None, None)
    if wanted.output_s3_uri is not None:
        output = _output_location(platform, wanted.output_s3_uri, video_id)
    await need_own_video(platform, caller, video_id)
    analyzer = wanted.analyzer or await usual_analyzer(platform, video_id)
    need_analyzer(analyzer)
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


async def check_override_topic(platform: Platform, caller: Caller, topic: str) -> None:
    """Raises `InvalidInput` that names the topic and those that may be used, with the reason of the bus if it has one."""
    bus = platform.settings.bus
    names = Names(bus.region, bus.account_id)
    own = await _own_topics(platform, caller, names)
    allowed = [topic_arn_of(one, names) for one in (TECHNIQUE_TOPIC, *platform.settings.techniques.topics)]
    usable = ", ".join([*allowed, *own[:MAX_LISTED_TOPICS]])
    arn = topic_arn_of(topic, names)
    if not (arn in own or _is_allowed(platform, arn, allowed, names)):
        raise InvalidInput(
            f"sns_topic_arn: {topic} is not allowed here. Use your own topics or those of SIGHTLINE_TECHNIQUES_TOPICS: {usable}",
            details={"topic": topic, "allowed": [*allowed, *own[:MAX_LISTED_TOPICS]]},
        )
    try:
        await platform.bus.check_topic(topic)
    except TopicRefused as error:
        raise InvalidInput(
            f"sns_topic_arn: {topic} cannot be used: {error.message}. Topics that jobs may use: {usable}",
            details={"topic": topic, "reason": error.message, "allowed": [*allowed, *own[:MAX_LISTED_TOPICS]]},
        ) from error


async def _own_topics(platform: Platform, caller: Caller, names: Names) -> list[str]:
    """The topics that the caller created on the embedded bus; AWS does not know our callers."""
    registry = platform.open_bus.registry
    if registry is None:
        return []
    account = await registry.account(caller.user_id, is_operator=caller.is_operator)
    await registry.refresh()  # another process may have created one a moment ago
    topics = registry.snapshot.topics.values()
    return [
        names.topic_arn(one.name)
        for one in topics
        if one.account_id == account.account_id and not one.is_declared and not one.is_fifo
    ]


def _is_allowed(platform: Platform, arn: str, allowed: list[str], names: Names) -> bool:
    if arn in allowed:
        return True
    # A pattern never opens the topics of the platform's other parts, whose consumers expect other messages.
    if arn in {names.topic_arn(topic) for topic in platform.bus.topology.topics}:
        return False
    return any(one.endswith("*") and arn.startswith(one[:-1]) for one in allowed)


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
