"""The caller as the platform sees it, so that a client offers only what is allowed."""

from uuid import UUID

from fastapi import APIRouter
from pydantic import BaseModel, Field

from sightline.api.dependencies import CurrentCaller, CurrentPlatform
from sightline.contracts import LOCAL_OWNER_ID, Role

router = APIRouter(tags=["people"])


class MeAnswer(BaseModel):
    user_id: UUID = Field(examples=[LOCAL_OWNER_ID])
    email: str | None = Field(examples=["owner@localhost"])
    roles: list[Role] = Field(examples=[["operator", "user"]])
    is_operator: bool = Field(examples=[True], description="May see and manage jobs and queues.")
    needs_sign_in: bool = Field(examples=[False], description="Requests need a bearer token.")


@router.get("/api/me")
async def me(platform: CurrentPlatform, caller: CurrentCaller) -> MeAnswer:
    """The caller's identity and rights."""
    return MeAnswer(
        user_id=caller.user_id,
        email=caller.email,
        roles=sorted(caller.roles | ({"operator"} if caller.is_operator else set())),
        is_operator=caller.is_operator,
        needs_sign_in=platform.settings.auth.is_configured,
    )
