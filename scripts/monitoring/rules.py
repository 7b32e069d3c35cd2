"""Alerts and recorded figures for Prometheus. Thresholds that CloudWatch has too are those of the template's alarms."""

from dataclasses import dataclass
from typing import Any

from sightline.fleet.template.alarms import FAILED_REQUESTS_PERCENT, OLDEST_JOB_S, OLDEST_MESSAGE_S

OPERATIONS = "docs/operations.md"
OUTBOX_TOO_OLD_S = 300
LIVE_TOO_SLOW_S = 1
USABLE_TOO_LITTLE_BYTES = 10 * 1024**3
JOB = '{job=~".*sightline.*"}'
"""How the scrape job is called: `sightline`, or as a PodMonitor of that name calls it."""

FAILURE_RATIO = "sightline:http_failure_ratio:5m"
SLOWEST = "sightline:http_duration_seconds:p95_5m"
BROADCAST = "sightline:live_broadcast_seconds:p99_5m"


@dataclass(frozen=True, slots=True)
class Alert:
    name: str
    expr: str
    minutes: int
    summary: str
    action: str
    """What to do, in the imperative."""
    severity: str = "warning"
    runbook: str = OPERATIONS

    def as_rule(self) -> dict[str, Any]:
        return {
            "alert": f"Sightline{self.name}",
            "expr": self.expr,
            **({"for": f"{self.minutes}m"} if self.minutes else {}),
            "labels": {"severity": self.severity},
            "annotations": {"summary": self.summary, "description": self.action, "runbook": self.runbook},
        }


RECORDED = {
    FAILURE_RATIO: 'sum(rate(sightline_http_requests_total{status=~"5.."}[5m])) / sum(rate(sightline_http_requests_total[5m]))',
    SLOWEST: "histogram_quantile(0.95, sum by (le, route) (rate(sightline_http_request_duration_seconds_bucket[5m])))",
    BROADCAST: "histogram_quantile(0.99, sum by (le) (rate(hsi_event_broadcast_duration_seconds_bucket[5m])))",
}

