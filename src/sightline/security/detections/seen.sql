-- name: seen_between
-- What was reported of a camera between two moments; of events whose detections are gone, what the archive says of them.
SELECT d.object_type, d.detected_at AS since, d.detected_at AS until, d.box, d.attributes ->> 'track_id' AS track_id
FROM detections AS d
WHERE d.camera_key = :camera_key AND d.detected_at BETWEEN :since AND :until
UNION ALL
SELECT kind, e.started_at, coalesce(e.ended_at, e.started_at), NULL, NULL
FROM cameras AS c JOIN events_archive AS e ON e.camera_id = c.camera_id AND e.owner_id = c.owner_id
CROSS JOIN unnest(e.object_types) AS kind
WHERE c.camera_key = :camera_key AND e.started_at BETWEEN :since::timestamptz - interval '1 day' AND :until
  AND coalesce(e.ended_at, e.started_at) >= :since
  AND NOT EXISTS (SELECT FROM detections AS d WHERE d.batch_id = e.batch_id);
