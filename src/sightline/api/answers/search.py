"""Search results as JSON, as the API and the command line return them."""

import asyncio

from sightline.api.answers.text import HitAnswer, SearchAnswer
from sightline.objects import ObjectStore, frame_key
from sightline.text import SearchRequest, SearchResults


async def signed_search_answer(
    request: SearchRequest, found: SearchResults, objects: ObjectStore, *, expires_s: float
) -> SearchAnswer:
    """Each hit has a signed URL of its frame, valid for a while."""
    urls = await asyncio.gather(
        *(objects.sign_get(frame_key(hit.row.video_id, hit.row.frame_ms), expires_s=expires_s) for hit in found.hits)
    )
    return SearchAnswer(
        query=request.q,
        page=request.page,
        page_size=request.page_size,
        total=found.total,
        hits=[HitAnswer.of(hit, thumbnail_url=url) for hit, url in zip(found.hits, urls, strict=True)],
    )
