"""The templates in SES, made of the same texts and layout as every other email."""

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
    """The Portuguese template has the document's name; other languages are a suffix."""
    return str(template) if language == "pt" else f"{template}_{language}"


def ses_templates() -> list[SesTemplate]:
    """Every email in every language, as SES templates."""
    return [_as_ses(name, language) for language in LANGUAGES for name in TemplateName]


async def put_templates(client: Any) -> list[tuple[str, TemplateChange]]:
    """Creates or updates the account's templates; a second call changes nothing."""
    return [(template.name, await _put(client, template)) for template in ses_templates()]


async def _put(client: Any, template: SesTemplate) -> TemplateChange:
    try:
        with translated():
            found = await client.get_email_template(TemplateName=template.name)
    except NotFound:
        with translated():
            await client.create_email_template(TemplateName=template.name, TemplateContent=template.content)
        return "created"
    if {part: found["TemplateContent"].get(part) for part in template.content} == template.content:
        return "unchanged"
    with translated():
        await client.update_email_template(TemplateName=template.name, TemplateContent=template.content)
    return "updated"


def _as_ses(name: TemplateName, language: Language) -> SesTemplate:
    template = mail_template(name, language)
    content = {"Subject": template.subject, "Text": template.text, "Html": template.html}
    return SesTemplate(ses_name(name, language), content)
