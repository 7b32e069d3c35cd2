-- name: claim_removals
-- Segments whose objects are to be removed now: expired live view, those that a killed process began to store, and those that a rule
-- chose. Their objects are deleted next, then their rows.
UPDATE recordings SET state = 'removing'
WHERE recording_id IN (
    SELECT recording_id FROM recordings
    WHERE state = 'removing' OR (expires_at < now() AND state = 'stored')
       OR (state = 'storing' AND created_at < now() - make_interval(secs => :unfinished_s::float8))
    LIMIT :limit
    FOR UPDATE SKIP LOCKED
)
RETURNING recording_id, key, bytes;

-- name: delete_removed
-- The objects of these segments are gone.
DELETE FROM recordings WHERE recording_id = ANY (:ids::uuid[]) AND state = 'removing';

-- name: deleted_cameras
-- Cameras whose recordings are to be removed: not swept yet, or so long ago that everything that was being stored then has ended.
SELECT camera_key, swept_at IS NOT NULL AS is_last
FROM recording_removals
WHERE swept_at IS NULL OR requested_at < now() - make_interval(secs => :settle_s::float8)
ORDER BY requested_at
LIMIT 20;

-- name: camera_swept
-- The recordings of the camera are gone for now.
UPDATE recording_removals SET swept_at = now() WHERE camera_key = :camera_key;

-- name: forget_camera
-- The recordings of the camera are gone for good.
DELETE FROM recording_removals WHERE camera_key = :camera_key;
