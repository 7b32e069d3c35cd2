-- name: list_videos
-- The newest videos that the transaction's role may see, after the given position.
SELECT id, owner_id, team_id, name, status, index_status, error_reason, duration_ms, created_at, updated_at
FROM videos
WHERE :before_at::timestamptz IS NULL OR (created_at, id) < (:before_at, :before_id::uuid)
ORDER BY created_at DESC, id DESC
LIMIT :most;

-- name: get_video
-- One video, if the transaction's role may see it.
SELECT id, owner_id, team_id, name, status, index_status, error_reason, duration_ms, created_at, updated_at
FROM videos
WHERE id = :id;
