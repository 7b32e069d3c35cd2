"""Collections of videos: each of one person, with names of their choice."""

from typing import Annotated, Self
from uuid import UUID

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, ConfigDict, Field

from sightline.api.dependencies import CallerTransaction, CurrentCaller, CurrentPlatform
from sightline.api.library.many_videos import MAX_VIDEOS, need_videos
from sightline.api.videos import EXAMPLE_ID
from sightline.contracts.values import Name
from sightline.errors import InvalidInput
from sightline.timing import iso_utc
from sightline.videos import (
    MAX_COLLECTIONS,
    Collection,
    add_collection,
    change_collection_videos,
    collections_of,
    delete_collection,
    list_collections,
    need_collection,
    rename_collection,
)

router = APIRouter(prefix="/api/collections", tags=["library"])

EXAMPLE_COLLECTION = UUID("6f1c2b30-0d9b-4a56-9e2e-4c1b9d7a3f1f")
CollectionId = Annotated[UUID, Path(description="The collection's id.", examples=[EXAMPLE_COLLECTION])]


class CollectionAnswer(BaseModel):
    collection_id: UUID = Field(examples=[EXAMPLE_COLLECTION])
    name: str = Field(examples=["Lectures"])
    videos: int = Field(examples=[12], description="Number of its videos that the caller can see.")
    covers: list[UUID] = Field(
        examples=[[EXAMPLE_ID]], description="Its newest videos that have a poster, at most four."
    )
    created_at: str = Field(examples=["2026-01-17T10:00:00.000Z"])
    updated_at: str = Field(examples=["2026-01-17T10:00:00.000Z"])

    @classmethod
    def of(cls, collection: Collection) -> Self:
        return cls(
            collection_id=collection.id,
            name=collection.name,
            videos=collection.videos,
            covers=list(collection.covers),
            created_at=iso_utc(collection.created_at),
            updated_at=iso_utc(collection.updated_at),
        )


class CollectionsAnswer(BaseModel):
    collections: list[CollectionAnswer]
    limit: int = Field(examples=[MAX_COLLECTIONS], description="How many the caller can have.")


class CollectionName(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: Name = Field(examples=["Lectures"])


class CollectionVideos(BaseModel):
    model_config = ConfigDict(extra="forbid")

    add: list[UUID] = Field(default_factory=list, max_length=MAX_VIDEOS, examples=[[EXAMPLE_ID]])
    remove: list[UUID] = Field(default_factory=list, max_length=MAX_VIDEOS, examples=[[]])


@router.get("")
async def collections(
    tx: CallerTransaction,
    video_id: Annotated[
        UUID | None, Query(description="Only those that hold this video.", examples=[EXAMPLE_ID])
    ] = None,
) -> CollectionsAnswer:
    """The caller's collections by name."""
    found = await list_collections(tx)
    if video_id is not None:
        holding = set(await collections_of(tx, video_id))
        found = [one for one in found if one.id in holding]
    return CollectionsAnswer(collections=[CollectionAnswer.of(one) for one in found], limit=MAX_COLLECTIONS)


@router.post("", status_code=201)
async def create(platform: CurrentPlatform, caller: CurrentCaller, new: CollectionName) -> CollectionAnswer:
    """Create an empty collection. 409 if the caller has one of that name."""
    async with platform.database.transaction() as tx:
        collection_id = await add_collection(tx, caller.user_id, _shown(new.name))
    return await _answer(platform, caller, collection_id)


@router.get("/{collection_id}")
async def collection(tx: CallerTransaction, collection_id: CollectionId) -> CollectionAnswer:
    """One of the caller's collections; its videos are `GET /videos?collection=`."""
    return CollectionAnswer.of(await need_collection(tx, collection_id))


@router.patch("/{collection_id}")
async def rename(
    platform: CurrentPlatform, caller: CurrentCaller, collection_id: CollectionId, changed: CollectionName
) -> CollectionAnswer:
    """Rename a collection."""
    async with platform.database.transaction() as tx:
        await rename_collection(tx, caller.user_id, collection_id, _shown(changed.name))
    return await _answer(platform, caller, collection_id)


@router.delete("/{collection_id}", status_code=204)
async def delete(platform: CurrentPlatform, caller: CurrentCaller, collection_id: CollectionId) -> None:
    """Delete a collection. Its videos stay."""
    async with platform.database.transaction() as tx:
        await delete_collection(tx, caller.user_id, collection_id)


@router.post("/{collection_id}/videos")
async def change_videos(
    platform: CurrentPlatform, caller: CurrentCaller, collection_id: CollectionId, changes: CollectionVideos
) -> CollectionAnswer:
    """Add videos to a collection, or remove them from it. Repeating it is safe."""
    add = list(dict.fromkeys(changes.add))
    if add:
        await need_videos(platform, caller, add)
    async with platform.database.transaction() as tx:
        await change_collection_videos(tx, caller.user_id, collection_id, add=add, take_out=changes.remove)
    return await _answer(platform, caller, collection_id)


async def _answer(platform: CurrentPlatform, caller: CurrentCaller, collection_id: UUID) -> CollectionAnswer:
    async with platform.database.as_caller(caller.claims()) as tx:
        return CollectionAnswer.of(await need_collection(tx, collection_id))


def _shown(name: str) -> str:
    if not name.strip():
        raise InvalidInput("name: a collection needs a name")
    return name.strip()
