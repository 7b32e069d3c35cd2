-- name: begin_recording
-- A segment that is about to be stored, perhaps again after a failure; nothing if the camera was deleted, or if it is stored.
INSERT INTO recordings (recording_id, camera_key, run, number, started_at, ended_at, key, bytes, init_bytes, codec, width, height,
                        has_audio, is_independent, held_until, expires_at, sequence, breaks)
SELECT :recording_id, c.camera_key, :run, :number, :started_at, :ended_at, :key, :bytes, :init_bytes, :codec, :width, :height,
       :has_audio, :is_independent, now() + make_interval(secs => :hold_s::float8), now() + make_interval(secs => :live_s::float8),
       coalesce(before.sequence + 1, floor(extract(epoch FROM now()))::bigint),
       coalesce(before.breaks + (before.run <> :run OR before.number + 1 <> :number)::int, 0)
FROM cameras AS c
LEFT JOIN LATERAL (
    SELECT r.sequence, r.breaks, r.run, r.number FROM recordings AS r
    WHERE r.camera_key = c.camera_key ORDER BY r.sequence DESC LIMIT 1
) AS before ON true
WHERE c.camera_key = :camera_key FOR KEY SHARE OF c
ON CONFLICT (camera_key, run, number) DO UPDATE SET created_at = now() WHERE recordings.state = 'storing'
RETURNING recording_id;

-- name: finish_recording
-- The segment's object exists.
UPDATE recordings SET state = 'stored' WHERE recording_id = :recording_id AND state = 'storing';

-- name: hold_recordings
-- Keeps what was stored of these moments of a camera, also what was meant for live view only.
UPDATE recordings SET held_until = now() + make_interval(secs => :hold_s::float8), expires_at = NULL
WHERE camera_key = :camera_key AND state IN ('storing', 'stored') AND started_at < :until AND ended_at > :since
  AND started_at > :since::timestamptz - interval '2 minutes' -- no segment is longer, and the index is by its start
  AND (expires_at IS NOT NULL OR held_until IS NULL OR held_until < now() + make_interval(secs => :hold_s::float8 - 60));

-- name: recordings_between
-- What is stored of a camera between two moments, in order; what was stored for live view alone only on request.
SELECT recording_id, camera_key, run, number, started_at, ended_at, key, bytes, init_bytes, codec, width, height, has_audio,
       is_independent, sequence, breaks
FROM recordings
WHERE camera_key = :camera_key AND state = 'stored' AND started_at < :until AND ended_at > :since
  AND started_at > :since::timestamptz - interval '2 minutes'
  AND (:with_live::boolean OR expires_at IS NULL)
ORDER BY started_at, run, number
LIMIT :limit;

-- name: newest_recordings
-- The newest segments of a camera, newest first.
SELECT recording_id, camera_key, run, number, started_at, ended_at, key, bytes, init_bytes, codec, width, height, has_audio,
       is_independent, sequence, breaks
FROM recordings
WHERE camera_key = :camera_key AND state = 'stored' AND started_at > :since
ORDER BY started_at DESC, number DESC
LIMIT :limit;

-- name: save_recorder_state
-- What a recorder does now.
INSERT INTO recorder_states AS known (camera_key, state, reason, dropped)
SELECT c.camera_key, :state, :reason, :dropped FROM cameras AS c WHERE c.camera_key = :camera_key FOR KEY SHARE
ON CONFLICT (camera_key) DO UPDATE
SET state = excluded.state, reason = excluded.reason, dropped = excluded.dropped,
    since = CASE WHEN known.state = excluded.state AND known.reason IS NOT DISTINCT FROM excluded.reason THEN known.since ELSE now() END;

-- name: recorder_state
-- What the recorder of a camera does, if the transaction's role may see it.
SELECT state, reason, dropped, since FROM recorder_states WHERE camera_key = :camera_key;

-- name: mark_viewed
-- The newest segments of the camera are played now. Nothing if that was noted a moment ago.
INSERT INTO recording_views AS known (camera_key, viewed_until)
SELECT c.camera_key, now() + make_interval(secs => :view_s::float8) FROM cameras AS c WHERE c.camera_key = :camera_key FOR KEY SHARE
ON CONFLICT (camera_key) DO UPDATE SET viewed_until = excluded.viewed_until
WHERE known.viewed_until < now() + make_interval(secs => :view_s::float8 / 2);

-- name: notify_viewed
-- Wakes the recorder of the camera.
SELECT pg_notify('recording_views', :camera_key::text);

-- name: viewed_until
-- Until when the newest segments of the camera are wanted.
SELECT viewed_until FROM recording_views WHERE camera_key = :camera_key;

-- name: recorded_spans
-- When a camera was recorded, without the joints between segments.
WITH found AS (
    SELECT started_at, ended_at, bytes, max(ended_at) OVER (ORDER BY started_at ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
    FROM recordings
    WHERE camera_key = :camera_key AND state = 'stored' AND expires_at IS NULL
      AND started_at < :until AND ended_at > :since AND started_at > :since::timestamptz - interval '2 minutes'
), numbered AS (
    SELECT started_at, ended_at, bytes,
           count(*) FILTER (WHERE before IS NULL OR started_at > before + make_interval(secs => :joint_s::float8))
               OVER (ORDER BY started_at) AS span
    FROM found
)
SELECT min(started_at) AS started_at, max(ended_at) AS ended_at, sum(bytes)::bigint AS bytes
FROM numbered GROUP BY span ORDER BY 1;

-- name: recorded_bytes
-- All that is stored of a camera.
SELECT coalesce(sum(bytes), 0)::bigint FROM recordings WHERE camera_key = :camera_key AND state = 'stored';
