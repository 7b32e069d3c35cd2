-- name: get_video
-- One video, if the transaction's role may see it.
SELECT * FROM videos WHERE id = :id;

-- name: get_video_for_update
-- One video, locked until the transaction ends.
SELECT * FROM videos WHERE id = :id FOR NO KEY UPDATE;

-- name: list_moves
-- The history of a video, oldest first.
SELECT move, status, reason, at FROM video_moves WHERE video_id = :id ORDER BY move;

-- name: insert_video
-- A new video in CREATED; no row if the id exists.
INSERT INTO videos (id, owner_id, team_id, owner_email, uploaded_by, name, size_bytes, content_type, duration_ms)
VALUES (:id, :owner_id, :team_id, :owner_email, :uploaded_by, :name, :size_bytes, :content_type, :duration_ms)
ON CONFLICT (id) DO NOTHING
RETURNING *;

-- name: move
-- Moves a video to a status from one of those expected. The database refuses a move that is not allowed.
UPDATE videos
SET status = :status::text::video_status, status_reason = :reason::text,
    error_reason = CASE WHEN :status::text = 'FAILED' THEN :reason::text END
WHERE id = :id AND status = ANY (:expected::text[]::video_status[])
RETURNING *;

-- name: set_media
-- Properties of the media; those not given stay.
UPDATE videos
SET duration_ms = coalesce(:duration_ms::bigint, duration_ms), fps = coalesce(:fps::float8, fps),
    width = coalesce(:width::integer, width), height = coalesce(:height::integer, height),
    s3_proxy_path = coalesce(:proxy_path::text, s3_proxy_path), s3_thumb_path = coalesce(:thumb_path::text, s3_thumb_path),
    updated_at = now()
WHERE id = :id;

-- name: set_media_note
-- What people should know of the file, such as that it is cut off.
UPDATE videos SET media_note = :note::text, updated_at = now() WHERE id = :id AND media_note IS DISTINCT FROM :note::text;

-- name: set_sprite_sheet
-- How the sprite sheet is laid out; NULL if there is none.
UPDATE videos SET sprite_sheet = :sheet::jsonb, updated_at = now() WHERE id = :id AND sprite_sheet IS DISTINCT FROM :sheet::jsonb;

-- name: set_size
-- The size of the original, as the store reports.
UPDATE videos SET size_bytes = :size_bytes, updated_at = now() WHERE id = :id AND size_bytes IS DISTINCT FROM :size_bytes;

-- name: known_videos
-- Which of these ids are videos, or were until recently.
SELECT id FROM videos WHERE id = ANY (:ids::uuid[])
UNION ALL
SELECT video_id FROM video_removals WHERE video_id = ANY (:ids::uuid[]);

-- name: completed_videos
-- Which of these videos are completed, if the transaction's role may see them.
SELECT id FROM videos WHERE id = ANY (:ids::uuid[]) AND status = 'COMPLETED';

-- name: request_removal
-- Requests the removal of the objects of a video.
INSERT INTO video_removals (video_id, store_upload_id) VALUES (:id, :store_upload_id)
ON CONFLICT (video_id) DO NOTHING;

-- name: delete_video
-- The video and everything that refers to it.
DELETE FROM videos WHERE id = :id;

-- name: removals_due
-- Removals that were not swept yet, or so long ago that all jobs of that time have ended.
SELECT video_id, store_upload_id, swept_at IS NOT NULL AS is_last
FROM video_removals
WHERE swept_at IS NULL OR asked_at < now() - make_interval(secs => :settle_s::float8)
ORDER BY asked_at
LIMIT 100;

-- name: removal_swept
-- The objects are gone for now.
UPDATE video_removals SET swept_at = now() WHERE video_id = :id;

-- name: forget_removal
-- The objects are gone for good.
DELETE FROM video_removals WHERE video_id = :id;

-- name: reported_videos
-- Videos whose status a worker of another program has reported.
SELECT id FROM videos WHERE reported_status IS NOT NULL ORDER BY id LIMIT 200;

-- name: take_reported
-- Takes what was reported of a video. No row if nothing was, or if another transaction has the video locked.
WITH reported AS (
    SELECT id, reported_status FROM videos WHERE id = :id AND reported_status IS NOT NULL FOR NO KEY UPDATE SKIP LOCKED
)
UPDATE videos AS v SET reported_status = NULL FROM reported WHERE v.id = reported.id
RETURNING reported.reported_status;
