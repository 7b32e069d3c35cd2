-- name: archive_events
-- Moves some of the oldest events to the archive in one statement: each is in one of the two tables at any moment, whatever happens.
WITH gone AS (
    DELETE FROM events WHERE id IN (
        SELECT id FROM events WHERE created_at < now() - make_interval(days => :days) ORDER BY created_at, id LIMIT :limit FOR UPDATE SKIP LOCKED)
    RETURNING *
)
INSERT INTO events_archive (
    id, batch_id, camera_id, owner_id, team_id, risk_score, risk_level, summary, reasoning, assessor, model, object_types,
    started_at, ended_at, created_at, sequence, broadcasted_at, acknowledged_at, acknowledged_by, resolved_at, resolved_by,
    resolution_notes, version, state, words, zones, behaviours, notes, picture_key, video_id, video_ms,
    assigned_to, assignee, snoozed_until)
SELECT
    id, batch_id, camera_id, owner_id, team_id, risk_score, risk_level, summary, reasoning, assessor, model, object_types,
    started_at, ended_at, created_at, sequence, broadcasted_at, acknowledged_at, acknowledged_by, resolved_at, resolved_by,
    resolution_notes, version, state, words, zones, behaviours, notes, picture_key, video_id, video_ms,
    assigned_to, assignee, snoozed_until
FROM gone;

-- name: count_to_archive
-- How many events would move to the archive.
SELECT count(*) FROM events WHERE created_at < now() - make_interval(days => :days);

-- name: purge_archive
-- Removes some of the events that were in the archive long enough, with their alerts, history and comments.
WITH gone AS (
    DELETE FROM events_archive WHERE id IN (
        SELECT id FROM events_archive WHERE archived_at < now() - make_interval(days => :days) ORDER BY archived_at LIMIT :limit FOR UPDATE SKIP LOCKED)
    RETURNING id
), matches AS (
    DELETE FROM event_alert_rules WHERE event_id IN (SELECT id FROM gone)
), announced AS (
    DELETE FROM alerts WHERE event_id IN (SELECT id FROM gone)
), told AS (
    DELETE FROM event_history WHERE event_id IN (SELECT id FROM gone)
), said AS (
    DELETE FROM event_comments WHERE event_id IN (SELECT id FROM gone)
)
SELECT count(*) FROM gone;

-- name: count_to_purge
-- How many archived events would be removed.
SELECT count(*) FROM events_archive WHERE archived_at < now() - make_interval(days => :days);

-- name: old_detections
-- Some of the detections that were kept long enough, with their pictures. Those of a live event, or of a batch that nobody has
-- assessed yet, are not among them.
SELECT d.id, d.image_key FROM detections AS d
JOIN detection_batches AS b USING (batch_id)
WHERE d.created_at < now() - make_interval(days => :days) AND b.state = 'assessed'
  AND NOT EXISTS (SELECT FROM events AS e WHERE e.batch_id = d.batch_id)
ORDER BY d.created_at LIMIT :limit;

-- name: count_old_detections
-- How many detections would be removed, once the events that are old enough are archived.
SELECT count(*) FROM detections AS d
JOIN detection_batches AS b USING (batch_id)
WHERE d.created_at < now() - make_interval(days => :days) AND b.state = 'assessed'
  AND NOT EXISTS (SELECT FROM events AS e
                  WHERE e.batch_id = d.batch_id AND e.created_at >= now() - make_interval(days => :event_days));

-- name: delete_detections
-- Removes detections by id, and batches that have none left and belong to no event.
WITH gone AS (
    DELETE FROM detections WHERE id = ANY(:ids::bigint[]) RETURNING batch_id, id
), emptied AS (
    DELETE FROM detection_batches AS b
    WHERE b.batch_id IN (SELECT batch_id FROM gone) AND b.state = 'assessed'
      AND NOT EXISTS (SELECT FROM detections AS d WHERE d.batch_id = b.batch_id AND d.id <> ALL(:ids::bigint[]))
)
SELECT count(*) FROM gone;

-- name: orphaned_pictures
-- Which of these pictures neither a detection nor an event names; an event outlives its camera. Many at once: each call reads all of them.
SELECT key FROM unnest(:keys::text[]) AS stored (key)
WHERE NOT EXISTS (SELECT FROM detections AS d WHERE d.image_key = stored.key)
  AND NOT EXISTS (SELECT FROM events AS e WHERE e.picture_key = stored.key)
  AND NOT EXISTS (SELECT FROM events_archive AS e WHERE e.picture_key = stored.key);

-- name: forget_activity
-- What is older than baselines look back says nothing any more.
DELETE FROM camera_activity WHERE day < current_date - :days::int;
