"""API keys over HTTP: people create, list and revoke their own; operators see and revoke everyone's."""

from datetime import timedelta
from typing import Annotated

import structlog
from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, ConfigDict, Field

from sightline.access import SCOPES, list_keys, revoke_key
from sightline.api.answers.keys import EXAMPLE_KEY_ID, ApiKeyAnswer, ApiKeysAnswer, NewApiKeyAnswer
from sightline.api.answers.paged import EXAMPLE_CURSOR
from sightline.api.dependencies import CurrentCaller, CurrentPlatform
from sightline.errors import NotAllowed
from sightline.paging import Cursor, page_of

MAX_LIFETIME_DAYS = 3650
MAX_LISTED = 200

log = structlog.get_logger(__name__)
router = APIRouter(prefix="/api/keys", tags=["people"])

KeyId = Annotated[
    str, Path(pattern="^[A-Z2-7]{16}$", description="The key's id, its public half.", examples=[EXAMPLE_KEY_ID])
]


class NewApiKey(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: str = Field(
        min_length=1,
        max_length=100,
        pattern=r"^[^\x00-\x1f\x7f]+$",
        examples=["Front door detector"],
        description="What uses the key.",
    )
    scopes: list[str] = Field(
        min_length=1, max_length=len(SCOPES), examples=[["detections:write"]], description=", ".join(SCOPES)
    )
    expires_in_days: int | None = Field(
        None, ge=1, le=MAX_LIFETIME_DAYS, examples=[90], description="Unset: valid until it is revoked."
    )
    with_teams: bool = Field(
        False, examples=[False], description="Whether the key also sees what the caller's present teams see."
    )


@router.post("", status_code=201)
async def new_api_key(platform: CurrentPlatform, caller: CurrentCaller, body: NewApiKey) -> NewApiKeyAnswer:
    """Create a key that acts as the caller, limited to its scopes. The response is the only time the key is shown."""
    lifetime = None if body.expires_in_days is None else timedelta(days=body.expires_in_days)
    async with platform.database.transaction() as tx:
        key, text = await platform.api_keys.create(
            tx, caller, name=body.name, scopes=body.scopes, lifetime=lifetime, with_teams=body.with_teams
        )
    log.info("api_key.created", key_id=key.key_id, scopes=sorted(key.scopes))
    return NewApiKeyAnswer.with_secrets(key, text, platform.access_keys.secret_of(text))


@router.get("")
async def api_keys(
    platform: CurrentPlatform,
    caller: CurrentCaller,
    of_everyone: Annotated[bool, Query(description="For operators: the keys of all people.", examples=[False])] = False,
    with_revoked: Annotated[bool, Query(description="Revoked keys as well.", examples=[False])] = False,
    limit: Annotated[int, Query(ge=1, le=MAX_LISTED, description="Maximum number of keys.", examples=[50])] = 50,
    cursor: Annotated[
        str | None, Query(max_length=100, description="From `next_cursor`.", examples=[EXAMPLE_CURSOR])
    ] = None,
) -> ApiKeysAnswer:
    """The caller's keys, newest first, without their secrets."""
    if of_everyone and not caller.is_operator:
        raise NotAllowed("Only operators can see the keys of others")
    after = None if cursor is None else Cursor.parse(cursor, str)
    database = platform.database
    async with database.transaction() if of_everyone else database.as_caller(caller.claims()) as tx:
        found = await list_keys(
            tx,
            owner_id=None if of_everyone else caller.user_id,
            with_revoked=with_revoked,
            limit=limit + 1,
            after=after,
        )
    page = page_of(found, limit, lambda key: Cursor(key.created_at, key.key_id))
    return ApiKeysAnswer(
        keys=[ApiKeyAnswer.of(key) for key in page.items], next_cursor=page.next_cursor, scopes=dict(SCOPES)
    )


@router.delete("/{key_id}")
async def remove_api_key(platform: CurrentPlatform, caller: CurrentCaller, key_id: KeyId) -> ApiKeyAnswer:
    """Revoke a key: from now on it is refused everywhere. Operators can revoke anyone's."""
    async with platform.database.transaction() as tx:
        owner_id = None if caller.is_operator else caller.user_id
        revoked = await revoke_key(tx, key_id, owner_id=owner_id, by=caller.user_id)
    log.info("api_key.revoked", key_id=key_id)
    return ApiKeyAnswer.of(revoked)
