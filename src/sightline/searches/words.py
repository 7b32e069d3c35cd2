"""Words of videos, counted per owner and team, to suggest them while somebody types."""

from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Literal
from uuid import UUID

from sightline.db import Transaction, load_queries
from sightline.text import fold, is_unspaced, words_of
from sightline.videos import Video

CompletionKind = Literal["word", "tag", "video"]

MIN_LENGTH, MAX_LENGTH = 3, 40
MAX_WORDS_PER_VIDEO = 20_000

_sql = load_queries(Path(__file__).with_name("words.sql"))


def suggestible_words(texts: Iterable[str]) -> set[str]:
    """Words of folded texts that are worth to be suggested: not numbers, not parts of sentences without spaces. Pure."""
    found: set[str] = set()
    for text in texts:
        for word in words_of(text):
            if (
                MIN_LENGTH <= len(word) <= MAX_LENGTH
                and any(map(str.isalpha, word))
                and not any(map(is_unspaced, word))
            ):
                found.add(word)
        if len(found) >= MAX_WORDS_PER_VIDEO:
            break
    return found


async def lock_changes(tx: Transaction) -> bool:
    """False if another process is at work."""
    return bool(await _sql["lock"].value(tx))


async def next_change(tx: Transaction) -> UUID | None:
    found: UUID | None = await _sql["next_change"].value(tx)
    return found


async def forget_change(tx: Transaction, video_id: UUID) -> None:
    await _sql["forget_change"].run(tx, video_id=video_id)


async def postpone_change(tx: Transaction, video_id: UUID, *, seconds: float) -> None:
    await _sql["postpone_change"].run(tx, video_id=video_id, seconds=seconds)


async def count_words(tx: Transaction, video_id: UUID, video: Video | None) -> None:
    """Counts the words of a video anew; of one that is gone, or not completed, none."""
    old = await _sql["counted_words"].row(tx, video_id=video_id)
    old_words = set() if old is None else set(old["words"])
    old_scopes = set() if old is None else _scopes(old["owner_id"], old["team_id"])
    words: set[str] = set()
    scopes: set[UUID] = set()
    if video is not None:
        rows = await _sql["texts_of_video"].rows(tx, video_id=video_id)
        words = suggestible_words(row["folded"] for row in rows)
        scopes = _scopes(video.owner_id, video.team_id)
    if scopes != old_scopes:
        added, removed = words, old_words
    else:
        added, removed = words - old_words, old_words - words
    if removed:
        await _sql["remove_words"].run(tx, scopes=list(old_scopes), words=sorted(removed))
    if added:
        await _sql["add_words"].run(tx, scopes=list(scopes), words=sorted(added))
    if video is not None and words:
        await _sql["store_words"].run(
            tx, video_id=video_id, owner_id=video.owner_id, team_id=video.team_id, words=sorted(words)
        )
    elif old is not None:
        await _sql["forget_words"].run(tx, video_id=video_id)


async def completions(
    tx: Transaction, value: str, kinds: Collection[CompletionKind], *, limit: int
) -> dict[CompletionKind, list[tuple[str, int | None]]]:
    """Words, tags and names of the caller's videos that begin like this, the best first, with numbers of videos."""
    found: dict[CompletionKind, list[tuple[str, int | None]]] = {"word": [], "tag": [], "video": []}
    rows = await _sql["suggest"].rows(tx, beginning=fold(value), value=value, kinds=list(kinds), limit=limit)
    for row in rows:
        found[row["kind"]].append((row["text"], row["videos"]))
    return found


def _scopes(owner_id: UUID, team_id: UUID | None) -> set[UUID]:
    return {owner_id} if team_id is None else {owner_id, team_id}
