"""Email templates with {{variables}}, which are filled here or by SES.

Texts are in one file per language, layouts in one file per format. The templates that SES stores are made from the same files.
"""

import html
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, get_args

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from sightline.notifications.mail.mail import Language, TemplateName

VARIABLES = ("email", "videoName", "downloadUrl", "errorReason")
LANGUAGES: tuple[Language, ...] = get_args(Language)

_FOLDER = Path(__file__).parents[1] / "templates"
_VARIABLE = re.compile(r"\{\{(\w+)\}\}")


@dataclass(frozen=True, slots=True)
class MailTemplate:
    """An email with placeholders for its variables."""

    name: TemplateName
    language: Language
    subject: str
    text: str
    html: str

    def fill(self, values: Mapping[str, str]) -> "MailTemplate":
        """The filled email. Values are filled in once: one that looks like a variable stays as it is."""
        return MailTemplate(
            self.name,
            self.language,
            subject=_fill(self.subject, values, str),
            text=_fill(self.text, values, str),
            html=_fill(self.html, values, html.escape),
        )


@cache
def mail_template(name: TemplateName, language: Language) -> MailTemplate:
    words = _words(language)
    known: dict[str, Any] = {"language": language, "footer": words["footer"], "variable": _variable}
    known["words"] = {"reason": None, "action": None} | words[name]
    layouts = _layouts()
    return MailTemplate(
        name,
        language,
        subject=words[name]["subject"],
        text=layouts.get_template("layout.txt").render(known),
        html=layouts.get_template("layout.html").render(known),
    )


def unknown_reason(language: Language) -> str:
    """The text for a missing reason."""
    return str(_words(language)["unknown_reason"])


@cache
def _words(language: Language) -> dict[str, Any]:
    return tomllib.loads((_FOLDER / f"{language}.toml").read_text(encoding="utf-8"))


@cache
def _layouts() -> Environment:
    return Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=select_autoescape(["html"]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def _variable(name: str) -> str:
    """A placeholder that is filled later."""
    return f"{{{{{name}}}}}"


def _fill(text: str, values: Mapping[str, str], write: Callable[[str], str]) -> str:
    return _VARIABLE.sub(lambda found: write(values[found[1]]), text)
