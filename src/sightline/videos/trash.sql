-- name: move_to_trash
-- Videos that were processed, in the trash from now on. Those that are there already keep their time.
UPDATE videos SET trashed_at = now(), updated_at = now()
WHERE id = ANY (:ids::uuid[]) AND trashed_at IS NULL AND status IN ('COMPLETED', 'FAILED')
RETURNING *;

-- name: restore
-- Videos out of the trash, as they were.
UPDATE videos SET trashed_at = NULL, updated_at = now() WHERE id = ANY (:ids::uuid[]) AND trashed_at IS NOT NULL
RETURNING *;

-- name: list_trash
-- What owners have in the trash, the newest there first, after the given position.
SELECT * FROM videos
WHERE owner_id = ANY (:owner_ids::uuid[]) AND trashed_at IS NOT NULL
  AND (:before_at::timestamptz IS NULL OR (trashed_at, id) < (:before_at, :before_id::uuid))
ORDER BY trashed_at DESC, id DESC
LIMIT :limit;

-- name: read_trash
-- Those of these videos that are in the trash.
SELECT * FROM videos WHERE id = ANY (:ids::uuid[]) AND trashed_at IS NOT NULL FOR UPDATE;

-- name: trash_due
-- Videos whose time in the trash is over, and which no other transaction is changing.
SELECT id FROM videos WHERE trashed_at < now() - make_interval(secs => :days::float8 * 86400)
ORDER BY trashed_at LIMIT 100 FOR UPDATE SKIP LOCKED;
