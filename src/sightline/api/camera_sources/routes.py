"""Trying a camera's address, the sample camera, and the newest picture of a camera."""

import asyncio
import base64
from typing import Annotated

from fastapi import APIRouter, Header, Response
from pydantic import BaseModel, ConfigDict, Field

from sightline.api.answers.cameras import TriedSourceAnswer, TriedSubStreamAnswer, WatchedCameraAnswer
from sightline.api.camera_sources.bodies import SourceBody, source_request
from sightline.api.cameras import CameraId, add_camera, own_camera, stored_source
from sightline.api.dependencies import CurrentCaller, CurrentPlatform
from sightline.cameras import SAMPLE_CAMERA_ID, SAMPLE_CAMERA_NAME, SourceProblem, mark_viewed, source_of
from sightline.cameras.sources import try_source
from sightline.contracts.values import Name
from sightline.errors import Conflict, InvalidInput, NotFound
from sightline.security import need_camera, normalize_camera_id

MAX_TRIALS = 4
"""At the same time in one process: each takes a process of its own."""
_trials = asyncio.Semaphore(MAX_TRIALS)

_WITHOUT_PICTURE = ("push", "folder", "mqtt")

router = APIRouter(prefix="/api/cameras", tags=["cameras"])


class SourceTrial(BaseModel):
    model_config = ConfigDict(extra="forbid")

    source: SourceBody
    camera_id: Name | None = Field(
        None, examples=[None], description="An existing camera: what is left out, its password too, is taken from it."
    )


@router.post("/test")
async def test_source(platform: CurrentPlatform, caller: CurrentCaller, body: SourceTrial) -> TriedSourceAnswer:
    """Connect to a camera without saving it, and return its first picture. 422 says why there is none, and what to do."""
    current = None
    if body.camera_id is not None:
        camera = await own_camera(platform, caller, body.camera_id)
        current = await stored_source(platform, camera)
    if (body.source.kind or (current and current.source.kind)) in _WITHOUT_PICTURE:
        raise InvalidInput(
            "A camera of this kind has no picture to test. Add it; its state then says whether it works."
        )
    request = source_request(body.source, platform, caller, current)
    settings, may_be_unconfined = platform.settings.cameras, platform.settings.media.allow_unconfined
    async with _trials:
        tried = await try_source(request, settings, may_be_unconfined=may_be_unconfined)
        sub_stream = None
        if (sub := request.of_sub_stream()) is not None:
            try:
                seen = await try_source(sub, settings, may_be_unconfined=may_be_unconfined)
            except SourceProblem as problem:
                problem.details["stream"] = "sub"
                raise
            sub_stream = TriedSubStreamAnswer(width=seen.width, height=seen.height, codec=seen.codec, fps=seen.fps)
    picture = "data:image/jpeg;base64," + base64.b64encode(tried.picture).decode()
    return TriedSourceAnswer(
        picture=picture,
        width=tried.width,
        height=tried.height,
        codec=tried.codec,
        fps=tried.fps,
        took_ms=tried.took_ms,
        sub_stream=sub_stream,
    )


@router.post("/sample", status_code=201)
async def sample_camera(platform: CurrentPlatform, caller: CurrentCaller) -> WatchedCameraAnswer:
    """Add a camera that shows a bundled clip of a person walking past, in a loop."""
    try:
        return await add_camera(
            platform,
            caller,
            camera_id=SAMPLE_CAMERA_ID,
            name=SAMPLE_CAMERA_NAME,
            source=SourceBody(kind="sample", reports_motion=True),
        )
    except Conflict:
        raise Conflict("You have the sample camera already.", details={"camera_id": SAMPLE_CAMERA_ID}) from None


@router.get(
    "/{camera_id}/picture.jpg",
    response_class=Response,
    responses={200: {"content": {"image/jpeg": {"schema": {"type": "string"}, "example": "JPEG…"}}}},
)
async def newest_picture(
    platform: CurrentPlatform,
    caller: CurrentCaller,
    camera_id: CameraId,
    if_none_match: Annotated[
        str | None,
        Header(
            max_length=200,
            description="ETag of the picture that you have.",
            examples=['"9e107d9d372bb6826bd81d3542a419d6"'],
        ),
    ] = None,
) -> Response:
    """The newest picture of a camera. While it is requested, new pictures come faster."""
    async with platform.database.as_caller(caller.claims()) as tx:
        camera = await need_camera(tx, normalize_camera_id(camera_id))
        source = await source_of(tx, camera.camera_key)
    if source is not None and source.is_enabled:
        async with platform.database.transaction() as tx:
            await mark_viewed(tx, camera.camera_key)
    found = await platform.camera_pictures.newest(camera.camera_key)
    if found is None:
        raise NotFound(f"camera {camera.camera_id} has no picture yet", code="PICTURE_NOT_FOUND")
    headers = {"cache-control": "no-store", "etag": f'"{found.etag}"'}
    if if_none_match is not None and f'"{found.etag}"' in if_none_match:
        return Response(status_code=304, headers=headers)
    return Response(found.content, media_type="image/jpeg", headers=headers)
