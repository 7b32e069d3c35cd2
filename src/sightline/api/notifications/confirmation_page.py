"""The page behind the link in a confirmation email: works without sign-in, and confirms by its button only.

Programs that open links in emails to scan them send no forms, so they confirm nothing.
"""

import html
from typing import Annotated
from urllib.parse import parse_qs

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from sightline.api.dependencies import CurrentPlatform
from sightline.api.serving.browser_language import AcceptLanguage, browser_language
from sightline.errors import InvalidInput
from sightline.messages import CONFIRM_PATH
from sightline.notifications import Language

MAX_BODY_BYTES = 4096

router = APIRouter(include_in_schema=False)

_WORDS: dict[Language, dict[str, str]] = {
    "en": {
        "title": "Confirm your email address",
        "question": "Send notifications from Sightline to {address}?",
        "button": "Confirm",
        "done": "Confirmed. Notifications are sent to {address} from now on.",
        "failed": "This link does not work (any more). Ask for a new one in the notification preferences: Send again.",
    },
    "pt": {
        "title": "Confirme seu endereço de e-mail",
        "question": "Enviar notificações do Sightline para {address}?",
        "button": "Confirmar",
        "done": "Confirmado. A partir de agora, as notificações são enviadas para {address}.",
        "failed": "Este link não funciona (mais). Peça um novo nas preferências de notificação: Enviar de novo.",
    },
    "es": {
        "title": "Confirma tu dirección de correo",
        "question": "¿Enviar notificaciones de Sightline a {address}?",
        "button": "Confirmar",
        "done": "Confirmada. A partir de ahora, las notificaciones se envían a {address}.",
        "failed": "Este enlace no funciona (o ya no). Pide uno nuevo en las preferencias de notificación: Enviar de nuevo.",
    },
    "de": {
        "title": "Bestätige deine E-Mail-Adresse",
        "question": "Benachrichtigungen von Sightline an {address} senden?",
        "button": "Bestätigen",
        "done": "Bestätigt. Ab jetzt gehen Benachrichtigungen an {address}.",
        "failed": "Dieser Link funktioniert nicht (mehr). Fordere bei den Benachrichtigungen einen neuen an: Erneut senden.",
    },
}
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Robots-Tag": "noindex",
}


@router.get(CONFIRM_PATH)
async def ask(
    platform: CurrentPlatform,
    token: Annotated[str, Query(max_length=2000)] = "",
    accept_language: AcceptLanguage = None,
) -> HTMLResponse:
    """Shows the address and a button; changes nothing."""
    language = browser_language(accept_language, platform.settings.notifications.language)
    words = _WORDS[language]
    try:
        content = platform.addresses.read_link(token)
    except InvalidInput:
        return _page(language, f"<p>{words['failed']}</p>", status=400)
    form = (
        f"<p>{words['question'].format(address=_strong(content.address))}</p>"
        f'<form method="post" action="{CONFIRM_PATH}"><input type="hidden" name="token" value="{html.escape(token)}">'
        f"<button>{words['button']}</button></form>"
    )
    return _page(language, form)


@router.post(CONFIRM_PATH)
async def confirm(platform: CurrentPlatform, request: Request, accept_language: AcceptLanguage = None) -> HTMLResponse:
    language = browser_language(accept_language, platform.settings.notifications.language)
    words = _WORDS[language]
    body = (await request.body())[:MAX_BODY_BYTES].decode("ascii", "replace")
    token = parse_qs(body, max_num_fields=3).get("token", [""])[0]
    try:
        address = await platform.addresses.confirm_link(token)
    except InvalidInput:
        return _page(language, f"<p>{words['failed']}</p>", status=400)
    return _page(language, f'<p role="status">{words["done"].format(address=_strong(address))}</p>')


def _strong(address: str) -> str:
    return f"<strong>{html.escape(address)}</strong>"


def _page(language: Language, content: str, *, status: int = 200) -> HTMLResponse:
    title = _WORDS[language]["title"]
    style = (
        "body{font:17px/1.5 system-ui,sans-serif;max-width:34rem;margin:15vh auto;padding:0 1rem;color-scheme:light dark}"
        "strong{overflow-wrap:anywhere}button{font:inherit;padding:.6rem 1.4rem}"
    )
    page = (
        f'<!DOCTYPE html><html lang="{language}"><head><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{style}</style></head>'
        f"<body><main><h1>{title}</h1>{content}</main></body></html>"
    )
    return HTMLResponse(page, status_code=status, headers=_HEADERS)
