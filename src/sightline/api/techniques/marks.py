"""Marks of techniques: list, add, change, delete, restore and publish them."""

from dataclasses import replace
from typing import Annotated, Any, Self
from uuid import UUID

from fastapi import APIRouter, Depends, Path, Query
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from sightline.api.analysis_requests import check_override_topic
from sightline.api.answers.marks import EXAMPLE_MARK, PublishingAnswer, TechniqueMarkAnswer, TechniqueMarksAnswer
from sightline.api.clips import LATEST_MS
from sightline.api.dependencies import CallerTransaction, CurrentCaller, CurrentPlatform, parse_id
from sightline.api.videos import VideoId, may_change, need_own_video
from sightline.bus import Names
from sightline.contracts.technique_events import Category
from sightline.errors import NotFound
from sightline.techniques import plain_text
from sightline.techniques.marks import (
    MAX_NAME_LENGTH,
    MAX_NOTE_LENGTH,
    MarkState,
    MarkValues,
    NewMark,
    add_marks,
    change_mark,
    delete_mark,
    list_marks,
    publish_marks,
    read_review,
    restore_mark,
)
from sightline.videos import need_video

router = APIRouter(prefix="/videos/{video_id}/marks", tags=["techniques"])


def _mark_id(mark_id: Annotated[str, Path(description="The mark's id.", examples=[EXAMPLE_MARK])]) -> UUID:
    return parse_id(mark_id, lambda text: NotFound(f"no mark {text[:100]!r}", code="MARK_NOT_FOUND"))


def _readable(text: str) -> str:
    plain = plain_text(text)
    if not plain:
        raise ValueError("a text is needed")
    return plain


MarkId = Annotated[UUID, Depends(_mark_id)]
Label = Annotated[str, Field(min_length=1, max_length=MAX_NAME_LENGTH), AfterValidator(_readable)]
Note = Annotated[str, Field(max_length=MAX_NOTE_LENGTH), AfterValidator(plain_text)]
Time = Annotated[int, Field(ge=0, le=LATEST_MS)]
Version = Annotated[int, Field(ge=1, le=2**31 - 1)]


class NewMarkBody(BaseModel):
    model_config = ConfigDict(extra="forbid")

    t_start: Time = Field(examples=[83_000], description="In ms of the video's time, like t_end.")
    t_end: Time = Field(examples=[105_500])
    category: Category = Field(examples=["GUARD_PLAY"])
    name: Label = Field(examples=["Scissor Sweep"], description="One of `GET /api/technique-names`, or any other.")
    role: Label = Field(examples=["athlete in blue"], description="The athlete who performs it.")
    confidence: float = Field(1.0, ge=0, le=1, examples=[1.0])
    note: Note = Field("", examples=["the legs cross"])
    finished: bool | None = Field(None, examples=[True], description="Whether it succeeded.")
    state: MarkState = Field(MarkState.ACCEPTED, examples=["accepted"])

    def values(self) -> MarkValues:
        given = self.model_dump(exclude={"t_start", "t_end"})
        return MarkValues(start_ms=self.t_start, end_ms=self.t_end, **given)


class MarkChangeBody(BaseModel):
    """What is left out stays as it is."""

    model_config = ConfigDict(extra="forbid")

    version: Version = Field(
        examples=[1], description="The version that was changed; 409 if the mark has another by now."
    )
    t_start: Time | None = Field(None, examples=[83_000])
    t_end: Time | None = Field(None, examples=[105_500])
    category: Category | None = Field(None, examples=["GUARD_PLAY"])
    name: Label | None = Field(None, examples=["Scissor Sweep"])
    role: Label | None = Field(None, examples=["athlete in blue"])
    confidence: float | None = Field(None, ge=0, le=1, examples=[1.0])
    note: Note | None = Field(None, examples=["the legs cross"])
    finished: bool | None = Field(None, examples=[True], description="null: nobody said.")
    state: MarkState | None = Field(None, examples=["accepted"])

    @model_validator(mode="after")
    def _changes_something(self) -> Self:
        if empty := sorted(name for name in self.changes() if name != "finished" and self.changes()[name] is None):
            raise ValueError(f"{', '.join(empty)}: cannot be null; leave it out to keep it as it is")
        if not self.changes():
            raise ValueError("nothing to change; give at least one field beside version")
        return self

    def changes(self) -> dict[str, Any]:
        names = {"t_start": "start_ms", "t_end": "end_ms"}
        given = self.model_dump(exclude={"version"}, exclude_unset=True)
        return {names.get(name, name): value for name, value in given.items()}


