"""What routes share: the platform, the caller, transactions that see what the caller may see, and the query of a list."""

from collections.abc import AsyncIterator, Callable
from typing import Annotated
from uuid import UUID

from fastapi import Depends, Request
from fastapi.security import HTTPBearer
from pydantic import BaseModel, ConfigDict, Field

from sightline.api.auth.authentication import Authentication
from sightline.api.auth.route_scopes import check_scope
from sightline.bootstrap import Platform
from sightline.contracts import Caller
from sightline.db import Transaction
from sightline.errors import NotAllowed, NotFound
from sightline.notifications import Proof
from sightline.paging import Cursor

MAX_LISTED = 500

# Documents bearer tokens at /docs; `auth.identity` checks them.
documented_bearer = HTTPBearer(
    auto_error=False, description="A token of an issuer that SIGHTLINE_AUTH_* names, or an API key."
)


async def get_platform(request: Request) -> Platform:
    # Asynchronous because FastAPI takes anything else to a thread.
    platform: Platform = request.app.state.platform
    return platform


async def get_caller(request: Request, _: Annotated[object, Depends(documented_bearer)] = None) -> Caller:
    authentication: Authentication = request.app.state.authentication
    request.state.signed_in = signed_in = await authentication.of_request(request.scope)
    check_scope(signed_in.scopes, request.method, request.scope["path"])
    caller = signed_in.caller
    request.app.state.rate_limit.take(str(caller.user_id))
    request.app.state.platform.usage.count_request(caller.user_id)
    if caller.email is not None and (caller.is_email_verified or caller.is_operator):
        by: Proof = "identity provider" if caller.is_email_verified else "operator"
        await request.app.state.platform.addresses.remember_email(caller.user_id, caller.email, by=by)
    return caller


async def get_operator(caller: Annotated[Caller, Depends(get_caller)]) -> Caller:
    if not caller.is_operator:
        raise NotAllowed("Only operators can do this")
    return caller


async def get_caller_transaction(
    platform: Annotated[Platform, Depends(get_platform)], caller: Annotated[Caller, Depends(get_caller)]
) -> AsyncIterator[Transaction]:
    async with platform.database.as_caller(caller.claims()) as tx:
        yield tx


async def get_reading_transaction(
    platform: Annotated[Platform, Depends(get_platform)], caller: Annotated[Caller, Depends(get_caller)]
) -> AsyncIterator[Transaction]:
    """Operators see every row, also those without a video; other callers see what row level security allows."""
    database = platform.database
    async with database.transaction() if caller.is_operator else database.as_caller(caller.claims()) as tx:
        yield tx


def parse_id(text: str, unknown: Callable[[str], NotFound]) -> UUID:
    """An id that is not a UUID is answered like an unknown one: 404."""
    try:
        return UUID(text)
    except ValueError:
        raise unknown(text) from None


class VideoListQuery(BaseModel):
    """Of a list, newest first, that can be limited to one video."""

    model_config = ConfigDict(extra="forbid")

    video_id: UUID | None = Field(
        None, examples=["a1b2c3d4-e5f6-7890-abcd-ef1234567890"], description="Only of this video."
    )
    limit: int = Field(50, ge=1, le=MAX_LISTED, examples=[50], description="Maximum number of results.")
    cursor: str | None = Field(
        None,
        max_length=100,
        examples=["2026-01-17T10:00:00.000000Z_0197b2a4-6c3e-7a11-8f00-3d1c5a9be210"],
        description="`next_cursor` of the previous page.",
    )

    @property
    def before(self) -> Cursor[UUID] | None:
        return None if self.cursor is None else Cursor.parse(self.cursor, UUID)


CurrentPlatform = Annotated[Platform, Depends(get_platform)]
CurrentCaller = Annotated[Caller, Depends(get_caller)]
Operator = Annotated[Caller, Depends(get_operator)]
# Committed before the answer is sent ("function" scope), so that a failed commit is never answered with success.
CallerTransaction = Annotated[Transaction, Depends(get_caller_transaction, scope="function")]
ReadingTransaction = Annotated[Transaction, Depends(get_reading_transaction, scope="function")]
