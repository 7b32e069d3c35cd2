"""Which requests the audit log records, and under which name: the one place where routes and actions meet. Pure."""

import json
from collections.abc import Iterable, Mapping, MutableMapping
from dataclasses import dataclass
from typing import Any

_TARGETS = "audit_targets"


@dataclass(frozen=True, slots=True)
class AuditedRoute:
    action: str
    target: str | None = None
    """Filled in from the path, the query and the JSON of the response: `video {video_id}`."""
    is_view: bool = False
    """Something is only looked at: repeated by the same caller within a minute, it is recorded once."""
    per_result: bool = False
    """An entry for each of the `results` of the response, done or failed by its `is_done`."""


def _view(action: str, target: str | None = None) -> AuditedRoute:
    return AuditedRoute(action, target, is_view=True)


AUDITED: Mapping[tuple[str, str], AuditedRoute] = {
    # Sign-in and keys
    ("POST", "/api/session"): AuditedRoute("session.started"),
    ("GET", "/api/session/oidc/callback"): AuditedRoute("session.started"),
    ("DELETE", "/api/session"): AuditedRoute("session.ended"),
    ("POST", "/api/keys"): AuditedRoute("api_key.created", "key {key_id}"),
    ("DELETE", "/api/keys/{key_id}"): AuditedRoute("api_key.revoked", "key {key_id}"),
    ("GET", "/api/audit"): _view("audit.read"),
    # Videos: uploads, deletions, and who watched or downloaded what
    ("POST", "/videos"): AuditedRoute("video.upload_started", "video {videoId}"),
    ("POST", "/videos/{video_id}/complete"): AuditedRoute("video.uploaded", "video {video_id}"),
    ("DELETE", "/videos/{video_id}/upload"): AuditedRoute("video.upload_aborted", "video {video_id}"),
    ("DELETE", "/videos/{video_id}"): AuditedRoute("video.deleted", "video {video_id}"),
    ("PATCH", "/videos/{video_id}"): AuditedRoute("video.changed", "video {video_id}"),
    ("POST", "/s3/multipart"): AuditedRoute("video.upload_started", "upload {uploadId}"),
    ("POST", "/s3/multipart/{upload_id}/complete"): AuditedRoute("video.uploaded", "upload {upload_id}"),
    ("DELETE", "/s3/multipart/{upload_id}"): AuditedRoute("video.upload_aborted", "upload {upload_id}"),
    ("POST", "/files"): AuditedRoute("video.upload_started", "upload {uploadId}"),
    ("POST", "/files/"): AuditedRoute("video.upload_started", "upload {uploadId}"),
    ("PATCH", "/files/{upload_id}"): _view("video.upload_continued", "upload {upload_id}"),
    ("POST", "/files/{upload_id}"): _view("video.upload_continued", "upload {upload_id}"),
    ("DELETE", "/files/{upload_id}"): AuditedRoute("video.upload_aborted", "upload {upload_id}"),
    ("POST", "/api/sample-video"): AuditedRoute("video.uploaded", "video {videoId}"),
    ("POST", "/videos/{video_id}/revoke-links"): AuditedRoute("video.links_revoked", "video {video_id}"),
    ("POST", "/api/videos/{video_id}/detect"): AuditedRoute("detection.requested", "video {video_id}"),
    ("POST", "/api/videos/{video_id}/transcribe"): AuditedRoute("transcription.requested", "video {video_id}"),
    ("GET", "/api/videos/{video_id}/tracks"): _view("tracks.viewed", "video {video_id}"),
    ("PUT", "/videos/{video_id}/annotations"): AuditedRoute("annotations.replaced", "video {video_id}"),
    ("GET", "/videos/{video_id}/stream/index.m3u8"): _view("video.watched", "video {video_id}"),
    ("GET", "/videos/{video_id}/download"): _view("video.downloaded", "video {video_id}"),
    ("GET", "/videos/{video_id}/frames"): _view("frames.viewed", "video {video_id}"),
    ("GET", "/videos/{video_id}/frames.zip"): _view("frames.downloaded", "video {video_id}"),
    ("GET", "/videos/{video_id}/transcript.{format}"): _view("transcript.downloaded", "video {video_id}"),
    ("GET", "/videos/{video_id}/moments.zip"): _view("moments.downloaded", "video {video_id}"),
    ("POST", "/clips"): AuditedRoute("clip.requested", "clip {clip_id}"),
    ("GET", "/clips/{clip_id}"): _view("clip.viewed", "clip {clip_id}"),
    ("GET", "/videos/{video_id}/clips"): _view("clips.viewed", "video {video_id}"),
    ("POST", "/api/shares"): AuditedRoute("share.created", "share {share_id}"),
    ("DELETE", "/api/shares/{share_id}"): AuditedRoute("share.revoked", "share {share_id}"),
    ("GET", "/api/shares"): _view("shares.viewed"),
    ("POST", "/api/videos/move"): AuditedRoute("video.moved", "video {video_id}", per_result=True),
    ("POST", "/api/trash"): AuditedRoute("video.trashed"),
    ("POST", "/api/trash/restore"): AuditedRoute("video.restored"),
    ("POST", "/api/trash/delete"): AuditedRoute("video.deleted"),
    ("POST", "/api/collections"): AuditedRoute("collection.created", "collection {collection_id}"),
    ("PATCH", "/api/collections/{collection_id}"): AuditedRoute("collection.renamed", "collection {collection_id}"),
    ("DELETE", "/api/collections/{collection_id}"): AuditedRoute("collection.deleted", "collection {collection_id}"),
    ("POST", "/api/collections/{collection_id}/videos"): AuditedRoute(
        "collection.changed", "collection {collection_id}"
    ),
    # Techniques
    ("POST", "/videos/{video_id}/marks"): AuditedRoute("technique.marked", "video {video_id}"),
    ("PATCH", "/videos/{video_id}/marks/{mark_id}"): AuditedRoute("technique.changed", "video {video_id}"),
    ("DELETE", "/videos/{video_id}/marks/{mark_id}"): AuditedRoute("technique.deleted", "video {video_id}"),
    ("POST", "/videos/{video_id}/marks/{mark_id}/restore"): AuditedRoute("technique.restored", "video {video_id}"),
    ("POST", "/videos/{video_id}/marks/import"): AuditedRoute("techniques.imported", "video {video_id}"),
    ("POST", "/videos/{video_id}/marks/publish"): AuditedRoute("techniques.published", "video {video_id}"),
    ("POST", "/videos/{video_id}/reels"): AuditedRoute("reel.requested", "video {video_id}"),
    # Security events, with the pictures of their detections
    ("GET", "/api/detections"): _view("detections.viewed", "event {event_id}"),
    ("GET", "/api/events/{event_id}"): _view("event.viewed", "event {event_id}"),
    ("POST", "/api/events/{event_id}/clip"): AuditedRoute("event_clip.requested", "event {event_id}"),
    ("GET", "/api/events/{event_id}/clip"): _view("event_clip.viewed", "event {event_id}"),
    ("GET", "/api/cameras/{camera_id}/recording/index.m3u8"): _view("recording.watched", "camera {camera_id}"),
    ("POST", "/api/cameras/{camera_id}/detect"): AuditedRoute("detection.requested", "camera {camera_id}"),
    ("POST", "/api/cameras/{camera_id}/detect/{job_id}/cancel"): AuditedRoute(
        "detection.cancelled", "camera {camera_id}"
    ),
    ("GET", "/api/cameras/{camera_id}/live.mjpeg"): _view("camera.watched", "camera {camera_id}"),
    ("GET", "/api/cameras/{camera_id}/live/index.m3u8"): _view("camera.watched", "camera {camera_id}"),
    ("PATCH", "/api/events/{event_id}/acknowledge"): AuditedRoute("event.acknowledged", "event {event_id}"),
    ("POST", "/api/events/acknowledge"): AuditedRoute("event.acknowledged", "event {event_id}", per_result=True),
    ("PATCH", "/api/events/{event_id}/resolve"): AuditedRoute("event.resolved", "event {event_id}"),
    ("PATCH", "/api/events/{event_id}/reopen"): AuditedRoute("event.reopened", "event {event_id}"),
    ("PATCH", "/api/events/{event_id}/assign"): AuditedRoute("event.assigned", "event {event_id}"),
    ("PATCH", "/api/events/{event_id}/snooze"): AuditedRoute("event.snoozed", "event {event_id}"),
    ("POST", "/api/events/{event_id}/comments"): AuditedRoute("event.commented", "event {event_id}"),
    ("PATCH", "/api/events/{event_id}/comments/{comment_id}"): AuditedRoute("comment.edited", "event {event_id}"),
    ("DELETE", "/api/events/{event_id}/comments/{comment_id}"): AuditedRoute("comment.deleted", "event {event_id}"),
    ("GET", "/api/events/export"): AuditedRoute("events.exported"),
    ("POST", "/api/events/cleanup"): AuditedRoute("events.cleaned_up"),
    ("PATCH", "/api/alerts/{alert_id}/acknowledge"): AuditedRoute("alert.acknowledged", "alert {alert_id}"),
    ("PATCH", "/api/alerts/{alert_id}/dismiss"): AuditedRoute("alert.dismissed", "alert {alert_id}"),
    # Rules, cameras, preferences, schedules
    ("POST", "/api/alert-rules"): AuditedRoute("alert_rule.created", "rule {rule_id}"),
    ("PUT", "/api/alert-rules/{rule_id}"): AuditedRoute("alert_rule.changed", "rule {rule_id}"),
    ("DELETE", "/api/alert-rules/{rule_id}"): AuditedRoute("alert_rule.deleted", "rule {rule_id}"),
    ("PATCH", "/api/alert-rules/{rule_id}/snooze"): AuditedRoute("alert_rule.snoozed", "rule {rule_id}"),
    ("PATCH", "/api/cameras/{camera_id}/snooze"): AuditedRoute("camera.snoozed", "camera {camera_id}"),
    ("POST", "/api/cameras"): AuditedRoute("camera.created", "camera {camera_id}"),
    ("POST", "/api/cameras/sample"): AuditedRoute("camera.created", "camera {camera_id}"),
    ("POST", "/api/cameras/test"): AuditedRoute("camera.tested"),
    ("POST", "/api/cameras/discover"): AuditedRoute("camera.asked_for_streams"),
    ("PATCH", "/api/cameras/{camera_id}"): AuditedRoute("camera.changed", "camera {camera_id}"),
    ("DELETE", "/api/cameras/{camera_id}"): AuditedRoute("camera.deleted", "camera {camera_id}"),
    ("DELETE", "/api/cameras/{camera_id}/motion"): AuditedRoute("camera_motion.forgotten", "camera {camera_id}"),
    ("POST", "/api/cameras/{camera_id}/zones"): AuditedRoute("camera_zone.created", "camera {camera_id}"),
    ("PUT", "/api/cameras/{camera_id}/zones/{zone_id}"): AuditedRoute("camera_zone.changed", "camera {camera_id}"),
    ("DELETE", "/api/cameras/{camera_id}/zones/{zone_id}"): AuditedRoute("camera_zone.deleted", "camera {camera_id}"),
    ("POST", "/api/saved-searches"): AuditedRoute("saved_search.created", "search {search_id}"),
    ("PATCH", "/api/saved-searches/{search_id}"): AuditedRoute("saved_search.changed", "search {search_id}"),
    ("DELETE", "/api/saved-searches/{search_id}"): AuditedRoute("saved_search.deleted", "search {search_id}"),
    ("PUT", "/api/notification-preferences"): AuditedRoute("preferences.changed"),
    ("POST", "/api/notification-preferences/test"): AuditedRoute("channel.tested", "message {message_id}"),
    ("POST", "/api/push-browsers"): AuditedRoute("push_browser.added", "browser {browser_id}"),
    ("DELETE", "/api/push-browsers/{browser_id}"): AuditedRoute("push_browser.removed", "browser {browser_id}"),
    ("PUT", "/api/settings"): AuditedRoute("settings.changed", "settings {changed}"),
    ("GET", "/api/people"): _view("people.viewed"),
    ("PUT", "/api/people/{user_id}/operator"): AuditedRoute("operator.granted", "person {user_id}"),
    ("DELETE", "/api/people/{user_id}/operator"): AuditedRoute("operator.ended", "person {user_id}"),
    ("POST", "/api/teams"): AuditedRoute("team.created", "team {team_id}"),
    ("PATCH", "/api/teams/{team_id}"): AuditedRoute("team.renamed", "team {team_id}"),
    ("DELETE", "/api/teams/{team_id}"): AuditedRoute("team.deleted", "team {team_id}"),
    ("PATCH", "/api/teams/{team_id}/members/{user_id}"): AuditedRoute("team.role_changed", "team {team_id}"),
    ("DELETE", "/api/teams/{team_id}/members/{user_id}"): AuditedRoute("team.member_removed", "team {team_id}"),
    ("POST", "/api/teams/{team_id}/invitations"): AuditedRoute("team.invited", "team {team_id}"),
    ("DELETE", "/api/teams/{team_id}/invitations/{invitation_id}"): AuditedRoute(
        "team.invitation_revoked", "invitation {invitation_id}"
    ),
    ("POST", "/api/team-invitations/accept"): AuditedRoute("team.joined"),
    ("GET", "/api/me/export"): AuditedRoute("person.exported"),
    ("GET", "/api/people/{user_id}/export"): AuditedRoute("person.exported", "person {user_id}"),
    ("POST", "/api/me/exports"): AuditedRoute("person.export_requested"),
    ("GET", "/api/me/exports/{request_id}/address"): AuditedRoute("person.exported"),
    ("POST", "/api/me/erasure"): AuditedRoute("person.erasure_requested"),
    ("DELETE", "/api/me/erasure"): AuditedRoute("person.erasure_cancelled"),
    ("POST", "/api/people/{user_id}/exports"): AuditedRoute("person.export_requested", "person {user_id}"),
    ("GET", "/api/people/{user_id}/exports/{request_id}/address"): AuditedRoute("person.exported", "person {user_id}"),
    ("POST", "/api/people/{user_id}/erasure"): AuditedRoute("person.erasure_requested", "person {user_id}"),
    ("DELETE", "/api/people/{user_id}/erasure"): AuditedRoute("person.erasure_cancelled", "person {user_id}"),
    ("GET", "/api/usage/owners"): _view("usage.read"),
    ("GET", "/api/usage/owners.csv"): AuditedRoute("usage.exported"),
    ("PUT", "/api/usage/owners/{owner_id}/quotas"): AuditedRoute("quotas.changed", "owner {owner_id}"),
    ("DELETE", "/api/usage/owners/{owner_id}/quotas"): AuditedRoute("quotas.changed", "owner {owner_id}"),
    ("POST", "/api/notification-addresses/{channel}/challenge"): AuditedRoute(
        "address.challenged", "channel {channel}"
    ),
    ("POST", "/api/notification-addresses/ntfy/code"): AuditedRoute("address.confirmed"),
    ("POST", "/api/notification-addresses/webhook/secret"): AuditedRoute("webhook_secret.created"),
    ("POST", "/api/schedules"): AuditedRoute("schedule.created", "schedule {schedule_id}"),
    ("POST", "/api/schedules/{schedule_id}/pause"): AuditedRoute("schedule.paused", "schedule {schedule_id}"),
    ("POST", "/api/schedules/{schedule_id}/resume"): AuditedRoute("schedule.resumed", "schedule {schedule_id}"),
    ("DELETE", "/api/schedules/{schedule_id}"): AuditedRoute("schedule.deleted", "schedule {schedule_id}"),
    ("POST", "/api/messages"): AuditedRoute("message.sent"),
    ("POST", "/api/messages/{message_id}/retry"): AuditedRoute("message.retried", "message {message_id}"),
    ("POST", "/api/mails/{mail_id}/resend"): AuditedRoute("mail.resent", "mail {mail_id}"),
    # What operators move
    ("POST", "/api/languages"): AuditedRoute("language.added", "language {code}"),
    ("DELETE", "/api/languages/{code}"): AuditedRoute("language.removed", "language {code}"),
    ("POST", "/jobs"): AuditedRoute("job.created", "job {job_id}"),
    ("POST", "/jobs/retry"): AuditedRoute("jobs.retried"),
    ("POST", "/jobs/{job_id}/retry"): AuditedRoute("job.retried", "job {job_id}"),
    ("POST", "/jobs/{job_id}/cancel"): AuditedRoute("job.cancelled", "job {job_id}"),
    ("POST", "/api/pipelines/{video_id}/retry"): AuditedRoute("pipeline.retried", "video {video_id}"),
    ("POST", "/api/queues/{name}/dead-letters/redrive"): AuditedRoute("dead_letters.redriven", "queue {name}"),
    ("POST", "/api/queues/{name}/dead-letters/discard"): AuditedRoute("dead_letters.discarded", "queue {name}"),
}

