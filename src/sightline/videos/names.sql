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
