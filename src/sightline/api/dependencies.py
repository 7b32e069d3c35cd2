"""What a route can depend on: the platform, the caller, a transaction that runs as the caller."""

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import Depends, Request
from fastapi.security import HTTPBearer

from sightline.api.auth.authentication import Authentication
from sightline.api.auth.route_scopes import check_scope
from sightline.bootstrap import Platform
from sightline.contracts import Caller
from sightline.db import Transaction
from sightline.errors import NotAllowed

# Tells /docs of bearer tokens; who is asking is `identity`'s to find out.
documented_bearer = HTTPBearer(
    auto_error=False, description="A token of an issuer that SIGHTLINE_AUTH_* names, or an API key."
)


async def get_platform(request: Request) -> Platform:
    # Asynchronous because FastAPI takes anything else to a thread.
    platform: Platform = request.app.state.platform
    return platform


async def get_caller(request: Request, _: Annotated[object, Depends(documented_bearer)] = None) -> Caller:
    authentication: Authentication = request.app.state.authentication
    signed_in = await authentication.of_request(request.scope)
    check_scope(signed_in.scopes, request.method, request.scope["path"])
    request.app.state.rate_limit.take(str(signed_in.caller.user_id))
    return signed_in.caller


async def get_operator(caller: Annotated[Caller, Depends(get_caller)]) -> Caller:
    if not caller.is_operator:
        raise NotAllowed("Only operators can do this")
    return caller


async def get_caller_transaction(
    platform: Annotated[Platform, Depends(get_platform)], caller: Annotated[Caller, Depends(get_caller)]
) -> AsyncIterator[Transaction]:
    async with platform.database.as_caller(caller.claims()) as tx:
        yield tx


CurrentPlatform = Annotated[Platform, Depends(get_platform)]
CurrentCaller = Annotated[Caller, Depends(get_caller)]
Operator = Annotated[Caller, Depends(get_operator)]
# Committed before the answer is sent ("function" scope), so that a failed commit is never answered with success.
CallerTransaction = Annotated[Transaction, Depends(get_caller_transaction, scope="function")]
