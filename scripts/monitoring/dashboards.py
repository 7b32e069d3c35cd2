"""Dashboards for Grafana: what each panel shows."""

from monitoring.panels import SELECTED, Dashboard, chart, figure, p95, rate_by
from monitoring.rules import BROADCAST, FAILURE_RATIO, SLOWEST

OVERVIEW = Dashboard(
    "sightline-overview",
    "Sightline: overview",
    (
        (
            "Now",
            (
                figure(
                    "Services down",
                    "Of all processes; 0 is right.",
                    "count(sightline_service_up == 0) or vector(0)",
                    warn_at=1,
                ),
                figure(
                    "Waiting jobs",
                    "Queued, of all types.",
                    'sum(max by (job_type) (sightline_job_depth{status="queued"}))',
                ),
                figure(
                    "Oldest job", "An hour is too long.", "max(sightline_job_oldest_age_seconds)", "s", warn_at=3600
                ),
                figure(
                    "Dead-letter queues in use",
                    "0 is right.",
                    "sum(max by (queue) (sightline_bus_dead_letter_alarm))",
                    warn_at=1,
                ),
                figure("Failed requests", "Share of server errors.", FAILURE_RATIO, "percentunit", warn_at=0.05),
                figure("Live connections", "Browsers that follow a stream.", "sum(sightline_live_connections)"),
            ),
        ),
        (
            "Work",
            (
                chart(
                    "Jobs done",
                    "Attempts per second, by type. Failures stand out as outcome `failed` or `retry`.",
                    (rate_by("sightline_job_duration_seconds_count", "job_type, outcome"), "{{job_type}} {{outcome}}"),
                    unit="ops",
                ),
                chart(
                    "Waiting jobs",
                    "A rising line means too few workers of that type.",
                    ('max by (job_type) (sightline_job_depth{status="queued"})', "{{job_type}}"),
                ),
                chart(
                    "Requests",
                    "By status.",
                    (rate_by("sightline_http_requests_total", "status"), "{{status}}"),
                    unit="reqps",
                ),
                chart(
                    "Stored bytes",
                    "As last measured.",
                    ("max by (kind) (sightline_storage_bytes)", "{{kind}}"),
                    unit="bytes",
                ),
            ),
        ),
        (
            "Processes",
            (
                chart("CPU", "Cores in use.", (rate_by("process_cpu_seconds_total", "instance"), "{{instance}}")),
                chart(
                    "Memory",
                    "Resident.",
                    (f"process_resident_memory_bytes{{{SELECTED}}}", "{{instance}}"),
                    unit="bytes",
                ),
                chart(
                    "Restarts of services",
                    "Each is a service that died; the log says why.",
                    (
                        f"sum by (service, instance) (increase(sightline_service_restarts_total{{{SELECTED}}}[$__rate_interval]))",
                        "{{service}} {{instance}}",
                    ),
                ),
                chart(
                    "Versions",
                    "Two at once only during a rollout.",
                    ("count by (version) (sightline_info)", "{{version}}"),
                ),
            ),
        ),
    ),
)

WORK = Dashboard(
    "sightline-work",
    "Sightline: jobs and messages",
    (
        (
            "Jobs",
            (
                chart(
                    "Age of the oldest job",
                    "What people feel: how long a video waits before work on it begins.",
                    ("max by (job_type) (sightline_job_oldest_age_seconds)", "{{job_type}}"),
                    unit="s",
                    warn_at=3600,
                ),
                chart(
                    "Running jobs",
                    "At most what the workers take together.",
                    ('max by (job_type) (sightline_job_depth{status="processing"})', "{{job_type}}"),
                ),
                chart(
                    "Duration, 95 %",
                    "Of one attempt.",
                    (p95("sightline_job_duration_seconds", "job_type"), "{{job_type}}"),
                    unit="s",
                ),
                chart(
                    "Retries and failures",
                    "Retries are normal while a backend is away. A failure is for good.",
                    (rate_by("sightline_job_retries_total", "job_type"), "{{job_type}} retried"),
                    (rate_by("sightline_job_failures_total", "job_type"), "{{job_type}} failed"),
                    unit="ops",
                ),
            ),
        ),
        (
            "Queues",
            (
                chart(
                    "Waiting messages",
                    "A rising line means too few consumers.",
                    ('max by (queue) (sightline_bus_queue_depth{state="visible"})', "{{queue}}"),
                ),
                chart(
                    "Age of the oldest message",
                    "15 minutes is too long.",
                    ("max by (queue) (sightline_bus_oldest_age_seconds)", "{{queue}}"),
                    unit="s",
                    warn_at=900,
                ),
                chart(
                    "Handled messages",
                    "By outcome: done, retry, dead, lost.",
                    (rate_by("sightline_bus_handled_total", "queue, outcome"), "{{queue}} {{outcome}}"),
                    unit="ops",
                ),
                chart(
                    "Handling, 95 %",
                    "Time of one message or batch.",
                    (p95("sightline_bus_handling_seconds", "queue"), "{{queue}}"),
                    unit="s",
                ),
            ),
        ),
        (
            "To AWS and to people",
            (
                chart(
                    "Outbox",
                    "Entries that wait for AWS.",
                    ("max by (state) (sightline_outbox_depth)", "{{state}}"),
                ),
                chart(
                    "Age of the outbox",
                    "Seconds are right.",
                    ("max(sightline_outbox_oldest_age_seconds)", "oldest"),
                    unit="s",
                    warn_at=300,
                ),
                chart(
                    "Emails",
                    "By outcome.",
                    (rate_by("sightline_mails_total", "template, outcome"), "{{template}} {{outcome}}"),
                    unit="ops",
                ),
                chart(
                    "Notifications",
                    "Attempts by outcome.",
                    (rate_by("sightline_notifications_sent_total", "channel, outcome"), "{{channel}} {{outcome}}"),
                    unit="ops",
                ),
            ),
        ),
    ),
)

