"""What export and erasure do with each table, and why some are left out; a test holds it against the schema. Pure."""

from collections.abc import Mapping
from typing import Final

from sightline.personal_data.erase import LAST_STEPS, STEPS
from sightline.personal_data.export import TABLES

_DERIVED = "computed from segments, which are exported"

NO_PERSON: Final[Mapping[str, str]] = {
    "bus_deduplications": "hashes of message ids for minutes",
    "bus_outbox": "messages on their way to AWS; sent within moments",
    "bus_published": "fingerprints of messages",
    "bus_removals": "names of removed queues and topics, for an hour",
    "bus_signing_identity": "the key of the installation",
    "bus_topic_deduplications": "hashes of message ids for minutes",
    "external_jobs": "when to look at a job that another program runs",
    "home_assistant_entities": "which kinds of objects of a camera were announced; gone with the next announcement",
    "home_assistant_publisher": "which process publishes",
    "inference_slots": "which process uses the models",
    "job_schedules": "when periodic jobs ran",
    "live_streams": "the numbers of the live feed",
    "oidc_used_states": "hashes of sign-ins, for minutes",
    "recording_removals": "cameras that are gone, until their files are",
    "schema_migrations": "which migrations ran",
    "schema_objects": "what migrations made",
    "search_changes": "which videos to index anew",
    "search_projection": "which videos a copy for other servers lacks; tells it of removals too",
    "storage_usage": "sums over everybody",
    "video_object_removals": "videos whose files are being removed",
    "video_removals": "videos that are gone, until their files are",
}
"""Tables without data of people."""

NOT_EXPORTED: Final[Mapping[str, str]] = {
    "embedded_videos": _DERIVED,
    "live_audiences": "how many live messages there were, as a number",
    "owner_quota_checks": "that use is to be compared with quotas next",
    "passage_vectors": _DERIVED,
    "search_common_words": _DERIVED,
    "search_passages": _DERIVED,
    "search_rows": _DERIVED,
    "search_vocabulary": _DERIVED,
    "video_words": _DERIVED,
}

ERASED_BY_PARENT: Final[Mapping[str, str]] = {
    "bus_api_destinations": "removed with the account",
    "bus_archived_events": "removed with the account",
    "bus_archives": "removed with the account",
    "bus_connections": "removed with the account",
    "bus_event_buses": "removed with the account",
    "bus_messages": "removed with the account",
    "bus_move_tasks": "removed with the account",
    "bus_queues": "removed with the account",
    "bus_replays": "removed with the account",
    "bus_rule_clocks": "goes with its rule",
    "bus_rules": "removed with the account",
    "bus_schedule_groups": "removed with the account",
    "bus_schedules": "goes with its group",
    "bus_subscriptions": "removed with the account",
    "bus_topics": "removed with the account",
    "camera_activity": "goes with the camera",
    "camera_files": "goes with the camera",
    "camera_sources": "goes with the camera",
    "camera_zones": "goes with the camera",
    "cameras": "removed one by one, with their files",
    "clips": "goes with the video",
    "collection_videos": "goes with the collection",
    "detection_batches": "goes with the camera",
    "detections": "removed with their pictures, before the camera",
    "embedded_videos": "goes with the video",
    "entities": "goes with the segment",
    "event_alert_rules": "goes with the rule",
    "event_clips": "removed with the event",
    "event_history": "removed with the event; in events of others without the name",
    "events": "removed with their files",
    "events_archive": "removed with their files",
    "frame_overviews": "goes with the video",
    "jobs": "removed with the video or the camera",
    "passage_vectors": "goes with the video",
    "recorder_states": "goes with the camera",
    "recording_detections": "goes with the camera",
    "recording_views": "goes with the camera",
    "recordings": "removed with the camera",
    "saved_search_alerts": "goes with the search",
    "search_common_words": "goes with the video",
    "search_passages": "goes with the video",
    "search_rows": "goes with the video",
    "segments": "goes with the video",
    "technique_candidates": "goes with the event",
    "technique_events": "goes with the video",
    "technique_marks": "goes with the video",
    "technique_publications": "goes with the video",
    "technique_reviews": "goes with the video",
    "technique_strays": "goes with the video",
    "transcripts": "goes with the video",
    "tus_pieces": "goes with the upload",
    "tus_uploads": "removed with their files",
    "upload_parts": "goes with the video",
    "uploads": "goes with the video",
    "video_analysis_status": "goes with the video",
    "video_moves": "goes with the video",
    "video_tracks": "goes with the video",
    "videos": "removed one by one, with their files",
}

ERASED_OTHERWISE: Final[Mapping[str, str]] = {
    "audit_log": "pseudonymized, because the chain must stay whole",
    "live_audiences": "pseudonymized where a team's numbers include them",
    "stored_settings": "the name of who changed a setting goes, the setting stays",
}


def exported_tables() -> frozenset[str]:
    return frozenset(TABLES)


def erased_tables() -> frozenset[str]:
    steps = (
        name
        for name in (*STEPS, *LAST_STEPS)
        if not name.startswith(("traces_", "live_audiences_")) and not name.endswith("_of_own_teams")
    )
    return frozenset((*steps, *ERASED_BY_PARENT, *ERASED_OTHERWISE))
