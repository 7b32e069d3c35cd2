-- name: insert_source
-- The source of a camera that has none.
INSERT INTO camera_sources (
    camera_key, kind, address, sub_address, username, has_password, sealed, reach, transport, verifies_certificate, looks_per_s, detects,
    reports_motion, detect_only_in_zones, record_mode, record_days, record_max_bytes, is_enabled, state
)
VALUES (
    :camera_key, :kind, :address, :sub_address, :username, :has_password, :sealed, :reach, :transport, :verifies_certificate, :looks_per_s, :detects,
    :reports_motion, :detect_only_in_zones, :record_mode, :record_days, :record_max_bytes, :is_enabled,
    CASE WHEN :is_enabled THEN 'connecting' ELSE 'off' END
)
RETURNING camera_key;

-- name: update_source
-- New values of a source. Whoever watches the camera starts again; its state begins anew.
UPDATE camera_sources SET
    kind = :kind, address = :address, sub_address = :sub_address, username = :username, has_password = :has_password, sealed = :sealed, reach = :reach,
    transport = :transport, verifies_certificate = :verifies_certificate, looks_per_s = :looks_per_s, detects = :detects,
    reports_motion = :reports_motion, detect_only_in_zones = :detect_only_in_zones, record_mode = :record_mode, record_days = :record_days, record_max_bytes = :record_max_bytes,
    is_enabled = :is_enabled, state = CASE WHEN :is_enabled THEN 'connecting' ELSE 'off' END, state_code = NULL, state_reason = NULL,
    state_since = now(), revision = revision + 1, updated_at = now()
WHERE camera_key = :camera_key;

-- name: watch_anew
-- Whoever watches the camera starts again, and stores nothing more of what it has learned.
UPDATE camera_sources SET revision = revision + 1 WHERE camera_key = :camera_key;

-- name: revision_of
-- Rises with each change of a source.
SELECT revision FROM camera_sources WHERE camera_key = :camera_key;

-- name: delete_source
-- Ends the watching of a camera; the camera stays.
DELETE FROM camera_sources WHERE camera_key = :camera_key;

-- name: sources_of
-- The sources of these cameras that the caller may see; without the sealed secrets, which people may not read.
SELECT camera_key, kind, address, sub_address, username, has_password, reach, transport, verifies_certificate, looks_per_s, detects, reports_motion,
    detect_only_in_zones, record_mode, record_days, record_max_bytes, is_enabled, state, state_code, state_reason, state_since, last_picture_at, width, height,
    codec, fps, revision, updated_at
FROM camera_sources WHERE camera_key = ANY(:camera_keys::uuid[]);

-- name: sealed_of
-- The sealed secrets of a source.
SELECT sealed FROM camera_sources WHERE camera_key = :camera_key;

-- name: lock_owner
-- Lets two requests of one owner count one after the other.
SELECT pg_advisory_xact_lock(hashtextextended(:owner_id::text, 47));

-- name: count_of_owner
-- How many cameras of an owner are watched or could be.
SELECT count(*) FROM camera_sources JOIN cameras USING (camera_key) WHERE owner_id = :owner_id;

-- name: notify_changed
-- Wakes the processes that watch cameras.
SELECT pg_notify('camera_sources', :camera_key::text);

-- name: mark_viewed
-- Somebody looks at the camera now. Nothing if that was noted a moment ago.
UPDATE camera_sources SET viewed_until = now() + :hold::interval
WHERE camera_key = :camera_key AND is_enabled AND (viewed_until IS NULL OR viewed_until < now() + :hold::interval / 2);

-- name: claim_sources
-- Cameras that no process watches, for this one; other processes that claim at the same time pass over them.
UPDATE camera_sources AS s SET watched_by = :watcher, watched_until = now() + :lease::interval
FROM (
    SELECT camera_key FROM camera_sources
    WHERE is_enabled AND kind = ANY(:kinds::text[]) AND (watched_until IS NULL OR watched_until < now())
    ORDER BY watched_until NULLS FIRST LIMIT :limit FOR UPDATE SKIP LOCKED
) AS free
WHERE s.camera_key = free.camera_key
RETURNING s.camera_key;

-- name: renew_leases
-- The cameras that this process goes on watching. A camera that is missing was removed, switched off or taken over.
UPDATE camera_sources SET watched_until = now() + :lease::interval
WHERE watched_by = :watcher AND camera_key = ANY(:camera_keys::uuid[]) AND is_enabled
RETURNING camera_key, revision, viewed_until IS NOT NULL AND viewed_until > now() AS is_viewed;

-- name: release_sources
-- Lets another process watch these cameras at once, and wakes it.
WITH released AS (
    UPDATE camera_sources SET watched_by = NULL, watched_until = NULL
    WHERE watched_by = :watcher AND camera_key = ANY(:camera_keys::uuid[])
    RETURNING camera_key
)
SELECT pg_notify('camera_sources', camera_key::text) FROM released;

-- name: watched_camera
-- A camera as the process that watches it needs it.
SELECT c.camera_id, c.name, c.owner_id, c.team_id, s.sealed
FROM camera_sources AS s JOIN cameras AS c USING (camera_key)
WHERE s.camera_key = :camera_key AND s.watched_by = :watcher;

-- name: save_state
-- The state of a camera, by the process that watches it. Returns the state before.
UPDATE camera_sources AS s SET
    state = :state, state_code = :code, state_reason = :reason,
    state_since = CASE WHEN s.state = :state THEN s.state_since ELSE now() END
FROM (SELECT camera_key, state FROM camera_sources WHERE camera_key = :camera_key FOR UPDATE) AS before
WHERE s.camera_key = before.camera_key AND s.watched_by = :watcher AND s.is_enabled
RETURNING before.state AS state_before, s.state_since;

-- name: save_picture
-- What the camera sends, and that it does.
UPDATE camera_sources SET last_picture_at = :at, width = :width, height = :height, codec = :codec, fps = :fps
WHERE camera_key = :camera_key AND watched_by = :watcher;

-- name: count_by_state
-- How many cameras are in which state, and how many of those that should be watched are not.
SELECT state, count(*) AS cameras,
    count(*) FILTER (WHERE watched_until IS NULL OR watched_until < now()) AS unwatched
FROM camera_sources WHERE is_enabled AND kind = ANY(:kinds::text[]) GROUP BY state ORDER BY state;
