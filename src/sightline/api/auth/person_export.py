"""Export of one person's data over HTTP: people their own, operators anyone's."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import StreamingResponse

from sightline.api.auth.people import EXAMPLE_ID
from sightline.api.auth.rate_limit import RateLimit
from sightline.api.dependencies import CurrentCaller, CurrentPlatform, Operator
from sightline.bootstrap import Platform
from sightline.errors import NotAllowed, NotFound
from sightline.personal_data import PersonExport, is_known, person_of

EXPORTS_PER_MINUTE = 2
"""Of each caller: one reads every table."""

router = APIRouter(tags=["people"])

UserId = Annotated[UUID, Path(description="Their id.", examples=[EXAMPLE_ID])]
WithFiles = Annotated[bool, Query(description="Also videos, clips, recordings and pictures.", examples=[False])]
_ZIP: dict[int | str, dict[str, Any]] = {
    200: {"content": {"application/zip": {"example": "PK…"}}, "description": "A JSON file for each table."}
}


@router.get("/api/me/export", response_class=StreamingResponse, responses=_ZIP)
async def export_mine(
    request: Request, platform: CurrentPlatform, caller: CurrentCaller, with_files: WithFiles = False
) -> StreamingResponse:
    """Everything that is stored about the caller as a ZIP of JSON files, without secrets."""
    return await _export(request, platform, caller.user_id, by=caller.user_id, with_files=with_files)


@router.get("/api/people/{user_id}/export", response_class=StreamingResponse, responses=_ZIP)
async def export_person(
    request: Request, platform: CurrentPlatform, operator: Operator, user_id: UserId, with_files: WithFiles = False
) -> StreamingResponse:
    """Everything that is stored about a person. For operators."""
    async with platform.database.transaction() as tx:
        if not await is_known(tx, user_id):
            raise NotFound(f"no person with the id {user_id} has signed in or owns a video or a camera")
    return await _export(request, platform, user_id, by=operator.user_id, with_files=with_files)


async def _export(
    request: Request, platform: Platform, user_id: UUID, *, by: UUID, with_files: bool
) -> StreamingResponse:
    if request.state.signed_in.key_id is not None:
        raise NotAllowed("An API key cannot export a person's data; sign in with a token")
    limit: RateLimit = request.app.state.export_limit
    limit.take(str(by))
    async with platform.database.transaction() as tx:
        person = await person_of(tx, user_id)
    export = PersonExport(platform.database, platform.objects, platform.open_messages.store)
    headers = {"content-disposition": f'attachment; filename="person-{user_id}.zip"', "cache-control": "no-store"}
    content = export.stream(person, with_files=with_files)
    return StreamingResponse(content, media_type="application/zip", headers=headers)
