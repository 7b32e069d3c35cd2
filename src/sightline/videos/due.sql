-- name: lock_retention
-- Retention in one process at a time: two processes that each make room would remove twice as much.
SELECT pg_advisory_xact_lock(hashtextextended('sightline.retention', 0));

-- name: due_by_age
-- The oldest videos of which this part is stored and may be removed, and which are older than so many days. No work on them is
-- under way; `without` are videos that are removed as a whole.
SELECT v.id, v.name, v.created_at, v.size_bytes
FROM videos AS v
WHERE v.created_at < now() - make_interval(secs => :days::float8 * 86400)
  AND v.status IN ('COMPLETED', 'FAILED')
  AND NOT EXISTS (SELECT FROM jobs AS j WHERE j.video_id = v.id AND j.open)
  AND CASE :part::text
          WHEN 'original' THEN v.original_removed_at IS NULL
              AND NOT EXISTS (SELECT FROM uploads AS u WHERE u.video_id = v.id AND u.state = 'aborted' AND u.etag IS NULL)
          WHEN 'frames' THEN v.frames_removed_at IS NULL AND v.status = 'COMPLETED'
          ELSE true
      END
  AND v.id <> ALL (:without::uuid[])
ORDER BY v.created_at, v.id
LIMIT :limit;

-- name: due_by_size
-- The oldest videos of which this part may be removed, until the rest of all videos fits into so many bytes. Sizes of originals
-- are those of the rows; all others were measured in the object store.
WITH stored AS (
    SELECT v.id, v.name, v.created_at,
           CASE :part::text WHEN 'original' THEN coalesce(v.size_bytes, 0) ELSE coalesce(m.bytes, 0) END AS size_bytes,
           v.status IN ('COMPLETED', 'FAILED') AND (:part <> 'frames' OR v.status = 'COMPLETED')
               AND NOT EXISTS (SELECT FROM jobs AS j WHERE j.video_id = v.id AND j.open) AS is_removable
    FROM videos AS v
    LEFT JOIN unnest(:ids::uuid[], :sizes::bigint[]) AS m (id, bytes) ON m.id = v.id
    WHERE v.id <> ALL (:without::uuid[])
      AND CASE :part
              WHEN 'original' THEN v.original_removed_at IS NULL AND v.status NOT IN ('CREATED', 'UPLOADING')
                  AND NOT EXISTS (SELECT FROM uploads AS u WHERE u.video_id = v.id AND u.state = 'aborted' AND u.etag IS NULL)
              WHEN 'frames' THEN v.frames_removed_at IS NULL
              ELSE true
          END
), removable AS (
    SELECT id, name, created_at, size_bytes, sum(size_bytes) OVER (ORDER BY created_at, id) - size_bytes AS older_bytes
    FROM stored WHERE is_removable AND size_bytes > 0
)
SELECT id, name, created_at, size_bytes FROM removable
WHERE older_bytes < (SELECT sum(size_bytes) FROM stored) - :max_bytes::bigint
ORDER BY created_at, id
LIMIT :limit;

-- name: lock_due
-- Those of these videos that no other transaction is changing.
SELECT id FROM videos WHERE id = ANY (:ids::uuid[]) FOR UPDATE SKIP LOCKED;

-- name: mark_original_removed
-- From here on the API reports the original as removed.
UPDATE videos SET original_removed_at = now(), updated_at = now() WHERE id = ANY (:ids::uuid[]) AND original_removed_at IS NULL;

-- name: mark_frames_removed
-- From here on the API reports the key frames as removed.
UPDATE videos SET frames_removed_at = now(), updated_at = now() WHERE id = ANY (:ids::uuid[]) AND frames_removed_at IS NULL;

-- name: request_object_removals
-- Requests the removal of the objects of this part.
INSERT INTO video_object_removals (video_id, part) SELECT id, :part FROM unnest(:ids::uuid[]) AS id
ON CONFLICT DO NOTHING;

-- name: object_removals_due
-- Objects that are yet to be removed. A video on which work has begun since is left alone: it may be storing them again.
SELECT r.video_id, r.part FROM video_object_removals AS r
WHERE NOT EXISTS (SELECT FROM jobs AS j WHERE j.video_id = r.video_id AND j.open)
ORDER BY r.requested_at, r.video_id, r.part
LIMIT 100;

-- name: forget_object_removal
-- The objects are removed.
DELETE FROM video_object_removals WHERE video_id = :video_id AND part = :part;

-- name: frames_stored
-- Key frames were stored again.
WITH kept AS (DELETE FROM video_object_removals WHERE video_id = :id AND part = 'frames')
UPDATE videos SET frames_removed_at = NULL, updated_at = now() WHERE id = :id AND frames_removed_at IS NOT NULL;

-- name: videos_without_frames
-- Which of these videos have no key frames any more.
SELECT id FROM videos WHERE id = ANY (:ids::uuid[]) AND frames_removed_at IS NOT NULL;
