"""The words of event notifications, in the languages of their readers. Pure."""

from collections.abc import Mapping
from typing import Any

from sightline.messages.preferences import EventKind
from sightline.notifications import Language, one_line, reason_in

MAX_TEXT_LENGTH = 500

_TITLES: dict[Language, dict[EventKind, str]] = {
    "en": {
        "video_completed": "Video ready: {video_name}",
        "video_failed": "Video failed: {video_name}",
        "analysis_finalized": "Analysis ready: {video_name}",
        "saved_search": "New results: {search_name}",
        "quota_warning": "{percent} % used: {quota}",
        "security_high": "Security event, high risk",
        "security_critical": "Critical security event",
    },
    "pt": {
        "video_completed": "Vídeo pronto: {video_name}",
        "video_failed": "Vídeo com falha: {video_name}",
        "analysis_finalized": "Análise pronta: {video_name}",
        "saved_search": "Novos resultados: {search_name}",
        "quota_warning": "{percent} % em uso: {quota}",
        "security_high": "Evento de segurança, risco alto",
        "security_critical": "Evento de segurança crítico",
    },
    "es": {
        "video_completed": "Vídeo listo: {video_name}",
        "video_failed": "Vídeo fallido: {video_name}",
        "analysis_finalized": "Análisis listo: {video_name}",
        "saved_search": "Resultados nuevos: {search_name}",
        "quota_warning": "{percent} % en uso: {quota}",
        "security_high": "Evento de seguridad, riesgo alto",
        "security_critical": "Evento de seguridad crítico",
    },
    "de": {
        "video_completed": "Video fertig: {video_name}",
        "video_failed": "Video fehlgeschlagen: {video_name}",
        "analysis_finalized": "Analyse fertig: {video_name}",
        "saved_search": "Neue Ergebnisse: {search_name}",
        "quota_warning": "{percent} % genutzt: {quota}",
        "security_high": "Sicherheitsereignis, hohes Risiko",
        "security_critical": "Kritisches Sicherheitsereignis",
    },
}
_BODIES: dict[Language, dict[EventKind, str]] = {
    "en": {
        "video_completed": "{video_name} can be watched and searched.",
        "video_failed": "{video_name} could not be processed: {error_reason}",
        "analysis_finalized": "{events} techniques were found in {video_name}.",
        "saved_search": "Results for {query} in {video_name}: {hits}.",
        "quota_warning": "{used} of {limit}. Once the quota is used up, new uploads are refused.",
        "security_high": "{summary} (risk {risk_score})",
        "security_critical": "{summary} (risk {risk_score})",
    },
    "pt": {
        "video_completed": "{video_name} já pode ser assistido e pesquisado.",
        "video_failed": "Não foi possível processar {video_name}: {error_reason}",
        "analysis_finalized": "{events} técnicas foram encontradas em {video_name}.",
        "saved_search": "Resultados para {query} em {video_name}: {hits}.",
        "quota_warning": "{used} de {limit}. Quando a cota se esgota, novos envios são recusados.",
        "security_high": "{summary} (risco {risk_score})",
        "security_critical": "{summary} (risco {risk_score})",
    },
    "es": {
        "video_completed": "Ya puedes ver {video_name} y buscar en él.",
        "video_failed": "No se pudo procesar {video_name}: {error_reason}",
        "analysis_finalized": "Técnicas encontradas en {video_name}: {events}.",
        "saved_search": "Resultados de {query} en {video_name}: {hits}.",
        "quota_warning": "{used} de {limit}. Cuando la cuota se agota, se rechazan las subidas nuevas.",
        "security_high": "{summary} (riesgo {risk_score})",
        "security_critical": "{summary} (riesgo {risk_score})",
    },
    "de": {
        "video_completed": "{video_name} kann jetzt angesehen und durchsucht werden.",
        "video_failed": "{video_name} konnte nicht verarbeitet werden: {error_reason}",
        "analysis_finalized": "In {video_name} gefundene Techniken: {events}.",
        "saved_search": "Ergebnisse für {query} in {video_name}: {hits}.",
        "quota_warning": "{used} von {limit}. Ist das Kontingent aufgebraucht, werden neue Uploads abgelehnt.",
        "security_high": "{summary} (Risiko {risk_score})",
        "security_critical": "{summary} (Risiko {risk_score})",
    },
}

_QUOTAS: dict[Language, dict[str, str]] = {
    "en": {"storage_bytes": "storage", "videos": "videos", "minutes_per_month": "minutes of video this month"},
    "pt": {"storage_bytes": "armazenamento", "videos": "vídeos", "minutes_per_month": "minutos de vídeo neste mês"},
    "es": {"storage_bytes": "almacenamiento", "videos": "vídeos", "minutes_per_month": "minutos de vídeo este mes"},
    "de": {"storage_bytes": "Speicher", "videos": "Videos", "minutes_per_month": "Videominuten in diesem Monat"},
}


def title_of(kind: EventKind, language: Language, data: Mapping[str, Any]) -> str:
    return _TITLES[language][kind].format_map(_values(language, data))


def body_of(kind: EventKind, language: Language, data: Mapping[str, Any]) -> str:
    return _BODIES[language][kind].format_map(_values(language, data))


def _values(language: Language, data: Mapping[str, Any]) -> "_Values":
    said = dict(data)
    if said.get("error_reason"):
        said["error_reason"] = reason_in(language, str(said["error_reason"]))
    if "quota" in said:
        quota = _QUOTAS[language][str(said["quota"])]
        said["quota"] = f"{quota} ({said['team_name']})" if "team_name" in said else quota
    return _Values({name: one_line(str(value), max_length=MAX_TEXT_LENGTH) for name, value in said.items()})


class _Values(dict[str, str]):
    """Missing values are a dash. Values are filled in once: one that looks like a placeholder stays as it is."""

    def __missing__(self, key: str) -> str:
        return "–"
