"""The language of small pages that are made here: the one that the reader's browser names first. Pure."""

from typing import Annotated, get_args

from fastapi import Header

from sightline.notifications import Language

AcceptLanguage = Annotated[str | None, Header(max_length=500)]

_LANGUAGES: dict[str, Language] = {one: one for one in get_args(Language)}


def browser_language(accepted: str | None, usual: Language) -> Language:
    """The first language of the header `Accept-Language` that there are words in, whatever its country; otherwise the usual one."""
    for part in (accepted or "").lower().split(","):
        name = part.partition(";")[0].strip()
        if (language := _LANGUAGES.get(name.partition("-")[0])) is not None:
            return language
    return usual
