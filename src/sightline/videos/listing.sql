-- name: list_newest
-- The newest videos that the transaction's role may see, optionally of some statuses, ids, a collection, or an owner or team, after the given position.
SELECT v.* FROM videos AS v
WHERE (:before_at::timestamptz IS NULL OR (v.created_at, v.id) < (:before_at, :before_id::uuid))
  AND (:owner_id::uuid IS NULL OR v.team_id = :owner_id OR v.owner_id = :owner_id)
  AND (:statuses::text[] IS NULL OR v.status = ANY (:statuses::text[]::video_status[]))
  AND (:ids::uuid[] IS NULL OR v.id = ANY (:ids))
  AND (:collection_id::uuid IS NULL
       OR EXISTS (SELECT FROM collection_videos AS c WHERE c.collection_id = :collection_id AND c.video_id = v.id))
ORDER BY v.created_at DESC, v.id DESC
LIMIT :limit;

-- name: list_sorted
-- The same in another order. The key is a text, so that one cursor fits all orders; what is not known comes last.
WITH keyed AS (
    SELECT v.*, (CASE :sort::text
        WHEN 'name' THEN left(sightline.fold_name(v.name), 200)
        WHEN 'oldest' THEN lpad((extract(epoch FROM v.created_at) * 1000000)::bigint::text, 18, '0')
        WHEN 'longest' THEN lpad((1000000000000000000 - coalesce(v.duration_ms, 0))::text, 19, '0')
        ELSE lpad((1000000000000000000 - coalesce(v.size_bytes, 0))::text, 19, '0')
    END) COLLATE "C" AS sort_key
    FROM videos AS v
    WHERE (:owner_id::uuid IS NULL OR v.team_id = :owner_id OR v.owner_id = :owner_id)
      AND (:statuses::text[] IS NULL OR v.status = ANY (:statuses::text[]::video_status[]))
      AND (:ids::uuid[] IS NULL OR v.id = ANY (:ids))
      AND (:collection_id::uuid IS NULL
           OR EXISTS (SELECT FROM collection_videos AS c WHERE c.collection_id = :collection_id AND c.video_id = v.id))
)
SELECT * FROM keyed
WHERE :after_key::text IS NULL OR (sort_key, id) > (:after_key, :after_id::uuid)
ORDER BY sort_key, id
LIMIT :limit;
