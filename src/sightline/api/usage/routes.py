"""Usage: figures of the caller, figures of all owners for operators, and the quotas of one."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Path, Query
from fastapi.responses import StreamingResponse

from sightline.api.dependencies import CurrentCaller, CurrentPlatform, Operator
from sightline.api.usage.answers import (
    EXAMPLE_OWNER,
    OwnerQuotasAnswer,
    OwnersAnswer,
    QuotasAnswer,
    UsageAnswer,
)
from sightline.api.usage.owner_lines import owner_answers, owner_lines
from sightline.bootstrap import Platform
from sightline.db import Transaction
from sightline.errors import NotAllowed
from sightline.paging import page_of
from sightline.teams import ActingPerson, need_team
from sightline.timing import utc_now
from sightline.uploads import usage_of_owner
from sightline.usage import (
    Month,
    OwnerSort,
    clear_quotas,
    cursor_of,
    days_of_owner,
    list_owners,
    quotas_set_for,
    set_quotas,
    stored_now,
)

MAX_LISTED = 200

router = APIRouter(prefix="/api/usage", tags=["usage"])

OwnerId = Annotated[UUID, Path(description="The owner's id.", examples=[EXAMPLE_OWNER])]
MonthText = Annotated[
    str | None,
    Query(max_length=7, description="As 2026-01, in UTC. Unset: this month.", examples=["2026-01"], alias="month"),
]
OfTeam = Annotated[
    UUID | None, Query(description="A team that the caller owns. Unset: the caller.", examples=[EXAMPLE_OWNER])
]
SortBy = Annotated[OwnerSort, Query(description="The owner with the most is first.", examples=["stored_bytes"])]
_CSV: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/csv": {"example": "owner_id,name,…"}}, "description": "A line for each owner."}
}


@router.get("")
async def own_usage(
    platform: CurrentPlatform, caller: CurrentCaller, month_text: MonthText = None, team: OfTeam = None
) -> UsageAnswer:
    """What the caller, or a team that the caller owns, used in a month, by day, and how much of each quota."""
    month = _month(month_text)
    if team is None:
        async with platform.database.as_caller(caller.claims()) as tx:
            return await usage_of_owner_in(platform, tx, caller.user_id, month)
    async with platform.database.transaction() as tx:
        found = await need_team(tx, team, ActingPerson(caller.user_id, caller.is_operator))
        if found.role != "owner" and not caller.is_operator:
            raise NotAllowed("Only owners of the team can see what it used")
        return await usage_of_owner_in(platform, tx, team, month)


@router.get("/owners")
async def owners(
    platform: CurrentPlatform,
    _: Operator,
    month_text: MonthText = None,
    sort: SortBy = "stored_bytes",
    limit: Annotated[int, Query(ge=1, le=MAX_LISTED, description="Maximum number of results.", examples=[50])] = 50,
    cursor: Annotated[
        str | None,
        Query(max_length=100, description="`next_cursor` of the previous page.", examples=[f"7_{EXAMPLE_OWNER}"]),
    ] = None,
) -> OwnersAnswer:
    """What every owner has, and used in a month. For operators."""
    month = _month(month_text)
    async with platform.database.transaction() as tx:
        found = await list_owners(tx, month, sort=sort, limit=limit + 1, cursor=cursor)
        page = page_of(found, limit, cursor_of)
        answers = await owner_answers(platform, tx, list(page.items))
    return OwnersAnswer(
        month=str(month),
        defaults=QuotasAnswer.of(platform.settings.uploads.quotas),
        owners=answers,
        next_cursor=page.next_cursor,
    )


@router.get("/owners.csv", response_class=StreamingResponse, responses=_CSV)
async def owners_csv(
    platform: CurrentPlatform, _: Operator, month_text: MonthText = None, sort: SortBy = "stored_bytes"
) -> StreamingResponse:
    """The same as a CSV file, with every owner. For operators."""
    month = _month(month_text)
    headers = {"content-disposition": f'attachment; filename="usage-{month}.csv"', "cache-control": "no-store"}
    return StreamingResponse(owner_lines(platform, month, sort), media_type="text/csv; charset=utf-8", headers=headers)


@router.get("/owners/{owner_id}")
async def usage_of(
    platform: CurrentPlatform, _: Operator, owner_id: OwnerId, month_text: MonthText = None
) -> UsageAnswer:
    """What an owner used in a month, by day. For operators."""
    async with platform.database.transaction() as tx:
        return await usage_of_owner_in(platform, tx, owner_id, _month(month_text))


@router.get("/owners/{owner_id}/quotas")
async def quotas_of(platform: CurrentPlatform, _: Operator, owner_id: OwnerId) -> OwnerQuotasAnswer:
    """The quotas of an owner. For operators."""
    async with platform.database.transaction() as tx:
        return await quotas_of_owner(platform, tx, owner_id)


@router.put("/owners/{owner_id}/quotas")
async def change_quotas(
    platform: CurrentPlatform, _: Operator, owner_id: OwnerId, quotas: QuotasAnswer
) -> OwnerQuotasAnswer:
    """Set the quotas of an owner: null is the default, 0 is no limit. They count from the next upload on. For operators."""
    async with platform.database.transaction() as tx:
        await set_quotas(tx, owner_id, quotas.quotas)
        return await quotas_of_owner(platform, tx, owner_id)


@router.delete("/owners/{owner_id}/quotas")
async def reset_quotas(platform: CurrentPlatform, _: Operator, owner_id: OwnerId) -> OwnerQuotasAnswer:
    """The defaults apply to the owner again. For operators."""
    async with platform.database.transaction() as tx:
        await clear_quotas(tx, owner_id)
        return await quotas_of_owner(platform, tx, owner_id)


async def usage_of_owner_in(platform: Platform, tx: Transaction, owner_id: UUID, month: Month) -> UsageAnswer:
    return UsageAnswer.of(
        owner_id,
        month,
        await days_of_owner(tx, owner_id, month),
        await stored_now(tx, owner_id),
        await usage_of_owner(tx, owner_id),
        await platform.admission.quotas_of(tx, owner_id),
        Month.of(utc_now()),
    )


async def quotas_of_owner(platform: Platform, tx: Transaction, owner_id: UUID) -> OwnerQuotasAnswer:
    own = await quotas_set_for(tx, owner_id)
    in_force = own.over(platform.settings.uploads.quotas)
    return OwnerQuotasAnswer(owner_id=owner_id, set=QuotasAnswer.of(own), in_force=QuotasAnswer.of(in_force))


def _month(text: str | None) -> Month:
    return Month.of(utc_now()) if text is None else Month.parse(text)