NOT_AUDITED = frozenset(
    {
        ("POST", "/videos/{video_id}/parts/{part_number}"),  # a part of an upload, whose start and end are recorded
        ("POST", "/api/detections"),  # what a detector sees, many times a second; each detection is stored itself
        ("POST", "/api/live/{stream}/acks"),  # a device that says what it has received
        ("POST", "/api/alert-rules/{rule_id}/test"),  # changes nothing
        ("POST", "/api/alert-rules/trial"),  # changes nothing
        ("POST", "/api/bus/try-policy"),  # changes nothing
        ("POST", "/api/team-invitations/show"),  # changes nothing
        ("POST", "/api/storage/measure"),  # adds up sizes, which it only reads
        (
            "POST",
            "/confirm-address",
        ),  # has no caller: the holder of the link reads that mailbox; logged as address.confirmed
    }
)
"""Requests that change something, or may, and are left out on purpose."""


def target_of(route: AuditedRoute, known: Mapping[str, Any], body: bytes) -> str | None:
    """`known` are the parameters of path and query. The response is read only for an id that it alone knows."""
    if route.target is None:
        return None
    kind, _, name = route.target.partition(" ")
    field = name.strip("{}")
    value = known.get(field)
    if value is None and body:
        value = _field(body, field)
    return None if value is None else f"{kind} {value}"


def set_audit_targets(scope: MutableMapping[str, Any], targets: Iterable[str]) -> None:
    """For requests that name several things and whose response does not: an entry for each of them."""
    scope.setdefault("state", {})[_TARGETS] = tuple(targets)


def targets_set(scope: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(scope.get("state", {}).get(_TARGETS, ()))


def results_of(body: bytes) -> list[Mapping[str, Any]]:
    """What became of each thing that a request named, of which there may be many."""
    found = _field(body, "results")
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _field(body: bytes, name: str) -> Any:
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return found.get(name) if isinstance(found, dict) else None
