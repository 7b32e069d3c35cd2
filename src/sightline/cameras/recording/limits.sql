-- name: old_recordings
-- Segments that are older than their camera keeps them, or than :days where it does not say; never those that show an event and are held.
SELECT due.recording_id, due.bytes
FROM cameras AS c
LEFT JOIN camera_sources AS s USING (camera_key)
CROSS JOIN LATERAL (
    SELECT r.recording_id, r.bytes, r.started_at FROM recordings AS r
    WHERE r.camera_key = c.camera_key AND r.state = 'stored'
      AND r.started_at < now() - make_interval(secs => coalesce(s.record_days::float8, :days::float8) * 86400)
      AND (r.held_until IS NULL OR r.held_until < now())
    ORDER BY r.started_at
    LIMIT :limit
) AS due
ORDER BY due.started_at
LIMIT :limit;

-- name: recordings_over_size
-- Segments that do not fit into the bytes of their camera: the oldest first, and those that show an event last.
SELECT recording_id, bytes FROM (
    SELECT r.recording_id, r.bytes, r.started_at, coalesce(r.held_until > now(), false) AS is_held, s.record_max_bytes,
           sum(r.bytes) OVER (
               PARTITION BY r.camera_key ORDER BY coalesce(r.held_until > now(), false) DESC, r.started_at DESC, r.recording_id
           ) AS kept
    FROM recordings AS r JOIN camera_sources AS s USING (camera_key)
    WHERE r.state = 'stored' AND s.record_max_bytes IS NOT NULL
) AS sized
WHERE kept > record_max_bytes
ORDER BY is_held, started_at
LIMIT :limit;

-- name: all_recordings_over_size
-- The same for the recordings of all cameras together.
SELECT recording_id, bytes FROM (
    SELECT recording_id, bytes, started_at, coalesce(held_until > now(), false) AS is_held,
           sum(bytes) OVER (ORDER BY coalesce(held_until > now(), false) DESC, started_at DESC, recording_id) AS kept
    FROM recordings WHERE state = 'stored'
) AS sized
WHERE kept > :max_bytes::bigint
ORDER BY is_held, started_at
LIMIT :limit;

-- name: mark_for_removal
-- Their objects are removed next.
UPDATE recordings SET state = 'removing' WHERE recording_id = ANY (:ids::uuid[]) AND state = 'stored';