ALERTS: dict[str, tuple[Alert, ...]] = {
    "processes": (
        Alert(
            "ProcessDown",
            f"up{JOB} == 0",
            5,
            "{{ $labels.instance }} does not answer.",
            "Look at its log. A process that was started before `sightline migrate` waits and answers nothing until then.",
            severity="critical",
        ),
        Alert(
            "NoScheduler",
            'absent(sightline_service_up{service="job-watch"} == 1)',
            5,
            "No process runs the role `schedule`.",
            "Start one: without it no schedule fires, nothing leaves the outbox, and no figure of jobs is measured.",
            severity="critical",
        ),
        Alert(
            "ServiceDown",
            "sightline_service_up == 0",
            5,
            "The service {{ $labels.service }} of {{ $labels.instance }} does not run.",
            "`GET /api/status` has its last error, the log the reason for each restart. Then `sightline doctor`.",
            severity="critical",
        ),
        Alert(
            "ServiceRestarts",
            "increase(sightline_service_restarts_total[15m]) > 3",
            0,
            "The service {{ $labels.service }} of {{ $labels.instance }} was restarted {{ $value | humanize }} times.",
            "Look for `service.` events in the log of that process: the database or a backend is often the reason.",
        ),
        Alert(
            "OpenFiles",
            f"process_open_fds{JOB} / process_max_fds{JOB} > 0.8",
            10,
            "{{ $labels.instance }} has {{ $value | humanizePercentage }} of its files open.",
            "Raise the limit of open files (LimitNOFILE), or lower SIGHTLINE_API_MAX_CONNECTIONS.",
        ),
    ),
    "jobs": (
        Alert(
            "JobsWait",
            f"max by (job_type) (sightline_job_oldest_age_seconds) > {OLDEST_JOB_S}",
            5,
            "The oldest {{ $labels.job_type }} job has waited for {{ $value | humanizeDuration }}.",
            "Are its workers running, and does their health say that videos can be confined? If they are busy, add some.",
            severity="critical",
        ),
        Alert(
            "JobsFail",
            "max by (job_type) (sightline_job_failure_alert) == 1",
            2,
            "Too many attempts of {{ $labels.job_type }} fail.",
            "`sightline jobs list --status failed`, then `sightline jobs show ID` says why; mend it, then `sightline jobs retry`.",
        ),
    ),
    "messages": (
        Alert(
            "DeadLetters",
            "max by (queue) (sightline_bus_dead_letter_alarm) == 1",
            1,
            "{{ $labels.queue }} holds messages that no consumer could handle.",
            "`sightline dead-letters list`, then `show` for the reason; mend it, then `redrive`.",
        ),
        Alert(
            "MessagesWait",
            f"max by (queue) (sightline_bus_oldest_age_seconds) > {OLDEST_MESSAGE_S}",
            5,
            "The oldest message of {{ $labels.queue }} has waited for {{ $value | humanizeDuration }}.",
            "Is a process with the role `consume` running? If it is busy, add one. A queue of a client needs that client.",
        ),
        Alert(
            "OutboxWaits",
            f"max(sightline_outbox_oldest_age_seconds) > {OUTBOX_TOO_OLD_S}",
            5,
            "Messages have waited for AWS for {{ $value | humanizeDuration }}.",
            "`outbox.retried` in the log of the role `schedule` says why; `sightline aws check` compares the account.",
            severity="critical",
        ),
        Alert(
            "OutboxRefused",
            "increase(sightline_outbox_failed_total[15m]) > 0",
            0,
            "AWS refused {{ $value | humanize }} messages for good.",
            "`outbox.failed` in the log of the role `schedule` says why; `sightline aws check` compares the account.",
            severity="critical",
        ),
        Alert(
            "MailsFail",
            'sum by (template) (increase(sightline_mails_total{outcome="failed"}[30m])) > 0',
            0,
            "{{ $value | humanize }} emails {{ $labels.template }} could not be sent.",
            "`sightline outbox` shows them with their error; `sightline outbox resend` sends them again.",
            runbook="docs/notifications.md",
        ),
        Alert(
            "ReceiverDown",
            "max by (channel) (sightline_circuit_breaker_state) == 2",
            10,
            "A receiver of {{ $labels.channel }} has failed for ten minutes; its notifications wait.",
            "`notification.failed` in the log names the reason. What waits is delivered when the receiver is back.",
            runbook="docs/messages.md",
        ),
    ),
    "api": (
        Alert(
            "RequestsFail",
            f"{FAILURE_RATIO} > {FAILED_REQUESTS_PERCENT / 100}",
            5,
            "{{ $value | humanizePercentage }} of the requests end with a server error.",
            "`GET /api/health?deep=true` names the part that cannot work; the log has the error of each request.",
            severity="critical",
        ),
        Alert(
            "ConnectionsRefused",
            'sum by (reason) (rate(sightline_http_connections_refused_total{reason=~"too_many.*"}[5m])) > 1',
            10,
            "Connections are refused: {{ $labels.reason }}.",
            "Behind a proxy, set SIGHTLINE_API_TRUSTED_PROXIES to its addresses: otherwise all clients count as one.",
        ),
        Alert(
            "LiveFeedSlow",
            f"{BROADCAST} > {LIVE_TOO_SLOW_S}",
            10,
            "Live messages take {{ $value | humanizeDuration }} to reach browsers.",
            "Is the CPU of the API processes used up? Add one. Otherwise look at the latency of the database.",
            runbook="docs/live.md",
        ),
        Alert(
            "LiveFeedStuck",
            "increase(sightline_live_broadcast_retries_exhausted_total[10m]) > 0",
            0,
            "{{ $labels.instance }} could not read live messages from the database.",
            "Nothing is lost: they are sent once the database answers. Look at the database.",
            severity="critical",
            runbook="docs/live.md",
        ),
    ),
    "storage": (
        Alert(
            "SpaceRunsOut",
            f"min(sightline_storage_usable_bytes) < {USABLE_TOO_LITTLE_BYTES}",
            10,
            "{{ $value | humanize1024 }}B are left for videos.",
            "`sightline retention --dry-run` shows what rules would remove; enlarge the disk, or set SIGHTLINE_RETENTION_….",
            severity="critical",
        ),
        Alert(
            "UploadsRefused",
            'increase(sightline_uploads_refused_total{reason="space"}[15m]) > 0',
            0,
            "Uploads are refused, because the disk is full.",
            "`sightline retention --dry-run` shows what rules would remove; enlarge the disk, or remove videos.",
            severity="critical",
        ),
    ),
    "cameras": (
        Alert(
            "CamerasSilent",
            "sum(sightline_cameras_watched) - sum(sightline_cameras_live) > 0",
            15,
            "{{ $value }} cameras send no pictures.",
            "`sightline cameras list` names them and why; `sightline cameras test` tries one.",
            runbook="docs/cameras.md",
        ),
        Alert(
            "RecordingPaused",
            "sum(sightline_recording_paused_cameras) > 0",
            10,
            "The recordings of {{ $value }} cameras cannot be stored.",
            "`recording.paused` in the log says why: usually the object store or the space on it.",
            severity="critical",
            runbook="docs/cameras.md",
        ),
        Alert(
            "SightingsDropped",
            "increase(sightline_camera_sightings_dropped_total[15m]) > 0",
            0,
            "{{ $labels.instance }} dropped {{ $value | humanize }} sightings, since the database did not take them.",
            "Look at the database; what was seen meanwhile is in the recordings.",
            severity="critical",
            runbook="docs/cameras.md",
        ),
        Alert(
            "ObjectsUndetected",
            "increase(sightline_vision_failures_total[15m]) > 10",
            0,
            "The detector of {{ $labels.instance }} failed on {{ $value | humanize }} pictures.",
            "The part `vision` of its health says why; `sightline vision` shows the models.",
            runbook="docs/vision.md",
        ),
    ),
}


def rules_file() -> dict[str, Any]:
    recorded = [{"record": name, "expr": expr} for name, expr in RECORDED.items()]
    groups = [{"name": "sightline-figures", "rules": recorded}]
    groups += [
        {"name": f"sightline-{group}", "rules": [alert.as_rule() for alert in alerts]}
        for group, alerts in ALERTS.items()
    ]
    return {"groups": groups}
