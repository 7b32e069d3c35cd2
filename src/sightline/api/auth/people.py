"""People who have signed in, with their roles and teams, for operators, who make others operators where tokens do not."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, Field

from sightline.access import end_operator, grant_operator
from sightline.api.answers.paged import EXAMPLE_CURSOR
from sightline.api.auth.membership_store import SignedInPerson, list_people
from sightline.api.dependencies import CurrentPlatform, Operator
from sightline.paging import Cursor, page_of
from sightline.timing import iso_utc

MAX_LISTED = 200
EXAMPLE_ID = UUID("a1b2c3d4-e5f6-7890-abcd-ef1234567890")

router = APIRouter(prefix="/api/people", tags=["people"])

PersonId = Annotated[UUID, Path(description="The person's id.", examples=[EXAMPLE_ID])]


class PersonAnswer(BaseModel):
    user_id: UUID = Field(examples=[EXAMPLE_ID])
    name: str | None = Field(examples=["ana@example.com"], description="The email address of their token.")
    is_operator: bool = Field(examples=[False])
    is_pinned: bool = Field(
        examples=[False],
        description="Whether the identity provider makes them an operator, so that it can't be taken away here.",
    )
    team_ids: list[UUID] = Field(
        examples=[[EXAMPLE_ID]], description="Teams that their token names, and those that were made here."
    )
    seen_at: str = Field(examples=["2026-01-17T10:00:00.000Z"], description="Their last sign-in, to the hour.")

    @classmethod
    def of(cls, person: SignedInPerson) -> "PersonAnswer":
        return cls(
            user_id=person.user_id,
            name=person.name,
            is_operator=person.is_operator or person.is_granted_operator,
            is_pinned=person.is_operator,
            team_ids=list(person.team_ids),
            seen_at=iso_utc(person.seen_at),
        )


class PeopleAnswer(BaseModel):
    needs_sign_in: bool = Field(examples=[True], description="Without sign-in there is one owner, who is the operator.")
    operator_role: str = Field(examples=["operator"], description="The role that makes an operator.")
    role_claim: str = Field(examples=["sightline_role"], description="The claim of a token that holds the role.")
    team_claim: str = Field(examples=["team_ids"], description="The claim of a token that holds the teams.")
    people: list[PersonAnswer]
    next_cursor: str | None = Field(examples=[None])


@router.put("/{user_id}/operator", status_code=204)
async def make_operator(platform: CurrentPlatform, caller: Operator, user_id: PersonId) -> None:
    """Make a person who has signed in an operator, whatever their token says. For operators."""
    async with platform.database.transaction() as tx:
        await grant_operator(tx, user_id, by=caller.user_id)


@router.delete("/{user_id}/operator", status_code=204)
async def take_operator(platform: CurrentPlatform, caller: Operator, user_id: PersonId) -> None:
    """Take the role away, at once. Not from those whom the identity provider makes operators, and not from the last one."""
    async with platform.database.transaction() as tx:
        await end_operator(tx, user_id, by=caller.user_id)


@router.get("")
async def people(
    platform: CurrentPlatform,
    _: Operator,
    limit: Annotated[int, Query(ge=1, le=MAX_LISTED, description="Maximum number of results.", examples=[50])] = 50,
    cursor: Annotated[
        str | None,
        Query(max_length=100, description="`next_cursor` of the previous page.", examples=[EXAMPLE_CURSOR]),
    ] = None,
) -> PeopleAnswer:
    """Who has signed in, the last first, and how roles and teams are given. For operators."""
    before = None if cursor is None else Cursor.parse(cursor, UUID)
    async with platform.database.transaction() as tx:
        found = await list_people(tx, limit=limit + 1, before=before)
    page = page_of(found, limit, lambda person: Cursor(person.seen_at, person.user_id))
    auth = platform.settings.auth
    return PeopleAnswer(
        needs_sign_in=auth.is_configured,
        operator_role=auth.operator_role,
        role_claim=auth.role_claim,
        team_claim=auth.team_claim,
        people=[PersonAnswer.of(person) for person in page.items],
        next_cursor=page.next_cursor,
    )
