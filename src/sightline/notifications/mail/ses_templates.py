"""The templates that SES keeps, made of the same words and layout as every other mail."""

from dataclasses import dataclass
from typing import Any, Literal

from sightline.errors import NotFound
from sightline.notifications.mail.mail import Language, TemplateName
from sightline.notifications.mail.rendering import LANGUAGES, mail_template
from sightline.notifications.mail.ses_client import translated

TemplateChange = Literal["created", "updated", "unchanged"]


@dataclass(frozen=True, slots=True)
class SesTemplate:
    name: str
    content: dict[str, str]


def ses_name(template: TemplateName, language: Language) -> str:
    """The document's name is the Portuguese one's; another language is added to it."""
    return str(template) if language == "pt" else f"{template}_{language}"


def ses_templates() -> list[SesTemplate]:
    """Every mail in every language, as SES wants them."""
    return [_as_ses(name, language) for language in LANGUAGES for name in TemplateName]


async def put_templates(client: Any) -> list[tuple[str, TemplateChange]]:
    """Brings the account's templates up to date; done again, it changes nothing."""
    return [(wanted.name, await _put(client, wanted)) for wanted in ses_templates()]


async def _put(client: Any, wanted: SesTemplate) -> TemplateChange:
    try:
        with translated():
            found = await client.get_email_template(TemplateName=wanted.name)
    except NotFound:
        with translated():
            await client.create_email_template(TemplateName=wanted.name, TemplateContent=wanted.content)
        return "created"
    if {part: found["TemplateContent"].get(part) for part in wanted.content} == wanted.content:
        return "unchanged"
    with translated():
        await client.update_email_template(TemplateName=wanted.name, TemplateContent=wanted.content)
    return "updated"


def _as_ses(name: TemplateName, language: Language) -> SesTemplate:
    template = mail_template(name, language)
    content = {"Subject": template.subject, "Text": template.text, "Html": template.html}
    return SesTemplate(ses_name(name, language), content)
