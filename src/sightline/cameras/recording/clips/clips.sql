-- name: request_clip
-- A clip to be cut; again, if the one that exists failed or ends before the event. Nothing if there is no need.
INSERT INTO event_clips AS known (event_id, camera_key, since, until, requested_by)
VALUES (:event_id, :camera_key, :since, :until, :requested_by)
ON CONFLICT (event_id) DO UPDATE
SET state = 'queued', since = excluded.since, until = excluded.until, requested_by = excluded.requested_by, error_reason = NULL,
    updated_at = now()
WHERE known.state = 'failed' OR known.until < excluded.until - make_interval(secs => :tolerance_s::float8)
RETURNING event_id;

-- name: find_clip
-- The clip of an event, if the transaction's role may see it.
SELECT event_id, camera_key, state, since, until, started_at, ended_at, size_bytes, left_out, error_reason, updated_at
FROM event_clips WHERE event_id = :event_id;

-- name: clip_states
-- How far the clips of these events are, of those that have one and that the transaction's role may see.
SELECT event_id, state FROM event_clips WHERE event_id = ANY (:event_ids::bigint[]);

-- name: begin_clip
-- The clip is being cut; nothing if it was removed, or requested anew with another end.
UPDATE event_clips SET state = 'processing', updated_at = now()
WHERE event_id = :event_id AND until = :until AND state IN ('queued', 'processing')
RETURNING event_id;

-- name: finish_clip
-- The clip is stored.
UPDATE event_clips
SET state = 'done', started_at = :started_at, ended_at = :ended_at, size_bytes = :size_bytes, left_out = :left_out, error_reason = NULL, updated_at = now()
WHERE event_id = :event_id AND until = :until AND state = 'processing';

-- name: fail_clip
-- The clip cannot be cut.
UPDATE event_clips SET state = 'failed', error_reason = :reason, updated_at = now()
WHERE event_id = :event_id AND until = :until AND state IN ('queued', 'processing');

-- name: clips_after
-- Clips in the order of their events.
SELECT event_id FROM event_clips WHERE event_id > :after ORDER BY event_id LIMIT :limit;

-- name: delete_clips
-- Clips whose objects are gone.
DELETE FROM event_clips WHERE event_id = ANY (:event_ids::bigint[]);
