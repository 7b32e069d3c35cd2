"""The child process that reads text: confined, with limits, and a directory that holds what it reads."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import astuple
from pathlib import Path
from typing import Any

from sightline.errors import PermanentFailure
from sightline.jobs import ProcessLimits, Sandbox, preload, run_in_process
from sightline.text.reading.engines import find_files, need_engine
from sightline.text.settings import TextSettings

OCR_WORK = "sightline.text.reading.ocr_work"
preload(OCR_WORK)

Work = Callable[[dict[str, Any], Any], dict[str, Any]]


class ReadingProcess:
    """Runs a function of `ocr_work` with the engine that the settings name."""

    def __init__(self, settings: TextSettings, *, models: Path | None, may_be_unconfined: bool) -> None:
        """`models` is the directory of added languages."""
        self._settings = settings
        self._models = models
        self._may_be_unconfined = may_be_unconfined
        self._installed = need_engine(settings.engine)
        self._engine = self._installed.load()
        preload(*self._engine.LIBRARIES)

    async def model_files(self, languages: Sequence[str]) -> Sequence[Path]:
        """Files that the engine reads for these languages; raises when a language is not installed."""
        return await asyncio.to_thread(find_files, self._engine, languages, self._models)

    async def run(
        self,
        work: Work,
        argument: dict[str, Any],
        *,
        languages: Sequence[str],
        readable: Sequence[Path],
        directory: Path,
        cpu_s: int,
        nice: int = 5,
        progress: Callable[[float, str | None], None] = lambda *_: None,
    ) -> dict[str, Any]:
        found: dict[str, Any] | None = await run_in_process(
            work,
            {
                **argument,
                "languages": list(languages),
                "engine": astuple(self._installed),
                "files": [str(file) for file in readable],
            },
            progress,
            limits=ProcessLimits(
                cpu_s=cpu_s,
                memory_bytes=self._settings.memory_limit_bytes,
                nice=nice,
                may_be_unconfined=self._may_be_unconfined,
            ),
            directory=directory,
            sandbox=Sandbox(
                readable=tuple(map(str, readable)),
                modules=(OCR_WORK, self._installed.module, *self._engine.LIBRARIES),
            ),
        )
        if found is None:
            raise PermanentFailure("the reading process returned no result")
        return found
