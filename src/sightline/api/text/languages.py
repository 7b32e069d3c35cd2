"""Languages of text on screen: which are installed, and adding one by name, for operators."""

import asyncio
from typing import Annotated, Literal

from fastapi import APIRouter, Path
from pydantic import BaseModel, ConfigDict, Field

from sightline.api.dependencies import CurrentCaller, CurrentPlatform, Operator
from sightline.bootstrap import Platform
from sightline.contracts import Caller
from sightline.errors import Conflict
from sightline.text import LanguageAddition, find_language, models_directory, unreadable_languages, uses_added_languages

router = APIRouter(prefix="/api/languages", tags=["languages"])

READER = "worker:ocr"

Code = Annotated[str, Path(max_length=40, description="Tesseract's code.", examples=["por"])]


class InstalledLanguageAnswer(BaseModel):
    code: str = Field(examples=["por"])
    name: str | None = Field(examples=["Portuguese"], description="In English; null for a model of your own.")
    source: Literal["environment", "added", "installation"] = Field(
        examples=["added"], description="TESSDATA_PREFIX, added by name, or part of the installation."
    )
    size_bytes: int = Field(examples=[2422444])
    is_used: bool = Field(examples=[False], description="Text on new videos is read in it (SIGHTLINE_TEXT_LANGUAGES).")


class AvailableLanguageAnswer(BaseModel):
    code: str = Field(examples=["por"])
    name: str = Field(examples=["Portuguese"])
    download_bytes: int = Field(examples=[8124452])
    size_bytes: int = Field(examples=[2422444], description="Size on disk, once installed.")


class LanguageAdditionAnswer(BaseModel):
    code: str = Field(examples=["por"])
    done_bytes: int = Field(examples=[4062226])
    total_bytes: int = Field(examples=[8124452])
    error: str | None = Field(
        examples=[None], description="Why it failed; null while it runs. Adding it again resumes."
    )

    @classmethod
    def of(cls, addition: LanguageAddition) -> "LanguageAdditionAnswer":
        return cls(
            code=addition.code,
            done_bytes=addition.done_bytes,
            total_bytes=addition.total_bytes,
            error=addition.error,
        )


class LanguagesAnswer(BaseModel):
    engine: str = Field(examples=["combined"], description="The OCR engine in use.")
    installed: list[InstalledLanguageAnswer]
    missing: list[str] = Field(
        examples=[[]], description="Languages of SIGHTLINE_TEXT_LANGUAGES that are not installed; reading text fails."
    )
    available: list[AvailableLanguageAnswer] = Field(description="Languages that can be added.")
    additions: list[LanguageAdditionAnswer] = Field(examples=[[]], description="Being added, or failed to be added.")
    cannot_change: Literal["not_operator", "workers_elsewhere"] | None = Field(
        examples=[None],
        description="Why the caller cannot add or remove languages here; null if they can. `workers_elsewhere`: text is "
        "read by workers of other processes; run `sightline languages add` on each of their machines.",
    )


class NewLanguage(BaseModel):
    model_config = ConfigDict(extra="forbid")

    language: str = Field(min_length=1, max_length=40, examples=["por"], description="Code or English name.")


@router.get("")
async def languages(platform: CurrentPlatform, caller: CurrentCaller) -> LanguagesAnswer:
    """Installed languages, those that can be added, and those being added."""
    store, settings = platform.languages.store, platform.settings.text
    installed = await asyncio.to_thread(store.installed)
    is_used = await asyncio.to_thread(uses_added_languages, settings.engine)
    added = models_directory(platform.settings.state_dir)
    return LanguagesAnswer(
        engine=settings.engine,
        installed=[
            InstalledLanguageAnswer(
                code=one.code,
                name=one.name,
                source=one.source,
                size_bytes=one.size_bytes,
                is_used=is_used and one.code in settings.languages,
            )
            for one in installed.values()
        ],
        missing=await asyncio.to_thread(unreadable_languages, settings.engine, settings.languages, added),
        available=[
            AvailableLanguageAnswer(
                code=one.code, name=one.name, download_bytes=one.archive_bytes, size_bytes=one.model_bytes
            )
            for one in store.known.values()
            if one.code not in installed
        ],
        additions=[LanguageAdditionAnswer.of(one) for one in platform.languages.current.values()],
        cannot_change=_why_not(platform, caller),
    )


@router.post("", status_code=202)
async def add_language(platform: CurrentPlatform, _: Operator, new: NewLanguage) -> LanguageAdditionAnswer:
    """Download and install a language by name, verified by its pinned hash. `GET` shows the progress. For operators."""
    _need_workers_here(platform)
    language = find_language(new.language, platform.languages.store.known)
    return LanguageAdditionAnswer.of(platform.languages.start(language))


@router.delete("/{code}", status_code=204)
async def remove_language(platform: CurrentPlatform, _: Operator, code: Code) -> None:
    """Remove a language that was added. Languages of the installation stay. For operators."""
    _need_workers_here(platform)
    await platform.languages.remove(code)


def _why_not(platform: Platform, caller: Caller) -> Literal["not_operator", "workers_elsewhere"] | None:
    if not caller.is_operator:
        return "not_operator"
    return None if _reads_here(platform) else "workers_elsewhere"


def _need_workers_here(platform: Platform) -> None:
    if not _reads_here(platform):
        raise Conflict(
            "Text is read by workers of other processes; run `sightline languages add` on each of their machines"
        )


def _reads_here(platform: Platform) -> bool:
    """Whether this process also reads text: then both use the same state directory."""
    return any(service.name == READER for service in platform.statuses())
