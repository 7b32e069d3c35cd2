-- name: list
-- The collections that the transaction's role may see, by name, each with the number of its videos and the newest with a picture.
SELECT c.*, coalesce(v.videos, 0) AS videos, v.covers
FROM collections AS c
LEFT JOIN LATERAL (
    SELECT count(*) AS videos,
           (array_agg(v.id ORDER BY v.created_at DESC, v.id) FILTER (WHERE v.s3_thumb_path IS NOT NULL))[1:4] AS covers
    FROM collection_videos AS m JOIN videos AS v ON v.id = m.video_id WHERE m.collection_id = c.id
) AS v ON true
WHERE :id::uuid IS NULL OR c.id = :id
ORDER BY lower(c.name), c.id;

-- name: of_video
-- Which of the collections that the transaction's role may see hold a video.
SELECT m.collection_id FROM collection_videos AS m WHERE m.video_id = :video_id;

-- name: lock_owner
-- Collections of one owner are counted and added one after the other.
SELECT pg_advisory_xact_lock(hashtextextended('sightline.collections/' || :owner_id::uuid::text, 0));

-- name: count
-- How many a person has.
SELECT count(*) FROM collections WHERE owner_id = :owner_id;

-- name: insert
-- A new one; no row if its owner has one of that name.
INSERT INTO collections (owner_id, name) VALUES (:owner_id, :name)
ON CONFLICT (owner_id, name) DO NOTHING
RETURNING *;

-- name: rename
-- Another name; no row if it is not the owner's.
UPDATE collections SET name = :name, updated_at = now() WHERE id = :id AND owner_id = :owner_id
RETURNING *;

-- name: delete
-- The collection; its videos stay.
DELETE FROM collections WHERE id = :id AND owner_id = :owner_id RETURNING id;

-- name: lock
-- One collection of an owner, locked until the transaction ends.
SELECT id FROM collections WHERE id = :id AND owner_id = :owner_id FOR UPDATE;

-- name: add
-- Puts videos in; those that are in it stay.
INSERT INTO collection_videos (collection_id, video_id)
SELECT :id, v FROM unnest(:video_ids::uuid[]) AS v
ON CONFLICT DO NOTHING;

-- name: take_out
-- Takes videos out.
DELETE FROM collection_videos WHERE collection_id = :id AND video_id = ANY (:video_ids::uuid[]);

-- name: touch
-- Its videos have changed.
UPDATE collections SET updated_at = now() WHERE id = :id;
