"""Suggestions for the search box while somebody types."""

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from sightline.api.dependencies import CallerTransaction
from sightline.searches import SuggestionKind, suggest
from sightline.text import MAX_QUERY_LENGTH

router = APIRouter(tags=["search"])


class SuggestionAnswer(BaseModel):
    kind: SuggestionKind = Field(examples=["word"])
    text: str = Field(examples=["invoice"], description="What to show.")
    q: str = Field(
        examples=["tag:work invoice "], description="The whole query, with the suggestion instead of its last term."
    )
    videos: int | None = Field(examples=[12], description="In how many videos a word or tag is.")


class SuggestionsAnswer(BaseModel):
    suggestions: list[SuggestionAnswer]


@router.get("/search/suggest")
async def suggestions(
    tx: CallerTransaction,
    q: Annotated[
        str, Query(max_length=MAX_QUERY_LENGTH, description="What was typed so far.", examples=["tag:work inv"])
    ] = "",
) -> SuggestionsAnswer:
    """Completions of the last term: words, names and tags of the caller's videos, and operators."""
    found = await suggest(tx, q)
    return SuggestionsAnswer(
        suggestions=[SuggestionAnswer(kind=one.kind, text=one.text, q=one.q, videos=one.videos) for one in found]
    )
