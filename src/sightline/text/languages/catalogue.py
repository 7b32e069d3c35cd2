"""Languages that can be added by name, each with the pinned hashes of its package. Pure, apart from reading the catalogue."""

import base64
import difflib
import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from sightline.errors import NotFound

CATALOGUE = Path(__file__).with_name("catalogue.toml")
REGISTRY = "https://registry.npmjs.org"
PACKAGES = "@tesseract.js-data"
MAX_SUGGESTIONS = 3


class UnknownLanguage(NotFound):
    """No package is known for the name. The message suggests similar ones."""


@dataclass(frozen=True, slots=True)
class KnownLanguage:
    code: str
    """Tesseract's code, such as `por`."""
    name: str
    version: str
    archive_bytes: int
    archive_integrity: str
    """As npm writes it: `sha512-` and the hash in base64."""
    model_bytes: int
    model_sha256: str

    def archive_url(self, registry: str) -> str:
        return f"{registry.rstrip('/')}/{PACKAGES}/{self.code}/-/{self.code}-{self.version}.tgz"


@cache
def known_languages() -> Mapping[str, KnownLanguage]:
    """By code."""
    return parse_catalogue(tomllib.loads(CATALOGUE.read_text(encoding="utf-8")))


def parse_catalogue(content: Mapping[str, Any]) -> dict[str, KnownLanguage]:
    version = content["version"]
    return {code: KnownLanguage(code, version=version, **fields) for code, fields in content["languages"].items()}


def find_language(text: str, known: Mapping[str, KnownLanguage] | None = None) -> KnownLanguage:
    """The language with this code or English name, in any case. Raises `UnknownLanguage`."""
    languages = known_languages() if known is None else known
    wanted = text.strip().casefold()
    for language in languages.values():
        if wanted in (language.code.casefold(), language.name.casefold()):
            return language
    similar = _similar(wanted, languages)
    suggestion = f"; did you mean {' or '.join(f'{one.code} ({one.name})' for one in similar)}?" if similar else ""
    raise UnknownLanguage(
        f"no language {text!r} can be added by name{suggestion or '.'} "
        "`sightline languages --available` lists those that can; "
        "`sightline languages add CODE --from FILE` installs any other model of Tesseract",
        code="UNKNOWN_LANGUAGE",
    )


def integrity_of(archive: bytes) -> str:
    """The hash of an archive as npm writes it."""
    return "sha512-" + base64.b64encode(hashlib.sha512(archive).digest()).decode()


def member_of(code: str) -> str:
    """The file of the model in the archive: the small one that is as accurate as the large one."""
    return f"package/4.0.0_best_int/{code}.traineddata.gz"


def _similar(wanted: str, languages: Mapping[str, KnownLanguage]) -> list[KnownLanguage]:
    by_text = {one.name.casefold(): one for one in languages.values()} | {one.code: one for one in languages.values()}
    begins = [text for text in by_text if len(wanted) > 1 and text.startswith(wanted)]
    close = difflib.get_close_matches(wanted, by_text, n=MAX_SUGGESTIONS, cutoff=0.6)
    return list({by_text[text].code: by_text[text] for text in (*begins, *close)}.values())[:MAX_SUGGESTIONS]
