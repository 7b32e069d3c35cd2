-- name: insert_clip
-- A requested clip.
INSERT INTO clips (id, video_id, t_start, t_end, padding_ms, created_by, name, captions, caption_kind, parts)
VALUES (:id, :video_id, :t_start, :t_end, :padding_ms, :created_by, :name::text, :captions, :caption_kind, :parts::jsonb)
RETURNING *;

-- name: get_clip
-- One clip, if the transaction's role may see it.
SELECT * FROM clips WHERE id = :id;

-- name: list_clips
-- Clips of a video, newest first, after the given one.
SELECT * FROM clips
WHERE video_id = :video_id
  AND (:before_at::timestamptz IS NULL OR (created_at, id) < (:before_at, :before_id::text))
ORDER BY created_at DESC, id DESC
LIMIT :limit;

-- name: begin_clip
-- Starts a clip. Adds its row if the job was enqueued without the API; returns no row if the video was removed, or if the id
-- belongs to a clip of another video.
INSERT INTO clips (id, video_id, status, t_start, t_end, padding_ms, start_ms, end_ms, captions, caption_kind, parts)
SELECT :id, v.id, 'processing', :t_start, :t_end, :padding_ms, :start_ms, :end_ms, :captions, :caption_kind, :parts::jsonb
FROM videos AS v WHERE v.id = :video_id FOR KEY SHARE
ON CONFLICT (id) DO UPDATE
SET status = 'processing', start_ms = excluded.start_ms, end_ms = excluded.end_ms, error_reason = NULL, updated_at = now()
WHERE clips.video_id = excluded.video_id
RETURNING id;

-- name: finish_clip
-- Marks a clip done.
UPDATE clips
SET status = 'done', s3_path = :path, size_bytes = :size_bytes, error_reason = NULL, updated_at = now(),
    expires_at = now() + make_interval(secs => :keep_s::float8)
WHERE id = :id AND status = 'processing';

-- name: fail_clip
-- Marks a clip failed for good.
UPDATE clips SET status = 'failed', error_reason = :reason, updated_at = now()
WHERE id = :id AND video_id = :video_id AND status IN ('queued', 'processing');

-- name: expired_clips
-- Clips that have expired.
SELECT id, s3_path FROM clips WHERE status = 'done' AND expires_at < now() ORDER BY expires_at LIMIT :limit;

-- name: expire_clip
-- Marks a clip expired, unless it was made again in the meantime.
UPDATE clips SET status = 'expired', s3_path = NULL, size_bytes = NULL, updated_at = now()
WHERE id = :id AND status = 'done' AND expires_at < now();

-- name: clips_over_size
-- The oldest clips that are stored, until the rest fits into so many bytes.
WITH stored AS (
    SELECT id, size_bytes, created_at, sum(size_bytes) OVER (ORDER BY created_at, id) - size_bytes AS older_bytes,
           sum(size_bytes) OVER () AS total
    FROM clips WHERE status = 'done' AND expires_at > now()
)
SELECT id, size_bytes FROM stored WHERE older_bytes < total - :max_bytes::bigint
ORDER BY created_at, id
LIMIT :limit;

-- name: end_clips
-- Lets these clips expire now; `ClipExpiry` removes them.
UPDATE clips SET expires_at = now(), updated_at = now() WHERE id = ANY (:ids::text[]) AND status = 'done' AND expires_at > now();
