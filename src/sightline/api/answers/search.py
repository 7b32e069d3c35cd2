"""Search results as JSON, as the API and the command line return them."""

import asyncio

from sightline.api.answers.text import HitAnswer, SearchAnswer
from sightline.db import Transaction
from sightline.objects import ObjectStore, frame_key, poster_key
from sightline.text import SearchHit, SearchRequest, SearchResults
from sightline.videos import videos_without_frames


async def signed_search_answer(
    tx: Transaction, request: SearchRequest, found: SearchResults, objects: ObjectStore, *, expires_s: float
) -> SearchAnswer:
    """Each hit has a signed URL of its frame, valid for a while; of the poster for speech, and if the frames were removed."""
    without_frames = await videos_without_frames(tx, {hit.row.video_id for hit in found.hits})

    def picture(hit: SearchHit) -> str:
        video_id = hit.row.video_id
        has_frame = hit.row.kind == "text" and video_id not in without_frames
        return frame_key(video_id, hit.row.frame_ms) if has_frame else poster_key(video_id)

    urls = await asyncio.gather(*(objects.sign_get(picture(hit), expires_s=expires_s) for hit in found.hits))
    return SearchAnswer(
        query=request.q,
        page=request.page,
        page_size=request.page_size,
        total=found.total,
        meaning_used=found.is_meaning_used,
        meaning_total=found.by_meaning,
        hits=[HitAnswer.of(hit, thumbnail_url=url) for hit, url in zip(found.hits, urls, strict=True)],
    )
