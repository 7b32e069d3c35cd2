-- name: find_as_caller
-- Videos of the caller by words of their names, tags and descriptions, and by whole tags; best first.
SELECT id, rank FROM sightline.find_videos_as_caller(:words::text[], :tags::text[], :only_names::boolean, :limit::integer);

-- name: find_everywhere
-- The same among all videos, for the platform itself.
SELECT id, rank FROM sightline.find_videos(NULL, NULL, :words::text[], :tags::text[], :only_names::boolean, :limit::integer);

-- name: set_details
-- What people say of a video; the row is locked by the transaction.
UPDATE videos SET name = :name, description = :description, tags = :tags::text[], updated_at = now() WHERE id = :id
RETURNING *;

-- name: read_videos
-- Videos by id, in the order of the ids, without those that the transaction's role may not see.
SELECT v.* FROM unnest(:ids::uuid[]) WITH ORDINALITY AS wanted (id, place) JOIN videos AS v ON v.id = wanted.id
ORDER BY wanted.place;

-- name: list_found
-- Those of these videos that the transaction's role may see, newest first, optionally of some statuses, after the given position.
SELECT * FROM videos
WHERE id = ANY (:ids::uuid[])
  AND (:before_at::timestamptz IS NULL OR (created_at, id) < (:before_at, :before_id::uuid))
  AND (:statuses::text[] IS NULL OR status = ANY (:statuses::text[]::video_status[]))
ORDER BY created_at DESC, id DESC
LIMIT :limit;