class MarkVersionBody(BaseModel):
    model_config = ConfigDict(extra="forbid")

    version: Version = Field(examples=[2])


class PublishBody(BaseModel):
    model_config = ConfigDict(extra="forbid")

    revision: int = Field(
        ge=0, examples=[7], description="The revision that was reviewed; 409 if the marks have changed since."
    )
    sns_topic_arn: str | None = Field(
        None, min_length=1, max_length=300, examples=[None], description="As in `POST /jobs`."
    )
    again: bool = Field(
        False,
        examples=[False],
        description="Publish as another run what was published already. Otherwise the response names the run that there is.",
    )


@router.get("")
async def marks(tx: CallerTransaction, caller: CurrentCaller, video_id: VideoId) -> TechniqueMarksAnswer:
    """Candidates of analyzers and marks of people, by time, with what people decided about them."""
    video = await need_video(tx, video_id)
    review = await read_review(tx, video_id)
    return TechniqueMarksAnswer.of(
        video_id, review, await list_marks(tx, video_id), can_change=may_change(video, caller)
    )


@router.post("", status_code=201)
async def add(
    platform: CurrentPlatform, caller: CurrentCaller, video_id: VideoId, body: NewMarkBody
) -> TechniqueMarkAnswer:
    """Mark a technique."""
    video = await need_own_video(platform, caller, video_id)
    async with platform.database.transaction() as tx:
        (mark,) = await add_marks(tx, video, [NewMark(body.values())], by=caller.user_id)
    return TechniqueMarkAnswer.of(mark)


@router.patch("/{mark_id}")
async def change(
    platform: CurrentPlatform, caller: CurrentCaller, video_id: VideoId, mark_id: MarkId, body: MarkChangeBody
) -> TechniqueMarkAnswer:
    """Accept, reject or correct a mark. 409 if another person changed it since."""
    video = await need_own_video(platform, caller, video_id)
    async with platform.database.transaction() as tx:
        changed = await change_mark(
            tx,
            video,
            mark_id,
            lambda values: replace(values, **body.changes()),
            expected=body.version,
            by=caller.user_id,
        )
    return TechniqueMarkAnswer.of(changed)


@router.delete("/{mark_id}")
async def delete(
    platform: CurrentPlatform,
    caller: CurrentCaller,
    video_id: VideoId,
    mark_id: MarkId,
    version: Annotated[Version, Query(examples=[1], description="The version that was seen; 409 if it has another.")],
) -> TechniqueMarkAnswer:
    """Delete a mark. The answer has the version by which it can be restored."""
    video = await need_own_video(platform, caller, video_id)
    async with platform.database.transaction() as tx:
        return TechniqueMarkAnswer.of(await delete_mark(tx, video, mark_id, expected=version, by=caller.user_id))


@router.post("/{mark_id}/restore")
async def restore(
    platform: CurrentPlatform, caller: CurrentCaller, video_id: VideoId, mark_id: MarkId, body: MarkVersionBody
) -> TechniqueMarkAnswer:
    """Restore a deleted mark."""
    video = await need_own_video(platform, caller, video_id)
    async with platform.database.transaction() as tx:
        return TechniqueMarkAnswer.of(await restore_mark(tx, video, mark_id, expected=body.version, by=caller.user_id))


@router.post("/publish", status_code=202)
async def publish(
    platform: CurrentPlatform, caller: CurrentCaller, video_id: VideoId, body: PublishBody
) -> PublishingAnswer:
    """Publish the accepted marks as a new analysis: N events and one completion, as document 000 says. Safe to repeat: a revision
    that was published already is not sent again, and the response names its run."""
    video = await need_own_video(platform, caller, video_id)
    if body.sns_topic_arn is not None:
        await check_override_topic(platform, caller, body.sns_topic_arn)
    async with platform.database.transaction() as tx:
        published = await publish_marks(
            tx,
            video,
            jobs=platform.jobs,
            objects=platform.objects,
            names=Names(platform.settings.bus.region, platform.settings.bus.account_id),
            expected_revision=body.revision,
            by=caller.user_id,
            topic=body.sns_topic_arn,
            again=body.again,
        )
    return PublishingAnswer(job_id=published.job_id, total_event_count=published.total)
