"""The page behind a share link: a player and, if the link shows it, the text. Nothing else of the owner's is in it."""

import html
import math
import re
from datetime import timedelta
from pathlib import Path

from fastapi.responses import HTMLResponse

from sightline.api.serving.browser_language import browser_language
from sightline.api.serving.page_files import FOLDER
from sightline.api.shares.opened import OpenedShare
from sightline.media.clips import ClipStatus
from sightline.media.stream import PlaylistPart
from sightline.notifications import Language

_PLACE = re.compile(r"\{\{(title|content)\}\}")
WAIT_S = 3
"""A page whose clip is still being cut loads itself again after so long."""

_WORDS: dict[Language, dict[str, str]] = {
    "en": {
        "player": "Player",
        "text": "On-screen text",
        "speech": "Speech",
        "list": "Text in this video",
        "ended": "This link doesn't work",
        "ended_text": "It has expired, was revoked, or is incomplete. Ask the person who sent it for a new one.",
        "busy": "Too many requests",
        "busy_text": "Try again in a minute.",
        "waiting": "This clip is being prepared. The page loads again by itself.",
        "failed": "This can't be played. Reload the page to try again.",
        "script": "The player needs JavaScript.",
    },
    "pt": {
        "player": "Player",
        "text": "Texto na tela",
        "speech": "Fala",
        "list": "Texto neste vídeo",
        "ended": "Este link não funciona",
        "ended_text": "Ele expirou, foi revogado ou está incompleto. Peça um novo a quem o enviou.",
        "busy": "Solicitações demais",
        "busy_text": "Tente de novo em um minuto.",
        "waiting": "Este clipe está sendo preparado. A página recarrega sozinha.",
        "failed": "Não foi possível reproduzir. Recarregue a página para tentar de novo.",
        "script": "O player precisa de JavaScript.",
    },
    "es": {
        "player": "Reproductor",
        "text": "Texto en pantalla",
        "speech": "Voz",
        "list": "Texto de este vídeo",
        "ended": "Este enlace no funciona",
        "ended_text": "Ha caducado, fue revocado o está incompleto. Pide uno nuevo a quien te lo envió.",
        "busy": "Demasiadas solicitudes",
        "busy_text": "Inténtalo de nuevo en un minuto.",
        "waiting": "Este clip se está preparando. La página se recarga sola.",
        "failed": "No se puede reproducir. Recarga la página para intentarlo de nuevo.",
        "script": "El reproductor necesita JavaScript.",
    },
    "de": {
        "player": "Player",
        "text": "Text im Bild",
        "speech": "Gesprochenes",
        "list": "Text in diesem Video",
        "ended": "Dieser Link funktioniert nicht",
        "ended_text": "Er ist abgelaufen, widerrufen oder unvollständig. Bitte die Person, die ihn geschickt hat, um einen neuen.",
        "busy": "Zu viele Anfragen",
        "busy_text": "Versuche es in einer Minute noch einmal.",
        "waiting": "Dieser Clip wird vorbereitet. Die Seite lädt sich von selbst neu.",
        "failed": "Die Wiedergabe ist nicht möglich. Lade die Seite neu, um es noch einmal zu versuchen.",
        "script": "Der Player braucht JavaScript.",
    },
}


def player_page(
    opened: OpenedShare, part: PlaylistPart | None, token: str, accept_language: str | None
) -> HTMLResponse:
    language = browser_language(accept_language, "en")
    words = _WORDS[language]
    share, clip = opened.share, opened.clip
    title = html.escape(share.title)
    if clip is not None and clip.status is not ClipStatus.DONE:
        is_coming = clip.status in (ClipStatus.QUEUED, ClipStatus.PROCESSING)
        text = words["waiting"] if is_coming else words["ended_text"]
        headers = {"refresh": str(WAIT_S)} if is_coming else {}
        content = f'<h1>{title}</h1><p role="status">{text}</p>'
        return _page(language, title, content, share.embed_origins, status=200 if is_coming else 404, headers=headers)
    base = f"/s/{html.escape(token)}"
    attributes = [f'aria-label="{words["player"]}: {title}"', "controls playsinline"]
    if clip is not None:
        attributes.append(f'src="{base}/clip.mp4" preload="metadata"')
    else:
        assert part is not None
        attributes.append(f'data-stream="{base}/index.m3u8" data-failed="{words["failed"]}"')
        if share.start_ms is not None and share.end_ms is not None:
            start_s, end_s = ((ms - part.offset_ms) / 1000 for ms in (share.start_ms, share.end_ms))
            attributes.append(f'data-start="{start_s:.3f}" data-end="{end_s:.3f}" preload="auto"')
        else:
            poster = f'poster="{base}/poster.jpg"' if opened.video.s3_thumb_path is not None else ""
            attributes.append(f'{poster} preload="metadata"')
    tracks = text_list = ""
    if share.with_text:
        tracks = "".join(
            f'<track kind="{kind}" src="{base}/captions.vtt?kind={source}" label="{words[source]}">'
            for source, kind in (("speech", "subtitles"), ("text", "captions"))
        )
        text_list = (
            f'<section id="text" aria-label="{words["list"]}" hidden><h2>{words["list"]}</h2><ul></ul></section>'
        )
    content = (
        f"<h1>{title}</h1><video {' '.join(attributes)}>{tracks}</video>"
        f'<p id="problem" role="alert" hidden></p><noscript><p>{words["script"]}</p></noscript>{text_list}'
    )
    return _page(language, title, content, share.embed_origins)


def failure_page(accept_language: str | None, *, status: int, retry_after: timedelta | None = None) -> HTMLResponse:
    language = browser_language(accept_language, "en")
    words = _WORDS[language]
    name = "busy" if status == 429 else "ended"
    wait = {} if retry_after is None else {"retry-after": str(math.ceil(retry_after.total_seconds()))}
    content = f"<h1>{words[name]}</h1><p>{words[f'{name}_text']}</p>"
    # A link that does not work may be shown where a link was embedded, so that its readers see why.
    return _page(language, words[name], content, ("*",), status=status, headers=wait)


def _page(
    language: Language,
    title: str,
    content: str,
    embed_origins: tuple[str, ...],
    *,
    status: int = 200,
    headers: dict[str, str] | None = None,
) -> HTMLResponse:
    template = _template(FOLDER)
    if template is None:
        return HTMLResponse("The page was not built: `make page` builds it.\n", status_code=503)
    parts = {"title": title, "content": content}
    # In one pass, so that a title cannot name a place of its own.
    page = _PLACE.sub(lambda found: parts[found[1]], template.replace('lang="en"', f'lang="{language}"', 1))
    return HTMLResponse(page, status_code=status, headers={**_headers(embed_origins), **(headers or {})})


def _headers(embed_origins: tuple[str, ...]) -> dict[str, str]:
    rules = {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": "'self'",
        "media-src": "'self' blob:",
        "connect-src": "'self'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": " ".join(embed_origins) or "'none'",
    }
    return {
        "content-security-policy": "; ".join(f"{name} {value}" for name, value in rules.items()),
        "referrer-policy": "no-referrer",
        "cache-control": "private, no-store",
        "x-robots-tag": "noindex, nofollow",
        "permissions-policy": "camera=(), geolocation=(), microphone=()",
    }


def _template(folder: Path) -> str | None:
    file = folder / "share.html"
    return file.read_text(encoding="utf-8") if file.is_file() else None
