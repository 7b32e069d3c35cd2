"""The job `transcribe`: writes down what is said in a video, window by window, and makes it searchable.

It runs beside the pipeline: a video is completed without it, and what is heard is added to the search when all was heard. A job
that is interrupted continues after the last window that was stored.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import structlog

from sightline.contracts.jobs import Transcribe
from sightline.db import Database
from sightline.errors import PermanentFailure
from sightline.jobs import Job, JobContext, JobLimits
from sightline.media import MediaSettings
from sightline.media.sound import open_sound
from sightline.objects import ObjectStore, original_key
from sightline.speech.languages import iso_language, whisper_language
from sightline.speech.recognizer import HeardWindow, SpeechRecognizer, open_recognizer
from sightline.speech.settings import SpeechSettings
from sightline.speech.spoken import spoken_segments
from sightline.speech.status import speech_status
from sightline.speech.transcript_store import (
    HeardLanguage,
    begin_transcript,
    finish_transcript,
    heard_languages,
    store_heard,
)
from sightline.speech.windows import SoundWindow
from sightline.text import OnIndexed, index_segments
from sightline.videos import Video, lock_video, need_video

MIN_LANGUAGE_PROBABILITY = 0.6
"""Below it, the language of earlier windows is more likely than the one that was detected."""

log = structlog.get_logger(__name__)


class TranscribeJob(Job[Transcribe]):
    payload = Transcribe
    limits = JobLimits(concurrency=1, time_limit=timedelta(hours=24))

    def __init__(
        self,
        *,
        database: Database,
        objects: ObjectStore,
        settings: SpeechSettings,
        media: MediaSettings,
        state_dir: Path,
        on_indexed: OnIndexed | None = None,
    ) -> None:
        self._on_indexed = on_indexed
        self._database = database
        self._objects = objects
        self._settings = settings
        self._media = media
        self._state_dir = state_dir

    async def run(self, payload: Transcribe, context: JobContext) -> None:
        status = speech_status(self._settings, state_dir=self._state_dir)
        if status.folder is None or status.how_to_install is not None:
            raise PermanentFailure(status.how_to_install or "speech recognition is not installed")
        language = self._language(payload)
        async with self._database.transaction() as tx:
            video = await need_video(tx, payload.video_id)
            video.need_original()
            heard_ms = await begin_transcript(tx, video.id, context.job_id, model=status.model)
            before = await heard_languages(tx, video.id, context.job_id)
        async with open_recognizer(
            self._settings, status.folder, may_be_unconfined=self._media.allow_unconfined
        ) as recognizer:
            transcription = _Transcription(self._database, self._settings, recognizer, video, context, language, before)
            readable = await self._objects.readable(original_key(video.id))
            async with open_sound(readable, settings=self._media, from_ms=heard_ms) as sound:
                async for piece in sound:
                    await transcription.take(piece.at_ms, piece.samples)
            await transcription.finish()
        result: dict[str, int | str | None] = {}
        async with context.finishing(result=result) as tx:
            if await lock_video(tx, video.id) is not None:
                result |= await finish_transcript(tx, video.id, context.job_id)
                await index_segments(tx, video.id)
                if self._on_indexed is not None:
                    await self._on_indexed(tx, video.id)
        log.info("transcribe.finished", **result)

    def _language(self, payload: Transcribe) -> str | None:
        wanted = payload.language or self._settings.language
        if wanted is None:
            return None
        known = whisper_language(wanted)
        if known is None:
            raise PermanentFailure(
                f"the language {wanted!r} is not one that the model knows; leave it out to detect it"
            )
        return known


class _Transcription:
    """One run of the job: the window that is being filled, and what was heard so far."""

    def __init__(
        self,
        database: Database,
        settings: SpeechSettings,
        recognizer: SpeechRecognizer,
        video: Video,
        context: JobContext,
        language: str | None,
        before: Sequence[HeardLanguage],
    ) -> None:
        """`before` is what the job has heard already, when it was interrupted."""
        self._database = database
        self._settings = settings
        self._recognizer = recognizer
        self._video_id: UUID = video.id
        self._duration_ms = max(video.duration_ms or 0, 1)
        self._context = context
        self._language = language
        self._window = SoundWindow()
        self._letters_by_language: Counter[str] = Counter(
            {code: one.letters for one in before if (code := whisper_language(one.language)) is not None}
        )

    async def take(self, at_ms: int, samples: bytes) -> None:
        if not self._window.continues_at(at_ms):
            await self.finish()
        self._window.add(at_ms, samples)
        while self._window.is_full:
            await self._hear(is_last=False)

    async def finish(self) -> None:
        """Hears what is left of the window."""
        if self._window.samples:
            await self._hear(is_last=True)

    async def _hear(self, *, is_last: bool) -> None:
        window = self._window
        samples, from_ms = bytes(window.samples), window.at_ms
        heard = await self._recognizer.hear(samples, at_ms=from_ms, is_last=is_last, language=self._language)
        language = self._language or self._likely_language(heard)
        if language is not None and heard.language not in (None, language):
            # Heard again in the language of the rest: in a wrong one, the words are wrong too.
            heard = await self._recognizer.hear(samples, at_ms=from_ms, is_last=is_last, language=language)
        segments = [
            one
            for one in spoken_segments(heard.words, iso_language(language or ""))
            if one.confidence >= self._settings.min_confidence
        ]
        window.drop(heard.heard_samples)
        async with self._database.transaction() as tx:
            await store_heard(
                tx, self._video_id, self._context.job_id, segments, from_ms=from_ms, until_ms=window.at_ms
            )
        if language is not None:
            self._letters_by_language[language] += sum(len(one.text) for one in segments)
        self._context.progress(min(window.at_ms / self._duration_ms, 1.0), None)

    def _likely_language(self, heard: HeardWindow) -> str | None:
        if heard.language_probability >= MIN_LANGUAGE_PROBABILITY or not self._letters_by_language:
            return heard.language
        return self._letters_by_language.most_common(1)[0][0]
