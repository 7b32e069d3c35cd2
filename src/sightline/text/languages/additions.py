"""Languages being added by the API's process: one task per language, whose progress people can see."""

import asyncio
from dataclasses import dataclass

import structlog

from sightline.errors import PlatformError
from sightline.text.languages.catalogue import KnownLanguage
from sightline.text.languages.store import LanguageStore

log = structlog.get_logger(__name__)


@dataclass(slots=True)
class LanguageAddition:
    code: str
    done_bytes: int
    total_bytes: int
    error: str | None = None
    """Why it failed; None while it runs. A repeated request resumes the download."""


class LanguageAdditions:
    """Call `close` at the end; an interrupted download is resumed by the next request for it."""

    def __init__(self, store: LanguageStore) -> None:
        self.store = store
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._additions: dict[str, LanguageAddition] = {}

    @property
    def current(self) -> dict[str, LanguageAddition]:
        """Running and failed additions, by code."""
        return dict(self._additions)

    def start(self, language: KnownLanguage) -> LanguageAddition:
        """Starts adding a language unless it is being added already."""
        if language.code not in self._tasks:
            self._additions[language.code] = LanguageAddition(language.code, 0, language.archive_bytes)
            self._tasks[language.code] = asyncio.create_task(self._add(language))
        return self._additions[language.code]

    async def remove(self, code: str) -> None:
        await asyncio.to_thread(self.store.remove, code)
        if code not in self._tasks:
            self._additions.pop(code, None)

    async def close(self) -> None:
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _add(self, language: KnownLanguage) -> None:
        addition = self._additions[language.code]

        def report(done: int, total: int) -> None:
            addition.done_bytes, addition.total_bytes = done, total

        try:
            await self.store.add(language, report)
            del self._additions[language.code]
        except Exception as error:  # shown to the person who requested it; the process continues
            addition.error = error.message if isinstance(error, PlatformError) else f"{type(error).__name__}: {error}"
            log.warning("language.failed", language=language.code, error=addition.error)
        finally:
            del self._tasks[language.code]
