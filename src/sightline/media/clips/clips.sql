-- name: insert_clip
-- A requested clip.
INSERT INTO clips (id, video_id, t_start, t_end, padding_ms, created_by)
VALUES (:id, :video_id, :t_start, :t_end, :padding_ms, :created_by)
RETURNING *;

-- name: get_clip
-- One clip, if the transaction's role may see it.
SELECT * FROM clips WHERE id = :id;

-- name: list_clips
-- The newest clips of a video, after the given position.
SELECT * FROM clips
WHERE video_id = :video_id
  AND (:before_at::timestamptz IS NULL OR (created_at, id) < (:before_at, :before_id::text))
ORDER BY created_at DESC, id DESC
LIMIT :limit;

-- name: begin_clip
-- The clip is being made. One that somebody enqueued past the API gets its row here; none if its video is gone, or if the id is
-- that of another video's clip.
INSERT INTO clips (id, video_id, status, t_start, t_end, padding_ms, start_ms, end_ms)
SELECT :id, v.id, 'processing', :t_start, :t_end, :padding_ms, :start_ms, :end_ms
FROM videos AS v WHERE v.id = :video_id FOR KEY SHARE
ON CONFLICT (id) DO UPDATE
SET status = 'processing', start_ms = excluded.start_ms, end_ms = excluded.end_ms, error_reason = NULL, updated_at = now()
WHERE clips.video_id = excluded.video_id
RETURNING id;

-- name: finish_clip
-- The clip is there.
UPDATE clips
SET status = 'done', s3_path = :path, size_bytes = :size_bytes, error_reason = NULL, updated_at = now(),
    expires_at = now() + make_interval(secs => :keep_s::float8)
WHERE id = :id AND status = 'processing';

-- name: fail_clip
-- The clip could not be made, for good.
UPDATE clips SET status = 'failed', error_reason = :reason, updated_at = now()
WHERE id = :id AND video_id = :video_id AND status IN ('queued', 'processing');

-- name: expired_clips
-- Clips whose time is over.
SELECT id, s3_path FROM clips WHERE status = 'done' AND expires_at < now() ORDER BY expires_at LIMIT :limit;

-- name: expire_clip
-- The stored clip is gone. One that was made again meanwhile stays.
UPDATE clips SET status = 'expired', s3_path = NULL, size_bytes = NULL, updated_at = now()
WHERE id = :id AND status = 'done' AND expires_at < now();
