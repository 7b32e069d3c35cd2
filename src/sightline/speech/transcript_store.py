"""Store of transcripts: how far a video was heard, and its spoken segments. Row level security limits what callers see."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from uuid import UUID

from sightline.db import Transaction, load_queries
from sightline.errors import TransientFailure
from sightline.speech.spoken import SpokenSegment, words_to_json
from sightline.text import SpeechSegment, replace_speech

_sql = load_queries(Path(__file__).with_name("transcripts.sql"))


@dataclass(frozen=True, slots=True)
class Transcript:
    video_id: UUID
    job_id: UUID
    model: str
    language: str | None
    heard_ms: int
    finished_at: datetime | None


async def begin_transcript(tx: Transaction, video_id: UUID, job_id: UUID, *, model: str) -> int:
    """Where the job begins or continues, in ms. What another job heard is replaced as this one goes on."""
    begun: int | None = await _sql["begin_transcript"].value(tx, video_id=video_id, job_id=job_id, model=model)
    if begun is not None:
        return begun
    continued: int | None = await _sql["heard_ms"].value(tx, video_id=video_id, job_id=job_id)
    return continued or 0


async def store_heard(
    tx: Transaction, video_id: UUID, job_id: UUID, segments: Sequence[SpokenSegment], *, from_ms: int, until_ms: int
) -> None:
    """Stores what was heard from one time to another. Raises when another job has taken over."""
    if not await _sql["advance_transcript"].run(tx, video_id=video_id, job_id=job_id, heard_ms=until_ms):
        raise TransientFailure("the video is being transcribed by another job, or was removed")
    await replace_speech(tx, video_id, [_stored(one) for one in segments], from_ms=from_ms, until_ms=until_ms)


@dataclass(frozen=True, slots=True)
class HeardLanguage:
    language: str
    segments: int
    letters: int


async def heard_languages(tx: Transaction, video_id: UUID, job_id: UUID) -> list[HeardLanguage]:
    """What the job has heard so far, by language, most first."""
    return [
        HeardLanguage(**row) for row in await _sql["letters_by_language"].rows(tx, video_id=video_id, job_id=job_id)
    ]


async def finish_transcript(tx: Transaction, video_id: UUID, job_id: UUID) -> dict[str, int | str | None]:
    """Removes what an earlier job heard; returns the number of segments and the language of most letters."""
    await _sql["delete_earlier_speech"].run(tx, video_id=video_id, job_id=job_id)
    heard = await heard_languages(tx, video_id, job_id)
    language = heard[0].language if heard else None
    await _sql["finish_transcript"].run(tx, video_id=video_id, job_id=job_id, language=language)
    return {"segments": sum(one.segments for one in heard), "language": language}


async def transcript_of_video(tx: Transaction, video_id: UUID) -> Transcript | None:
    row = await _sql["transcript_of_video"].row(tx, video_id=video_id)
    return None if row is None else Transcript(**row)


def _stored(segment: SpokenSegment) -> SpeechSegment:
    return SpeechSegment(
        text=segment.text,
        t_start=segment.t_start,
        t_end=segment.t_end,
        confidence=segment.confidence,
        language=segment.language,
        words=tuple(words_to_json(segment)),
    )