API = Dashboard(
    "sightline-api",
    "Sightline: API and live feed",
    (
        (
            "Requests",
            (
                chart(
                    "Duration, 95 %",
                    "Of the slowest routes; long polls last by design.",
                    (f"topk(10, {SLOWEST})", "{{route}}"),
                    unit="s",
                ),
                chart(
                    "Server errors",
                    "By route.",
                    (
                        rate_by("sightline_http_requests_total", "route, status", 'status=~"5.."'),
                        "{{route}} {{status}}",
                    ),
                    unit="reqps",
                ),
                chart(
                    "Open connections",
                    "WebSockets included.",
                    (f"sightline_http_connections{{{SELECTED}}}", "{{instance}}"),
                ),
                chart(
                    "Refused connections",
                    "`too_many_from_address` behind a proxy: set SIGHTLINE_API_TRUSTED_PROXIES.",
                    (rate_by("sightline_http_connections_refused_total", "reason"), "{{reason}}"),
                    unit="ops",
                ),
            ),
        ),
        (
            "Live feed",
            (
                chart("Connections", "By stream.", ("sum by (stream) (sightline_live_connections)", "{{stream}}")),
                chart("To the browser, 99 %", "From commit to socket.", (BROADCAST, "99 %"), unit="s", warn_at=1),
                chart(
                    "Deliveries",
                    "Messages written to sockets.",
                    (rate_by("sightline_live_deliveries_total", "stream"), "{{stream}}"),
                    unit="ops",
                ),
                chart(
                    "Gaps and slow readers",
                    "Clients that had to reload, and those that were disconnected.",
                    (rate_by("sightline_live_gaps_total", "stream, reason"), "{{stream}} {{reason}}"),
                    (rate_by("sightline_live_slow_consumers_total", "stream"), "{{stream}} too slow"),
                    unit="ops",
                ),
            ),
        ),
        (
            "AWS endpoint",
            (
                chart(
                    "Calls",
                    "Of SDKs, by action.",
                    (rate_by("sightline_aws_calls_total", "service, action"), "{{service}} {{action}}"),
                    unit="reqps",
                ),
                chart(
                    "Duration, 95 %",
                    "Long polls included.",
                    (p95("sightline_aws_call_duration_seconds", "action"), "{{action}}"),
                    unit="s",
                ),
            ),
        ),
    ),
)

SECURITY = Dashboard(
    "sightline-security",
    "Sightline: cameras and security events",
    (
        (
            "Cameras",
            (
                chart(
                    "Cameras",
                    "The distance between the lines are cameras without pictures.",
                    ("sum(sightline_cameras_watched)", "watched"),
                    ("sum(sightline_cameras_live)", "live"),
                ),
                chart(
                    "Pictures looked at",
                    "By camera.",
                    (rate_by("sightline_camera_looks_total", "camera_id"), "{{camera_id}}"),
                    unit="ops",
                ),
                chart(
                    "From picture to result, 95 %",
                    "Rises when the detector is busy.",
                    (p95("sightline_camera_look_seconds", "instance"), "{{instance}}"),
                    unit="s",
                ),
                chart(
                    "Connections that ended or failed",
                    "By reason.",
                    (rate_by("sightline_camera_connections_total", "result"), "{{result}}"),
                    unit="ops",
                ),
            ),
        ),
        (
            "Events",
            (
                chart(
                    "Security events",
                    "Created.",
                    ("sum(rate(hsi_events_total[$__rate_interval]))", "events"),
                    unit="ops",
                ),
                chart(
                    "Assessments",
                    "By whom; `unavailable` is a model that did not answer, and the rules stand.",
                    (rate_by("sightline_security_assessed_total", "assessor"), "{{assessor}}"),
                    unit="ops",
                ),
                chart(
                    "Model, 95 %",
                    "Duration of a call.",
                    (p95("sightline_security_model_seconds", "outcome"), "{{outcome}}"),
                    unit="s",
                ),
                chart(
                    "Alerts",
                    "By outcome.",
                    (rate_by("sightline_security_alerts_total", "outcome"), "{{outcome}}"),
                    unit="ops",
                ),
            ),
        ),
        (
            "Recordings",
            (
                chart(
                    "Segments",
                    "Dropped ones are lost.",
                    (rate_by("sightline_recording_segments_total", "result"), "{{result}}"),
                    unit="ops",
                ),
                chart(
                    "Paused",
                    "Cameras whose segments cannot be stored.",
                    ("sum(sightline_recording_paused_cameras)", "paused"),
                    warn_at=1,
                ),
            ),
        ),
    ),
)

DASHBOARDS = (OVERVIEW, WORK, API, SECURITY)
