"""Saved searches: searches with a name, and alerts on new results."""

from typing import Annotated, Self
from uuid import UUID

from fastapi import APIRouter, Path
from pydantic import BaseModel, ConfigDict, Field

from sightline.api.answers.text import EXAMPLE_VIDEO
from sightline.api.dependencies import CallerTransaction, CurrentCaller, CurrentPlatform
from sightline.contracts.values import Name
from sightline.errors import InvalidInput
from sightline.searches import SavedSearch, add_saved, change_saved, delete_saved, list_saved, need_saved
from sightline.text import MAX_QUERY_LENGTH
from sightline.timing import iso_utc

router = APIRouter(prefix="/api/saved-searches", tags=["search"])

_EXAMPLE_SEARCH = UUID("0d9b2a56-6f2e-4c1b-9d7a-3f1f6a1c2b30")
SearchId = Annotated[UUID, Path(description="The saved search's id.", examples=[_EXAMPLE_SEARCH])]
SearchText = Annotated[str, Field(min_length=1, max_length=MAX_QUERY_LENGTH)]


class SearchAlertAnswer(BaseModel):
    video_id: UUID = Field(examples=[EXAMPLE_VIDEO])
    video_name: str = Field(examples=["lecture.mp4"])
    hits: int = Field(examples=[3], description="Number of results in the video.")
    at: str = Field(examples=["2026-01-17T10:00:00.000Z"])


class SavedSearchAnswer(BaseModel):
    search_id: UUID = Field(examples=[_EXAMPLE_SEARCH])
    name: str = Field(examples=["Invoices"])
    q: str = Field(examples=["invoice -draft"])
    has_alerts: bool = Field(examples=[True], description="Whether new videos with results notify the caller.")
    alerts: list[SearchAlertAnswer] = Field(
        description="The newest videos of which the caller was notified, at most 5."
    )
    created_at: str = Field(examples=["2026-01-17T10:00:00.000Z"])
    updated_at: str = Field(examples=["2026-01-17T10:00:00.000Z"])

    @classmethod
    def of(cls, search: SavedSearch) -> Self:
        return cls(
            search_id=search.search_id,
            name=search.name,
            q=search.q,
            has_alerts=search.alerts_since is not None,
            alerts=[
                SearchAlertAnswer(video_id=one.video_id, video_name=one.video_name, hits=one.hits, at=iso_utc(one.at))
                for one in search.alerts
            ],
            created_at=iso_utc(search.created_at),
            updated_at=iso_utc(search.updated_at),
        )


class SavedSearchesAnswer(BaseModel):
    searches: list[SavedSearchAnswer]
    limit: int = Field(examples=[100], description="How many the caller can have.")


class NewSavedSearch(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: Name = Field(examples=["Invoices"])
    q: SearchText = Field(examples=["invoice -draft"])
    has_alerts: bool = Field(False, examples=[True], description="Notify the caller of new videos with results.")


class SavedSearchChanges(BaseModel):
    """What is left out stays."""

    model_config = ConfigDict(extra="forbid")

    name: Name | None = Field(None, examples=["Invoices"])
    q: SearchText | None = Field(None, examples=["invoice -draft"])
    has_alerts: bool | None = Field(None, examples=[False])


@router.get("")
async def saved_searches(platform: CurrentPlatform, tx: CallerTransaction) -> SavedSearchesAnswer:
    """The caller's saved searches by name, with their newest alerts."""
    found = [SavedSearchAnswer.of(one) for one in await list_saved(tx)]
    return SavedSearchesAnswer(searches=found, limit=platform.settings.searches.max_saved)


@router.post("", status_code=201)
async def save_search(platform: CurrentPlatform, caller: CurrentCaller, new: NewSavedSearch) -> SavedSearchAnswer:
    """Save a search. With alerts, videos that are completed from now on notify the caller once each."""
    async with platform.database.transaction() as tx:
        saved = await add_saved(
            tx,
            caller.user_id,
            owner_email=caller.email,
            name=_shown(new.name),
            q=new.q,
            has_alerts=new.has_alerts,
            quota=platform.settings.searches.max_saved,
        )
    return SavedSearchAnswer.of(saved)


@router.get("/{search_id}")
async def saved_search(tx: CallerTransaction, search_id: SearchId) -> SavedSearchAnswer:
    """One of the caller's saved searches."""
    return SavedSearchAnswer.of(await need_saved(tx, search_id))


@router.patch("/{search_id}")
async def change_search(
    platform: CurrentPlatform, caller: CurrentCaller, search_id: SearchId, changes: SavedSearchChanges
) -> SavedSearchAnswer:
    """Rename it, change its query, or switch its alerts. Alerts of another query count from now on."""
    async with platform.database.transaction() as tx:
        changed = await change_saved(
            tx,
            search_id,
            owner_id=caller.user_id,
            owner_email=caller.email,
            name=None if changes.name is None else _shown(changes.name),
            q=changes.q,
            has_alerts=changes.has_alerts,
        )
    return SavedSearchAnswer.of(changed)


@router.delete("/{search_id}", status_code=204)
async def delete_search(platform: CurrentPlatform, caller: CurrentCaller, search_id: SearchId) -> None:
    """Delete a saved search. Notifications that were sent stay."""
    async with platform.database.transaction() as tx:
        await delete_saved(tx, search_id, owner_id=caller.user_id)


def _shown(name: str) -> str:
    if not name.strip():
        raise InvalidInput("name: a saved search needs a name")
    return name.strip()
