"""Search by meaning: whether it is installed, and what is similar to a text."""

import asyncio
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field

from sightline.api.answers.search import SearchAnswer, signed_search_answer
from sightline.api.answers.text import EXAMPLE_SEGMENT
from sightline.api.dependencies import CallerTransaction, CurrentPlatform
from sightline.searches import BoxRequest, BoxResults
from sightline.text import SearchRequest

router = APIRouter(tags=["search"])


class MeaningAnswer(BaseModel):
    installed: bool = Field(examples=[True])
    how_to_install: str | None = Field(examples=[None], description="One line for people; null if it is installed.")
    problem: str | None = Field(
        examples=[None], description="Why words alone are searched at the moment, although it is installed."
    )
    model: str = Field(examples=["minilm"])
    purpose: str | None = Field(examples=["the meaning of English sentences as 384 numbers"])
    licence: str | None = Field(examples=["Apache-2.0"])
    languages: list[str] = Field(
        examples=[["eng"]], description="That the model was trained on; empty for a model of the operator's own."
    )
    cannot_tell: list[str] = Field(examples=[["languages other than English"]])


class SimilarQuery(BaseModel):
    model_config = ConfigDict(extra="forbid")

    segment_id: UUID = Field(examples=[EXAMPLE_SEGMENT], description="A text or spoken sentence, as a hit names it.")
    page: int = Field(1, ge=1, le=1000, examples=[1], description="Page number.")
    page_size: int = Field(20, ge=1, le=100, examples=[20], description="Results per page.")


@router.get("/api/meaning")
async def get_meaning(platform: CurrentPlatform, tx: CallerTransaction) -> MeaningAnswer:
    """What finds passages by meaning: its model, the languages it knows, and what it cannot tell."""
    status = await asyncio.to_thread(platform.meaning.status)
    reason = await platform.meaning.unavailable(tx)
    return MeaningAnswer(
        installed=reason is None,
        how_to_install=reason,
        problem=platform.meaning.problem if reason is None else None,
        model=status.model,
        purpose=status.purpose,
        licence=status.licence,
        languages=list(status.languages),
        cannot_tell=list(status.cannot_tell),
    )


@router.get("/search/similar")
async def similar_texts(
    platform: CurrentPlatform, tx: CallerTransaction, query: Annotated[SimilarQuery, Query()]
) -> SearchAnswer:
    """More like this: passages similar in meaning to a text or a spoken sentence, nearest first."""
    found = await platform.meaning.similar(tx, query.segment_id, page=query.page, page_size=query.page_size)
    return await signed_search_answer(
        tx,
        BoxRequest(SearchRequest(page=query.page, page_size=query.page_size)),
        BoxResults(found.total, found.hits, by_meaning=found.by_meaning, is_meaning_used=found.is_meaning_used),
        platform.objects,
        expires_s=platform.settings.media.download_expiry_s,
    )
