"""Search by words and meaning together, and what is similar to a segment.

Whatever fails of the meaning (no model, no pgvector, a process that died), the words are searched all the same.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Literal
from uuid import UUID

import asyncpg
import structlog

from sightline.db import Transaction
from sightline.errors import Conflict, InvalidInput, NotFound, PlatformError
from sightline.text.meaning.embed import NO_PGVECTOR
from sightline.text.meaning.embedder import Embedder, RememberingEmbedder, Vectors, open_embedder
from sightline.text.meaning.hybrid import (
    FoundPassage,
    in_one_order,
    is_plain,
    passage_hit,
    without_repeats,
)
from sightline.text.meaning.passages import has_words
from sightline.text.meaning.settings import MeaningSettings
from sightline.text.meaning.status import MeaningStatus, meaning_status
from sightline.text.meaning.vectors_store import NearPassage, attempt, has_vectors, nearest_passages, vector_of_segment
from sightline.text.search import (
    FUZZY_BELOW_EXACT_HITS,
    SearchFilter,
    SearchHit,
    SearchRequest,
    SearchResults,
    read_hits,
    search_segments,
)
from sightline.text.segments import fold

MeaningMode = Literal["auto", "off", "only"]

MEANING_BELOW_WORD_HITS = FUZZY_BELOW_EXACT_HITS
"""With as many hits by words, nobody looks at those by meaning, which come after them."""
MAX_CANDIDATES = 60

log = structlog.get_logger(__name__)


class MeaningSearch:
    """Use `open_meaning_search`. The model is loaded by the first query that needs it."""

    def __init__(
        self, settings: MeaningSettings, *, state_dir: Path, may_be_unconfined: bool, stack: AsyncExitStack
    ) -> None:
        self._settings = settings
        self._state_dir = state_dir
        self._may_be_unconfined = may_be_unconfined
        self._stack = stack
        self._embedders: dict[str, Embedder] = {}
        self.problem: str | None = None
        """Why the last query was searched by words alone; None if it was not."""

    def status(self) -> MeaningStatus:
        return meaning_status(self._settings, state_dir=self._state_dir)

    async def unavailable(self, tx: Transaction) -> str | None:
        """One line for people why there is no search by meaning; None if there is."""
        status = await asyncio.to_thread(self.status)
        if status.how_to_install is not None:
            return status.how_to_install
        return None if await has_vectors(tx) else NO_PGVECTOR

    async def search(
        self,
        tx: Transaction,
        request: SearchRequest,
        *,
        mode: MeaningMode = "auto",
        is_everywhere: bool = False,
        timeout_s: float | None = None,
    ) -> SearchResults:
        """Exact hits, then possible misreadings and hits by meaning, best first. With `only`, hits by meaning alone.

        `timeout_s` is for callers that have time to wait until the model is loaded.
        """
        timeout_s = timeout_s or self._settings.query_timeout_s
        if mode == "only":
            return await self._by_meaning_alone(tx, request, is_everywhere=is_everywhere, timeout_s=timeout_s)
        found = await search_segments(tx, request, is_everywhere=is_everywhere)
        if (
            mode == "off"
            or request.match != "words"
            or not is_plain(request.q)
            or found.total >= MEANING_BELOW_WORD_HITS
        ):
            return found
        near = await self._near_query(tx, request, is_everywhere=is_everywhere, timeout_s=timeout_s)
        if near is None:
            return found
        words = found.hits
        if len(words) < found.total:
            everything = replace(request, page=1, page_size=MEANING_BELOW_WORD_HITS)
            words = (await search_segments(tx, everything, is_everywhere=is_everywhere)).hits
        return _results(in_one_order(words, near, request.q), request.q, request.page, request.page_size)

    async def similar(
        self, tx: Transaction, segment_id: UUID, *, page: int = 1, page_size: int = 20, is_everywhere: bool = False
    ) -> SearchResults:
        """What is near to a segment in meaning, in the videos that may be seen. Raises `NotFound` for an unknown segment."""
        found = await read_hits(tx, [segment_id])
        if not found:
            raise NotFound(f"there is no text {segment_id}")
        (row,) = found
        if (reason := await self.unavailable(tx)) is not None:
            raise Conflict(reason)
        model = (await asyncio.to_thread(self.status)).model_key
        vector = await vector_of_segment(tx, segment_id, row.video_id, model=model, is_everywhere=is_everywhere)
        if vector is None:  # not embedded yet, or without a word of its own
            vector = await self._vector(row.text, self._settings.query_timeout_s) if has_words(row.text) else None
        if vector is None:
            return SearchResults(0, [], is_meaning_used=True)
        near = await self._near(tx, vector, model, SearchFilter(), is_everywhere=is_everywhere)
        others = [
            one for one in near if segment_id not in {line.id for line in one.rows} and fold(one.text) != fold(row.text)
        ]
        return _results(others, "", page, page_size)

    async def _by_meaning_alone(
        self, tx: Transaction, request: SearchRequest, *, is_everywhere: bool, timeout_s: float
    ) -> SearchResults:
        if not any(map(str.isalpha, request.q)):
            raise InvalidInput("q: meaning=only needs words to look for")
        if (reason := await self.unavailable(tx)) is not None:
            raise Conflict(reason)
        near = await self._near_query(tx, request, is_everywhere=is_everywhere, timeout_s=timeout_s)
        if near is None:
            raise Conflict(f"Search by meaning does not work at the moment: {self.problem}")
        return _results(in_one_order([], near, request.q), request.q, request.page, request.page_size)

    async def _near_query(
        self, tx: Transaction, request: SearchRequest, *, is_everywhere: bool, timeout_s: float
    ) -> list[FoundPassage] | None:
        """None if the meaning cannot be searched."""
        status = await asyncio.to_thread(self.status)
        if not status.is_installed or not await has_vectors(tx):
            return None
        try:
            vector = await self._vector(request.q, timeout_s)
            async with attempt(tx):
                near = await self._near(tx, vector, status.model_key, request.filters, is_everywhere=is_everywhere)
        except (PlatformError, TimeoutError, asyncpg.PostgresError, OSError) as error:
            self._report(str(error) or "the model did not answer in time")
            return None
        self._report(None)
        return near

    def _report(self, problem: str | None) -> None:
        """Logs when it begins and when it is over, not every query."""
        if problem is not None and self.problem is None:
            log.warning("meaning.unavailable", error=problem)
        elif problem is None and self.problem is not None:
            log.info("meaning.available")
        self.problem = problem

    async def _near(
        self, tx: Transaction, vector: Vectors, model: str, filters: SearchFilter, *, is_everywhere: bool
    ) -> list[FoundPassage]:
        near = await nearest_passages(
            tx,
            vector,
            model=model,
            min_similarity=self._settings.min_similarity,
            limit=MAX_CANDIDATES,
            filters=filters,
            is_everywhere=is_everywhere,
        )
        return without_repeats(await _with_rows(tx, near))

    async def _vector(self, text: str, timeout_s: float) -> Vectors:
        status = await asyncio.to_thread(self.status)
        if status.folder is None:
            raise Conflict(status.how_to_install or "Search by meaning is not installed")
        embedder = await self._embedder(status)
        async with asyncio.timeout(timeout_s):
            return (await embedder.embed([text]))[0]

    async def _embedder(self, status: MeaningStatus) -> Embedder:
        """Of the model as it is now: one that was installed or replaced since the start is used."""
        assert status.folder is not None
        key = status.model_key
        if key not in self._embedders:
            opened = await self._stack.enter_async_context(
                open_embedder(self._settings, status.folder, may_be_unconfined=self._may_be_unconfined)
            )
            self._embedders[key] = RememberingEmbedder(opened)
        return self._embedders[key]


@asynccontextmanager
async def open_meaning_search(
    settings: MeaningSettings, *, state_dir: Path, may_be_unconfined: bool
) -> AsyncIterator[MeaningSearch]:
    async with AsyncExitStack() as stack:
        yield MeaningSearch(settings, state_dir=state_dir, may_be_unconfined=may_be_unconfined, stack=stack)


async def _with_rows(tx: Transaction, near: Sequence[NearPassage]) -> list[FoundPassage]:
    """Passages with the lines that are still there and may be seen."""
    rows = {row.id: row for row in await read_hits(tx, [one for passage in near for one in passage.segment_ids])}
    found = [
        FoundPassage(tuple(rows[one] for one in passage.segment_ids if one in rows), passage.similarity)
        for passage in near
    ]
    return [one for one in found if one.rows]


def _results(found: Sequence[SearchHit | FoundPassage], q: str, page: int, page_size: int) -> SearchResults:
    begin = (page - 1) * page_size
    shown = found[begin : begin + page_size]
    return SearchResults(
        total=len(found),
        hits=[passage_hit(one, q) if isinstance(one, FoundPassage) else one for one in shown],
        by_meaning=sum(isinstance(one, FoundPassage) for one in found),
        is_meaning_used=True,
    )
